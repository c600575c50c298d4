"""Helpers for playing the first battle by touch."""

from typing import Any

from companion.ui.first_battle.first_battle_dialog import FirstBattleDialog
from engine.board.geometry import square
from tests.companion.ui.driver import Driver


def dialog(driver: Driver) -> FirstBattleDialog:
    shown = driver.app.face.modals.modal
    assert isinstance(shown, FirstBattleDialog)
    return shown


def where(driver: Driver, name: str) -> tuple[float, float]:
    """Return the screen position of a square on the small board."""
    board: Any = driver.find("board")
    x, y = board.to_window(*board.centre(square(name)))
    return float(x), float(y)


def drag(driver: Driver, source: str, target: str) -> None:
    finger = driver.touch_at(*where(driver, source))
    driver.slide(finger, *where(driver, target))
    driver.release(finger)
