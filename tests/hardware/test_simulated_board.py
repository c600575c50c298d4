"""Tests that the simulated board and the real firmware give identical reports for the same
parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest

from engine.board.geometry import SQUARES, Side, Square, SquareSet, set_of, square, squares_in
from firmware_bridge.board_hardware import RESTING
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.simulated_board.board import SUPPLY_MV, SimulatedBoard
from firmware_bridge.simulated_board.sensors import SensorCalibration, Sensors
from firmware_bridge.wire import BoardKind, CalibrationResult, CalibrationStep, Configure, FaultCode
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import Field, Magnet, Sensor, Switch
from hardware.emulator.port import configured
from tests.campaigns import Campaign
from tests.hardware.calibrating import DONE, SETTLED_US, calibrate, faults, learn, seen

Results = Mapping[CalibrationResult, SquareSet]
Faults = set[tuple[FaultCode, Square | None]]
Pieces = Mapping[Square, tuple[Side, float]]
"""Side and magnet strength of the piece on each square. A flipped magnet has a negative
strength."""


def on(*names: str) -> SquareSet:
    return set_of(map(square, names))


def faulty(code: FaultCode, squares: SquareSet) -> Faults:
    return {(code, each) for each in squares_in(squares)}


@dataclass(frozen=True)
class Case:
    """A test case: the components of a board, and the reports expected from the board."""

    kind: BoardKind = BoardKind.COLOURS
    is_calibrated: bool = True
    rests: Mapping[str, int] = field(default_factory=dict)
    """Shift of the sensors' resting levels since the calibration, in counts."""
    stuck: Mapping[str, int] = field(default_factory=dict)
    supply_mv: int = SUPPLY_MV
    left: Mapping[str, Side] = field(default_factory=dict)
    """Pieces that are still on the board when the EMPTY step is first tried."""
    magnets: float = 1.0
    """Magnet strength of both armies."""
    other_magnets: Mapping[str, float] = field(default_factory=dict)

    empty: Results = field(default_factory=lambda: DONE)
    armies: Results = field(default_factory=lambda: DONE)
    faults: Faults = field(default_factory=set)
    """Faults expected while both armies are on the board."""

    @property
    def pieces(self) -> Pieces:
        others = {square(where): strength for where, strength in self.other_magnets.items()}
        return {
            each: (side, others.get(each, self.magnets))
            for side in Side
            for each in squares_in(side.home)
        }


CASES = {
    "good": Case(),
    "never calibrated": Case(is_calibrated=False),
    "all magnets are weak": Case(magnets=0.45),
    "all magnets are weak, one of them weaker": Case(magnets=0.5, other_magnets={"c3": 0.3}),
    "all magnets are too weak": Case(
        magnets=0.15,
        armies={CalibrationResult.WEAK: ARMIES.occupied},
        faults=faulty(FaultCode.DRIFT, ARMIES.occupied),
    ),
    "all magnets are barely detected": Case(
        magnets=0.05, armies={CalibrationResult.MISSING: ARMIES.occupied}
    ),
    "a weak magnet": Case(other_magnets={"c3": 0.45}, armies={CalibrationResult.WEAK: on("c3")}),
    "a weak magnet, never calibrated": Case(
        is_calibrated=False, other_magnets={"c3": 0.2}, armies={CalibrationResult.WEAK: on("c3")}
    ),
    "a magnet that is barely detected": Case(
        other_magnets={"c3": 0.115},
        armies={CalibrationResult.MISSING: on("c3")},
        faults=faulty(FaultCode.DRIFT, on("c3")),
    ),
    "a piece without a magnet": Case(
        other_magnets={"c3": 0.0}, armies={CalibrationResult.MISSING: on("c3")}
    ),
    "flipped magnets": Case(
        other_magnets={"b9": -1.0, "a1": -0.7}, armies={CalibrationResult.FLIPPED: on("b9", "a1")}
    ),
    "a piece left on the empty board": Case(
        left={"e4": Side.RED, "e5": Side.BLUE}, empty={CalibrationResult.OCCUPIED: on("e4", "e5")}
    ),
    "an empty square off its resting level": Case(
        rests={"e5": 40, "f6": -25}, faults=faulty(FaultCode.DRIFT, on("e5"))
    ),
    "the same, never calibrated": Case(is_calibrated=False, rests={"e5": 45, "f6": -25}),
    "a sensor that is not released before calibration": Case(
        is_calibrated=False,
        rests={"e5": 45},
        left={"e5": Side.RED},
        empty={CalibrationResult.OCCUPIED: on("e5")},
    ),
    "a sensor too far from its resting level": Case(
        rests={"e5": -85},
        empty={CalibrationResult.OCCUPIED: on("e5")},
        armies={CalibrationResult.OUT_OF_ORDER: 0},
        # When the board rejects the EMPTY step, it discards the calibration. Drift is therefore not
        # reported.
    ),
    "stuck low": Case(
        stuck={"f8": 0},
        empty={CalibrationResult.OCCUPIED: on("f8")},
        armies={CalibrationResult.OUT_OF_ORDER: 0},
        faults=faulty(FaultCode.STUCK_CHANNEL, on("f8")),
    ),
    "stuck high": Case(
        stuck={"e5": 1023},
        empty={CalibrationResult.OCCUPIED: on("e5")},
        armies={CalibrationResult.OUT_OF_ORDER: 0},
        faults=faulty(FaultCode.STUCK_CHANNEL, on("e5")),
    ),
    "dead in the middle of its range": Case(
        stuck={"c3": 512}, armies={CalibrationResult.MISSING: on("c3")}
    ),
    "the supply is low": Case(supply_mv=4600, faults={(FaultCode.LOW_SUPPLY, None)}),
    "the supply is not yet low": Case(supply_mv=4800),
    "switches": Case(BoardKind.PRESENCE, other_magnets={"b9": -1.0}),
    "switches, never calibrated": Case(BoardKind.PRESENCE, is_calibrated=False),
    "a switch that does not close": Case(
        BoardKind.PRESENCE, other_magnets={"c3": 0.3}, armies={CalibrationResult.MISSING: on("c3")}
    ),
    "a switch that does not open": Case(
        BoardKind.PRESENCE,
        stuck={"e5": 15},
        empty={CalibrationResult.OCCUPIED: on("e5")},
        armies={CalibrationResult.OUT_OF_ORDER: 0},
    ),
}
CAMPAIGN = Campaign("boards", part=1, whole=len(CASES))


class Board(Protocol):
    """Simulated or emulated board, with the operations that its builder can perform."""

    def show(self, pieces: Pieces) -> None:
        """Put the given pieces, and no others, on the board."""

    def learn(self, step: CalibrationStep) -> Results: ...

    def image(self) -> Image: ...

    def faults(self) -> Faults: ...


class Simulated:
    def __init__(self, case: Case) -> None:
        self._board = SimulatedBoard(case.kind)
        if not case.is_calibrated:
            self._board.erase()
        for where, counts in case.rests.items():
            self._board.set_drift(square(where), counts)
        for where, reading in case.stuck.items():
            self._board.set_stuck(square(where), reading)
        self._board.supply_mv = case.supply_mv

    def show(self, pieces: Pieces) -> None:
        for each in SQUARES:
            if self._board.at(each):
                self._board.take_away(each)
        for each, (side, magnet) in pieces.items():
            self._board.stand(side, each, magnet=magnet)

    def learn(self, step: CalibrationStep) -> Results:
        return self._board.learn(step).results

    def image(self) -> Image:
        return self._board.image()

    def faults(self) -> Faults:
        return {(fault.code, fault.square) for fault in self._board.faults()}


class Emulated:
    def __init__(self, case: Case, board: EmulatedBoard) -> None:
        self._board = board
        for where, counts in case.rests.items():
            offset = board.field.sensors[square(where)].offset
            board.field.sensors[square(where)] = Sensor(offset + counts)
        board.field.broken = {square(where): reading for where, reading in case.stuck.items()}
        board.update_sensors()
        board.power_on(case.supply_mv)

    def show(self, pieces: Pieces) -> None:
        self._board.show(Image())
        self._board.run(SETTLED_US)
        for each, (side, magnet) in pieces.items():
            is_north = (side is Side.RED) is (magnet >= 0)
            self._board.place(each, Magnet(is_north, abs(magnet)))
        self._board.run(SETTLED_US)

    def learn(self, step: CalibrationStep) -> Results:
        return learn(self._board, step)

    def image(self) -> Image:
        return seen(self._board)

    def faults(self) -> Faults:
        return {(fault.code, fault.square) for fault in faults(self._board)}


def good_parts(kind: BoardKind) -> Field:
    """Return sensors with the same resting levels as the simulated board."""
    if kind is BoardKind.PRESENCE:
        return Field([Switch() for _ in SQUARES], crowding=0)
    rests = SensorCalibration.of_new(Sensors(kind), kind).rests
    return Field([Sensor(rest - RESTING[kind]) for rest in rests], crowding=0)


@pytest.fixture(scope="module")
def learned(firmware_elf: Path) -> Callable[[BoardKind], bytes]:
    """Return a function. For each type of board, it returns the EEPROM contents of a calibrated
    board with good parts."""

    @cache
    def learned_of(kind: BoardKind) -> bytes:
        with EmulatedBoard(firmware_elf, good_parts(kind)) as board:
            board.eeprom = configured(firmware_elf, Configure(kind))
            board.power_on()
            calibrate(board)
            return board.eeprom

    return learned_of


@dataclass(frozen=True)
class CalibrationRecord:
    empty: Results
    emptied: list[tuple[Image, Results]]
    armies: Results
    faults: Faults
    images: list[Image]
    saved: Results


def lead(board: Board, case: Case) -> CalibrationRecord:
    """Calibrate the board as a builder would. Return its reports."""
    board.show({square(where): (side, 1.0) for where, side in case.left.items()})
    empty = board.learn(CalibrationStep.EMPTY)
    board.show({})
    emptied = [(board.image(), board.learn(CalibrationStep.EMPTY))]
    if emptied[-1][1] != DONE:
        assert board.learn(CalibrationStep.FORGET) == DONE
        emptied.append((board.image(), board.learn(CalibrationStep.EMPTY)))
    board.show(case.pieces)
    faults, image = board.faults(), board.image()
    armies = board.learn(CalibrationStep.ARMIES)
    saved = board.learn(CalibrationStep.SAVE)
    return CalibrationRecord(empty, emptied, armies, faults, [image, board.image()], saved)


@CAMPAIGN
@pytest.mark.parametrize("name", CAMPAIGN.among(list(CASES)))
def test_simulated_board_matches_the_firmware(
    firmware_elf: Path,
    learned: Callable[[BoardKind], bytes],
    name: str,
) -> None:
    case = CASES[name]
    simulated = lead(Simulated(case), case)
    with EmulatedBoard(firmware_elf, good_parts(case.kind)) as board:
        settings = configured(firmware_elf, Configure(case.kind))
        board.eeprom = learned(case.kind) if case.is_calibrated else settings
        emulated = lead(Emulated(case, board), case)
    assert simulated == emulated
    assert (emulated.empty, emulated.armies, emulated.faults) == (
        case.empty,
        case.armies,
        case.faults,
    )
