"""The simulated board in real time: finger, board, pseudo-terminal, link and table."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from companion.devices.live_board import LiveBoard
from companion.ui.base import base_screen
from engine.board.geometry import square
from engine.board.ranks import Rank
from firmware_bridge.simulated_board.board import SimulatedBoard
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.fast_clock import HASTE, fast_clock
from tests.timeouts import LONG


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveBoard]:
    # On this fast clock, a curtain could time out while a busy computer is still drawing it.
    monkeypatch.setattr(base_screen, "PATIENCE_SECONDS", LONG)
    with LiveBoard(simulated=SimulatedBoard(), clock=fast_clock, haste=HASTE) as board:
        yield board


def drag(driver: Driver, source: str, target: str) -> None:
    driver.carry(source, target)


def wait_for_ply(driver: Driver, plies: int) -> None:
    driver.wait_for_real(lambda: driver.app.presenter.table.view.plies == plies)


def have_declared(driver: Driver, sides: int) -> bool:
    table = driver.app.presenter.table
    return table.view.opened is None or len(table.conversation.declared) == sides


def declare_otherwise(driver: Driver, rank: Rank, sides: int) -> None:
    """Declare a rank other than the printed one."""
    if driver.find("sealed").rank is rank:
        finger = driver.touch_at(*driver.middle(driver.find("sealed")))
    else:
        driver.tap("another")
        finger = driver.touch_tile("tiles", rank)
        driver.wait_for_real(lambda: driver.on_top("insist"))
        driver.release(finger)
        finger = driver.touch_at(*driver.middle(driver.find("insist")))
    driver.wait_for_real(partial(have_declared, driver, sides))
    driver.release(finger)


def test_game_over_wire_frames(drive: Callable[..., Driver], live: LiveBoard) -> None:
    driver = drive(source=live, clock=fast_clock)
    presenter = driver.app.presenter
    driver.wait_for_real(lambda: presenter.host.found)
    driver.tap("begin")
    driver.tap("set_up")
    driver.wait_for_real(lambda: presenter.table.setup.red == presenter.table.setup.blue == 40)
    for side in ("red", "blue"):
        driver.tap_inside(side, "ready")
    driver.wait_for_real(lambda: driver.view == "turn")

    for plies, (source, target) in enumerate((("e4", "e5"), ("a7", "a6"), ("e5", "e6")), 1):
        drag(driver, source, target)
        wait_for_ply(driver, plies)
    drag(driver, "a6", "b5")
    driver.wait_for_real(lambda: driver.view == "recovery")
    drag(driver, "b5", "a6")
    driver.wait_for_real(lambda: driver.view == "turn")
    drag(driver, "a6", "a5")
    wait_for_ply(driver, 4)

    drag(driver, "e6", "e7")
    driver.wait_for_real(lambda: driver.view == "declaration")
    assert presenter.table.view.opened
    for count, rank in enumerate((Rank.CAPTAIN, Rank.BOMB), start=1):
        finger = driver.touch_at(*driver.middle(driver.find("hold")))
        driver.wait_for_real(lambda: driver.face.is_open)
        driver.release(finger)
        declare_otherwise(driver, rank, count)
    driver.wait_for_real(
        lambda: driver.view == "reveal" and presenter.explosion_seconds_left is None
    )
    driver.drag(driver.on_board("e7"), (640, 330))
    driver.drag(driver.on_tray("blue"), driver.on_board("e7"))
    driver.wait_for_real(lambda: driver.view == "turn")
    assert presenter.table.view.last_move == (square("e6"), square("e7"))
    assert presenter.table.view.captured[presenter.table.view.to_move.other] == (Rank.CAPTAIN,)


@RARE
def test_unplugged_board_reconnects(drive: Callable[..., Driver], live: LiveBoard) -> None:
    driver = drive(source=live, clock=fast_clock)
    driver.wait_for_real(lambda: "The board is connected." in driver.texts())
    port = live.simulated_port
    assert port
    port.unplug()
    driver.wait_for_real(lambda: live.error)
    driver.wait_for_real(lambda: "The board is connected." not in driver.texts())
    port.replug()
    driver.wait_for_real(lambda: "The board is connected." in driver.texts())
