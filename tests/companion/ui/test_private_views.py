"""Private views close on release, loss of focus, a screen change or a timeout."""

from collections.abc import Callable

import pytest
from kivy.base import EventLoop

from companion.ui.root import PEEK_SECONDS
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin_simulated, open_curtain
from tests.companion.ui.running_app import LOOK, Script

Drive = Callable[..., Driver]


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """Two-player game on the simulated board, with Red to move."""
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    return driver


def lose_focus() -> None:
    window = EventLoop.window
    window._focus = False
    window._focus = True


WINDOW_EVENTS: dict[str, Callable[[], object]] = {
    "focus": lose_focus,
    "minimise": lambda: EventLoop.window.dispatch("on_minimize"),
    "hide": lambda: EventLoop.window.dispatch("on_hide"),
}
each_event = pytest.mark.parametrize("event", WINDOW_EVENTS)


def hold_eye(driver: Driver) -> None:
    hidden = driver.pixels()
    driver.touch_at(*driver.middle(driver.find("eye")))
    assert driver.tabletop.peeked == {Side.RED}
    assert driver.pixels() != hidden


def assert_closed(driver: Driver) -> None:
    driver.frames(2)
    assert driver.tabletop.peeked == set()
    assert not any(driver.tabletop.shows(side) for side in Side)
    eye = driver.on_top("eye")
    assert eye is None or eye.state == "normal"


@each_event
def test_losing_focus_hides_the_ranks(driver: Driver, event: str) -> None:
    driver.frames(3)
    hidden = driver.pixels()
    hold_eye(driver)
    WINDOW_EVENTS[event]()
    assert_closed(driver)
    assert driver.pixels() == hidden
    driver.pass_time(1)
    assert_closed(driver)


def test_ranks_are_hidden_after_a_timeout(
    driver: Driver,
) -> None:
    hold_eye(driver)
    driver.pass_time(PEEK_SECONDS - 0.5)
    assert driver.tabletop.peeked
    driver.pass_time(0.6)
    assert_closed(driver)
    hold_eye(driver)  # a new touch shows the ranks again


def test_second_finger_does_not_keep_ranks_visible(driver: Driver) -> None:
    at = driver.middle(driver.find("eye"))
    one, other = driver.touch_at(*at), driver.touch_again_at(*at)
    driver.release(other)
    driver.release(one)
    assert_closed(driver)


def test_finger_lifted_elsewhere_hides_the_ranks(driver: Driver) -> None:
    finger = driver.touch_at(*driver.middle(driver.find("eye")))
    driver.slide(finger, 300, 100)
    driver.release(finger)
    assert_closed(driver)


def test_next_turn_hides_the_ranks(driver: Driver) -> None:
    finger = driver.touch_at(*driver.middle(driver.find("eye")))
    driver.carry("e4", "e5")
    driver.show_virtual()
    assert driver.face.side is Side.BLUE
    assert_closed(driver)
    driver.release(finger)
    assert_closed(driver)


def test_next_screen_hides_the_ranks(driver: Driver) -> None:
    finger = driver.touch_at(*driver.middle(driver.find("eye")))
    driver.carry("e4", "f6")
    driver.show_virtual()
    assert driver.view == "recovery"
    assert_closed(driver)
    driver.release(finger)
    driver.carry("f6", "e4")
    driver.show_virtual()
    assert_closed(driver)


@pytest.mark.parametrize("opened", ["menu", "lost", "left"])
def test_dialog_hides_the_ranks(driver: Driver, opened: str) -> None:
    driver.touch_at(*driver.middle(driver.find("eye")))
    if opened == "menu":
        driver.tap("menu")
    elif opened == "lost":
        driver.lose()
        driver.pass_time(3)
    else:
        driver.app.presenter.leave()
        driver.frames(4)
    assert driver.tabletop.peeked == set()


@each_event
def test_losing_focus_closes_the_curtain(driver: Driver, event: str) -> None:
    for source, target in (("e4", "e5"), ("a7", "a6"), ("e5", "e6"), ("a6", "a5"), ("e6", "e7")):
        driver.carry(source, target)
        driver.show_virtual()
    assert driver.view == "declaration"
    open_curtain(driver)
    assert driver.face.is_open
    WINDOW_EVENTS[event]()
    driver.pass_time(LOOK)
    assert not driver.face.is_open
    open_curtain(driver)
    assert driver.face.is_open


@RARE
@each_event
def test_losing_focus_closes_the_setup(drive: Drive, event: str) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("begin")
    driver.tap("setups")
    driver.hold("red", HOLD_SECONDS + 0.1)
    assert "Whose setup?" not in driver.texts()
    WINDOW_EVENTS[event]()
    driver.frames(2)
    assert "Whose setup?" in driver.texts()
