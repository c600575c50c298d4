"""Finds the incidents of a game, and writes a page about them.

Incidents are found by replaying the game's actions and notes. Every incident was announced when it
happened, so the list contains only public ranks and may be read during the game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from companion.core.events import BoardDiffers, LossWarning, Restored
from companion.core.inputs import OfferUndo
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.speech.small_texts import rulebook_title
from companion.storage.game_rows import Note, StoredNote
from engine.board.geometry import Side, names
from engine.game import rulings
from engine.game.clocks import Clock, ClockState, TimeControl, clock_text
from engine.game.referee import Referee
from engine.records.transcript import Transcript, TranscriptEntry
from engine.rules.rules import Violation, ViolationKind

ReportedRuling = (
    rulings.TakenBack
    | rulings.Disputed
    | rulings.DisputeSettled
    | rulings.Corrected
    | rulings.Overridden
    | rulings.BoardAdopted
    | rulings.StalemateClaimed
    | rulings.MoveRequired
    | rulings.SealsBroken
    | rulings.ArmyOpened
    | rulings.GameOver
)
_WRONG: Final = (BoardDiffers, LossWarning)


@dataclass(frozen=True)
class Incident:
    """An event that an arbiter may want to look up. It was announced during the game."""

    seconds: float
    """Time since the start of the game, including pauses."""
    ply: int
    """Number of plies before the incident."""
    side: Side | None
    """The side that broke a rule or made an offer, or None if no single side did so."""
    clock: ClockState | None
    """The players' clocks at the time of the incident, if saved."""
    what: ReportedRuling | Note
    is_over: bool = False
    """Whether the game had ended before the incident. Only the end can then be taken back."""


def find_incidents(
    game: Transcript, clocks: Sequence[ClockState | None] = (), notes: Sequence[StoredNote] = ()
) -> list[Incident]:
    """List the incidents of a game in order. `clocks` contains the clocks after each action."""
    return list(_without_repetitions(_Replay(game).incidents(clocks, notes)))


class _Replay:
    def __init__(self, game: Transcript) -> None:
        self._game = game
        self._referee = Referee.waiting(game.edition)
        self._seconds = 0.0
        self._at: float | None = None

    def incidents(
        self, clocks: Sequence[ClockState | None], notes: Sequence[StoredNote]
    ) -> Iterator[Incident]:
        waiting = list(notes)
        entries = self._game.carried_out
        for number, (entry, clock) in enumerate(zip_longest(entries, clocks[: len(entries)])):
            while waiting and waiting[0].after <= number:
                yield self._of_note(waiting.pop(0))
            yield from self._of_entry(entry, clock)
        yield from map(self._of_note, waiting)

    def _of_note(self, noted: StoredNote) -> Incident:
        self._advance(noted.at)
        side = _side(noted.note, self._referee.to_move)
        plies, is_over = self._referee.plies, self._referee.outcome is not None
        return Incident(self._seconds, plies, side, noted.clock, noted.note, is_over)

    def _of_entry(self, entry: TranscriptEntry, clock: ClockState | None) -> Iterator[Incident]:
        self._advance(entry.at)
        for ruling in self._referee.apply(entry.action):
            if isinstance(ruling, ReportedRuling):
                side = _side(ruling, self._referee.to_move)
                yield Incident(self._seconds, self._referee.plies, side, clock, ruling)

    def _advance(self, at: float) -> None:
        """Add the elapsed time. The table's clock restarts at zero whenever the program starts."""
        if self._at is not None:
            self._seconds += max(0.0, at - self._at)
        self._at = at


def _side(what: rulings.Ruling | Note, to_move: Side) -> Side | None:
    match what:
        case Violation(fault=ViolationKind.NOT_YOUR_PIECE):
            return to_move.other
        case Violation():
            return to_move
        case rulings.StalemateClaimed(awaited):
            return awaited.other
    side = getattr(what, "side", None)
    return side if isinstance(side, Side) else None


def _without_repetitions(incidents: Iterator[Incident]) -> Iterator[Incident]:
    """Drop repeated reports that a rule is still broken or pieces are still misplaced."""
    is_wrong, before = False, None
    for incident in incidents:
        goes_on = isinstance(incident.what, _WRONG) and is_wrong
        is_again = isinstance(incident.what, Violation) and incident.what == before
        if not (goes_on or is_again):
            yield incident
        is_wrong = isinstance(incident.what, _WRONG) or (
            is_wrong and not isinstance(incident.what, Restored)
        )
        before = incident.what if not isinstance(incident.what, _WRONG) else before


_WIDTH: Final = 78
_INDENT: Final = 10


def incident_sheet(game: Transcript, incidents: Sequence[Incident], language: Language) -> str:
    """Return the incident sheet as text."""
    announcer = Announcer(language)
    rulebook = rulebook_title(game.edition, language)
    lines = [language.text(N_("Incidents")), f"{rulebook}  {game.begun}".rstrip()]
    if game.players:
        lines.append(" – ".join(game.players))
    control = game.control.under(game.edition.handicap)
    for incident in incidents:
        when = " · ".join(moment_words(incident, control, language))
        lines += ["", f"{clock_text(int(incident.seconds)):>8}  {when}"]
        text = incident_words(incident, announcer)
        lines += [" " * _INDENT + line for line in wrap(text, _WIDTH - _INDENT)]
    if not incidents:
        lines += ["", language.text(N_("No incidents so far."))]
    return "\n".join([*lines, ""])


def moment_words(incident: Incident, control: TimeControl, language: Language) -> list[str]:
    """Return the ply after which an incident happened, and the clocks."""
    parts = [language.text(N_("ply {ply}"), ply=incident.ply)]
    if incident.clock and control.each is not None:
        clock = Clock(control, incident.clock)
        lefts = {side: clock.remaining(side, 0) or 0 for side in Side}
        parts += [f"{language.side(side)} {clock_text(left)}" for side, left in lefts.items()]
    return parts


def incident_words(incident: Incident, announcer: Announcer) -> str:
    """Return the announcement of an incident. If a side caused the incident, name the side."""
    what, language = incident.what, announcer.language
    if isinstance(what, BoardDiffers | LossWarning):
        squares = names(what.difference.missing | what.difference.surplus)
        return language.text(
            N_("Pieces out of place: {squares}."),
            squares=", ".join(squares.split()),
        )
    if isinstance(what, Violation):
        cited = replace(what, citation=replace(what.citation, reading=None))
        broken = announcer.sentence(cited if what.citation.rulebook else what)
        if incident.side:
            side = language.side(incident.side)
            return language.text(N_("{side}: {rule}"), side=side, rule=broken)
        return broken
    if isinstance(what, OfferUndo) and incident.is_over:
        # no move is taken back, but the end of the game
        asks = language.text(N_("{side} asks for a take-back"), side=language.side(what.side))
        return f"{asks}."
    return announcer.sentence(what)
