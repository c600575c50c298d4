"""Buttons for irreversible actions must be held. Taps and double taps have no effect."""

from collections.abc import Callable, Sequence

import pytest

from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, begin, play

HELD: dict[str, Sequence[str]] = {
    "resigning": ("menu", "red_resigns"),
    "accepting a draw": ("menu", "red_draw", "yes", "menu", "blue_draw"),
    "saying that one cannot move": ("menu", "cannot_move"),
    "an arbiter's decision": ("menu", "arbiter", "both_forfeit"),
}
TAPPED: dict[str, Sequence[str]] = {
    "offering a draw": ("menu", "red_draw"),
    "asking to take back": ("menu", "red_take_back"),
}


def lead(driver: Driver, way: Sequence[str]) -> str:
    """Begin a game and press the buttons in `way`, which lead to a question.

    Return the text on the screen.
    """
    begin(driver)
    play(driver, STANDING, "e4 e5")
    for button in way:
        driver.tap(button)
    return driver.texts()


def double_tap(driver: Driver) -> None:
    point = driver.middle(driver.find("yes"))
    driver.tap_at(*point)
    driver.release(driver.touch_again_at(*point))


@pytest.mark.parametrize("way", HELD.values(), ids=HELD)
def test_double_tap_does_not_confirm(driver: Driver, way: Sequence[str]) -> None:
    shown = lead(driver, way)
    double_tap(driver)
    assert driver.texts() == shown
    driver.confirm()
    assert driver.texts() != shown


@pytest.mark.parametrize("way", TAPPED.values(), ids=TAPPED)
def test_harmless_actions_need_only_a_touch(driver: Driver, way: Sequence[str]) -> None:
    shown = lead(driver, way)
    driver.tap("yes")
    assert driver.texts() != shown


def test_unsaved_game_is_not_left_by_a_tap(
    drive: Callable[..., Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = drive()
    begin(driver)
    monkeypatch.setattr(type(driver.app.host), "keeps", False)
    for button in ("menu", "leave"):
        driver.tap(button)
    double_tap(driver)
    assert driver.view == "turn"
    driver.confirm()
    assert driver.view == "start"
