"""Guided calibration of a board, and updates of its build settings.

Calibrations and updates are state machines. Their inputs are the user's actions and the board's
messages, each with a timestamp. They never block, so the terminal and the touchscreen can share the
steps and messages.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Final, TypeAlias

from companion.diagnostics.report import ENGLISH, MANY, Finding, FindingWriter, sorted_findings
from companion.diagnostics.sensor_findings import MANY_FLIPPED, MANY_UNFELT
from companion.speech.i18n import N_, Language
from companion.speech.small_texts import link_error_text
from engine.board.geometry import SQUARES, Square, SquareSet, names, squares_in
from firmware_bridge import wire
from firmware_bridge.board_hardware import WIRINGS
from firmware_bridge.image import ARMIES
from firmware_bridge.link import Connected, Event, LinkError, MessageReceived
from firmware_bridge.simulated_board.board import PhysicalPiece, SimulatedBoard, exchange

ANSWER_SECONDS: Final = 2.0
"""Timeout for each reply from the board, in seconds. The board must reply within 1 s. During a
calibration, the command is sent a second time after the timeout."""
REFUSALS: Final[Mapping[wire.ConfigureResult, str]] = {
    wire.ConfigureResult.NO_KIND: N_(
        "The board cannot apply this: there are no such sensors. Nothing has changed."
    ),
    wire.ConfigureResult.NO_GEOMETRY: N_(
        "The board cannot apply this: no board with these sensors is built that way. Nothing "
        "has changed."
    ),
    wire.ConfigureResult.NO_BAND_GAP: N_(
        "The board cannot apply this: no chip has such a reference. Nothing has changed."
    ),
    wire.ConfigureResult.NO_SHARE: N_(
        "The board cannot apply this: no board would work with such a threshold. Nothing has "
        "changed."
    ),
    wire.ConfigureResult.NOT_NOW: N_(
        "The board cannot apply this now, because a calibration is in progress or its memory "
        "has failed. Nothing has changed."
    ),
}
"""Message for each reason why a board may reject settings."""
NO_ANSWER: Final = N_("The board does not answer. Flash it with “boomboard flash”.")


class UpdateState(Enum):
    """State of a settings update."""

    AWAITED = "awaited"
    TAKEN = "taken"
    REFUSED = "refused"
    """The board has rejected the settings and changed nothing."""
    NONE = "none"
    """The board was disconnected or does not reply. Its settings may or may not have changed."""


class SettingsUpdate:
    """A single update of a board's build settings."""

    def __init__(
        self,
        settings: wire.Configure,
        ask: Callable[[wire.HostCommand], object],
        now: float,
        language: Language = ENGLISH,
    ) -> None:
        """Send the settings. `ask` sends a command to the connected board."""
        self.answer = UpdateState.AWAITED
        self.settings: wire.BoardSettings | None = None
        """The settings that the board has reported, or None."""
        self.connected: Connected | None = None
        """The board's identification message after the update, or None."""
        self.error = ""
        """Reason why the update failed, in plain sentences. Empty if it has not failed."""
        self._ask, self._asked_at, self._language = ask, now, language
        ask(settings)

    def take(self, event: Event, now: float) -> None:
        if self.answer is not UpdateState.AWAITED:
            return
        match event:
            case MessageReceived(wire.Configured(result, settings)):
                self._on_result(result, settings, now)
            case Connected() if self.settings:
                self.connected, self.answer = event, UpdateState.TAKEN
            case LinkError():
                self._end(UpdateState.NONE, link_error_text(event, self._language))

    def tick(self, now: float) -> None:
        """Give up after the timeout."""
        if self.answer is UpdateState.AWAITED and now - self._asked_at >= ANSWER_SECONDS:
            self._end(UpdateState.NONE, self._language.text(NO_ANSWER))

    def _on_result(
        self, result: wire.ConfigureResult, settings: wire.BoardSettings, now: float
    ) -> None:
        self.settings = settings
        if result is wire.ConfigureResult.ACCEPTED:
            self._asked_at = now
            self._ask(wire.Identify())
        else:
            self._end(UpdateState.REFUSED, self._language.text(REFUSALS[result]))

    def _end(self, answer: UpdateState, words: str) -> None:
        self.answer, self.error = answer, words


TASKS: Final[Mapping[wire.CalibrationStep, str]] = {
    wire.CalibrationStep.EMPTY: N_("Remove everything from the board."),
    wire.CalibrationStep.ARMIES: N_(
        "Set up both armies: 40 red pieces on rows 1 to 4, 40 blue ones on rows 7 to 10. It "
        "does not matter which piece is where."
    ),
}
"""Instructions to the user for each step, in order."""
_Refusal: TypeAlias = tuple[str, str, str]
"""Category of a refusal, its message for a few squares, and its message for many squares."""
_FELT: Final[_Refusal] = (
    "strange",
    N_(
        "Something is detected on {squares}. Remove it. If nothing is there, confirm again "
        "that the board is empty."
    ),
    N_(
        "Something is detected on {count} squares. Remove all pieces. If nothing is there, "
        "confirm again that the board is empty."
    ),
)
"""If a sensor has been replaced since the previous calibration, the board may detect a piece on an
empty square."""
_REFUSALS: Final[Mapping[wire.CalibrationResult, _Refusal]] = {
    wire.CalibrationResult.OCCUPIED: (
        "strange",
        N_(
            "Something is still detected on {squares}. Remove it. If nothing is there, the "
            "sensor's resting level is too far off: check its three joints and its wire, or "
            "replace it."
        ),
        N_("Something is still detected on {count} squares. Remove all pieces."),
    ),
    wire.CalibrationResult.WEAK: (
        "weak",
        N_(
            "Weak: the magnets on {squares}. Move these pieces to the centre of their squares, or "
            "replace their magnets."
        ),
        N_(
            "Weak: the magnets on {count} squares. Move these pieces to the centre of their "
            "squares, or replace their magnets."
        ),
    ),
    wire.CalibrationResult.FLIPPED: (
        "flipped",
        N_(
            "Upside down: the magnets on {squares}. Red pieces have the north pole up, blue ones "
            "the south pole. Turn these magnets over."
        ),
        MANY_FLIPPED,
    ),
    wire.CalibrationResult.MISSING: (
        "unfelt",
        N_(
            "No piece detected on {squares}: the square is empty, the piece has no magnet, or the "
            "sensor is dead. Swap in pieces that are detected on other squares."
        ),
        MANY_UNFELT,
    ),
}
_UNSUPPLIED: Final = N_(
    "Something is detected on {count} squares, but there are only 80 pieces. Check the 5 V and "
    "ground wires of the sensors. If nothing is there, confirm again that the board is empty."
)
_NO_SWITCH: Final = N_(
    "No piece is detected. Set up both armies. If the board has Hall sensors and not switches, "
    "check their ground wires, then unplug the board and plug it in again."
)
"""Ungrounded Hall sensors read like open switches."""
_PIECES: Final = ARMIES.occupied.bit_count()
_DEAD: Final = N_(
    "Still nothing is detected on {square} ({place}). If the piece there is detected on "
    "other squares, the sensor is dead. Check its three joints and its wire; if they are "
    "good, replace the sensor. Until then, the board cannot be calibrated."
)
_RESTARTED: Final = N_(
    "The board restarted and lost the measurements. Start again. If it happens again, use "
    "another USB cable."
)
_NOT_SAVED: Final = N_(
    "The board has not saved it. Start again. If it happens again, use another USB cable."
)
_START_AGAIN: Final = N_("Then start again.")


class CalibrationPhase(Enum):
    """State of a calibration."""

    DUE = "due"
    """The user must carry out the step and confirm it."""
    ASKED = "asked"
    """The board is working on the step, for at most twice `ANSWER_SECONDS`."""
    DOUBTFUL = "doubtful"
    """The board was lost while it was saving. The result will be known when it is back."""
    SAVED = "saved"
    UNCHANGED = "unchanged"


_VERDICTS: Final[Mapping[CalibrationPhase, str]] = {
    CalibrationPhase.DOUBTFUL: N_(
        "The board will report whether it was saved as soon as it is back."
    ),
    CalibrationPhase.SAVED: N_("Saved: the board uses the new calibration."),
    CalibrationPhase.UNCHANGED: N_("Nothing was changed."),
}


class GuidedCalibration:
    """A calibration of a connected board, from the first step until it is saved or cancelled."""

    def __init__(
        self,
        hello: wire.Hello,
        ask: Callable[[wire.HostCommand], object],
        language: Language = ENGLISH,
    ) -> None:
        """Start with a board that has sent `hello`. `ask` sends a command to the board."""
        self.step = wire.CalibrationStep.EMPTY
        """The current step, or the last step of a finished calibration."""
        self.phase = CalibrationPhase.DUE
        self.findings: list[Finding] = []
        """Reasons why the board refused the step. Empty if the board did not refuse it."""
        self.error = ""
        """Reason why the calibration ended early, in plain sentences. Otherwise empty."""
        self.checksum: int | None = hello.calibration
        """Checksum of the calibration in use. 0 if there is no calibration, and None until the
        board has reported the checksum again."""
        self.asked_at = 0.0
        """Time of the last command to the board, in seconds."""
        self._before = hello.calibration
        self._ask = ask
        self._language = language
        self._kind, self._wiring = hello.kind, WIRINGS[hello.geometry]
        self._unfelt: SquareSet = 0
        """Squares on which the board detected nothing at the last attempt."""
        self._felt: SquareSet = 0
        """Squares that should be empty but on which the board detected a piece."""
        self._again = self._leaving = self._saved = self._forgotten = False

    @property
    def verdict(self) -> str:
        """The result in one sentence. Empty until the calibration has ended."""
        return self._language.text(_VERDICTS[self.phase]) if self.phase in _VERDICTS else ""

    def go_on(self, now: float) -> None:
        """Continue after the user has carried out the step."""
        if self.phase is CalibrationPhase.DUE:
            self._begin(self.step, now)

    def leave(self, now: float) -> None:
        """Cancel the calibration. A board that is already saving is not interrupted."""
        if self.phase is CalibrationPhase.DUE:
            self._begin(wire.CalibrationStep.ABORT, now)
        # A board ignores commands while it works on a step.
        self._leaving = True

    def tick(self, now: float) -> None:
        """Repeat a command after the timeout, and give up after a second timeout."""
        if self.phase is not CalibrationPhase.ASKED or now - self.asked_at < ANSWER_SECONDS:
            return
        if self._again:
            self._stop(self._language.text(NO_ANSWER))
        elif self.step is wire.CalibrationStep.SAVE:
            self._ask_for_checksum(now)
        else:
            self._begin(self.step, now)
            self._again = True

    def take(self, event: Event, now: float) -> None:
        match event:
            case MessageReceived(wire.CalibrationReply(step, results)) if self._awaits(step):
                self._on_results(results, now)
            case Connected(hello=hello):
                self._on_hello(hello)
            case LinkError():
                self._on_link_error(event)

    def _awaits(self, step: wire.CalibrationStep) -> bool:
        return self.phase is CalibrationPhase.ASKED and step is self.step

    def _begin(self, step: wire.CalibrationStep, now: float) -> None:
        self.step, self.phase, self.asked_at, self._again = step, CalibrationPhase.ASKED, now, False
        self.findings = []
        self._ask(wire.Calibrate(step))

    def _ask_for_checksum(self, now: float) -> None:
        """Request the board's identification, which shows whether the calibration is in use."""
        self.asked_at, self._again, self.checksum = now, True, None
        self._ask(wire.Identify())

    def _on_results(self, results: Mapping[wire.CalibrationResult, SquareSet], now: float) -> None:
        done = wire.CalibrationResult.DONE in results
        if self.step is wire.CalibrationStep.ABORT:
            self.phase = CalibrationPhase.UNCHANGED
        elif wire.CalibrationResult.OUT_OF_ORDER in results:
            # In reply to SAVE, the EEPROM has usually failed.
            is_saving = self.step is wire.CalibrationStep.SAVE
            self._end(self._language.text(_NOT_SAVED if is_saving else _RESTARTED))
        elif self.step is wire.CalibrationStep.SAVE:
            self._saved = self._saved or done
            if not self._again:
                self._ask_for_checksum(now)
        elif self._leaving:
            self._begin(wire.CalibrationStep.ABORT, now)
        elif not done:
            self._take_refusal(results, now)
        elif self.step is wire.CalibrationStep.FORGET:
            self._forgotten = True
            self._begin(wire.CalibrationStep.EMPTY, now)
        elif self.step is wire.CalibrationStep.EMPTY:
            self.step, self.phase = wire.CalibrationStep.ARMIES, CalibrationPhase.DUE
        else:
            self._begin(wire.CalibrationStep.SAVE, now)

    def _take_refusal(
        self, results: Mapping[wire.CalibrationResult, SquareSet], now: float
    ) -> None:
        occupied = results.get(wire.CalibrationResult.OCCUPIED, 0)
        is_known_to_be_empty = occupied and not occupied & ~self._felt
        self._felt = occupied
        # The user has confirmed that these squares are empty. The old calibration, however, may
        # show the square of a replaced sensor as occupied.
        if is_known_to_be_empty and not self._forgotten:
            self._begin(wire.CalibrationStep.FORGET, now)
        else:
            self.phase, self.findings = CalibrationPhase.DUE, self._findings_for(results)

    def _findings_for(self, results: Mapping[wire.CalibrationResult, SquareSet]) -> list[Finding]:
        """Return the findings, with further advice where the initial advice did not help."""
        missing = results.get(wire.CalibrationResult.MISSING, 0)
        still, self._unfelt = missing & self._unfelt, missing
        # If many sensors seem to be dead, an army is probably missing.
        dead = still if still.bit_count() <= MANY else 0
        return sorted_findings([*self._refusals(results, dead), *self._dead(dead)])

    def _refusals(
        self, results: Mapping[wire.CalibrationResult, SquareSet], dead: SquareSet
    ) -> Iterator[Finding]:
        write = FindingWriter(self._language, self._wiring)
        for result, squares in results.items():
            fresh = squares & ~dead
            is_by_what_was_learned = (
                result is wire.CalibrationResult.OCCUPIED and not self._forgotten
            )
            about, few, many = _FELT if is_by_what_was_learned else _REFUSALS[result]
            count = fresh.bit_count()
            if count > MANY:
                yield write(about, self._of_all(result, fresh) or many, fresh, count=count)
            elif fresh:
                yield write(about, few, fresh, squares=names(fresh).replace(" ", ", "))

    def _of_all(self, result: wire.CalibrationResult, squares: SquareSet) -> str:
        """Return the message for a fault that probably affects all sensors, otherwise ""."""
        if result is wire.CalibrationResult.OCCUPIED and squares.bit_count() > _PIECES:
            return _UNSUPPLIED
        is_of_switches = self._kind is wire.BoardKind.PRESENCE
        if (
            result is wire.CalibrationResult.MISSING
            and is_of_switches
            and squares == ARMIES.occupied
        ):
            return _NO_SWITCH
        return ""

    def _dead(self, dead: SquareSet) -> Iterator[Finding]:
        write = FindingWriter(self._language, self._wiring)
        return (write.on(square, "stuck", _DEAD) for square in squares_in(dead))

    def _on_hello(self, hello: wire.Hello) -> None:
        """Process the board's identification, which was requested or follows a restart."""
        self.checksum = hello.calibration
        if self._may_be_saved():
            if self._saved or hello.calibration not in (0, self._before):
                self.phase, self.error = CalibrationPhase.SAVED, ""
            else:
                self._end(self._language.text(_NOT_SAVED))
        elif self.step is wire.CalibrationStep.ABORT:
            self.phase = CalibrationPhase.UNCHANGED
        elif self._is_under_way():
            self._end(self._language.text(_RESTARTED))

    def _on_link_error(self, error: LinkError) -> None:
        if self._is_under_way():
            self._stop(link_error_text(error, self._language))

    def _stop(self, words: str) -> None:
        """End because the board was lost or does not reply. `words` is the error message."""
        if self._saved:
            self.phase = CalibrationPhase.SAVED
        elif self._may_be_saved():
            self.phase, self.error = CalibrationPhase.DOUBTFUL, words
        else:
            self._end(f"{words} {self._language.text(_START_AGAIN)}")

    def _end(self, words: str) -> None:
        self.phase, self.findings, self.error = CalibrationPhase.UNCHANGED, [], words
        self._ask(wire.Calibrate(wire.CalibrationStep.ABORT))

    def _is_under_way(self) -> bool:
        return self.phase in (CalibrationPhase.DUE, CalibrationPhase.ASKED)

    def _may_be_saved(self) -> bool:
        asked = self.phase is CalibrationPhase.ASKED and self.step is wire.CalibrationStep.SAVE
        return asked or self.phase is CalibrationPhase.DOUBTFUL


class SimulatedBuilder:
    """Carries out the user's part of a calibration on the simulated board.

    The simulated builder clears the board, sets the same pieces up again, and replaces pieces with
    bad magnets.
    """

    def __init__(self, board: SimulatedBoard) -> None:
        """Start with a board on which both armies are set up."""
        self._board = board
        self._cleared: dict[Square, PhysicalPiece] = {}

    def do(self, step: wire.CalibrationStep, refused: SquareSet) -> None:
        """Carry out a step. Exchange the pieces that the board has refused, square by square."""
        if step is wire.CalibrationStep.EMPTY:
            for square in SQUARES:
                if self._board.at(square):
                    self._cleared[square] = self._board.lift(square)
            return
        while self._cleared:
            square, piece = self._cleared.popitem()
            self._board.place(piece, square)
        for square in squares_in(refused):
            exchange(self._board, square)
