"""If several explanations fit the image, the players are asked which one is right."""

from dataclasses import replace

import pytest

from companion.core.state import AwaitingAnswer, OpenQuestion
from companion.core.table import Table
from engine.board.geometry import square
from engine.game.actions import Attack, Move
from firmware_bridge.image import Image
from tests.campaigns import slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, after, begin, play, take_crossed
from tests.companion.ui.test_text_fit import faults


@pytest.fixture
def before(driver: Driver) -> Image:
    """Image before e5 and f4 were lifted and one of them was set down on f5."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "a7 a6")
    take_crossed(driver, image, "e5", "f4", "f5")
    assert driver.view == "choose-move"
    return image


@pytest.mark.parametrize("source", slow_after_first("variants", ["e5", "f4"]))
def test_button_for_each_explanation(driver: Driver, before: Image, source: str) -> None:
    driver.tap_answer("candidates", f"{source} to f5")
    assert latest(driver) == Move(square(source), square("f5"))
    driver.show(after(before, f"{source} f5"))
    assert driver.view == "turn"
    assert "Blue" in driver.texts()


def test_detected_board_is_shown(driver: Driver, before: Image) -> None:
    assert driver.face.image == after(before, "e5", "f4 f5")
    assert driver.face.marked == 1 << square("e5") | 1 << square("f4") | 1 << square("f5")


def test_none_of_these_restores_the_board(driver: Driver, before: Image) -> None:
    driver.tap("none_of_them")
    assert driver.view == "recovery"
    driver.show(before)
    assert driver.view == "turn"
    assert latest(driver) == Move(square("a7"), square("a6"))


def test_restored_pieces_close_the_question(driver: Driver, before: Image) -> None:
    driver.show(before)
    assert driver.view == "turn"


def test_explanation_with_two_turns(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "f7 f6")
    for shown in (
        after(image, "e5"),
        after(image, "e5", "f4"),
        red := after(image, "e5", "f4 f5"),
        after(red, "f6"),
        after(red, "f6", "f5"),
    ):
        driver.show(shown, seconds=0.1)
    driver.show(after(red, "f6 f5"), seconds=2)
    driver.tap_answer("candidates", "f4 to f5, then f6 attacks f5")
    assert latest(driver) == Attack(square("f6"), square("f5"))
    assert driver.view == "declaration"


def test_many_explanations_scroll(
    driver: Driver, before: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = driver.app.presenter.table.state
    assert isinstance(state, AwaitingAnswer)
    turns = "e5-f5 f6xf5 f4-f5"
    answers = [replace(state.asked.answers[0], text=f"{turns} a{row}-a10") for row in range(1, 8)]
    more = replace(state, asked=OpenQuestion(tuple(answers)))
    monkeypatch.setattr(Table, "state", more)
    driver.app.face.refresh()
    driver.frames(4)
    assert not list(faults(driver))
    assert driver.face.ids.scroll.do_scroll_y


def latest(driver: Driver) -> Move | Attack:
    action = driver.app.presenter.table.referee.actions[-1]
    assert isinstance(action, Move | Attack)
    return action
