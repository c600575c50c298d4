"""Tests for the real firmware under maximum load. No frame may be lost or late."""

import random
from collections import Counter, deque
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from engine.board.geometry import SQUARES
from firmware_bridge import wire
from firmware_bridge.image import ARMIES, Image
from hardware.emulator.board import EmulatedBoard, Heard
from hardware.emulator.physics import Field, Spread
from tests.campaigns import RARE, Campaign
from tests.hardware.calibrating import DONE, SETTLED_US, calibrate, learn

ROUNDS = Campaign("load", part=6, whole=100)
CHANCES = Campaign("load", part=8, whole=100)
TALKS = Campaign("load", part=60, whole=500)
ROUND_US = 500_000
USUALLY_LATE_US = 1_000
ARMIES_LATE_US = 11_000
"""Maximum delay of a frame, in microseconds, while sensors are broken and whole armies appear or
disappear. A scan then takes up to 7 ms, or longer if a calibration step ends during the scan."""
BYTE_US = 10 * 1_000_000 / wire.BAUD
HOST_BYTES = 30
"""Number of bytes that a host may send in 20 ms (docs/protocol.md)."""
WEAK_SUPPLY_MV = 4500
STUCK = {square: 1023.0 if square % 2 else 0.0 for square in SQUARES}


@pytest.fixture
def board(firmware_elf: Path) -> Iterator[EmulatedBoard]:
    with EmulatedBoard(firmware_elf, Field(Spread().sensors(seed=1))) as board:
        board.power_on()
        board.run(SETTLED_US)
        drop_bytes(board)
        yield board


def drop_bytes(board: EmulatedBoard) -> None:
    """Drop all bytes up to the next pause in the output. Otherwise, the rest of a frame would count
    as a damaged frame."""
    while board.take_bytes():
        board.run(1_000)


def expect_every_frame(
    board: EmulatedBoard, heard: list[Heard], most_late_us: int = USUALLY_LATE_US
) -> None:
    """Check that no frame is missing or damaged and that a STATE arrives every 20 ms."""
    decoder = wire.Decoder(wire.FROM_BOARD)
    frames = decoder.frames(board.take_bytes())
    assert not any(isinstance(frame.content, wire.BadFrame) for frame in frames)
    numbers = [frame.sequence for frame in frames if frame.sequence is not None]
    assert {(after - before) % 256 for before, after in pairwise(numbers)} == {1}
    states = [
        (_begun_us(each), each.message) for each in heard if isinstance(each.message, wire.State)
    ]
    for (before_us, before), (after_us, after) in pairwise(states):
        assert after.at_ms - before.at_ms == wire.STATE_INTERVAL_MS
        assert abs(after_us - before_us - 1000 * wire.STATE_INTERVAL_MS) < most_late_us


def _begun_us(heard: Heard) -> float:
    """Return the time at which the first byte of a STATE was sent. The length of a STATE depends on
    the number of changed squares."""
    assert isinstance(heard.message, wire.State)
    return heard.at_us - BYTE_US * len(wire.Encoder().encode(heard.message))


class Host:
    """Host that sends all types of queries at random times, as often as permitted."""

    def __init__(self, board: EmulatedBoard, seed: int) -> None:
        self._board = board
        self._dice = random.Random(seed)
        self._encoder = wire.Encoder()
        self._sent: deque[tuple[int, int]] = deque()
        """Time and size of each command sent within the last 20 ms."""
        self._awaits = False
        self.heard: list[Heard] = []
        self.asked: Counter[str] = Counter()

    def run(self, microseconds: int) -> None:
        end = self._board.now_us + microseconds
        while self._board.now_us < end:
            self._ask()
            self._listen(self._dice.randrange(5_000))

    def fall_silent(self) -> None:
        """Wait for all outstanding answers."""
        self._listen(1_000_000)

    def _listen(self, microseconds: int) -> None:
        heard = self._board.run(microseconds)
        self._awaits &= not any(isinstance(each.message, wire.CalibrationReply) for each in heard)
        self.heard += heard

    def _ask(self) -> None:
        now = self._board.now_us
        while self._sent and self._sent[0][0] <= now - 1000 * wire.STATE_INTERVAL_MS:
            self._sent.popleft()
        commands: list[wire.HostCommand] = [
            *(
                wire.Identify(),
                wire.RequestRaw(),
                wire.RequestField(),
                wire.Lamps(self._dice.getrandbits(100)),
            )
        ]
        if not self._awaits:
            commands += [wire.Calibrate(step) for step in wire.CalibrationStep]
        command = self._dice.choice(commands)
        data = self._encoder.encode(command)
        if sum(count for _, count in self._sent) + len(data) > HOST_BYTES:
            return
        self._sent.append((now, len(data)))
        self._board.send_bytes(data)
        self.asked[type(command).__name__] += 1
        self._awaits |= isinstance(command, wire.Calibrate)


@ROUNDS
def test_all_requests_without_lost_frames(board: EmulatedBoard) -> None:
    """Faults are reported, the supply voltage is low, and pieces appear and disappear."""
    calibrate(board)
    host = Host(board, seed=1)
    drop_bytes(board)
    for number in range(ROUNDS.size):
        board.power_on(WEAK_SUPPLY_MV if number % 3 else 5000)
        board.field.broken = STUCK if number % 20 < 16 else {}
        board.show(ARMIES if number % 2 else Image())
        host.run(ROUND_US)
    host.fall_silent()
    expect_every_frame(board, host.heard, ARMIES_LATE_US)
    kinds = Counter(type(each.message) for each in host.heard)
    assert kinds[wire.Hello] == host.asked["Identify"]
    assert kinds[wire.CalibrationReply] == host.asked["Calibrate"] > ROUNDS.size
    assert kinds[wire.Raw] > 10 * ROUNDS.size
    assert kinds[wire.FieldReadings], "field readings are sent between the raw readings"
    codes = {each.message.code for each in host.heard if isinstance(each.message, wire.Fault)}
    assert codes >= {wire.FaultCode.STUCK_CHANNEL, wire.FaultCode.LOW_SUPPLY}


def between_states(heard: list[Heard]) -> list[Counter[type[wire.BoardMessage | wire.BadFrame]]]:
    """Count the messages that arrive in the 20 ms interval of each STATE."""
    groups: list[Counter[type[wire.BoardMessage | wire.BadFrame]]] = [Counter()]
    for each in heard:
        if isinstance(each.message, wire.State):
            groups.append(Counter())
        groups[-1][type(each.message)] += 1
    return groups


@RARE
@CHANCES
def test_worst_case_frame(board: EmulatedBoard) -> None:
    """The longest calibration reply arrives in the same 20 ms as raw readings, a STATUS, and two
    faults."""
    assert learn(board, wire.CalibrationStep.EMPTY) == DONE
    board.power_on(WEAK_SUPPLY_MV)
    board.show(ARMIES)
    board.place(0, None)
    board.field.broken = {square: STUCK[square] for square in SQUARES if square > 1}
    board.field.broken[1] = 512.0 + 100
    board.update_sensors()
    drop_bytes(board)
    heard = board.run(5_000_000)  # by the end of this time, faults have been reported
    longest = {
        wire.CalibrationResult.WEAK,
        wire.CalibrationResult.FLIPPED,
        wire.CalibrationResult.MISSING,
    }
    for chance in range(CHANCES.size):
        # A step takes about 33 frames, and a STATUS arrives every second. Let the step end when a
        # STATUS is due.
        count = len(heard)
        while not any(isinstance(each.message, wire.Status) for each in heard[count:]):
            heard += board.run(1_000)
        heard += board.run(310_000 + 3_000 * (chance % 20))
        board.send(wire.Calibrate(wire.CalibrationStep.ARMIES), wire.RequestRaw())
        heard += board.run(630_000)
        board.send(wire.RequestRaw())
        heard += board.run(103_000)
    answers = [each.message for each in heard if isinstance(each.message, wire.CalibrationReply)]
    assert len(answers) == CHANCES.size
    assert [set(each.results) for each in answers] == [longest] * CHANCES.size
    most = {wire.CalibrationReply: 1, wire.Raw: 1, wire.Status: 1, wire.Fault: 2, wire.State: 1}
    assert any(group >= Counter(most) for group in between_states(heard))
    expect_every_frame(board, heard)


@TALKS
def test_flooding_host_delays_no_state(board: EmulatedBoard) -> None:
    encoder, dice = wire.Encoder(), random.Random(2)
    commands: list[wire.HostCommand] = [
        *[wire.Identify()] * 6,
        wire.RequestRaw(),
        wire.RequestField(),
        wire.Lamps(1),
    ]
    drop_bytes(board)
    heard: list[Heard] = []
    for _ in range(TALKS.size):
        if dice.random() < 0.2:
            board.send_bytes(dice.randbytes(250))
        while dice.random() < 0.97:
            board.send_bytes(encoder.encode(dice.choice(commands)))
        heard += board.run(10_000)
    expect_every_frame(board, heard)
