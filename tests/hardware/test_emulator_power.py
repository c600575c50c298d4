"""Tests for power cuts and hangs during calibration. Either the old or the new calibration must
remain valid."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.image import ARMIES, Image
from firmware_bridge.wire import Calibrate, CalibrationStep, Hello, ResetCause
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import WORST_CROWDING, Field, Sensor, Spread
from tests.campaigns import Campaign
from tests.hardware.calibrating import calibrate, checksum

STARTED_US = 18_000
"""Time, in microseconds, within which a board sends HELLO after power-on."""
OFF_US = 5_000
SAVE_ASKED_US = 1_425_000
SAVED_US = 2_300_000
ALL_US = 2_350_000
PLAN: tuple[tuple[int, Callable[[EmulatedBoard], None]], ...] = (
    (0, lambda board: board.show(Image())),
    (45_000, lambda board: board.send(Calibrate(CalibrationStep.EMPTY))),
    (715_000, lambda board: board.show(ARMIES)),
    (760_000, lambda board: board.send(Calibrate(CalibrationStep.ARMIES))),
    (SAVE_ASKED_US, lambda board: board.send(Calibrate(CalibrationStep.SAVE))),
    (ALL_US, lambda board: None),
)
"""A whole calibration, as actions with their times in microseconds. Each step takes 0.65 s; saving
takes 0.85 s."""


CUTS = Campaign("power-cuts", part=2, whole=100)
BENCHES = Campaign("power-cuts", part=1, whole=3)
BYTES = Campaign("power-cuts", part=16, whole=250)
HANGS = Campaign("power-cuts", part=2, whole=11)


@dataclass
class Bench:
    """Board with its initial EEPROM contents, and the checksums of its old and its new
    calibration."""

    board: EmulatedBoard
    forgets: bool
    """Whether the board first discards the old calibration (FORGET)."""
    eeprom: bytes
    old: int
    new: int
    begun_us: int = 0
    """Start time of the latest calibration, in microseconds."""

    def calibrate_for(self, microseconds: int) -> None:
        """Restart the board with its initial EEPROM contents and start a new calibration. Stop
        after `microseconds`."""
        self.board.power_off()
        self.board.run(OFF_US)
        self.board.eeprom = self.eeprom
        self.board.power_on()
        self.board.run(STARTED_US)
        self.begun_us = self.board.now_us
        for at_us, do in PLAN:
            self.board.run(self.begun_us + min(at_us, microseconds) - self.board.now_us)
            if at_us >= microseconds:
                return
            do(self.board)
            if self.forgets and at_us == 0:
                self.board.send(Calibrate(CalibrationStep.FORGET))

    def may_be(self, microseconds: int) -> set[int]:
        """Return the calibrations that the board may use after a power cut at the given time."""
        if microseconds <= SAVE_ASKED_US:
            return {self.old}
        return {self.old, self.new} if microseconds < SAVED_US else {self.new}


def bench(board: EmulatedBoard, *, calibrated: bool, forgets: bool = False) -> Bench:
    """Prepare a board that is uncalibrated, or one whose calibration is out of date because a
    sensor was replaced.

    Without noise, all calibrations give the same result, so the new one is known in advance.
    """
    board.power_on()
    board.run(STARTED_US)
    if calibrated:
        calibrate(board)
    result = Bench(board, forgets, board.eeprom, checksum(board), 0)
    board.field.sensors[50] = Sensor(offset=-30)
    result.calibrate_for(ALL_US)
    result.new = checksum(board)
    assert len({result.old, result.new, 0}) == 2 + calibrated
    return result


def hello_of(board: EmulatedBoard, within_us: int) -> Hello:
    (hello,) = (h.message for h in board.run(within_us) if isinstance(h.message, Hello))
    return hello


@pytest.fixture
def board(firmware_elf: Path) -> EmulatedBoard:
    return EmulatedBoard(firmware_elf, Field(Spread().sensors(seed=1), WORST_CROWDING), noise=0)


@CUTS
@pytest.mark.parametrize(
    ("calibrated", "forgets"),
    BENCHES.among([(True, False), (False, False), (True, True)]),
)
def test_power_cut_keeps_old_or_new_calibration(
    board: EmulatedBoard, calibrated: bool, forgets: bool
) -> None:
    """Cut the power at random times between EMPTY and the end of SAVE, and once after the end of
    SAVE."""
    dice = random.Random(calibrated)
    learning = [dice.randrange(SAVE_ASKED_US) for _ in range(CUTS.size // 2)]
    saving = [dice.randrange(SAVE_ASKED_US, SAVED_US) for _ in range(CUTS.size // 2)]
    moments = [*sorted(learning), *sorted(saving), dice.randrange(SAVED_US, ALL_US)]
    with board:
        at = bench(board, calibrated=calibrated, forgets=forgets)
        kept = []
        for moment in moments:
            at.calibrate_for(moment)
            board.power_off()
            board.run(OFF_US)
            board.power_on()
            kept.append(hello_of(board, STARTED_US).calibration)
            assert kept[-1] in at.may_be(moment), moment
    assert kept == sorted(kept, key=lambda each: each == at.new)
    assert set(kept) == {at.old, at.new}


@BYTES
def test_power_cut_after_every_saved_byte(board: EmulatedBoard, firmware_elf: Path) -> None:
    """At many times during SAVE, note what the EEPROM would contain after a power cut. Start
    another board with each of these contents."""
    dice = random.Random(200)
    with board:
        at = bench(board, calibrated=True)
        at.calibrate_for(SAVE_ASKED_US + 1)
        left: list[bytes] = []
        while board.now_us < at.begun_us + SAVED_US:
            board.run(dice.randrange(2 * (SAVED_US - SAVE_ASKED_US) // BYTES.size))
            left.append(board.eeprom_after_cut)
        found = [checksum_of(eeprom, firmware_elf) for eeprom in left]
    assert len(left) > 0.8 * BYTES.size
    assert found == sorted(found, key=lambda each: each == at.new)
    assert set(found) == {at.old, at.new}


def checksum_of(eeprom: bytes, firmware: Path) -> int:
    """Start a board with the given EEPROM contents. Return the checksum of the calibration that it
    uses."""
    with EmulatedBoard(firmware) as board:
        board.eeprom = eeprom
        board.power_on()
        return hello_of(board, STARTED_US).calibration


@HANGS
def test_hang_during_calibration_keeps_the_old_one(board: EmulatedBoard) -> None:
    with board:
        at = bench(board, calibrated=True)
        for moment in HANGS.among(range(30_000, SAVED_US - 200_000, 1_000)):
            at.calibrate_for(moment)
            board.hang()
            hello = hello_of(board, 300_000)
            assert hello.reset_cause == ResetCause.WATCHDOG
            assert hello.calibration == at.old, moment
