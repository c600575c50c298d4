"""Tests for the emulated board as a real-time process behind a serial port."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue

import pytest

from engine.board.geometry import SquareSet, set_of, square
from firmware_bridge import wire
from firmware_bridge.image import Image
from firmware_bridge.link import BoardLink, Connected, Event, MessageReceived
from hardware.emulator.__main__ import BEHIND_SECONDS
from tests.campaigns import Campaign, slow_after_first

ROOT = Path(__file__).parents[2]
SECONDS = Campaign("real-time", part=2, whole=60)
"""Duration of the observation, in seconds on the board's clock."""
FALLS_BEHIND = 0.01
"""Maximum lag of the board's clock, as a fraction of the duration of the observation. Time spent
waiting for a CPU does not count as lag."""
STARTS_WITHIN = 0.2
"""Maximum time from the start of the measurement until the first frame that counts, in seconds."""
DONE = {wire.CalibrationResult.DONE: 0}


class Emulator:
    """The emulator process, and the events of a link connected to it."""

    def __init__(self, firmware: Path, folder: Path) -> None:
        self.port = folder / "board"
        self.eeprom = folder / "eeprom"
        options = ["--elf", firmware, "--pty", self.port, "--eeprom", self.eeprom, "--parts", "1"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hardware.emulator", *map(str, options)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.heard: SimpleQueue[Event] = SimpleQueue()
        self.link = BoardLink(self.heard.put, str(self.port), retry_seconds=0.1)

    def write(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def wait_until_running(self) -> None:
        """Wait until the emulator is running: until it has answered each of two unknown commands
        with an error message."""
        assert self.process.stderr
        for word in (b"one", b"two"):
            self.write(word.decode())
            assert word in self.process.stderr.readline()

    def wait_for(self, wanted: Callable[[Event], bool]) -> Event:
        while not wanted(event := self.heard.get()):
            assert self.process.poll() is None, "the program has ended"
        return event

    def starved_seconds(self) -> float:
        """Return the time for which the emulator and this process have waited for a CPU."""
        ours = Path("/proc/self/task").glob("*/schedstat")
        waits = [each.read_text().split()[1] for each in ours]
        waits += Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[1:2]
        return sum(map(int, waits)) / 1e9

    def wait_for_image(self, image: Image) -> None:
        self.wait_for(
            lambda event: (
                isinstance(event, MessageReceived)
                and isinstance(event.message, wire.State)
                and event.message.image == image
            )
        )

    def learn(self, step: wire.CalibrationStep) -> Mapping[wire.CalibrationResult, SquareSet]:
        self.link.send(wire.Calibrate(step))
        event = self.wait_for(
            lambda event: (
                isinstance(event, MessageReceived)
                and isinstance(event.message, wire.CalibrationReply)
            )
        )
        assert isinstance(event, MessageReceived)
        assert isinstance(event.message, wire.CalibrationReply)
        return event.message.results


@pytest.fixture
def start(firmware_elf: Path, tmp_path: Path) -> Iterator[Callable[..., Emulator]]:
    """Yield a function that starts the emulator and, optionally, a link to it."""
    running: list[Emulator] = []

    def begin(*, listens: bool = True) -> Emulator:
        emulator = Emulator(firmware_elf, tmp_path)
        running.append(emulator)
        if listens:
            emulator.link.start()
        return emulator

    yield begin
    for emulator in running:
        emulator.link.stop()
        emulator.process.kill()
        emulator.process.communicate()


def connected(emulator: Emulator) -> Connected:
    event = emulator.wait_for(lambda event: isinstance(event, Connected))
    assert isinstance(event, Connected)
    return event


def test_opening_the_port_resets_the_board(start: Callable[..., Emulator]) -> None:
    emulator = start(listens=False)
    emulator.wait_until_running()
    emulator.link.start()
    assert connected(emulator).hello.reset_cause == wire.ResetCause.EXTERNAL


@SECONDS
def test_frame_rate_without_losses(
    start: Callable[[], Emulator], record_property: Callable[[str, object], None]
) -> None:
    """The board may lag by the time that it has spent waiting for a CPU."""
    emulator = start()
    connected(emulator)
    begun, starved = time.monotonic(), emulator.starved_seconds()
    clocks: list[int] = []
    while not clocks or clocks[-1] - clocks[0] < 1000 * SECONDS.size:
        event = emulator.wait_for(lambda event: isinstance(event, MessageReceived))
        if isinstance(event, MessageReceived) and isinstance(event.message, wire.State):
            clocks.append(event.message.at_ms)
    took, starved = time.monotonic() - begun, emulator.starved_seconds() - starved
    record_property("frames_a_second", (len(clocks) - 1) / took)
    record_property("starved_seconds", starved)
    assert {after - before for before, after in pairwise(clocks)} == {20}
    assert (emulator.link.statistics.lost, emulator.link.statistics.bad_frames) == (0, 0)
    seconds = (clocks[-1] - clocks[0]) / 1000
    # At the start, the board may have been up to BEHIND_SECONDS behind. Apart from that, its clock
    # must run in real time.
    assert seconds < took + BEHIND_SECONDS
    assert took - starved < seconds * (1 + FALLS_BEHIND) + STARTS_WITHIN


def test_pieces_move_by_command(start: Callable[[], Emulator]) -> None:
    emulator = start()
    connected(emulator)
    e4, f7 = set_of([square("e4")]), set_of([square("f7")])
    emulator.write("red e4", "blue f7")
    emulator.wait_for_image(Image(red=e4, blue=f7))
    emulator.write("lift e4", "nonsense", "red z9")
    emulator.wait_for_image(Image(blue=f7))
    emulator.write("quit")
    _, complaints = emulator.process.communicate()
    assert emulator.process.returncode == 0
    assert [line.split("'")[1] for line in complaints.decode().splitlines()] == [
        "nonsense",
        "red z9",
    ]
    assert not emulator.port.is_symlink()


def test_sensor_breaks_and_is_repaired(start: Callable[[], Emulator]) -> None:
    emulator = start()
    connected(emulator)
    emulator.write("broken e4 210")
    emulator.wait_for_image(Image(blue=set_of([square("e4")])))
    emulator.write("mended e4")
    emulator.wait_for_image(Image())
    emulator.write("dies e4 210 400", "mended e4", "red e5")
    emulator.wait_for_image(Image(red=set_of([square("e5")])))


def test_falling_piece_can_be_weakened(start: Callable[[], Emulator]) -> None:
    emulator = start()
    connected(emulator)
    emulator.write("red e4", "weak e4")
    emulator.wait_for_image(Image(red=set_of([square("e4")])))


def test_bad_magnets_are_simulated(start: Callable[[], Emulator]) -> None:
    emulator = start()
    connected(emulator)
    assert emulator.learn(wire.CalibrationStep.EMPTY) == DONE
    emulator.write("army", "weak e4", "flipped a7", "missing k10", "weak e5")
    flipped, missing = square("a7"), square("k10")
    red, blue = (1 << 40) - 1, ((1 << 40) - 1) << 60
    emulator.wait_for_image(Image(red=red | 1 << flipped, blue=blue & ~set_of([flipped, missing])))
    assert emulator.learn(wire.CalibrationStep.ARMIES) == {
        wire.CalibrationResult.WEAK: set_of([square("e4")]),
        wire.CalibrationResult.FLIPPED: set_of([flipped]),
        wire.CalibrationResult.MISSING: set_of([missing]),
    }


def test_hung_board_is_reset_by_its_watchdog(
    start: Callable[[], Emulator],
) -> None:
    emulator = start()
    connected(emulator)
    emulator.write("hang")
    assert connected(emulator).hello.reset_cause == wire.ResetCause.WATCHDOG


@pytest.mark.parametrize("end", slow_after_first("variants", [signal.SIGKILL, signal.SIGTERM]))
def test_calibration_survives_the_process(
    start: Callable[[], Emulator], end: signal.Signals
) -> None:
    emulator = start()
    assert connected(emulator).hello.calibration == 0
    assert emulator.learn(wire.CalibrationStep.EMPTY) == DONE
    emulator.write("army")
    emulator.wait_for_image(Image(red=(1 << 40) - 1, blue=((1 << 40) - 1) << 60))
    assert emulator.learn(wire.CalibrationStep.ARMIES) == DONE
    assert emulator.learn(wire.CalibrationStep.SAVE) == DONE
    emulator.link.stop()
    emulator.process.send_signal(end)
    emulator.process.wait()
    assert connected(start()).hello.calibration != 0
