"""One person on the simulated board: own ranks in view, the other side plays by itself."""

from collections.abc import Callable

import pytest

from companion.simulator.opponent import Turn
from companion.table.state import ToMove
from engine.play.actions import Attack
from engine.sides import Side
from engine.squares import name
from tests.companion.screens.driver import Driver, Script

Drive = Callable[..., Driver]


@pytest.fixture
def driver(drive: Drive) -> Driver:
    """A game against the opponent that has begun, after two touches."""
    driver = drive(source=Script.simulated())
    driver.connect()
    driver.tap("alone")
    driver.show_virtual()
    driver.tap_inside("red", "ready")
    until(driver, lambda: driver.view == "turn")
    return driver


def until(driver: Driver, condition: Callable[[], object]) -> None:
    """Let time go by in which the board is seen and the opponent acts."""
    for _ in range(60):
        if condition():
            return
        driver.show_virtual()
        driver.pass_time(0.6)
    raise AssertionError("it did not happen")


def plies(driver: Driver) -> int:
    return int(driver.app.stage.table.view.plies)


def drag(driver: Driver, source: str, target: str) -> None:
    driver.carry(source, target)


def turns(driver: Driver) -> list[Turn]:
    """All turns that Red can make with the ranks of its pieces."""
    alone = driver.app._alone
    assert alone
    assert alone._opponent
    return alone._opponent._turns(Side.RED)


def turn(driver: Driver) -> Turn:
    """One of them: an attack, if there is one."""
    return max(turns(driver), key=lambda turn: isinstance(turn, Attack))


def play(driver: Driver) -> None:
    made, before = turn(driver), plies(driver)
    drag(driver, name(made.source), name(made.target))
    until(driver, lambda: plies(driver) > before)


def test_nobody_is_called_to_do_what_the_other_side_does_by_itself(drive: Drive) -> None:
    driver = drive(source=Script.simulated())
    driver.connect()
    driver.tap("alone")
    driver.show_virtual()
    own, other = (driver.find(side).ids.ready for side in ("red", "blue"))
    assert (own.opacity, own.disabled) == (1, False)
    assert (other.opacity, other.disabled) == (0, True)
    driver.tap_inside("red", "ready")
    until(driver, lambda: driver.view == "turn")
    assert driver.face.to_move == "Your turn"
    made = next(each for each in turns(driver) if not isinstance(each, Attack))
    drag(driver, name(made.source), name(made.target))
    driver.show_virtual()
    driver.wait(lambda: plies(driver) == 1)
    assert driver.face.side is Side.BLUE
    assert driver.face.to_move == ""


def test_after_three_touches_and_a_drag_the_other_side_answers(driver: Driver) -> None:
    assert driver.tabletop.alone is Side.RED
    play(driver)
    until(driver, lambda: plies(driver) == 2)


def test_an_attack_is_told_without_a_curtain_and_cleared_up(driver: Driver) -> None:
    table = driver.app.stage.table
    board = driver.tabletop.board
    while not any(table.view.captured.values()):
        play(driver)
        until(driver, lambda: table.view.to_move is Side.RED and table.state == ToMove())
    assert board.image() == table.expected


def test_the_opponent_waits_in_a_pause_and_is_there_after_a_restart(
    driver: Driver, drive: Drive
) -> None:
    for button in ("menu", "pause"):
        driver.tap(button)
    driver.pass_time(30)
    assert plies(driver) == 0
    driver.tap("leave")
    driver = drive(source=Script.simulated())
    driver.connect()
    driver.tap("resume")
    driver.show_virtual()
    driver.tap("go_on")
    assert driver.app.host.players.alone is Side.RED
    until(driver, lambda: driver.view == "turn")
    play(driver)
    until(driver, lambda: plies(driver) >= 2)


def test_two_people_are_left_alone(drive: Drive) -> None:
    driver = drive(source=Script.simulated())
    driver.connect()
    driver.tap("begin")
    driver.tap("set_up")
    driver.show_virtual()
    driver.pass_time(30)
    assert driver.app.stage.table.ready == frozenset()
