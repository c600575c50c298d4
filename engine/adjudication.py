"""Judging a recorded game: is every ply legal, and how does it end?"""

from dataclasses import dataclass, replace

from engine.actions import (
    Action,
    AnswerGuess,
    Declare,
    Insist,
    Move,
    OpenAttack,
    Override,
    PlaceArmies,
    SettleDispute,
)
from engine.editions import Edition
from engine.position import Phase
from engine.record import Record, RecordedMove
from engine.referee import Referee
from engine.rulings import GameOver, Violation
from engine.setup import Placed, find_faults
from engine.squares import squares_in
from engine.transcript import Transcript


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


def judge(record: Record, edition: Edition) -> Verdict:
    """Judge a recorded game by the rules of an edition, with its army of as many pieces."""
    plies = len(record.moves)
    edition = fitting(record, edition)
    pieces = record.placing.pieces
    placed = [Placed(square, side, record.ranks[square]) for side, square in pieces]
    faults = find_faults(edition, placed)
    if faults:
        return Verdict(plies, faults)
    referee = Referee(edition, known=record.ranks)
    referee.apply(record.placing)
    for ply, move in enumerate(record.moves, start=1):
        violation = _judge_ply(referee, move)
        if violation:
            return Verdict(plies, (violation,), ply, referee.outcome)
    return Verdict(plies, outcome=referee.outcome or record.result)


def judge_transcript(transcript: Transcript, edition: Edition) -> Verdict:
    """Judge a game as it was refereed, by the rules of its own edition or of another.

    All ranks that are known now count from the beginning: a bomb that was moved comes to light if
    the ranks of all pieces were added after the game. What an arbiter has let stand stays.
    """
    if transcript.edition.army in edition.armies:
        edition = replace(edition, army=transcript.edition.army)
    at_table = Referee.replay(transcript.edition, (e.action for e in transcript.entries))
    referee = Referee(edition, known=transcript.ranks)
    for action in at_table.in_force:
        if not _is_asked(action, referee):
            continue
        rulings = referee.apply(_without_need(action, referee))
        faults = tuple(ruling for ruling in rulings if isinstance(ruling, Violation))
        if faults:
            ply = None if isinstance(action, PlaceArmies) else referee.plies + 1
            return Verdict(at_table.plies, faults, ply, referee.outcome)
        if referee.outcome:
            break
    return Verdict(at_table.plies, outcome=referee.outcome)


def _is_asked(action: Action, referee: Referee) -> bool:
    """Whether a referee who knows more still has to be told what a player has said."""
    match action:
        case Declare() | Insist():
            return referee.attack is not None and action.rank.owner in referee.attack.awaited
        case SettleDispute():
            return referee.phase is Phase.DISPUTE
        case AnswerGuess():
            return referee.phase is Phase.GUESS
    return True


def _without_need(action: Action, referee: Referee) -> Action:
    """Return a move instead of a decision to let it stand, if this edition allows it."""
    if not isinstance(action, Override) or referee.find_violation(action.source, action.target):
        return action
    return action_of(RecordedMove(action.source, action.target), referee)


def fitting(record: Record, edition: Edition) -> Edition:
    """Return the edition with its army that a record is played with, if it has that."""
    return edition.fitting(record.ranks[square] for square in squares_in(record.red))


def action_of(move: RecordedMove, referee: Referee) -> Move | OpenAttack:
    """Return a recorded move as an action: onto an opposing piece it is an attack."""
    attacks = referee.board.side_at(move.target) is referee.to_move.other
    return (OpenAttack if attacks else Move)(move.source, move.target)


def _judge_ply(referee: Referee, move: RecordedMove) -> Violation | None:
    if referee.outcome:
        return referee.find_violation(move.source, move.target)
    first = referee.apply(action_of(move, referee))[0]
    return first if isinstance(first, Violation) else None
