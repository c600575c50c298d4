"""Calibrate the sensors of a board step by step, using its pieces.

The previous calibration remains in use until the last step is done. A new board detects its sensors
and its wiring by itself. Use --kind and --wired to correct this.
"""

import argparse
import time
from collections.abc import Callable
from typing import Final

from rich.console import Console

from companion.commands import CommandError
from companion.commands.doctor import ConnectedBoard, add_board, open_board
from companion.diagnostics.calibration import (
    TASKS,
    CalibrationPhase,
    GuidedCalibration,
    SettingsUpdate,
    SimulatedBuilder,
    UpdateState,
)
from companion.diagnostics.report import marks
from engine.board import board_text
from engine.board.geometry import Side, Square, set_of
from firmware_bridge.capture import settings_in_words
from firmware_bridge.link import Connected
from firmware_bridge.wire import BoardKind, CalibrationStep, Configure, Geometry

# Build settings.

LOOK_SECONDS: Final = 0.1
"""Interval between checks for an overdue reply, in seconds."""
_KINDS: Final = {"colours": BoardKind.COLOURS, "switches": BoardKind.PRESENCE}
_GEOMETRIES: Final = {"hand": Geometry.BY_HAND, "tiles": Geometry.TILES}
_MOST_BYTE: Final = 0xFF
_MOST_WORD: Final = 0xFFFF


def add_settings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "build settings", "needed only once; the board keeps them, even when it is flashed"
    )
    group.add_argument(
        "--kind", choices=_KINDS, help="sensors that distinguish colours, or switches"
    )
    group.add_argument("--wired", choices=_GEOMETRIES, help="wired by hand, or on tiles")
    group.add_argument(
        "--band-gap",
        type=_number(_MOST_WORD),
        metavar="MV",
        help="the chip's measured reference voltage",
    )
    group.add_argument(
        "--threshold",
        type=_number(_MOST_BYTE),
        metavar="PERCENT",
        help="detection threshold, as a percentage of a piece's reading",
    )


def requested_settings(options: argparse.Namespace) -> Configure | None:
    """Return the build settings given as options, or None if no setting was given."""
    settings = Configure(
        _KINDS[options.kind] if options.kind else 0,
        _GEOMETRIES[options.wired] if options.wired else 0,
        options.threshold or 0,
        options.band_gap or 0,
    )
    return None if settings == Configure() else settings


def configure(board: ConnectedBoard, settings_asked: Configure) -> tuple[str, Connected]:
    """Send the build settings to the board.

    Return the resulting settings in words, and the board's new identification message. Raises
    CommandError if the board rejects the settings.
    """
    update = SettingsUpdate(settings_asked, board.link.send, time.monotonic())
    while update.answer is UpdateState.AWAITED:
        event = board.next_event(LOOK_SECONDS)
        if event:
            update.take(event, time.monotonic())
        update.tick(time.monotonic())
    settings = settings_in_words(update.settings) if update.settings else ""
    if update.answer is UpdateState.REFUSED:
        raise CommandError(f"{update.error} Its settings are now: {settings}.")
    if update.connected is None:
        raise CommandError(update.error)
    return settings, update.connected


def _number(most: int) -> Callable[[str], int]:
    """Return a parser for numbers from 1 to `most`. Only the board can fully validate them."""

    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {most}")
        return int(text)

    return number


_MARKS: Final = {"strange": "o", "weak": "w", "flipped": "f", "unfelt": "n", "stuck": "n"}
"""Marks in the board diagram, keyed by the type of finding."""
_MEANINGS: Final = {
    CalibrationStep.EMPTY: "o something detected",
    CalibrationStep.ARMIES: "r b well, w weak, f upside down, n nothing detected",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_board(parser)
    add_settings(parser)


def run(options: argparse.Namespace) -> int:
    console = Console(highlight=False, markup=False)
    with open_board(options) as board:
        connected = board.connect()
        if requested := requested_settings(options):
            settings, connected = configure(board, requested)
            console.print(f"The board on {connected.port} now has these settings: {settings}.")
            if connected.hello.calibration:
                console.print("Its calibration is still valid.")
                return 0
        console.print(
            f"The board on {connected.port} is connected. Control-C stops this at any time."
        )
        calibration = GuidedCalibration(connected.hello, board.link.send)
        try:
            _run_steps(calibration, board, console)
        except (CommandError, KeyboardInterrupt):
            calibration.leave(time.monotonic())
            _listen(calibration, board)
            console.print(f"\n{_verdict(calibration)}")
            raise
        console.print(_verdict(calibration))
    return 0


def _run_steps(calibration: GuidedCalibration, board: ConnectedBoard, console: Console) -> None:
    """Request the steps one after another until all are done.

    Raise CommandError if the calibration could not be saved.
    """
    maker = SimulatedBuilder(board.simulated) if board.simulated else None
    asked_for = None
    while calibration.phase is CalibrationPhase.DUE:
        step = calibration.step
        if step is not asked_for:
            asked_for = step
            number = list(TASKS).index(step) + 1
            console.print(f"\nStep {number} of {len(TASKS)}. {TASKS[step]}")
        _wait_for_enter(console)
        if maker:
            maker.do(step, set_of(marks(calibration.findings)))
        _process_pending(calibration, board)
        calibration.go_on(time.monotonic())
        _listen(calibration, board)
        if calibration.findings:
            _print_refusal(calibration, console)
        elif calibration.phase in (CalibrationPhase.DUE, CalibrationPhase.SAVED):
            console.print("Done.")
    if calibration.phase is not CalibrationPhase.SAVED:
        raise CommandError(calibration.error)


def _wait_for_enter(console: Console) -> None:
    try:
        console.input("Then press Enter. ")
    except EOFError as error:
        raise CommandError("The input has ended; calibrate in a terminal.") from error


def _process_pending(calibration: GuidedCalibration, board: ConnectedBoard) -> None:
    """Handle the messages that arrived while the user was moving pieces."""
    while event := board.next_event(0):
        calibration.take(event, time.monotonic())


def _listen(calibration: GuidedCalibration, board: ConnectedBoard) -> None:
    """Wait until the board replies or its reply is overdue."""
    while calibration.phase is CalibrationPhase.ASKED:
        event = board.next_event(LOOK_SECONDS)
        if event:
            calibration.take(event, time.monotonic())
        calibration.tick(time.monotonic())


def _print_refusal(calibration: GuidedCalibration, console: Console) -> None:
    console.print(_picture(calibration))
    for finding in calibration.findings:
        console.print(finding.text)
    if any(finding.about == "stuck" for finding in calibration.findings):
        console.print("End with Control-C.")


def _picture(calibration: GuidedCalibration) -> str:
    wrong = marks(calibration.findings)

    def token(square: Square) -> str | None:
        if square in wrong:
            return _MARKS[wrong[square]]
        if calibration.step is CalibrationStep.ARMIES:
            return next((side.value[0] for side in Side if side.home >> square & 1), None)
        return None

    return f"{board_text.draw(token)}\n   {_MEANINGS[calibration.step]}"


def _verdict(calibration: GuidedCalibration) -> str:
    """Describe the result, and suggest the next command to enter."""
    if calibration.phase is CalibrationPhase.DOUBTFUL:
        return "“boomboard doctor” shows whether it was saved."
    if calibration.phase is CalibrationPhase.UNCHANGED:
        return calibration.verdict
    known = calibration.checksum
    checksum = "" if known is None else f" Its checksum is {known:04X}."
    return (
        f"{calibration.verdict}{checksum} Look at the board with “boomboard doctor”, then play "
        "with “boomboard play”."
    )
