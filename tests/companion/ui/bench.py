"""Simulated boards for maintenance screens, in simulated time."""

from companion.diagnostics.firmware_update import shipped_firmware
from engine.board.geometry import Side, squares_in
from firmware_bridge import wire
from firmware_bridge.link import Connected, Event, LinkErrorKind, MessageReceived
from firmware_bridge.simulated_board.board import SimulatedBoard, inject
from tests.companion.diagnostics.boards import answer
from tests.companion.ui.driver import Driver

PORT = "/dev/ttyUSB0"
LOOKS_A_SECOND = 5


def armed(*faults: str, kind: wire.BoardKind = wire.BoardKind.COLOURS) -> SimulatedBoard:
    """Return a board with both armies and the given faults."""
    board = SimulatedBoard(kind)
    for side in Side:
        for square in squares_in(side.home):
            board.stand(side, square)
    for fault in faults:
        inject(board, fault)
    return board


def plug_in(driver: Driver, board: SimulatedBoard, build: int = 0) -> None:
    """Connect a board to the open sensor check or calibration."""
    driver.connect(sees_colours=board.kind is wire.BoardKind.COLOURS)
    introduce(driver, board, build)


def introduce(driver: Driver, board: SimulatedBoard, build: int = 0) -> None:
    """Send a board's identification message.

    The board has the bundled firmware, unless `build` is set.
    """
    calibration = board.calibration.checksum if board.calibration else 0
    ours = shipped_firmware()
    assert ours
    hello = wire.Hello(
        ours.version, board.kind, wire.ResetCause.POWER_ON, calibration, build=build or ours.build
    )
    driver.script.connected = Connected(PORT, hello)
    _announce(driver, driver.script.connected)


def listen(driver: Driver, board: SimulatedBoard, seconds: float = 4.0) -> None:
    """Run the sensor check for the given number of seconds."""
    for look in range(round(LOOKS_A_SECOND * seconds)):
        for frame in range(50 // LOOKS_A_SECOND):
            driver.now += 0.02
            at_ms = 1000 * look // LOOKS_A_SECOND + 20 * frame
            _announce(driver, MessageReceived(wire.State(at_ms, board.image())))
        for raw in answer(board.readings()):
            _announce(driver, MessageReceived(raw))
        _announce(driver, MessageReceived(wire.Status(board.supply_mv)))
        for fault in board.faults():
            _announce(driver, MessageReceived(fault))
        driver.frames(1)
    driver.frames(4)


def answer_last(driver: Driver, board: SimulatedBoard) -> None:
    """Answer all pending requests of the board, including new ones."""
    while driver.script.asked:
        asked = driver.script.asked.pop()
        driver.script.asked.clear()
        match asked:
            case wire.Calibrate(step):
                _announce(driver, MessageReceived(board.learn(step)))
            case wire.Configure():
                _announce(driver, MessageReceived(board.configure(asked)))
            case wire.Identify():
                introduce(driver, board)
    driver.show(board.image(), seconds=0.1)


def unplug(driver: Driver) -> None:
    """Unplug the board while the sensor check is open."""
    driver.lose(LinkErrorKind.UNPLUGGED)
    assert driver.script.error
    _announce(driver, driver.script.error)
    driver.pass_time(0.5)


def _announce(driver: Driver, event: Event) -> None:
    assert driver.script.watcher, "no watcher is installed"
    driver.script.watcher(driver.now, event)


def calibrate(driver: Driver) -> None:
    driver.tap("calibrate")
    driver.tap("go_on")
