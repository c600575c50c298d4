"""Changing the language changes all text, but nothing in the game."""

from collections.abc import Callable

import pytest

from engine.board.ranks import Rank
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver


def moved(driver: Driver) -> None:
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5")


def attacked(driver: Driver) -> None:
    playing.begin(driver)
    playing.attack_on_screen(driver, "e4", "e7")


def fought(driver: Driver) -> None:
    attacked(driver)
    playing.declare(driver, Rank.MINER)
    playing.turn_cards(driver)


def astray(driver: Driver) -> None:
    playing.begin(driver)
    driver.show(playing.after(playing.STANDING, "e4 f5"))


def speak(driver: Driver, code: str) -> None:
    for button in ("menu", "settings", "language"):
        driver.tap(button)
    driver.tap_option("languages", code)
    playing.turn_cards(driver)  # the cards turn again when the reveal is shown again


@pytest.mark.parametrize(
    ("arrive", "english", "german"),
    slow_after_first(
        "languages",
        [
            (moved, "Red: e4 to e5.", "Rot: e4 nach e5."),
            (attacked, "Take the screen.", "Nimm den Bildschirm."),
            (fought, "Blue wins the combat", "Blau gewinnt den Kampf"),
            (astray, "Remove the piece from f5.", "Nimm die Figur von f5."),
        ],
    ),
)
def test_language_changed_during_a_game(
    driver: Driver, arrive: Callable[[Driver], None], english: str, german: str
) -> None:
    arrive(driver)
    view, before = driver.view, driver.texts()
    assert english in before
    speak(driver, "de")
    assert (driver.view, english in driver.texts()) == (view, False)
    assert german in driver.texts()
    speak(driver, "en")
    assert driver.texts() == before


@RARE
def test_back_returns_to_the_caller(driver: Driver) -> None:
    for button in ("language", "close"):
        driver.tap(button)
    assert "Two players" in driver.texts()
    playing.begin(driver)
    for button in ("menu", "settings", "language", "close"):
        driver.tap(button)
    assert "Quiet explosions" in driver.texts()
    for button in ("close", "close"):
        driver.tap(button)
    assert driver.view == "turn"
