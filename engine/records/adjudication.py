"""Adjudication of recorded games: whether every ply is legal, and how the game ends."""

from dataclasses import dataclass, field, replace
from enum import Enum

from engine.board import OutOfPhaseError
from engine.board.board import Board
from engine.board.geometry import Side, Square, squares_in
from engine.game import actions, position_updates
from engine.game.apply_action import apply as apply_action
from engine.game.game_state import GameState, Phase
from engine.game.position import Position
from engine.game.referee import Referee
from engine.game.rulings import AdoptionRejected, GameOver, Reason
from engine.records.record import Record, RecordedMove
from engine.records.transcript import Transcript, TranscriptError
from engine.rules.editions import Edition
from engine.rules.rules import Violation, ViolationKind
from engine.rules.setup import Placed, find_faults


class Basis(Enum):
    """Grounds for the outcome of a recorded game."""

    PROVED = "proved"
    """According to the rules, the position ends the game."""
    CLAIMED = "claimed"
    """Only the record states the outcome, for example a resignation. The position does not
    contradict it."""
    REFUTED = "refuted"
    """The record states an outcome that the position contradicts."""


_OUTSIDE_THE_BOARD = {Reason.RESIGNATION, Reason.AGREED_DRAW, Reason.TIME, Reason.FORFEIT}
"""Reasons for the end of a game that a position can neither prove nor refute."""
_WITHOUT_A_MOVE = {Reason.NO_LEGAL_MOVE, Reason.NO_MOVABLE_PIECE}
"""Reasons that Gravon's files do not distinguish."""


@dataclass(frozen=True)
class Verdict:
    """Result of checking a recorded game against the rules."""

    plies: int
    """Number of moves in the record."""
    violations: tuple[Violation, ...] = ()
    """All faults in the setup, or the violation in the first illegal ply. Empty for a legal game.
    """
    ply: int | None = None
    """Number of the first illegal ply, counted from 1. None if the setup is illegal or all plies
    are legal."""
    outcome: GameOver | None = None
    """Outcome of the game, proved by the rules or, in a legal game, claimed by the record."""
    claim: GameOver | None = field(default=None, compare=False)
    """Outcome of a legal game as claimed by its record."""
    basis: Basis | None = field(default=None, compare=False)
    """Grounds for `claim` or, if the record claims no outcome, for `outcome`."""
    before: Position | None = field(default=None, compare=False)
    """Position in which the illegal ply was made."""
    way: tuple[Square, Square] | None = field(default=None, compare=False)
    """Squares of the illegal ply, if it was a move or an attack."""


def judge(record: Record, edition: Edition) -> Verdict:
    """Adjudicate a record under the rules of an edition, with the edition's army that fits best."""
    plies = len(record.moves)
    edition = edition_for(record, edition)
    pieces = record.placing.pieces
    placed = [Placed(square, side, record.ranks[square]) for side, square in pieces]
    faults = find_faults(edition, placed)
    if faults:
        return Verdict(plies, faults)
    armies = ({square: square for square in squares_in(army)} for army in (record.red, record.blue))
    position = Position(edition, Board(*armies), record.ranks)
    for ply, move in enumerate(record.moves, start=1):
        violation = position.find_violation(move.source, move.target)
        if violation:
            end = _end_by(position, move)
            basis = Basis.PROVED if end else None
            way = move.source, move.target
            return Verdict(plies, (violation,), ply, end, basis=basis, before=position, way=way)
        position = position_updates.after_turn(position, move)
    end, claim = position.outcome, record.result
    return Verdict(plies, outcome=end or claim, claim=claim, basis=_basis_of(claim, end))


def _basis_of(claim: GameOver | None, end: GameOver | None) -> Basis | None:
    """Return the grounds for `claim` or, without a claim, for the outcome proved by the board."""
    if claim is None or end is None:
        if claim is None:
            return Basis.PROVED if end else None
        is_draw = claim.winner is None
        possible = claim.reason is not Reason.AGREED_DRAW or is_draw
        return Basis.CLAIMED if claim.reason in _OUTSIDE_THE_BOARD and possible else Basis.REFUTED
    alike = claim.reason is end.reason or {claim.reason, end.reason} <= _WITHOUT_A_MOVE
    return Basis.PROVED if alike and claim.winner is end.winner else Basis.REFUTED


def _end_by(position: Position, move: RecordedMove) -> GameOver | None:
    """Return the outcome if an illegal ply ends the game, otherwise None.

    Only a move of a bomb or flag can end a game in this way.
    """
    if position.outcome:
        return position.outcome
    after, _ = apply_action(GameState(position), to_action(move, position), {})
    return after.position.outcome


def judge_transcript(transcript: Transcript, edition: Edition) -> Verdict:
    """Adjudicate a refereed game under the rules of an edition, which need not be its own.

    All ranks known by now are used from the beginning of the game. If the ranks of all pieces were
    added after the game, this detects a moved bomb, even if the bomb was relocated by agreement. A
    move that the arbiter allowed is also legal under the other rules.

    Raises TranscriptError if the other rules or the ranks lead to a position in which a recorded
    action is impossible. For instance, a piece whose rank was falsely declared may have been
    captured at the table, but survive when the game is judged.
    """
    if transcript.edition.army in edition.armies:
        edition = replace(edition, army=transcript.edition.army)
    edition = replace(edition, handicap=transcript.edition.handicap)
    at_table = Referee.replay(transcript.edition, (e.action for e in transcript.entries))
    referee = Referee.waiting(edition, known=transcript.ranks)
    for action in at_table.in_force:
        if not _is_asked(action, referee):
            continue
        before = referee.position
        try:
            rulings = referee.apply(_without_needless_override(action, referee))
        except OutOfPhaseError as error:
            raise TranscriptError(
                f"before ply {referee.plies + 1}, the position under these rules and ranks differs "
                f"from the one at the table, so the rest cannot be judged: {error}"
            ) from error
        faults = tuple(ruling for ruling in rulings if isinstance(ruling, Violation))
        if isinstance(rulings[0], AdoptionRejected):
            squares = squares_in(rulings[0].squares)
            faults = (referee.position.violation(ViolationKind.IMMOBILE, *squares),)
        if faults:
            ply = None if isinstance(action, actions.PlaceArmies) else referee.plies + 1
            basis = Basis.PROVED if referee.outcome else None
            verdict = Verdict(at_table.plies, faults, ply, referee.outcome, basis=basis)
            return replace(verdict, before=before if ply else None, way=_way_of(action))
        if referee.outcome:
            break
    end, claim = referee.outcome, at_table.outcome
    return Verdict(at_table.plies, outcome=end, claim=claim, basis=_basis_of_transcript(referee))


def _way_of(action: actions.Action) -> tuple[Square, Square] | None:
    if isinstance(
        action,
        actions.Move | actions.Attack | actions.Amend | actions.Override | actions.Infiltrate,
    ):
        return action.source, action.target
    return None


def _basis_of_transcript(referee: Referee) -> Basis | None:
    end, position = referee.outcome, referee.position
    if end is None:
        return None
    if end.reason in _OUTSIDE_THE_BOARD:
        return Basis.CLAIMED
    if end.reason not in (Reason.NO_LEGAL_MOVE, Reason.BOTH_IMMOBILE):
        return Basis.PROVED
    stuck = [end.winner.other] if end.winner else list(Side)
    if any(position.must_be_able_to_move(side) for side in stuck):
        return Basis.REFUTED
    can_move = any(position.can_move(side) for side in stuck)
    return Basis.CLAIMED if can_move else Basis.PROVED


def _is_asked(action: actions.Action, referee: Referee) -> bool:
    """Whether a recorded action is still needed when this referee judges the game.

    This referee may know more ranks than the referee at the table, and so need fewer answers.
    """
    match action:
        case actions.Declare() | actions.UpholdDeclaration():
            return bool(referee.open_attack and action.rank.owner in referee.open_attack.awaited)
        case actions.SettleDispute():
            return referee.phase is Phase.DISPUTE
        case actions.AnswerGuess():
            return referee.phase is Phase.GUESS
        case actions.AnswerStalemate():
            return referee.phase in (Phase.STALEMATE, Phase.SHOWING)
        case actions.Correct():
            return referee.can_correct(action.mistake)
        case actions.Touch():
            return referee.can_touch(action.square, carried=action.carried)
        case actions.FreeTouched():
            return referee.position.excusable is not None
    return True


def _without_needless_override(action: actions.Action, referee: Referee) -> actions.Action:
    """Replace an arbiter's override with a plain move if this edition allows that move."""
    if not isinstance(action, actions.Override) or referee.find_violation(
        action.source, action.target
    ):
        return action
    return to_action(RecordedMove(action.source, action.target), referee.position)


def edition_for(record: Record, edition: Edition) -> Edition:
    """Return the edition. If it has the record's army, the returned edition uses that army."""
    army = record.kind.army if record.kind else None
    if army in edition.armies:
        return replace(edition, army=army)
    whole = edition.handicap.favoured if edition.handicap else Side.RED
    squares = record.red if whole is Side.RED else record.blue
    return edition.for_record(record.ranks[square] for square in squares_in(squares))


def to_action(move: RecordedMove, position: Position) -> actions.Move | actions.Attack:
    """Return a recorded move as an action. A move onto an opposing piece is an attack."""
    attacks = position.enemy >> move.target & 1
    return (actions.Attack if attacks else actions.Move)(move.source, move.target)
