"""Walk through the maintenance screens."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from queue import Queue
from random import Random
from tempfile import TemporaryDirectory

from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square, squares_in
from firmware_bridge.camera.camera_port import CameraPort
from firmware_bridge.camera.observer import Observation
from firmware_bridge.link import LinkError, LinkErrorKind
from firmware_bridge.simulated_board.board import SimulatedBoard, exchange, inject
from firmware_bridge.wire import BoardKind
from tests.camera.renderer import Arm, Array, Look
from tests.camera.scenes import SHOTS, Film, Studio, army_blocks
from tests.companion.diagnostics.boot_loader import BootLoader
from tests.companion.ui import bench
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import squares


def tour_of_the_sensors(driver: Driver) -> Iterator[str]:
    """Check the sensors of a good board, a faulty board, a board with switches, and no board."""
    driver.tap("sensors")
    yield "sensors-without-board"
    good = bench.armed()
    bench.plug_in(driver, good)
    driver.pass_time(0.3)
    yield "sensors-at-first"
    bench.listen(driver, good)
    yield "sensors"
    driver.tap("close")
    driver.lose()
    driver.tap("sensors")
    faulty = bench.armed(*FAULTS)
    bench.plug_in(driver, faulty)
    bench.listen(driver, faulty)
    driver.tap_square(square("k6"))
    yield "sensors-faults"
    driver.tap("armies")
    driver.tap_square(square("e4"))
    yield "sensors-armies"
    bench.unplug(driver)
    yield "sensors-lost"
    switches = bench.armed("dead:d8", kind=BoardKind.PRESENCE)
    switches.erase()
    bench.plug_in(driver, switches)
    driver.tap_square(square("d8"))
    bench.listen(driver, switches)
    yield "sensors-presence"
    driver.tap("close")


@cache
def camera_pictures() -> dict[str, Array]:
    """Render the images for the camera tour, once for all languages."""
    beside = Studio(Look(), replace(SHOTS[0], azimuth=90))
    blocks = army_blocks(Random(1)).values()
    return {
        "bare": beside.picture(frame=False),
        "empty": beside.picture(),
        "armies": beside.picture(blocks),
        "covered": beside.picture(blocks, arms=[Arm((4, -6), (4, 2))]),
        "exposed": Studio(Look(), SHOTS[1]).picture(blocks),
    }


def tour_of_the_camera(driver: Driver) -> Iterator[str]:
    """Show a board without its frame to a camera, then an empty board, then both armies. Finally,
    cover the board, move the camera and unplug it."""
    film, seen = Film(), Queue[Observation | None]()

    def show(name: str, times: int = 1) -> None:
        for _ in range(times):
            film.show(camera_pictures().get(name))
            seen.get(timeout=60)
        driver.pass_time(0.3)

    with CameraPort(iter(film), seen.put) as port, film:
        driver.app.host.camera = port
        show("bare")
        yield "camera-start"
        driver.tap("sensors")
        bench.plug_in(driver, bench.armed())
        driver.pass_time(4)  # the first findings shift the button on the screen
        yield "camera-sensors"
        driver.tap("camera")
        yield "camera-no-frame"
        show("empty")
        yield "camera-empty"
        show("armies")
        yield "camera-armies"
        show("covered", times=8)
        yield "camera-covered"
        show("exposed", times=3)
        yield "camera-exposed"
        show("unplugged")
        yield "camera-unplugged"
        driver.tap("close")
        driver.tap("close")


FAULTS = (
    *("low-supply", "dead:e4", "missing:f8", "flipped:a7", "weak:c3"),
    *("drift:f5", "loose:g9", "stuck-low:k6", "stuck-high:b2"),
)


def set_up(board: SimulatedBoard) -> None:
    for side in Side:
        for each in squares_in(side.home):
            board.stand(side, each)


def tour_of_the_calibration(driver: Driver) -> Iterator[str]:
    """Calibrate a board with many faults, and lose the connection once."""
    board = SimulatedBoard()
    board.stand(Side.RED, square("e4"))
    board.stand(Side.BLUE, square("g6"))
    driver.tap("sensors")
    bench.plug_in(driver, board)
    driver.pass_time(0.3)
    driver.tap("calibrate")
    yield "built-of"
    driver.tap("tiles")
    driver.tap("go_on")
    yield "built-of-asked"
    bench.answer_last(driver, board)
    yield "built-of-refused"
    driver.tap("hand")
    driver.tap("go_on")
    driver.show(board.image())
    yield "calibration-empty"
    driver.tap("go_on")
    bench.answer_last(driver, board)
    yield "calibration-occupied"
    for left in ("e4", "g6"):
        board.take_away(square(left))
    driver.tap("go_on")
    bench.answer_last(driver, board)
    for each in squares_in(Side.RED.home | squares("a10 b10 c10")):
        board.stand(Side.RED if each < 40 else Side.BLUE, each)
    driver.show(board.image())
    yield "calibration-armies"
    yield from _tour_of_the_armies(driver, board)
    bench.unplug(driver)
    yield "calibration-lost"


def _tour_of_the_armies(driver: Driver, board: SimulatedBoard) -> Iterator[str]:
    """The board refuses the second step because of faulty parts. The calibration is stopped, and
    another board is calibrated."""
    for missing in squares_in(Side.BLUE.home & ~squares("a10 b10 c10")):
        board.stand(Side.BLUE, missing)
    for fault in ("dead:e4", "missing:f8", "flipped:a7", "weak:c3"):
        inject(board, fault)
    driver.tap("go_on")
    bench.answer_last(driver, board)
    yield "calibration-refused"
    driver.tap("go_on")
    driver.pass_time(0.4)
    yield "calibration-measuring"
    for each in ("f8", "a7", "c3"):
        exchange(board, square(each))
    bench.answer_last(driver, board)
    yield "calibration-dead"
    driver.tap("stop")
    bench.answer_last(driver, board)
    yield "calibration-stopped"
    driver.tap("go_on")
    driver.pass_time(0.3)
    bench.calibrate(driver)
    well = SimulatedBoard()
    driver.tap("go_on")
    bench.answer_last(driver, well)
    set_up(well)
    driver.tap("go_on")
    bench.answer_last(driver, well)
    yield "calibration-saved"
    driver.tap("go_on")
    driver.pass_time(0.3)
    bench.calibrate(driver)


def tour_of_the_flashing(driver: Driver) -> Iterator[str]:
    """Offer to flash an outdated and an unresponsive board, then flash a board on a real port."""
    driver.tap("sensors")
    old = bench.armed()
    bench.plug_in(driver, old, build=0x0BADCAFE)
    bench.listen(driver, old, seconds=2)
    yield "sensors-old-firmware"
    driver.tap("flash")
    yield "flash-old"
    driver.tap("close")
    driver.tap("close")
    driver.lose(LinkErrorKind.NO_ANSWER)
    driver.tap("sensors")
    yield "sensors-no-answer"
    driver.tap("flash")
    yield "flash-unknown"
    driver.tap("close")
    with TemporaryDirectory() as folder, BootLoader(Path(folder)) as board:
        yield from _tour_of_the_boot_loader(driver, board)


def _tour_of_the_boot_loader(driver: Driver, board: BootLoader) -> Iterator[str]:
    """Flash a board on a real port. The second attempt succeeds."""
    driver.script.error = LinkError(LinkErrorKind.NO_ANSWER, str(board.path), "")
    driver.pass_time(0.3)
    driver.tap("flash")
    board.waits_at, board.worn_out_at = 60, 0x100
    driver.hold("begin", HOLD_SECONDS + 0.1)
    driver.wait_for_real(lambda: board.pages == board.waits_at)
    driver.pass_time(0.1)
    yield "flash-at-work"
    board.goes_on.set()
    driver.wait_for_real(lambda: not driver.script.is_lent)
    yield "flash-failed"
    board.worn_out_at = None
    driver.hold("begin", HOLD_SECONDS + 0.1)
    driver.wait_for_real(lambda: not driver.script.is_lent)
    yield "flash-done"
