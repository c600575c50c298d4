"""A game as it was refereed: every action, what was ruled on it, and when.

Where a `Record` tells what two people played, with every rank, a transcript tells what the referee
was told: moves, declarations, disputes, decisions. Ranks that nobody declared are unknown in it,
unless somebody has added them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.games.notation import write_action
from engine.games.record import GameKind, Record, RecordedMove
from engine.legality.board import Piece
from engine.legality.setup import Placed, find_faults
from engine.play.actions import (
    AcceptBoard,
    Action,
    Amend,
    Attack,
    Correct,
    Infiltrate,
    Move,
    Override,
    PlaceArmies,
    SettleDispute,
)
from engine.play.clocks import NO_CLOCK, TimeControl
from engine.play.moment import OutOfPhaseError
from engine.play.referee import Referee
from engine.play.rulings import GameOver, Ruling, TakenBack, refuses
from engine.ranks import BARRAGE, DUEL, ORIGINAL, Rank, sole
from engine.rulebook.editions import Edition
from engine.rulebook.faults import Fault
from engine.rulebook.violation import Violation
from engine.sides import Side
from engine.squares import name, names

_KINDS: Final = {
    ORIGINAL.name: GameKind.CLASSIC,
    BARRAGE.name: GameKind.BARRAGE,
    DUEL.name: GameKind.DUELL,
}


class TranscriptError(ValueError):
    """The actions are no game: which of them does not follow, and why."""


@dataclass(frozen=True)
class Entry:
    """One action. An illegal one can only be the last, as in a record that breaks a rule."""

    at: float
    """Seconds on the clock of the table; only differences mean something."""
    action: Action
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True)
class Transcript:
    """A whole game, or one that was broken off."""

    edition: Edition
    entries: tuple[Entry, ...]
    control: TimeControl = NO_CLOCK
    begun: str = ""
    """When, as ISO 8601; empty if nobody knows."""
    players: tuple[str, str] | None = None
    """The names of Red and Blue, if both are known. They may hold any characters."""
    ranks: Mapping[Piece, Rank] = field(default_factory=dict)
    """What is printed on the pieces, by the square they were set up on, as far as it is known."""

    @property
    def outcome(self) -> GameOver | None:
        """How the game ended, None if it was broken off."""
        for entry in reversed(self.entries):
            for ruling in entry.rulings:
                if isinstance(ruling, GameOver):
                    return ruling
                if isinstance(ruling, TakenBack):
                    return None
        return None

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The rules that the last action breaks; empty for a legal game."""
        rulings = self.entries[-1].rulings if self.entries else ()
        return tuple(ruling for ruling in rulings if isinstance(ruling, Violation))

    @property
    def carried_out(self) -> tuple[Entry, ...]:
        """The actions that were carried out: all but an illegal last one."""
        return self.entries[:-1] if self.violations else self.entries

    def referee(self) -> Referee:
        """Return a referee at the end of the game."""
        return Referee.replay(self.edition, (entry.action for entry in self.carried_out))


def transcribe(
    edition: Edition,
    timed: Iterable[tuple[float, Action]],
    control: TimeControl = NO_CLOCK,
    begun: str = "",
    players: tuple[str, str] | None = None,
    ranks: Mapping[Piece, Rank] | None = None,
) -> Transcript:
    """Referee a list of actions again; TranscriptError if one of them is not accepted.

    The ranks that the game itself has told are added to those that are given, which must not
    contradict them.
    """
    referee = Referee.waiting(edition)
    given = ranks or {}
    entries = []
    for number, (at, action) in enumerate(timed, start=1):
        try:
            rulings = referee.apply(action)
        except OutOfPhaseError as error:
            raise TranscriptError(f"action {number} does not follow: {error}") from error
        if refuses(rulings):
            faults = rulings
            if isinstance(action, PlaceArmies):
                faults = _setup_faults(edition, action, given)
            raise TranscriptError(f"action {number} breaks a rule: {_describe(faults)}")
        entries.append(Entry(at, action, rulings))
    known = _check_ranks(referee, given)
    return Transcript(edition, tuple(entries), control, begun, players, known)


def with_printed(transcript: Transcript, printed: Mapping[Piece, Rank]) -> Transcript:
    """Add the ranks that are printed on the pieces of two whole armies, and nothing else.

    What the game itself has told stays: so a piece has fought. Where an army would have too many
    pieces of a rank then, the rank of those that never told theirs is left open.
    """
    referee = transcript.referee()
    sides, told, army = _sides(referee), dict(transcript.ranks), referee.edition.army
    if printed.keys() != sides.keys():
        return transcript
    for side in Side:
        own = {piece for piece, owner in sides.items() if owner is side}
        if Counter(printed[piece] for piece in own) != Counter(army.pieces):
            return transcript
        counts = Counter(told.get(piece, printed[piece]) for piece in own)
        fits = {rank for rank, count in counts.items() if count <= army.counts[rank]}
        told |= {p: printed[p] for p in own - told.keys() if printed[p] in fits}
    return replace(transcript, ranks=told)


def _setup_faults(
    edition: Edition, placing: PlaceArmies, ranks: Mapping[Piece, Rank]
) -> tuple[Violation, ...]:
    placed = [Placed(square, side, ranks.get(square)) for side, square in placing.pieces]
    return find_faults(edition, placed)


def _describe(rulings: Iterable[Ruling]) -> str:
    """Say everything that is wrong with an action."""
    wrong = (ruling for ruling in rulings if isinstance(ruling, Violation))
    told = (
        # A whole army of squares would hide what else is wrong.
        f"{each.fault.meaning} ({names(each.squares)})"
        if each.fault is not Fault.WRONG_COUNT
        else each.fault.meaning
        for each in wrong
    )
    return "; ".join(told) or "the rank that was declared is impossible"


def _check_ranks(referee: Referee, given: Mapping[Piece, Rank]) -> dict[Piece, Rank]:
    """Return the ranks that are given and told; TranscriptError if they contradict the game."""
    told = _told_ranks(referee)
    sides = _sides(referee)
    for piece, rank in given.items():
        if piece not in sides:
            raise TranscriptError(f"no piece was set up on {name(piece)}, so it has no rank")
        if told.get(piece, rank) is not rank:
            raise TranscriptError(
                f"the piece set up on {name(piece)} is said to be a {rank.name.lower()}, "
                f"but the game has shown a {told[piece].name.lower()}"
            )
    # What the game has told need not add up: people err, lie, and are believed by an arbiter.
    known = {**given, **told}
    counts = Counter((sides[piece], rank) for piece, rank in known.items())
    for piece in given.keys() - told.keys():
        side, rank = sides[piece], given[piece]
        if (count := counts[side, rank]) > (allowed := referee.edition.army.counts[rank]):
            raise TranscriptError(
                f"{side.value} is said to have {count} pieces of the rank {rank.name.lower()}, "
                f"but the army has {allowed}"
            )
    return known


def _sides(referee: Referee) -> dict[Piece, Side]:
    """Say whose every piece is, by the squares they were set up on."""
    return {
        piece: side
        for placing in referee.in_force[:1]
        if isinstance(placing, PlaceArmies)
        for side, piece in placing.pieces
    }


def _told_ranks(referee: Referee) -> dict[Piece, Rank]:
    """The ranks that are proved, and those that were declared of a piece that stayed unnamed.

    After the game with sealed armies also those that were sealed. Where a piece was shown as
    another one, it stays that, for so it has fought.
    """
    position = referee.position
    told: dict[Piece, Rank] = {}
    for player in map(position.player, Side):
        told |= player.proved or {}
        told |= {piece: sealed.unseal() for piece, sealed in player.unnamed.items()}
    proved = {
        piece: sole(position.player(side).dossier.possible(piece))
        for piece, side in _sides(referee).items()
    }
    return told | {piece: rank for piece, rank in proved.items() if rank is not None}


def as_record(transcript: Transcript) -> Record:
    """Return the moves and attacks of a game with every rank.

    TranscriptError if a rank is not known, or something else was done than moving and attacking.
    """
    referee = transcript.referee()
    if not referee.in_force:
        raise TranscriptError("the armies were never set up")
    illegal = [entry.action for entry in transcript.entries[len(transcript.carried_out) :]]
    placing, *turns = referee.in_force + illegal
    assert isinstance(placing, PlaceArmies), "nothing else is accepted before"
    pieces = _sides(referee)
    unknown = [piece for piece in pieces if piece not in transcript.ranks]
    if unknown:
        raise TranscriptError(
            f"the ranks of {len(unknown)} pieces are not known; add them under “ranks”, "
            f"beginning with {name(unknown[0])}"
        )
    moves = []
    for action in turns:
        unlawful = isinstance(action, Override | Infiltrate | Correct | AcceptBoard)
        if unlawful or action == SettleDispute(accepted=True):
            what = write_action(action)["do"]
            raise TranscriptError(f"a record of moves cannot hold the action {what!r}")
        if isinstance(action, Move | Attack):
            moves.append(RecordedMove(action.source, action.target))
        if isinstance(action, Amend):  # one turn with the move before it
            moves.append(RecordedMove(moves.pop().source, action.target))
    return Record(
        {piece: transcript.ranks[piece] for piece in pieces},
        placing.red,
        placing.blue,
        tuple(moves),
        transcript.outcome,
        _KINDS.get(transcript.edition.army.name),
        transcript.players,
    )
