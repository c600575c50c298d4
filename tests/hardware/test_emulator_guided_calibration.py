"""Tests for guided calibration of the real firmware in the emulator."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from companion.diagnostics.calibration import CalibrationPhase, GuidedCalibration
from companion.diagnostics.report import marks
from engine.board.geometry import SQUARES, name, square
from firmware_bridge import wire
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.link import Connected, MessageReceived
from hardware.emulator import physics
from hardware.emulator.board import EmulatedBoard
from tests.hardware import calibrating

E4 = square("e4")
ANSWER_SECONDS = 1.0
"""Time, in seconds, within which the protocol guarantees an answer."""


class Maker:
    """Builder who follows the guided calibration."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.board = board
        self.image = Image()
        self.calibration = GuidedCalibration(
            calibrating.answer(board, wire.Identify(), wire.Hello), board.send
        )

    @property
    def now(self) -> float:
        return self.board.now_us / 1_000_000

    def go_on(self) -> dict[str, str]:
        """Confirm the step, wait for the answer, and return the marks shown on the squares."""
        self.board.run(calibrating.SETTLED_US)
        self.calibration.go_on(self.now)
        self._listen()
        return {name(where): about for where, about in marks(self.calibration.findings).items()}

    def leave(self) -> None:
        self.calibration.leave(self.now)
        self._listen()

    def _listen(self) -> None:
        while self.calibration.phase is CalibrationPhase.ASKED:
            assert self.now - self.calibration.asked_at <= ANSWER_SECONDS
            for heard in self.board.run(calibrating.SETTLED_US):
                self._hear(heard.message)
            self.calibration.tick(self.now)

    def _hear(self, message: wire.BoardMessage | wire.BadFrame) -> None:
        match message:
            case wire.Hello():
                self.calibration.take(Connected("emulated", message), self.now)
            case wire.BadFrame() | wire.ForeignHello():
                raise AssertionError(message)
            case wire.State(image=image):
                self.image = image
            case _:
                self.calibration.take(MessageReceived(message), self.now)


@pytest.fixture
def maker(firmware_elf: Path) -> Iterator[Maker]:
    """Yield a builder with an uncalibrated board made of worst-case parts."""
    field = physics.Field(physics.Spread().sensors(seed=1), crowding=physics.WORST_CROWDING)
    with EmulatedBoard(firmware_elf, field) as board:
        board.power_on()
        board.run(calibrating.SETTLED_US)
        yield Maker(board)


def test_calibration_with_every_refusal(maker: Maker) -> None:
    board, calibration = maker.board, maker.calibration
    assert calibration.checksum == 0
    board.place(square("e5"), physics.NORTH)
    assert maker.go_on() == {"e5": "strange"}
    board.place(square("e5"), None)
    assert maker.go_on() == {}
    assert calibration.step is wire.CalibrationStep.ARMIES
    board.show(ARMIES)
    board.place(square("d1"), physics.Magnet(north_up=True, strength=0.45))
    board.place(square("c2"), physics.SOUTH)
    board.place(square("h10"), None)
    assert maker.go_on() == {"d1": "weak", "c2": "flipped", "h10": "unfelt"}
    board.place(square("d1"), physics.NORTH)
    board.place(square("c2"), physics.NORTH)
    assert maker.go_on() == {"h10": "stuck"}, "the sensor still detects nothing"
    board.place(square("h10"), physics.SOUTH)
    assert maker.go_on() == {}
    assert calibration.phase is CalibrationPhase.SAVED
    assert calibration.checksum == calibrating.checksum(board) != 0
    board.run(calibrating.SETTLED_US)
    assert maker.image == ARMIES


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        (900, "Something is detected on 100 squares, but there are only 80 pieces. Check the 5 V"),
        (1015, "No piece is detected. Set up both armies. If the board has Hall sensors and not"),
    ],
)
def test_sensors_without_ground(firmware_elf: Path, reading: float, expected: str) -> None:
    """All sensors read a constant value near the supply voltage."""
    with EmulatedBoard(
        firmware_elf, physics.Field(broken=dict.fromkeys(SQUARES, reading))
    ) as board:
        board.power_on()
        board.run(calibrating.SETTLED_US)
        maker = Maker(board)
        if not maker.go_on():
            board.show(ARMIES)
            maker.go_on()
        (finding,) = maker.calibration.findings
        assert finding.text.startswith(expected)


@dataclass(frozen=True)
class Calibrated:
    """Calibrated board with SS49E sensors. One of them will be replaced, and `after` is the offset
    of the replacement."""

    sensors: list[physics.Sensor]
    eeprom: bytes
    after: int


@pytest.fixture(scope="module", params=[(-25, 27), (-5, 49)])
def calibrated(firmware_elf: Path, request: pytest.FixtureRequest) -> Calibrated:
    before, after = request.param
    sensors = physics.Spread(piece=128).sensors(seed=1)
    sensors[E4] = replace(sensors[E4], offset=before, sensitivity=128 / physics.PIECE)
    with EmulatedBoard(
        firmware_elf, physics.Field(sensors, crowding=physics.WORST_CROWDING)
    ) as board:
        board.power_on()
        calibrating.calibrate(board)
        return Calibrated(sensors, board.eeprom, after)


@pytest.fixture
def exchanged(firmware_elf: Path, calibrated: Calibrated) -> Iterator[Maker]:
    """Yield a builder with the board `calibrated` after one sensor has been replaced."""
    sensors = list(calibrated.sensors)
    sensors[E4] = replace(sensors[E4], offset=calibrated.after)
    with EmulatedBoard(
        firmware_elf, physics.Field(sensors, crowding=physics.WORST_CROWDING)
    ) as board:
        board.eeprom = calibrated.eeprom
        board.power_on()
        board.run(calibrating.SETTLED_US)
        yield Maker(board)


def test_shifted_sensor_is_learned_on_the_second_empty_step(
    exchanged: Maker,
) -> None:
    board, calibration = exchanged.board, exchanged.calibration
    old = calibration.checksum
    assert exchanged.go_on() == {"e4": "strange"}
    assert exchanged.go_on() == {}
    board.show(ARMIES)
    assert exchanged.go_on() == {}
    assert calibration.phase is CalibrationPhase.SAVED
    assert calibration.checksum == calibrating.checksum(board) not in (0, old)
    board.run(calibrating.SETTLED_US)
    assert exchanged.image == ARMIES


@pytest.mark.parametrize("magnet", [physics.NORTH, physics.SOUTH])
def test_leftover_piece_is_found(exchanged: Maker, magnet: physics.Magnet) -> None:
    exchanged.board.place(square("g6"), magnet)
    assert exchanged.go_on() == {"e4": "strange", "g6": "strange"}
    assert exchanged.go_on() == {"g6": "strange"}, "the default thresholds detect it"
    assert exchanged.go_on() == {"g6": "strange"}
    exchanged.board.place(square("g6"), None)
    assert exchanged.go_on() == {}


def test_leaving_restores_the_old_calibration(exchanged: Maker) -> None:
    board, old = exchanged.board, exchanged.calibration.checksum
    for _ in range(2):
        exchanged.go_on()
    assert calibrating.checksum(board) == 0
    exchanged.leave()
    assert exchanged.calibration.phase is CalibrationPhase.UNCHANGED
    assert calibrating.checksum(board) == old
    assert calibrating.learn(board, wire.CalibrationStep.EMPTY) == {
        wire.CalibrationResult.OCCUPIED: 1 << E4
    }


def test_leaving_halfway_discards_the_calibration(maker: Maker) -> None:
    maker.go_on()
    maker.leave()
    assert maker.calibration.phase is CalibrationPhase.UNCHANGED
    assert calibrating.checksum(maker.board) == 0
    assert calibrating.learn(maker.board, wire.CalibrationStep.ARMIES) == {
        wire.CalibrationResult.OUT_OF_ORDER: 0
    }


def test_leaving_while_busy_discards_the_calibration(maker: Maker) -> None:
    maker.calibration.go_on(maker.now)
    maker.board.run(calibrating.SETTLED_US)
    maker.leave()
    assert maker.calibration.phase is CalibrationPhase.UNCHANGED
    assert calibrating.learn(maker.board, wire.CalibrationStep.ARMIES) == {
        wire.CalibrationResult.OUT_OF_ORDER: 0
    }
