"""The screen is not redrawn when a square flickers.

Board, table and screen share a simulated clock, with a frame every 20 ms.
"""

import select
from collections.abc import Callable, Iterator

import pytest
from kivy.base import EventLoop

from companion.core.inputs import CommandInput, Ready
from companion.devices.live_board import LiveBoard
from engine.board.geometry import Side, square, squares_in
from firmware_bridge.link import Event, MessageReceived
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import STATE_INTERVAL_MS, State
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import SETTLE

LOOSE = Campaign("loose-contacts", part=1, whole=60)
"""Duration of the flicker, in seconds."""
KNOWN = 0.5
"""Time until flicker is recognized, in seconds."""


class Table:
    def __init__(self, driver: Driver, board: SimulatedBoard, port: SimulatedPort) -> None:
        self.driver, self.board, self._port = driver, board, port
        self._heard = 0
        self.pictures = 0
        """Number of frames that have been drawn."""
        driver.app.host.source.watch(self._hear)

    def _hear(self, _at: float, event: Event) -> None:
        if isinstance(event, MessageReceived) and isinstance(event.message, State):
            self._heard += 1

    def pass_frame(self) -> None:
        """Send a frame from the board, process it and draw the changes."""
        expected = self._heard + 1
        self.driver.now += STATE_INTERVAL_MS / 1000
        assert self._port.advance(STATE_INTERVAL_MS) == 1
        while self._heard < expected:
            self.driver.frames()
            select.select([], [], [], 0.001)  # lets the link's thread run
        self.driver.frames(SETTLE)
        window = EventLoop.window
        if window.canvas.needs_redraw:
            self.pictures += 1
            window.on_draw()

    def pass_seconds(self, seconds: float) -> None:
        for _ in range(round(1000 * seconds / STATE_INTERVAL_MS)):
            self.pass_frame()

    def pass_seconds_blinking(self, where: int, seconds: float) -> None:
        """Switch a square between occupied and empty in every frame."""
        for _ in range(round(1000 * seconds / STATE_INTERVAL_MS)):
            if self.board.at(where):
                self.board.lift(where)
            else:
                self.board.stand(Side.RED, where)
            self.pass_frame()


@pytest.fixture
def table(drive: Callable[..., Driver]) -> Iterator[Table]:
    board = SimulatedBoard()
    for side in Side:
        for each in squares_in(side.home):
            board.stand(side, each)
    drivers: list[Driver] = []
    with (
        SimulatedPort(board) as port,
        LiveBoard(str(port.path), clock=lambda: drivers[0].now if drivers else 0.0) as live,
    ):
        driver = drive(source=live)
        drivers.append(driver)
        table = Table(driver, board, port)
        driver.wait_for_real(lambda: driver.app.host.found)
        driver.tap("begin")
        table.pass_seconds(0.5)
        for side in Side:
            driver.app.host.submit(CommandInput(driver.now, Ready(side)))
        table.pass_seconds(2)  # until all animations are over
        assert driver.view == "turn"
        table.pictures = 0
        yield table


def test_idle_screen_is_not_redrawn(table: Table) -> None:
    table.pass_seconds(1)
    assert table.pictures == 0
    table.board.lift(square("e4"))
    table.pass_seconds(0.2)
    assert table.pictures
    assert table.driver.face.lifted == square("e4")


@LOOSE
@pytest.mark.parametrize("where", slow_after_first("variants", ["f4", "f5"]))
def test_flickering_square_does_not_redraw(table: Table, where: str) -> None:
    """One of the two squares is occupied, the other is empty.

    Until the flicker is recognized, each change could be caused by a hand.
    """
    table.pass_seconds_blinking(square(where), KNOWN)
    assert table.pictures <= 2 * SENSING_LIMITS.flicker_blinks
    table.pictures = 0
    table.pass_seconds_blinking(square(where), LOOSE.size)
    assert table.pictures == 0


@RARE
def test_injected_flicker_fault_is_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    blinks = SENSING_LIMITS.flicker_blinks
    monkeypatch.setitem(vars(SENSING_LIMITS), "flicker_blinks", 1000)
    table.pass_seconds_blinking(square("f4"), KNOWN)
    assert table.pictures > 2 * blinks
