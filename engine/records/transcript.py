"""Transcripts of refereed games, and the state of sealed armies after a game.

A `Record` has the moves and all ranks. A transcript has the actions that were submitted to the
referee, with rulings and times. These include moves, declarations, disputes and decisions.
Undeclared ranks are unknown unless they were added later.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from engine.board import EngineError, OutOfPhaseError
from engine.board.board import Piece, PieceSet
from engine.board.geometry import Side, name, names
from engine.board.ranks import BARRAGE, DUEL, ORIGINAL, Rank, only_rank
from engine.deduction.commitment import SealWords, seal_words
from engine.game import actions
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.referee import Referee
from engine.game.rulings import (
    AdoptionRejected,
    ArmyOpened,
    Contradiction,
    CorrectionRefused,
    GameOver,
    OpeningFailed,
    Ruling,
    SealsBroken,
    TakenBack,
    refuses,
)
from engine.records.record import GameKind, Record, RecordedMove
from engine.records.serialization import write_action
from engine.rules.editions import Edition
from engine.rules.rules import Violation, ViolationKind
from engine.rules.setup import Placed, find_faults

_KINDS: Final = {
    ORIGINAL.name: GameKind.CLASSIC,
    BARRAGE.name: GameKind.BARRAGE,
    DUEL.name: GameKind.DUELL,
}


_REFUSED: Final[Mapping[type[Ruling], str]] = {
    Contradiction: "the rank or answer that was declared is impossible",
    CorrectionRefused: "the correction is impossible",
    AdoptionRejected: "the board cannot be adopted",
    OpeningFailed: "the openings do not match the commitments",
}
"""Reason why an action was refused, by the type of the first ruling."""


class TranscriptError(EngineError):
    """Invalid sequence of actions. The message gives the offending action and the reason."""


@dataclass(frozen=True)
class TranscriptEntry:
    """One action of a game. If a game breaks a rule, its last action is the illegal one."""

    at: float
    """Seconds on the table's clock. Only differences are meaningful."""
    action: actions.Action
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True)
class Transcript:
    """The actions of a finished or unfinished game."""

    edition: Edition
    entries: tuple[TranscriptEntry, ...]
    control: TimeControl = NO_CLOCK
    begun: str = ""
    """Start time in ISO 8601 format, or empty if unknown."""
    players: tuple[str, str] | None = None
    """Names of Red and Blue, if both are known. The names may contain any characters."""
    ranks: Mapping[Piece, Rank] = field(default_factory=dict)
    """Known ranks printed on the pieces, by setup square."""

    @property
    def outcome(self) -> GameOver | None:
        """Outcome of the game, or None if the game was not finished."""
        for entry in reversed(self.entries):
            for ruling in entry.rulings:
                if isinstance(ruling, GameOver):
                    return ruling
                if isinstance(ruling, TakenBack):
                    return None
        return None

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Violations committed by the last action. Empty for a legal game."""
        rulings = self.entries[-1].rulings if self.entries else ()
        return tuple(ruling for ruling in rulings if isinstance(ruling, Violation))

    @property
    def carried_out(self) -> tuple[TranscriptEntry, ...]:
        """Actions that were carried out: all except an illegal last one."""
        return self.entries[:-1] if self.violations else self.entries

    def referee(self) -> Referee:
        return Referee.replay(self.edition, (entry.action for entry in self.carried_out))


def transcribe(
    edition: Edition,
    timed: Iterable[tuple[float, actions.Action]],
    control: TimeControl = NO_CLOCK,
    begun: str = "",
    players: tuple[str, str] | None = None,
    ranks: Mapping[Piece, Rank] | None = None,
) -> Transcript:
    """Replay a list of actions. Raises TranscriptError if one of them is not accepted.

    The ranks that the game itself reveals are added to `ranks`, and must not contradict `ranks`.
    """
    referee = Referee.waiting(edition)
    given = ranks or {}
    entries = []
    for number, (at, action) in enumerate(timed, start=1):
        try:
            rulings = referee.apply(action)
        except OutOfPhaseError as error:
            raise TranscriptError(f"action {number} is not allowed here: {error}") from error
        if refuses(rulings):
            faults = rulings
            if isinstance(action, actions.PlaceArmies):
                faults = _setup_faults(edition, action, given)
            raise TranscriptError(f"action {number} breaks a rule: {_describe(faults)}")
        entries.append(TranscriptEntry(at, action, rulings))
    known = _check_ranks(referee, given)
    return Transcript(edition, tuple(entries), control, begun, players, known)


def with_printed(transcript: Transcript, printed: Mapping[Piece, Rank]) -> Transcript:
    """Add the printed ranks if they form two complete armies. Otherwise, change nothing.

    Ranks that were revealed in combat take precedence. If an army would then have too many pieces
    of a rank, its unrevealed pieces of this rank stay unknown.
    """
    referee = transcript.referee()
    sides, known = _sides(referee), dict(transcript.ranks)
    if printed.keys() != sides.keys():
        return transcript
    for side in Side:
        army = referee.edition.army_of(side)
        own = {piece for piece, owner in sides.items() if owner is side}
        if Counter(printed[piece] for piece in own) != Counter(army.pieces):
            return transcript
        counts = Counter(known.get(piece, printed[piece]) for piece in own)
        fits = {rank for rank, count in counts.items() if count <= army.counts[rank]}
        known |= {p: printed[p] for p in own - known.keys() if printed[p] in fits}
    return replace(transcript, ranks=known)


def _setup_faults(
    edition: Edition, placing: actions.PlaceArmies, ranks: Mapping[Piece, Rank]
) -> tuple[Violation, ...]:
    placed = [Placed(square, side, ranks.get(square)) for side, square in placing.pieces]
    return find_faults(edition, placed)


def _describe(rulings: Sequence[Ruling]) -> str:
    if reason := _REFUSED.get(type(rulings[0])):
        return reason
    wrong = (ruling for ruling in rulings if isinstance(ruling, Violation))
    parts = (
        # A list of all the squares of an army would obscure the other violations.
        f"{each.fault.meaning} ({names(each.squares)})"
        if each.fault is not ViolationKind.WRONG_COUNT
        else each.fault.meaning
        for each in wrong
    )
    return "; ".join(parts)


def _check_ranks(referee: Referee, given: Mapping[Piece, Rank]) -> dict[Piece, Rank]:
    """Return the given and revealed ranks. Raises TranscriptError if they contradict the game."""
    revealed = _known_ranks(referee)
    sides = _sides(referee)
    for piece, rank in given.items():
        if piece not in sides:
            raise TranscriptError(f"no piece was set up on {name(piece)}, so it has no rank")
        if revealed.get(piece, rank) is not rank:
            raise TranscriptError(
                f"the piece set up on {name(piece)} cannot have the rank {rank.name.lower()}, "
                f"because the game has revealed the rank {revealed[piece].name.lower()}"
            )
    # Revealed ranks may be inconsistent, because an arbiter may have accepted an error or a lie.
    known = {**given, **revealed}
    counts = Counter((sides[piece], rank) for piece, rank in known.items())
    for piece in given.keys() - revealed.keys():
        side, rank = sides[piece], given[piece]
        if (count := counts[side, rank]) > (allowed := referee.edition.army_of(side).counts[rank]):
            raise TranscriptError(
                f"{count} pieces of the rank {rank.name.lower()} are given for {side.value}, "
                f"but the army has {allowed}"
            )
    return known


def _sides(referee: Referee) -> dict[Piece, Side]:
    """Return the side of every piece, by setup square."""
    return {
        piece: side
        for placing in referee.in_force[:1]
        if isinstance(placing, actions.PlaceArmies)
        for side, piece in placing.pieces
    }


def _known_ranks(referee: Referee) -> dict[Piece, Rank]:
    """Return the proved ranks, and the declared ranks of pieces that were never revealed.

    After a game with sealed armies, the committed ranks are included. A piece that was revealed
    with a different rank keeps the rank it fought with.
    """
    position = referee.position
    declared: dict[Piece, Rank] = {}
    for player in map(position.player, Side):
        declared |= player.proved or {}
        declared |= {piece: sealed.unseal() for piece, sealed in player.unnamed.items()}
    proved = {
        piece: only_rank(position.player(side).deduction.possible(piece))
        for piece, side in _sides(referee).items()
    }
    return declared | {piece: rank for piece, rank in proved.items() if rank is not None}


def as_record(transcript: Transcript) -> Record:
    """Return the moves and attacks of a game with every rank.

    Raises TranscriptError if a rank is unknown, or if the game has actions other than moves and
    attacks.
    """
    referee = transcript.referee()
    if not referee.in_force:
        raise TranscriptError("the armies were never set up")
    illegal = [entry.action for entry in transcript.entries[len(transcript.carried_out) :]]
    placing, *turns = referee.in_force + illegal
    assert isinstance(placing, actions.PlaceArmies), "the referee accepts no other action first"
    pieces = _sides(referee)
    unknown = [piece for piece in pieces if piece not in transcript.ranks]
    if unknown:
        raise TranscriptError(
            f"the ranks of {len(unknown)} pieces are not known; add them under “ranks”, "
            f"beginning with {name(unknown[0])}"
        )
    moves = []
    for action in turns:
        unlawful = isinstance(
            action, actions.Override | actions.Infiltrate | actions.Correct | actions.AdoptBoard
        )
        if unlawful or action == actions.SettleDispute(accepted=True):
            what = write_action(action)["do"]
            raise TranscriptError(f"a record of moves cannot contain the action {what!r}")
        if isinstance(action, actions.Move | actions.Attack):
            moves.append(RecordedMove(action.source, action.target))
        if isinstance(action, actions.Amend):  # a record stores the whole turn as one move
            moves.append(RecordedMove(moves.pop().source, action.target))
    return Record(
        {piece: transcript.ranks[piece] for piece in pieces},
        placing.red,
        placing.blue,
        tuple(moves),
        transcript.outcome,
        None if transcript.edition.handicap else _KINDS.get(transcript.edition.army.name),
        transcript.players,
    )


class SealState(Enum):
    """State of a side's commitments after a game."""

    PROVED = "proved"
    """All commitments were opened, and the army agrees with the game."""
    NOT_PROVED = "not proved"
    """The commitments are in force but were not opened."""
    CONTRADICTED = "contradicted"
    """All commitments were opened, and the army contradicts the rules or the game."""
    BROKEN = "broken"
    """The commitments were declared void during the game."""


@dataclass(frozen=True)
class SealedSide:
    """State of one side's commitments after a game."""

    state: SealState
    wrong: PieceSet = 0
    """Setup squares whose ranks contradict the rules or the game."""


@dataclass(frozen=True)
class SealedResult:
    """State of all commitments after a game."""

    words: SealWords
    """Words that identify the commitments with which the game began."""
    sides: Mapping[Side, SealedSide]
    """Results for the sides that have committed to their armies."""

    @property
    def is_proved(self) -> bool:
        """Whether every commitment was opened and agrees with the game."""
        return all(each.state is SealState.PROVED for each in self.sides.values())


def sealed_result(transcript: Transcript) -> SealedResult | None:
    """Return the state of the sealed armies, or None for a game without sealed armies."""
    result = None
    for entry in transcript.carried_out:
        result = seals_after(result, entry.action, entry.rulings)
    return result


def seals_after(
    before: SealedResult | None, action: actions.Action, rulings: Iterable[Ruling]
) -> SealedResult | None:
    """Return the state of the sealed armies after an action and its rulings."""
    if isinstance(action, actions.PlaceArmies):
        promised = action.commitments
        placed = {side: SealedSide(SealState.NOT_PROVED) for side in Side if side in promised}
        before = SealedResult(seal_words(promised), placed) if placed else None
    if before is None:
        return None
    sides = dict(before.sides)
    for ruling in rulings:
        if isinstance(ruling, SealsBroken):
            sides[ruling.side] = SealedSide(SealState.BROKEN)
        elif isinstance(ruling, ArmyOpened):
            state = SealState.CONTRADICTED if ruling.wrong else SealState.PROVED
            sides[ruling.side] = SealedSide(state, ruling.wrong)
    return SealedResult(before.words, sides)
