"""Test the outcomes of the calibration dialogue without a terminal, a screen or real time."""

import pytest

from companion.diagnostics.calibration import CalibrationPhase
from firmware_bridge.link import Connected, LinkError, LinkErrorKind, MessageReceived
from firmware_bridge.wire import Calibrate, CalibrationResult, HostCommand, Identify, State
from tests.companion.diagnostics.boards import ARMIES, HELLO
from tests.companion.diagnostics.calibration_script import (
    ABORT,
    EMPTY,
    GO_ON,
    LEAVE,
    NEW,
    PORT,
    SAVE,
    STAND,
    TICK,
    TO_STEP_2,
    UNPLUGGED,
    Line,
    answered,
    play,
    received,
    well,
)

SILENT = LinkError(LinkErrorKind.SILENT, PORT, "no frame")
TO_SAVING: list[Line] = [*TO_STEP_2, (300, GO_ON), (300.6, well(STAND))]
ALL_ASKED: list[HostCommand] = [Calibrate(EMPTY), Calibrate(STAND), Calibrate(SAVE)]
ENDINGS: dict[str, tuple[list[Line], CalibrationPhase, str, list[HostCommand]]] = {
    "saved": (
        [*TO_SAVING, (300.7, well(SAVE)), (300.8, received(Connected(PORT, NEW)))],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "saved, but lost before its introduction": (
        [*TO_SAVING, (300.7, well(SAVE)), (300.8, received(UNPLUGGED))],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "saved, then silent": (
        [*TO_SAVING, (300.7, well(SAVE)), (302.8, TICK)],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "saved, but the answer is lost": (
        [*TO_SAVING, (302.6, TICK), (302.7, received(Connected(PORT, NEW)))],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "the request to save is lost": (
        [*TO_SAVING, (302.6, TICK), (302.7, received(Connected(PORT, HELLO)))],
        CalibrationPhase.UNCHANGED,
        "The board has not saved it. Start again",
        [*ALL_ASKED, Identify(), Calibrate(ABORT)],
    ),
    "lost while saving": (
        [*TO_SAVING, (300.7, received(UNPLUGGED))],
        CalibrationPhase.DOUBTFUL,
        "The board is unplugged. Plug it in again.",
        ALL_ASKED,
    ),
    "lost while saving, back with the new calibration": (
        [
            *TO_SAVING,
            (300.7, received(UNPLUGGED)),
            (390, TICK),
            (400, received(Connected(PORT, NEW))),
        ],
        CalibrationPhase.SAVED,
        "",
        ALL_ASKED,
    ),
    "lost while saving, back without the new calibration": (
        [*TO_SAVING, (300.7, received(UNPLUGGED)), (400, received(Connected(PORT, HELLO)))],
        CalibrationPhase.UNCHANGED,
        "The board has not saved it.",
        [*ALL_ASKED, Calibrate(ABORT)],
    ),
    "refused to save": (
        [*TO_SAVING, (300.7, answered(SAVE, {CalibrationResult.OUT_OF_ORDER: 0}))],
        CalibrationPhase.UNCHANGED,
        "The board has not saved it. Start again.",
        [*ALL_ASKED, Calibrate(ABORT)],
    ),
    "silent while saving": (
        [*TO_SAVING, (302.6, TICK), (304.6, TICK)],
        CalibrationPhase.DOUBTFUL,
        "The board does not answer.",
        [*ALL_ASKED, Identify()],
    ),
    "left at once": (
        [(1, LEAVE), (1.1, well(ABORT))],
        CalibrationPhase.UNCHANGED,
        "",
        [Calibrate(ABORT)],
    ),
    "cancelled at the second step": (
        [*TO_STEP_2, (200, LEAVE), (200.1, well(ABORT))],
        CalibrationPhase.UNCHANGED,
        "",
        [Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "cancelled while the board is busy": (
        [*TO_STEP_2, (300, GO_ON), (300.2, LEAVE), (300.6, well(STAND)), (300.7, well(ABORT))],
        CalibrationPhase.UNCHANGED,
        "",
        [Calibrate(EMPTY), Calibrate(STAND), Calibrate(ABORT)],
    ),
    "cancelled too late": (
        [*TO_SAVING, (300.7, LEAVE), (300.8, well(SAVE)), (300.9, received(Connected(PORT, NEW)))],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "unplugged during a step": (
        [*TO_STEP_2, (200, received(UNPLUGGED))],
        CalibrationPhase.UNCHANGED,
        "The board is unplugged. Plug it in again. Then start again.",
        [Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "silent while busy": (
        [(0, GO_ON), (1.1, received(SILENT))],
        CalibrationPhase.UNCHANGED,
        "The board has stopped responding.",
        [Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "restarted, with an introduction": (
        [*TO_STEP_2, (200, received(Connected(PORT, HELLO)))],
        CalibrationPhase.UNCHANGED,
        "The board restarted and lost the measurements. Start again",
        [Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "restarted unnoticed": (
        [*TO_STEP_2, (200, GO_ON), (200.1, answered(STAND, {CalibrationResult.OUT_OF_ORDER: 0}))],
        CalibrationPhase.UNCHANGED,
        "The board restarted and lost the measurements. Start again",
        [Calibrate(EMPTY), Calibrate(STAND), Calibrate(ABORT)],
    ),
    "without an answer": (
        [(0, GO_ON), (1.9, TICK), (2, TICK), (3.9, TICK), (4, TICK)],
        CalibrationPhase.UNCHANGED,
        "The board does not answer. Flash it with “boomboard flash”. Then start again.",
        [Calibrate(EMPTY), Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "unplugged during the cancellation": (
        [(1, LEAVE), (1.1, received(UNPLUGGED))],
        CalibrationPhase.UNCHANGED,
        "The board is unplugged.",
        [Calibrate(ABORT), Calibrate(ABORT)],
    ),
    "restarted during the cancellation": (
        [(1, LEAVE), (1.1, received(Connected(PORT, HELLO)))],
        CalibrationPhase.UNCHANGED,
        "",
        [Calibrate(ABORT)],
    ),
}


@pytest.mark.parametrize(
    ("script", "phase", "error", "asked"), list(ENDINGS.values()), ids=list(ENDINGS)
)
def test_calibration_outcomes(
    script: list[Line], phase: CalibrationPhase, error: str, asked: list[HostCommand]
) -> None:
    calibration, commands = play(script)
    assert calibration.phase is phase
    assert calibration.error.startswith(error)
    assert bool(calibration.error) == bool(error)
    assert commands == asked
    assert calibration.verdict == {
        CalibrationPhase.SAVED: "Saved: the board uses the new calibration.",
        CalibrationPhase.UNCHANGED: "Nothing was changed.",
        CalibrationPhase.DOUBTFUL: (
            "The board will report whether it was saved as soon as it is back."
        ),
    }.get(phase)


def test_late_or_lost_answer() -> None:
    calibration, asked = play([(0, GO_ON), (2, TICK), (2.6, well(EMPTY)), (2.7, well(EMPTY))])
    assert (calibration.phase, calibration.step) == (CalibrationPhase.DUE, STAND)
    assert asked == [Calibrate(EMPTY), Calibrate(EMPTY)]


def test_no_next_step_while_busy() -> None:
    _, asked = play([(0, GO_ON), (0.1, GO_ON), (0.2, received(MessageReceived(State(20, ARMIES))))])
    assert asked == [Calibrate(EMPTY)]


def test_checksum_of_the_active_calibration() -> None:
    calibration, _ = play(TO_STEP_2)
    assert calibration.checksum == HELLO.calibration
    calibration, _ = play(ENDINGS["saved"][0])
    assert calibration.checksum == NEW.calibration
    calibration, _ = play(ENDINGS["saved, then silent"][0])
    assert calibration.checksum is None
