"""Judging a recorded game: is every ply legal, and how does it end?"""

from dataclasses import dataclass, replace

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
from engine.play.rulings import BoardRefused, GameOver
from engine.rulebook.editions import Edition
from engine.rulebook.faults import Fault
from engine.rulebook.violation import Violation
from engine.squares import squares_in


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
    armies = ({square: square for square in squares_in(army)} for army in (record.red, record.blue))
    position = Position(edition, Board(*armies), record.ranks)
    for ply, move in enumerate(record.moves, start=1):
        violation = position.find_violation(move.source, move.target)
        if violation:
            return Verdict(plies, (violation,), ply, _end_by(position, move))
        position = advance.play(position, move.source, move.target)
    return Verdict(plies, outcome=position.outcome or record.result)


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
            return Verdict(at_table.plies, faults, ply, referee.outcome)
        if referee.outcome:
            break
    return Verdict(at_table.plies, outcome=referee.outcome)


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
            return referee.can_touch(action.square)
    return True


def _without_need(action: Action, referee: Referee) -> Action:
    """Return a move instead of a decision to let it stand, if this edition allows it."""
    if not isinstance(action, Override) or referee.find_violation(action.source, action.target):
        return action
    return action_of(RecordedMove(action.source, action.target), referee.position)


def fitting(record: Record, edition: Edition) -> Edition:
    """Return the edition with its army that a record is played with, if it has that."""
    return edition.fitting(record.ranks[square] for square in squares_in(record.red))


def action_of(move: RecordedMove, position: Position) -> Move | Attack:
    """Return a recorded move as an action: onto an opposing piece it is an attack."""
    attacks = position.enemy >> move.target & 1
    return (Attack if attacks else Move)(move.source, move.target)
