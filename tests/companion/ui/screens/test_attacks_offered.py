"""A hint beside the board offers possible attacks."""

import pytest

from engine.board.geometry import square
from engine.game.actions import Attack
from firmware_bridge.image import Image
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, SURROUNDED, after, begin, play

HELD = 3.0
"""Time that a piece must be held before all possible attacks are offered, in seconds."""


@pytest.fixture
def before(driver: Driver) -> Image:
    """Image before Red lifted the piece from e5, which is adjacent to Blue's e6."""
    begin(driver)
    image = play(driver, STANDING, "e4 e5", "e7 e6")
    driver.show(after(image, "e5"), HELD)
    return image


def test_touch_opens_the_attack(driver: Driver, before: Image) -> None:
    assert driver.view == "turn"
    assert "An attack? If not, just play on." in driver.texts()
    driver.tap_answer("attacks", "e5 attacks e6?")
    assert driver.app.presenter.table.view.opened == (square("e5"), square("e6"))
    assert driver.view == "declaration"


def test_offer_ends_when_the_piece_is_placed(driver: Driver, before: Image) -> None:
    driver.show(after(before, "e5 f5"))
    assert "attacks" not in driver.texts()
    assert "Blue" in driver.texts()


def test_declined_offer_is_not_repeated(driver: Driver, before: Image) -> None:
    driver.tap("decline")
    assert "attacks" not in driver.texts()
    driver.pass_time(HELD)
    assert "attacks" not in driver.texts()
    assert driver.view == "turn"


def test_offer_is_silent(driver: Driver, before: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    sounds: list[str] = []
    monkeypatch.setattr(driver.app._sounds, "play", sounds.append)
    driver.show(before)
    sounds.clear()
    driver.show(after(before, "e5"), HELD)
    assert "e5 attacks e6?" in driver.texts()
    assert not sounds


def test_attack_by_screen_needs_no_offer(driver: Driver, before: Image) -> None:
    driver.tap_square(square("e6"))
    assert "If not, just play on." not in driver.texts()
    driver.tap("attack")
    assert driver.view == "declaration"


def test_button_for_each_target(driver: Driver) -> None:
    begin(driver)
    image = play(driver, STANDING, *SURROUNDED)
    driver.show(after(image, "f7"), HELD)
    assert "Does f7 attack?" in driver.texts()
    assert {each.text for each in driver.find("attacks").children} == {"e7", "f6", "f8", "g7"}
    driver.tap_answer("attacks", "g7")
    assert driver.app.presenter.table.referee.actions[-1] == Attack(square("f7"), square("g7"))


def test_placed_piece_is_drawn_at_once(driver: Driver) -> None:
    begin(driver)
    driver.show(after(STANDING, "e4"), seconds=0.3)
    driver.show(after(STANDING, "e4 e5"), seconds=0.04)
    assert driver.face.set_down == square("e5")
    assert driver.app.presenter.table.view.plies == 0
    driver.show(after(STANDING, "e4"), seconds=0.04)
    assert driver.face.set_down is None
    driver.show(after(STANDING, "e4 e5"))
    assert driver.face.set_down is None
    assert driver.app.presenter.table.view.plies == 1
