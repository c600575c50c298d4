"""Flash a board from the touchscreen, with the real avrdude and a simulated boot loader."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.devices.live_board import LiveBoard
from companion.diagnostics import firmware_update
from firmware_bridge.link import LinkError, LinkErrorKind
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import BoardKind, Hello, ResetCause
from tests.campaigns import RARE, slow_after_first
from tests.companion.diagnostics.boot_loader import ATMEGA168, BootLoader
from tests.companion.diagnostics.hex_files import program_in
from tests.companion.ui.bench import armed, listen, plug_in
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import begin
from tests.companion.ui.running_app import Script

Drive = Callable[..., Driver]


class Bench:
    """A board to be flashed and the app that is connected to it, in real time."""

    def __init__(self, folder: Path, drive: Drive, stack: ExitStack) -> None:
        self.board = stack.enter_context(BootLoader(folder))
        live = stack.enter_context(LiveBoard(str(self.board.path)))
        self.driver = drive(source=live, clock=time.monotonic)
        self.wait_for("uses protocol version")
        self.driver.tap("sensors")
        self.driver.wait_for_real(lambda: self.driver.on_top("flash"))
        self.driver.tap("flash")

    def hold(self) -> None:
        """Hold the button until the app has accepted the command."""
        finger = self.driver.touch_at(*self.driver.middle(self.driver.find("begin")))
        self.wait_for("Installing the firmware. Do not unplug the cable.")
        self.driver.release(finger)

    def wait_for(self, words: str) -> None:
        self.driver.wait_for_real(lambda: words in self.driver.texts())

    @property
    def is_whole(self) -> bool:
        program = program_in(firmware_update.SHIPPED.read_text(encoding="ascii"))
        return bytes(self.board.memory[: len(program)]) == program


@pytest.fixture
def bench(tmp_path: Path, drive: Drive) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(tmp_path, drive, stack)


@RARE
def test_holding_starts_flashing(bench: Bench) -> None:
    bench.wait_for("does not identify itself")
    bench.hold()
    bench.wait_for("The firmware is installed and verified.")
    assert bench.is_whole
    bench.board.close()
    with SimulatedPort(armed()) as flashed:
        flashed.run()
        bench.board.path.symlink_to(flashed.path)
        bench.driver.tap("close")
        bench.driver.wait_for_real(lambda: not bench.driver.find("calibrate").disabled)
    bench.board.path.unlink()


@RARE
def test_short_touch_does_not_flash(bench: Bench) -> None:
    bench.driver.tap("begin")
    assert "Installing" not in bench.driver.texts()
    bench.driver.tap("close")
    bench.driver.find("armies")
    assert bench.board.pages == 0


@RARE
def test_flashing_progress_blocks_leaving(bench: Bench) -> None:
    """The board pauses until the progress is shown. After a longer pause, avrdude gives up."""
    driver, board = bench.driver, bench.board
    modal: Any = driver.app.face.modals.modal
    shares: list[float] = []
    ways_out: list[Any] = []

    def look(_modal: object, share: float) -> None:
        if share:
            shares.append(share)
            ways_out.append(driver.on_top("close"))
            board.goes_on.set()

    board.waits_at = 60
    modal.bind(share=look)
    bench.hold()
    bench.wait_for("installed and verified")
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.4
    assert not any(ways_out)
    assert modal.share == 0
    assert driver.on_top("close")


@RARE
def test_failed_verification_is_reported(bench: Bench) -> None:
    bench.board.loses_at = 40
    bench.hold()
    bench.wait_for("The board stopped responding during flashing")
    assert not bench.is_whole


@RARE
def test_retry_after_a_pulled_cable(bench: Bench) -> None:
    bench.board.pulled_at = 40
    bench.hold()
    bench.wait_for("was disconnected during flashing, and the board has only part of the firmware.")
    assert not bench.is_whole
    bench.board.plug_in()
    bench.hold()
    bench.wait_for("installed and verified")
    assert bench.is_whole


@RARE
def test_defective_chip_is_reported(bench: Bench) -> None:
    bench.board.worn_out_at = 0x100
    bench.hold()
    bench.wait_for("The firmware on the board differs from what was written.")


@RARE
def test_other_chip_is_refused(bench: Bench) -> None:
    bench.board.signature = ATMEGA168
    bench.hold()
    bench.wait_for("is not an ATmega328P, which this firmware needs. Nothing was written.")
    assert bench.board.pages == 0


@RARE
def test_silent_avrdude_is_killed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firmware_update, "SILENT_SECONDS", 0.5)
    bench.board.waits_at = 40
    bench.hold()
    bench.wait_for("The board stopped responding during flashing")


@RARE
def test_missing_avrdude_is_explained(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    driver = bench.driver
    finger = driver.touch_at(*driver.middle(driver.find("begin")))
    bench.wait_for("avrdude is not installed")
    driver.release(finger)
    assert bench.board.pages == 0


def hello(version: tuple[int, int, int], build: int) -> Hello:
    return Hello(version, BoardKind.COLOURS, ResetCause.POWER_ON, 0, build=build)


@RARE
def test_system_errors_are_logged_not_shown(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = tmp_path / "avrdude"
    broken.write_text("#!/no/such/program\n")
    broken.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    driver = bench.driver
    finger = driver.touch_at(*driver.middle(driver.find("begin")))
    bench.wait_for("The firmware could not be installed. Try again.")
    driver.release(finger)
    assert "No such file" not in driver.texts()
    assert "No such file" in caplog.text


def test_flashing_is_offered_for_other_firmware() -> None:
    ours = firmware_update.shipped_firmware()
    assert ours
    major, minor, patch = ours.version
    assert firmware_update.offer_for_board("port", hello(ours.version, ours.build)) is None
    assert firmware_update.offer_for_board("port", hello((major, minor, patch + 1), 1)) is None, (
        "newer firmware is not replaced"
    )
    for version in (ours.version, (major - 1, minor, patch)):
        offer = firmware_update.offer_for_board("port", hello(version, 1))
        assert offer
        assert (offer.there, offer.coming) == (firmware_update.Firmware(version, 1), ours)


@pytest.mark.parametrize("kind", slow_after_first("variants", LinkErrorKind))
def test_flashing_is_offered_after_some_errors(kind: LinkErrorKind) -> None:
    offer = firmware_update.offer_after_error(LinkError(kind, "port", ""))
    mended = {"NO_ANSWER", "GARBAGE", "WRONG_FIRMWARE", "SILENT"}
    assert (offer is not None) == (kind.name in mended)
    assert firmware_update.offer_after_error(LinkError(kind, None, "")) is None


@RARE
def test_saved_game_is_mentioned(driver: Driver) -> None:
    begin(driver)
    driver.tap("menu")
    driver.tap("leave")
    driver.tap("sensors")
    board = armed()
    plug_in(driver, board, build=1)
    listen(driver, board, seconds=0.3)
    driver.tap("flash")
    assert "The unfinished game is saved" in driver.texts()


def test_no_flashing_of_the_simulated_board(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.tap("sensors")
    plug_in(driver, SimulatedBoard(), build=1)
    driver.pass_time(0.3)
    with pytest.raises(AssertionError, match="no 'flash'"):
        driver.find("flash")
