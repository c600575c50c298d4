"""Judging a recorded game: is every ply legal, and how does it end?"""

from dataclasses import dataclass, field, replace
from enum import Enum

from engine.games.record import Record, RecordedMove
from engine.games.transcript import Transcript
from engine.legality.board import Board
from engine.legality.setup import Placed, find_faults
from engine.play import advance
from engine.play.actions import (
    Action,
    AnswerCannotMove,
    AnswerGuess,
    Attack,
    Correct,
    Declare,
    FreeTouched,
    Insist,
    Move,
    Override,
    PlaceArmies,
    SettleDispute,
    Touch,
)
from engine.play.judging import judge as judge_action
from engine.play.moment import Moment, Phase
from engine.play.position import Position
from engine.play.referee import Referee
from engine.play.rulings import BoardRefused, GameOver, Reason
from engine.rulebook.editions import Edition
from engine.rulebook.faults import Fault
from engine.rulebook.violation import Violation
from engine.sides import Side
from engine.squares import squares_in


class Basis(Enum):
    """Basis of the end of a recorded game."""

    PROVED = "proved"
    """The position is an end by the rules."""
    CLAIMED = "claimed"
    """Only the record says so, as of a resignation, and the position does not contradict it."""
    REFUTED = "refuted"
    """The record says so, and the position shows that it is not so."""


_OUTSIDE_THE_BOARD = {Reason.RESIGNATION, Reason.AGREED_DRAW, Reason.TIME, Reason.FORFEIT}
"""The ends that no position proves or refutes."""
_WITHOUT_A_MOVE = {Reason.NO_LEGAL_MOVE, Reason.NO_MOVABLE_PIECE}
"""The ends that Gravon's files do not tell apart."""


@dataclass(frozen=True)
class Verdict:
    """What there is to say about a recorded game."""

    plies: int
    """How many moves the record has."""
    violations: tuple[Violation, ...] = ()
    """Every fault of the setup, or the first illegal ply; empty for a legal game."""
    ply: int | None = None
    """The number of the first illegal ply, counted from 1; None if it is the setup or nothing."""
    outcome: GameOver | None = None
    """How the game ends: as the rules prove it, else as the record says of a legal game."""
    claim: GameOver | None = field(default=None, compare=False)
    """How a legal game ends by the record."""
    basis: Basis | None = field(default=None, compare=False)
    """Basis of the claim; without a claim, of the outcome."""


def judge(record: Record, edition: Edition) -> Verdict:
    """Judge a recorded game by the rules of an edition, with its army of as many pieces."""
    plies = len(record.moves)
    edition = fitting(record, edition)
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
            return Verdict(plies, (violation,), ply, end, basis=Basis.PROVED if end else None)
        position = advance.play(position, move.source, move.target)
    end, claim = position.outcome, record.result
    return Verdict(plies, outcome=end or claim, claim=claim, basis=_basis_of(claim, end))


def _basis_of(claim: GameOver | None, end: GameOver | None) -> Basis | None:
    """Compare the end that a record claims with the end that the board proves, if any."""
    if claim is None or end is None:
        if claim is None:
            return Basis.PROVED if end else None
        is_draw = claim.winner is None
        possible = claim.reason is not Reason.AGREED_DRAW or is_draw
        return Basis.CLAIMED if claim.reason in _OUTSIDE_THE_BOARD and possible else Basis.REFUTED
    alike = claim.reason is end.reason or {claim.reason, end.reason} <= _WITHOUT_A_MOVE
    return Basis.PROVED if alike and claim.winner is end.winner else Basis.REFUTED


def _end_by(position: Position, move: RecordedMove) -> GameOver | None:
    """How an illegal ply ends the game: not, unless a moved bomb or flag loses it."""
    if position.outcome:
        return position.outcome
    after, _ = judge_action(Moment(position), action_of(move, position), {})
    return after.position.outcome


def judge_transcript(transcript: Transcript, edition: Edition) -> Verdict:
    """Judge a game as it was refereed, by the rules of its own edition or of another.

    All ranks that are known now count from the beginning: a bomb that was moved comes to light if
    the ranks of all pieces were added after the game, also one that stands elsewhere because both
    agreed that it does. What an arbiter has let stand stays.
    """
    if transcript.edition.army in edition.armies:
        edition = replace(edition, army=transcript.edition.army)
    at_table = Referee.replay(transcript.edition, (e.action for e in transcript.entries))
    referee = Referee.waiting(edition, known=transcript.ranks)
    for action in at_table.in_force:
        if not _is_asked(action, referee):
            continue
        rulings = referee.apply(_without_need(action, referee))
        faults = tuple(ruling for ruling in rulings if isinstance(ruling, Violation))
        if isinstance(rulings[0], BoardRefused):
            squares = squares_in(rulings[0].squares)
            faults = (referee.position.violation(Fault.IMMOBILE, *squares),)
        if faults:
            ply = None if isinstance(action, PlaceArmies) else referee.plies + 1
            basis = Basis.PROVED if referee.outcome else None
            return Verdict(at_table.plies, faults, ply, referee.outcome, basis=basis)
        if referee.outcome:
            break
    end, claim = referee.outcome, at_table.outcome
    return Verdict(at_table.plies, outcome=end, claim=claim, basis=_basis_at_table(referee))


def _basis_at_table(referee: Referee) -> Basis | None:
    """Return the basis of the end of a refereed game."""
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


def _is_asked(action: Action, referee: Referee) -> bool:
    """Whether a referee who knows more still has to be told what a player has said."""
    match action:
        case Declare() | Insist():
            return bool(referee.open_attack and action.rank.owner in referee.open_attack.awaited)
        case SettleDispute():
            return referee.phase is Phase.DISPUTE
        case AnswerGuess():
            return referee.phase is Phase.GUESS
        case AnswerCannotMove():
            return referee.phase in (Phase.STANDSTILL, Phase.SHOWING)
        case Correct():
            return referee.can_correct(action.mistake)
        case Touch():
            return referee.can_touch(action.square, carried=action.carried)
        case FreeTouched():
            return referee.position.excusable is not None
    return True


def _without_need(action: Action, referee: Referee) -> Action:
    """Return a move instead of a decision to let it stand, if this edition allows it."""
    if not isinstance(action, Override) or referee.find_violation(action.source, action.target):
        return action
    return action_of(RecordedMove(action.source, action.target), referee.position)


def fitting(record: Record, edition: Edition) -> Edition:
    """Return the edition with its army that a record is played with, if it has that."""
    army = record.kind.army if record.kind else None
    if army in edition.armies:
        return replace(edition, army=army)
    return edition.fitting(record.ranks[square] for square in squares_in(record.red))


def action_of(move: RecordedMove, position: Position) -> Move | Attack:
    """Return a recorded move as an action: onto an opposing piece it is an attack."""
    attacks = position.enemy >> move.target & 1
    return (Attack if attacks else Move)(move.source, move.target)
