"""The ranks printed on simulated pieces: an army dealt at random for each side."""

import random
from collections import deque
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet, set_of, squares_in
from engine.board.ranks import Army, Rank, RankSet, ranks_in
from engine.game.actions import PlaceArmies
from engine.game.referee import Referee

Dealt: TypeAlias = dict[Piece, Rank]


def deal(army: Army, side: Side, seed: int) -> Dealt:
    """Deal an army onto the rows of a side; deterministic for a given seed."""
    home = list(squares_in(side.home))
    if army.size < len(home):
        home = sorted(random.Random(f"{seed} {side.value} squares").sample(home, army.size))
    return _deal_onto(home, army, side, seed)


def _deal_onto(squares: Iterable[Square], army: Army, side: Side, seed: int) -> Dealt:
    ranks = army.pieces
    random.Random(f"{seed} {side.value}").shuffle(ranks)
    return dict(zip(squares, ranks, strict=True))


def deal_again(referee: Referee, side: Side, seed: int) -> Dealt:
    """Deal to the pieces of a game in progress, consistently with everything known about them.

    The first deal is kept as far as possible: the players may have exchanged pieces since. Where an
    arbiter accepted an impossible declaration, the piece gets the declared rank, and the army is no
    longer complete.
    """
    placed = list(squares_in(placed_pieces(referee, side)))
    dealt = _deal_onto(placed, referee.edition.army, side, seed)
    possible = {piece: referee.position.player(side).dossier.possible(piece) for piece in placed}
    attack = referee.open_attack
    if attack and side in attack.declared:
        declaring = referee.position.board.piece_at(attack.square(side))
        possible[declaring] = 1 << attack.declared[side].unseal()
    for piece, ranks in possible.items():
        if not ranks >> dealt[piece] & 1:
            _mend(dealt, possible, piece)
    return dealt


def _mend(dealt: Dealt, possible: Mapping[Piece, RankSet], piece: Piece) -> None:
    """Give a piece a possible rank, by an exchange among as few pieces as possible."""
    ring = _find_ring(dealt, possible, piece)
    if ring:
        first, *rest = [dealt[each] for each in ring]
        dealt.update(zip(ring, [*rest, first], strict=True))
    else:
        dealt[piece] = next(ranks_in(possible[piece]))


def _find_ring(dealt: Dealt, possible: Mapping[Piece, RankSet], piece: Piece) -> list[Piece]:
    """Find a cycle of pieces, from this one, in which each can take the rank of the next."""
    met, ways = {piece}, deque([[piece]])
    while ways:
        way = ways.popleft()
        ranks = possible[way[-1]]
        if ranks >> dealt[piece] & 1:
            return way
        for giver, rank in dealt.items():
            if giver not in met and ranks >> rank & 1:
                met.add(giver)
                ways.append([*way, giver])
    return []


def placed_pieces(referee: Referee, side: Side) -> SquareSet:
    """Return the pieces that a side began with, each identified by its setup square."""
    placing = referee.actions[0]
    assert isinstance(placing, PlaceArmies)
    return set_of(piece for owner, piece in placing.pieces if owner is side)
