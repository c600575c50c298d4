"""Judging a recorded game: is every ply legal, and how does it end?"""

from dataclasses import dataclass

from engine.actions import Move, OpenAttack, PlaceArmies
from engine.editions import Edition
from engine.record import Record, RecordedMove
from engine.referee import Referee
from engine.rulings import GameOver, Violation
from engine.setup import Placed, find_faults
from engine.sides import Side
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
    armies = {Side.RED: record.red, Side.BLUE: record.blue}
    placed = [
        Placed(square, side, record.ranks[square])
        for side, army in armies.items()
        for square in squares_in(army)
    ]
    faults = find_faults(edition, placed)
    if faults:
        return Verdict(plies, faults)
    referee = Referee(edition, known=record.ranks)
    referee.apply(PlaceArmies(record.red, record.blue))
    for ply, move in enumerate(record.moves, start=1):
        violation = _judge_ply(referee, move)
        if violation:
            return Verdict(plies, (violation,), ply, referee.outcome)
    return Verdict(plies, outcome=referee.outcome or record.result)


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
    first, *_ = referee.apply(action_of(move, referee))
    return first if isinstance(first, Violation) else None
