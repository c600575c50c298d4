"""A game as it was refereed: every action, what was ruled on it, and when.

Where a `Record` tells what two people played, with every rank, a transcript tells what the referee
was told: moves, declarations, disputes, decisions. Ranks that nobody declared are unknown in it,
unless somebody has added them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.actions import (
    Action,
    Infiltrate,
    Move,
    OpenAttack,
    Override,
    PlaceArmies,
    SettleDispute,
)
from engine.board import Piece
from engine.clocks import TIME_CONTROLS, TimeControl
from engine.editions import Edition
from engine.ranks import Rank, sole
from engine.record import Record, RecordedMove
from engine.referee import OutOfPhaseError, Referee
from engine.rulings import GameOver, Ruling, refuses
from engine.squares import name, squares_in


class TranscriptError(ValueError):
    """The actions are no game: which of them does not follow, and why."""


@dataclass(frozen=True)
class Entry:
    """One accepted action."""

    at: float
    """Seconds on the clock of the table; only differences mean something."""
    action: Action
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True)
class Transcript:
    """A whole game, or one that was broken off."""

    edition: Edition
    entries: tuple[Entry, ...]
    control: TimeControl = TIME_CONTROLS["none"]
    begun: str = ""
    """When, as ISO 8601; empty if nobody knows."""
    ranks: Mapping[Piece, Rank] = field(default_factory=dict)
    """What is printed on the pieces, by the square they were set up on, as far as it is known."""

    @property
    def outcome(self) -> GameOver | None:
        """How the game ended, None if it was broken off."""
        rulings = self.entries[-1].rulings if self.entries else ()
        return next((ruling for ruling in rulings if isinstance(ruling, GameOver)), None)


def transcribe(
    edition: Edition,
    timed: Iterable[tuple[float, Action]],
    control: TimeControl = TIME_CONTROLS["none"],
    begun: str = "",
    ranks: Mapping[Piece, Rank] | None = None,
) -> Transcript:
    """Referee a list of actions again; TranscriptError if one of them is not accepted.

    The ranks that the game itself has proved are added to those that are given, which must not
    contradict them.
    """
    referee = Referee(edition)
    entries = []
    for number, (at, action) in enumerate(timed, start=1):
        try:
            rulings = referee.apply(action)
        except OutOfPhaseError as error:
            raise TranscriptError(f"action {number} does not follow: {error}") from error
        if refuses(rulings):
            raise TranscriptError(f"action {number} breaks a rule and was never accepted")
        entries.append(Entry(at, action, rulings))
    known, proved = dict(ranks or {}), _proved_ranks(referee)
    for piece, rank in proved.items():
        if known.setdefault(piece, rank) is not rank:
            raise TranscriptError(
                f"the piece set up on {name(piece)} is said to be a {known[piece].name.lower()}, "
                f"but the game has shown a {rank.name.lower()}"
            )
    return Transcript(edition, tuple(entries), control, begun, known)


def _proved_ranks(referee: Referee) -> dict[Piece, Rank]:
    placing = next((a for a in referee.actions if isinstance(a, PlaceArmies)), None)
    pieces = squares_in(placing.red | placing.blue) if placing else ()
    proved = {piece: sole(referee.dossier.possible(piece)) for piece in pieces}
    return {piece: rank for piece, rank in proved.items() if rank is not None}


def as_record(transcript: Transcript) -> Record:
    """Return the moves and attacks of a game with every rank.

    TranscriptError if a rank is not known, or something else was done than moving and attacking.
    """
    referee = Referee.replay(transcript.edition, (e.action for e in transcript.entries))
    if not referee.in_force:
        raise TranscriptError("the armies were never set up")
    placing, *turns = referee.in_force
    assert isinstance(placing, PlaceArmies), "nothing else is accepted before"
    pieces = [*squares_in(placing.red | placing.blue)]
    unknown = [piece for piece in pieces if piece not in transcript.ranks]
    if unknown:
        raise TranscriptError(
            f"the ranks of {len(unknown)} pieces are not known; add them under “ranks”, "
            f"beginning with {name(unknown[0])}"
        )
    moves = []
    for action in turns:
        if isinstance(action, Override | Infiltrate | SettleDispute):
            what = type(action).__name__.lower()
            raise TranscriptError(f"a record of moves cannot hold the action {what!r}")
        if isinstance(action, Move | OpenAttack):
            moves.append(RecordedMove(action.source, action.target))
    ranks = {piece: transcript.ranks[piece] for piece in pieces}
    return Record(ranks, placing.red, placing.blue, tuple(moves), transcript.outcome)
