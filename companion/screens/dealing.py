"""What is printed on the pieces of the simulated board: an army dealt at random for each side."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from engine.actions import PlaceArmies
from engine.board import Piece
from engine.ranks import IMMOBILE, Army, Rank, sole
from engine.referee import Referee
from engine.sides import Side
from engine.squares import Square, squares_in

Dealt: TypeAlias = dict[Piece, Rank]
_Test: TypeAlias = Callable[[Piece], bool]


def deal(army: Army, side: Side, seed: int) -> Dealt:
    """Deal an army onto the rows of a side; the same seed deals the same."""
    home = list(squares_in(side.home))
    if army.size < len(home):
        home = sorted(random.Random(f"{seed} {side.value} squares").sample(home, army.size))
    return _deal_onto(home, army, side, seed)


def _deal_onto(squares: Iterable[Square], army: Army, side: Side, seed: int) -> Dealt:
    ranks = [rank for rank, count in army.counts.items() for _ in range(count)]
    random.Random(f"{seed} {side.value}").shuffle(ranks)
    return dict(zip(squares, ranks, strict=True))


def deal_again(referee: Referee, side: Side, seed: int) -> Dealt:
    """Deal to the pieces of a game that has begun, in keeping with all that is known of them.

    The first deal stands as far as it can: the players may have exchanged pieces since.
    """
    placed = _placed(referee, side)
    dealt = _deal_onto(placed, referee.edition.army, side, seed)
    known, movers = _facts(referee)
    for piece in dealt:
        if piece in known and dealt[piece] != known[piece]:
            _swap(dealt, piece, lambda other: other not in known, [known[piece]])
    mobile = [rank for rank in Rank if not IMMOBILE >> rank & 1]
    for piece in dealt:
        if piece in movers and piece not in known and dealt[piece] not in mobile:
            _swap(dealt, piece, lambda other: other not in known and other not in movers, mobile)
    return dealt


def _swap(dealt: Dealt, piece: Piece, may_give: _Test, wanted: list[Rank]) -> None:
    """Give a piece one of the wanted ranks, in exchange with a piece that may give it."""
    for other, rank in dealt.items():
        if rank in wanted and may_give(other):
            dealt[piece], dealt[other] = rank, dealt[piece]
            return


def _facts(referee: Referee) -> tuple[Mapping[Piece, Rank], set[Piece]]:
    """Say which ranks have been told or proved, and which pieces are movable."""
    pieces = [piece for side in Side for piece in _placed(referee, side)]
    possible = {piece: referee.dossier.possible(piece) for piece in pieces}
    known = {piece: rank for piece, ranks in possible.items() if (rank := sole(ranks)) is not None}
    if referee.attack:
        squares = {
            referee.to_move: referee.attack.source,
            referee.to_move.other: referee.attack.target,
        }
        for side, declared in referee.attack.declared.items():
            known[referee.board.piece_at(squares[side])] = declared.unseal()
    return known, {piece for piece, ranks in possible.items() if not ranks & IMMOBILE}


def _placed(referee: Referee, side: Side) -> list[Piece]:
    """The pieces with which a side began."""
    placing = referee.actions[0]
    assert isinstance(placing, PlaceArmies)
    return list(squares_in(placing.red if side is Side.RED else placing.blue))
