"""Tests for late taps on widgets that a screen change has replaced."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.ui.base.input_devices import ESCAPE, TAB
from companion.ui.base.presenter import UNASKED_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from tests.campaigns import RARE, slow_after_first
from tests.companion.ui import playing
from tests.companion.ui.base.test_keyboard import RETURN, Keys
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import Script

Drive = Callable[..., Driver]
Way = Callable[[Driver], list[Any]]
AWAY = ("leave", "again", "look")
"""Ids of the buttons that close the end-of-game screen."""


def capture_flag(driver: Driver) -> None:
    playing.begin(driver)
    image = playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(driver, "e6", "e7")
    playing.declare(driver, Rank.SERGEANT)
    playing.declare(driver, Rank.FLAG)
    driver.show(playing.after(image, "e6 e7"), seconds=0.5)
    playing.turn_cards(driver)
    assert driver.view == "reveal"


def place(widget: Any) -> tuple[float, float, float, float]:
    return (*widget.to_window(*widget.pos), *widget.to_window(widget.right, widget.top))


def overlap(one: Any, other: Any) -> bool:
    (left, bottom, right, top), (x1, y1, x2, y2) = one, other
    return bool(left < x2 and x1 < right and bottom < y2 and y1 < top)


# Each of the following functions ends a game and returns the positions of the buttons pressed.


def by_reading(driver: Driver) -> list[Any]:
    capture_flag(driver)
    button = place(driver.find("end"))
    driver.tap("end")
    return [button]


def by_menu(driver: Driver, *buttons: str) -> list[Any]:
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5")
    return by_buttons(driver, *buttons)


def by_buttons(driver: Driver, *buttons: str) -> list[Any]:
    places = []
    for button in buttons:
        places.append(place(driver.find(button)))
        driver.press(button)
    return places[-1:]


def by_resigning(driver: Driver) -> list[Any]:
    return by_menu(driver, "menu", "red_resigns", "yes")


def by_draw(driver: Driver) -> list[Any]:
    return by_menu(driver, "menu", "red_draw", "yes", "accept", "yes")


def by_stalemate(driver: Driver) -> list[Any]:
    return by_menu(driver, "menu", "cannot_move", "yes", "no", "yes")


def by_arbiter(driver: Driver) -> list[Any]:
    return by_menu(driver, "menu", "arbiter", "red_forfeits", "yes")


WAYS = (by_reading, by_resigning, by_draw, by_arbiter)


@pytest.mark.parametrize("way", slow_after_first("variants", WAYS))
@pytest.mark.parametrize("large", slow_after_first("large-letters", [False, True]))
def test_end_screen_buttons_move_away(driver: Driver, way: Way, *, large: bool) -> None:
    if large:
        playing.enlarge(driver)
    buttons = way(driver)
    assert driver.view == "end"
    ways_out = {name: place(each) for name in AWAY if (each := driver.on_top(name))}
    assert "leave" in ways_out or large
    for name, way_out in ways_out.items():
        assert not any(overlap(way_out, button) for button in buttons), (name, way_out, buttons)


@RARE
def test_automatic_end_ignores_taps_briefly(driver: Driver) -> None:
    capture_flag(driver)
    driver.wait(lambda: driver.view == "end", frames=200)
    shown = driver.app.presenter._untouchable_until - UNASKED_SECONDS
    where = driver.middle(driver.find("again"))
    driver.now = shown + 0.45
    driver.release(driver.touch_again_at(*where))
    assert driver.view == "end"
    driver.now = shown + 0.55
    driver.release(driver.touch_again_at(*where))
    assert driver.view == "setup"


@pytest.fixture
def setting_up(drive: Drive) -> Driver:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("begin")
    driver.tap("set_up")
    driver.show_virtual()
    return driver


def test_enter_after_ready_keeps_the_setup(setting_up: Driver) -> None:
    keys = Keys(setting_up)
    ready = setting_up.find("red").ids.ready.__self__
    while keys.focus is not ready:
        keys.type(TAB)
    keys.type(RETURN)
    assert setting_up.app.presenter.table.ready == {Side.RED}
    assert keys.focus is setting_up.find("blue").ids.ready.__self__


def test_back_confirms_discarding_a_setup(setting_up: Driver) -> None:
    setting_up.tap("back")
    setting_up.tap("no")
    assert setting_up.view == "setup"
    setting_up.tap("back")
    setting_up.confirm()
    assert setting_up.view == "start"


def test_back_without_a_setup_asks_nothing(drive: Drive) -> None:
    driver = drive()
    driver.connect()
    driver.tap("begin")
    driver.show(playing.STANDING)
    driver.tap("back")
    assert driver.view == "start"


@RARE
def test_escape_cancels(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    playing.begin_simulated(driver)
    for buttons in (("red_draw",), ("red_resigns",), ("arbiter", "red_forfeits")):
        for button in ("menu", *buttons):
            driver.tap(button)
        assert driver.on_top("no")
        Keys(driver).type(ESCAPE)
        assert not driver.on_top("no")
        assert driver.view == "turn"
        assert driver.app.presenter.table.conversation.draw_offer is None


# The simulated board stays in place when other parts of the screen change.


@RARE
def test_drag_during_the_reveal_is_a_move(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    playing.begin_simulated(driver)
    for source, target in (("e4", "e5"), ("a7", "a6"), ("e5", "e6"), ("a6", "a5"), ("e6", "e7")):
        driver.carry(source, target)
        driver.show_virtual()
    playing.declare(driver, Rank.MARSHAL)
    playing.declare(driver, Rank.CAPTAIN)
    driver.show_virtual()
    assert driver.view == "reveal"
    finger = driver.touch_at(*driver.on_board("a5"))
    driver.show_virtual()
    driver.slide(finger, *driver.on_board("b5"))
    driver.release(finger)
    driver.show_virtual()
    assert driver.app.presenter.table.view.last_move == (square("a5"), square("b5"))


def test_drag_after_the_reveal_is_a_move(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    playing.begin_simulated(driver)
    for source, target in (("e4", "e5"), ("a7", "a6"), ("e5", "e6"), ("a6", "a5"), ("e6", "e7")):
        driver.carry(source, target)
        driver.show_virtual()
    playing.declare(driver, Rank.MARSHAL)
    playing.declare(driver, Rank.CAPTAIN)
    driver.wait(lambda: driver.view == "turn", frames=400)
    finger = driver.touch_again_at(*driver.on_board("a5"))
    driver.slide(finger, *driver.on_board("b5"))
    driver.release(finger)
    driver.show_virtual()
    assert driver.app.presenter.table.view.last_move == (square("a5"), square("b5"))
