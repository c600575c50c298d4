"""The emulated board in real time, as a program of its own behind a serial port."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue

import pytest

from engine.squares import SquareSet, set_of, square
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, Event, Link, Received
from firmware_bridge.wire import Learn, Learned, LearnResult, LearnStep, ResetCause, State

ROOT = Path(__file__).parents[2]
SECONDS = float(os.environ.get("BOOMBOARD_REAL_SECONDS", "60" if os.environ.get("CI") else "8"))
"""How long the board is listened to: a minute in continuous integration and by "make emulate"."""
PATIENCE = 20.0
DONE = {LearnResult.DONE: 0}


class Emulator:
    """The program, and what a link hears of it."""

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
        self.link = Link(self.heard.put, str(self.port), retry_seconds=0.1)

    def say(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def wait_for(self, wanted: Callable[[Event], bool]) -> Event:
        while not wanted(event := self.heard.get(timeout=PATIENCE)):
            pass
        return event

    def wait_for_image(self, image: Image) -> None:
        self.wait_for(
            lambda event: (
                isinstance(event, Received)
                and isinstance(event.message, State)
                and event.message.image == image
            )
        )

    def learn(self, step: LearnStep) -> Mapping[LearnResult, SquareSet]:
        self.link.send(Learn(step))
        event = self.wait_for(
            lambda event: isinstance(event, Received) and isinstance(event.message, Learned)
        )
        assert isinstance(event, Received)
        assert isinstance(event.message, Learned)
        return event.message.results


@pytest.fixture
def start(firmware_elf: Path, tmp_path: Path) -> Iterator[Callable[[], Emulator]]:
    """Starts the program and a link to it."""
    running: list[Emulator] = []

    def begin() -> Emulator:
        emulator = Emulator(firmware_elf, tmp_path)
        running.append(emulator)
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


def test_opening_the_port_resets_the_board(start: Callable[[], Emulator]) -> None:
    assert connected(start()).hello.reset_cause == ResetCause.EXTERNAL


def test_fifty_frames_a_second_none_lost_and_none_bad(
    start: Callable[[], Emulator], record_property: Callable[[str, object], None]
) -> None:
    emulator = start()
    connected(emulator)
    came: list[tuple[float, int]] = []
    while not came or came[-1][0] - came[0][0] < SECONDS:
        event = emulator.heard.get(timeout=PATIENCE)
        if isinstance(event, Received) and isinstance(event.message, State):
            came.append((time.monotonic(), event.message.at_ms))
    rate = (len(came) - 1) / (came[-1][0] - came[0][0])
    record_property("frames_a_second", rate)
    assert {after - before for (_, before), (_, after) in pairwise(came)} == {20}
    assert 49.5 <= rate <= 50.5
    assert (emulator.link.statistics.lost, emulator.link.statistics.bad_frames) == (0, 0)


def test_pieces_move_as_they_are_told_to(start: Callable[[], Emulator]) -> None:
    emulator = start()
    connected(emulator)
    e4, f7 = set_of([square("e4")]), set_of([square("f7")])
    emulator.say("red e4", "blue f7")
    emulator.wait_for_image(Image(red=e4, blue=f7))
    emulator.say("lift e4", "nonsense", "red z9")
    emulator.wait_for_image(Image(blue=f7))
    emulator.say("quit")
    _, complaints = emulator.process.communicate(timeout=PATIENCE)
    assert emulator.process.returncode == 0
    assert [line.split("'")[1] for line in complaints.decode().splitlines()] == [
        "nonsense",
        "red z9",
    ]
    assert not emulator.port.is_symlink()


def test_a_sensor_breaks_and_is_mended(start: Callable[[], Emulator]) -> None:
    emulator = start()
    connected(emulator)
    emulator.say("broken e4 0")
    emulator.wait_for_image(Image(blue=set_of([square("e4")])))
    emulator.say("mended e4")
    emulator.wait_for_image(Image())


def test_bad_magnets_are_felt_as_what_they_are(start: Callable[[], Emulator]) -> None:
    emulator = start()
    connected(emulator)
    assert emulator.learn(LearnStep.EMPTY) == DONE
    emulator.say("army", "weak e4", "flipped a7", "missing k10", "weak e5")
    flipped, missing = square("a7"), square("k10")
    red, blue = (1 << 40) - 1, ((1 << 40) - 1) << 60
    emulator.wait_for_image(Image(red=red | 1 << flipped, blue=blue & ~set_of([flipped, missing])))
    assert emulator.learn(LearnStep.ARMIES) == {
        LearnResult.WEAK: set_of([square("e4")]),
        LearnResult.FLIPPED: set_of([flipped]),
        LearnResult.MISSING: set_of([missing]),
    }


def test_a_board_that_is_told_to_hang_comes_back_by_its_watchdog(
    start: Callable[[], Emulator],
) -> None:
    emulator = start()
    connected(emulator)
    emulator.say("hang")
    assert connected(emulator).hello.reset_cause == ResetCause.WATCHDOG


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_calibration_outlives_the_program(
    start: Callable[[], Emulator], end: signal.Signals
) -> None:
    emulator = start()
    assert connected(emulator).hello.calibration == 0
    assert emulator.learn(LearnStep.EMPTY) == DONE
    emulator.say("army")
    emulator.wait_for_image(Image(red=(1 << 40) - 1, blue=((1 << 40) - 1) << 60))
    assert emulator.learn(LearnStep.ARMIES) == DONE
    assert emulator.learn(LearnStep.SAVE) == DONE
    emulator.link.stop()
    emulator.process.send_signal(end)
    emulator.process.wait(PATIENCE)
    assert connected(start()).hello.calibration != 0
