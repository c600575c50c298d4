"""Tests for change times and faint squares as reported by the real firmware in the emulator."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from engine.board.geometry import SQUARES, Square, name, set_of, square
from firmware_bridge.sensing.change_detector import Change, ChangeDetector, ConfidenceFilter
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from firmware_bridge.wire import CHANGE_REPORT_MS, SAMPLING_MS, STATE_INTERVAL_MS, Encoder, State
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import NORTH, SOUTH, WORST_CROWDING, Field, Magnet, Spread
from tests.campaigns import Campaign

TOUCHES = Campaign("boards", part=20, whole=400)
FRAME_US = 1000 * STATE_INTERVAL_MS
BYTE_US = 40
APART_MS = 6
"""Maximum time between two scans of a square, in milliseconds. The scan direction alternates."""
SENDING_US = 100
"""Maximum delay of a frame's first byte after the frame is due, in microseconds."""


@pytest.fixture
def board(firmware_elf: Path) -> Iterator[EmulatedBoard]:
    with EmulatedBoard(firmware_elf, Field(Spread().sensors(1), crowding=WORST_CROWDING)) as board:
        board.power_on()
        board.run(3 * FRAME_US)
        yield board


class Frames:
    """Follows a board's frames, and dates their changes by the emulator's clock."""

    def __init__(self, board: EmulatedBoard) -> None:
        self._board = board
        self._faint, self._watch = ConfidenceFilter(), ChangeDetector()
        self.states: list[State] = []
        self.apart_us = 0.0
        """How far the board's clock was behind the emulator's clock at the last frame, in
        microseconds."""
        self.run(FRAME_US)

    def run(self, microseconds: int) -> list[Change]:
        """Advance time. Return the changes, with times in seconds on the emulator's clock."""
        found: list[Change] = []
        for heard in self._board.run(microseconds):
            if not isinstance(heard.message, State):
                continue
            state = heard.message
            self.states.append(state)
            length = BYTE_US * len(Encoder().encode(state))
            self.apart_us = heard.at_us - length - 1000 * state.at_ms
            at = (1000 * state.at_ms + self.apart_us) / 1e6
            moments = {each: at - ago / 1000 for each, ago in state.changed}
            believed = self._faint.see(at, state.image, moments, state.faint)
            found += self._watch.see(at, believed.image, believed.spans)
        return found

    def run_to(self, milliseconds: int) -> None:
        """Skip a frame, and advance time to `milliseconds` after the following frame is due."""
        now = self._board.now_us - self.apart_us
        self.run(int(2 * FRAME_US - now % FRAME_US) + 1000 * milliseconds)


@TOUCHES
def test_change_time_resolution(board: EmulatedBoard) -> None:
    """A magnet appears and disappears at random times and in random positions."""
    dice, frames = random.Random(3), Frames(board)
    errors, narrow = [], 0
    for _ in range(TOUCHES.size):
        where = dice.choice(SQUARES)
        frames.run(2 * FRAME_US + dice.randrange(FRAME_US))
        board.place(where, None if where in board.field.magnets else NORTH)
        changed = board.now_us / 1e6
        [change] = frames.run(3 * FRAME_US)
        assert change.square == where
        assert change.at.after - SENDING_US / 1e6 <= changed <= change.at.by + SENDING_US / 1e6
        errors.append(1000 * (change.at.by - changed))
        narrow += change.at.by - change.at.after < (SAMPLING_MS + 0.1) / 1000
    assert narrow >= 0.9 * TOUCHES.size, "a few changes fall between two frames"
    assert median(errors) < SAMPLING_MS


@pytest.mark.parametrize(("first", "second"), [("e4", "e7"), ("e7", "e4"), ("a1", "k10")])
def test_order_of_two_lifts_within_one_frame(board: EmulatedBoard, first: str, second: str) -> None:
    board.place(square(first), NORTH)
    board.place(square(second), SOUTH)
    frames = Frames(board)
    for begun in (1, 3, 5):
        frames.run_to(begun)
        board.place(square(first), None)
        frames.run(1000 * (SAMPLING_MS + APART_MS))
        board.place(square(second), None)
        changes = frames.run(3 * FRAME_US)
        assert [name(each.square) for each in changes] == [first, second]
        assert changes[0].at.is_before(changes[1].at)
        board.place(square(first), NORTH)
        board.place(square(second), SOUTH)
        frames.run(3 * FRAME_US)


def test_change_needs_three_frames(board: EmulatedBoard) -> None:
    frames = Frames(board)
    for _ in range(20):
        frames.run(5 * FRAME_US + 700)
        frames.states.clear()
        board.place(44, None if 44 in board.field.magnets else NORTH)
        frames.run(6 * FRAME_US)
        ages = [dict(state.changed)[44] for state in frames.states if dict(state.changed)]
        assert len(ages) >= 3 or not ages
        assert all(after - before == STATE_INTERVAL_MS for before, after in pairwise(ages))
        assert all(age <= CHANGE_REPORT_MS for age in ages)


def shown_faintly(board: EmulatedBoard, magnet: Magnet | None, where: Square = 44) -> list[bool]:
    """For each frame, return whether the square is faint in it. No other square may be faint."""
    board.place(where, magnet)
    frames = Frames(board)
    frames.run(2 * FRAME_US)
    frames.states.clear()
    frames.run(5 * FRAME_US)
    assert all(state.faint in (0, set_of([where])) for state in frames.states)
    return [bool(state.faint) for state in frames.states]


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize(
    ("strength", "faint"), [(1.0, False), (0.5, False), (0.25, True), (0.2, True), (0.05, False)]
)
def test_readings_near_the_threshold_are_faint(
    firmware_elf: Path, strength: float, faint: bool
) -> None:
    """Without calibration, pieces are detected at 70 counts or more. A typical piece causes a
    deflection of 300 counts."""
    with EmulatedBoard(firmware_elf, Field()) as board:
        board.power_on()
        board.run(3 * FRAME_US)
        for magnet in (Magnet(True, strength), Magnet(False, strength)):
            assert shown_faintly(board, magnet) == [faint] * 5
            assert shown_faintly(board, None) == [False] * 5


def test_weak_magnet_stays_accepted(firmware_elf: Path) -> None:
    with EmulatedBoard(firmware_elf, Field()) as board:
        board.power_on()
        board.run(3 * FRAME_US)
        frames = Frames(board)
        frames.run_to(7)
        board.place(44, Magnet(True, 0.25))
        came = board.now_us / 1e6
        assert frames.run(int(0.9e6 * SENSING_LIMITS.faint_confirmed_seconds) - FRAME_US) == []
        [change] = frames.run(3 * FRAME_US)
        assert change.square == 44
        assert came <= change.at.by <= came + (SAMPLING_MS + 1) / 1000
        assert frames.run(50 * FRAME_US) == []
        assert frames.states[-1].image.red == set_of([44])


def test_low_passing_hand_is_ignored(firmware_elf: Path) -> None:
    """A hand carries a piece over a square for 40 ms, so high that the square barely detects the
    piece."""
    with EmulatedBoard(firmware_elf, Field()) as board:
        board.power_on()
        board.run(3 * FRAME_US)
        frames = Frames(board)
        for begun in range(0, 20, 3):
            frames.run_to(begun)
            board.place(44, Magnet(True, 0.25))
            shown = len(frames.states)
            changes = frames.run(2 * FRAME_US)
            board.place(44, None)
            changes += frames.run(10 * FRAME_US)
            assert any(state.image.red for state in frames.states[shown:]), (
                "the board shows the passing piece"
            )
            assert changes == []
