"""Scripted calibrations: what the user and the board do, with the times in seconds."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.diagnostics.calibration import GuidedCalibration
from companion.speech.i18n import Language
from firmware_bridge.link import Event, LinkError, LinkErrorKind, MessageReceived
from firmware_bridge.wire import (
    CalibrationReply,
    CalibrationResult,
    CalibrationStep,
    Hello,
    HostCommand,
)
from tests.companion.diagnostics.boards import HELLO

PORT = "/dev/ttyUSB0"
UNPLUGGED = LinkError(LinkErrorKind.UNPLUGGED, PORT, "it is gone")
NEW = replace(HELLO, calibration=0xCAFE)
Given = Callable[[GuidedCalibration, float], None]
Line = tuple[float, Given]


def well(step: CalibrationStep) -> Given:
    return answered(step, {CalibrationResult.DONE: 0})


def answered(step: CalibrationStep, results: dict[CalibrationResult, int]) -> Given:
    return received(MessageReceived(CalibrationReply(step, results)))


def received(event: Event) -> Given:
    return lambda calibration, now: calibration.take(event, now)


GO_ON, LEAVE, TICK = GuidedCalibration.go_on, GuidedCalibration.leave, GuidedCalibration.tick
EMPTY, STAND, SAVE, ABORT = (
    *(CalibrationStep.EMPTY, CalibrationStep.ARMIES),
    *(CalibrationStep.SAVE, CalibrationStep.ABORT),
)
TO_STEP_2: list[Line] = [(0, GO_ON), (0.6, well(EMPTY))]


def play(
    script: Sequence[Line], hello: Hello = HELLO, language: str = "en"
) -> tuple[GuidedCalibration, list[HostCommand]]:
    asked: list[HostCommand] = []
    calibration = GuidedCalibration(hello, asked.append, Language(language))
    for at, happens in script:
        happens(calibration, at)
    return calibration, asked
