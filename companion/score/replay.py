"""A recorded game played again, ply by ply, with every piece and its rank."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from engine.actions import PlaceArmies
from engine.adjudication import action_of, judge
from engine.combat import Result
from engine.editions import Edition
from engine.ranks import Rank
from engine.record import Record, RecordedMove
from engine.referee import Referee
from engine.rulings import Combat
from engine.sides import Side
from engine.squares import Square, squares_in

Pieces: TypeAlias = Mapping[Square, tuple[Side, Rank]]
"""Who stands where."""


@dataclass(frozen=True)
class Ply:
    """One ply as it was played."""

    move: RecordedMove
    before: Pieces
    after: Pieces
    result: Result | None
    """How the attack ended, None if there was no combat."""


def legal_plies(record: Record, edition: Edition) -> Iterator[Ply]:
    """Play a recorded game again, as far as it is legal."""
    verdict = judge(record, edition)
    if verdict.violations and verdict.ply is None:
        return
    edition = edition.fitting(record.ranks[square] for square in squares_in(record.red))
    referee = Referee(edition, known=record.ranks)
    referee.apply(PlaceArmies(record.red, record.blue))
    before = _pieces(record, referee)
    for move in record.moves[: verdict.ply - 1 if verdict.ply else None]:
        rulings = referee.apply(action_of(move, referee))
        after = _pieces(record, referee)
        result = next((said.result for said in rulings if isinstance(said, Combat)), None)
        yield Ply(move, before, after, result)
        before = after


def position(record: Record, edition: Edition, ply: int) -> Pieces:
    """Who stands where after so many plies; 0 is the setup, whether it is legal or not.

    ValueError if the record has not so many legal plies.
    """
    if ply == 0:
        return {
            square: (side, record.ranks[square])
            for side, army in ((Side.RED, record.red), (Side.BLUE, record.blue))
            for square in squares_in(army)
        }
    if ply > 0:
        for last in islice(legal_plies(record, edition), ply - 1, ply):
            return last.after
    raise ValueError(f"there is no legal ply {ply} in this record of {len(record.moves)} plies")


def _pieces(record: Record, referee: Referee) -> Pieces:
    board = referee.board
    return {
        square: (side, record.ranks[board.piece_at(square)])
        for side in Side
        for square in squares_in(board.of(side))
    }
