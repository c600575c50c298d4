"""What is printed on the pieces of the simulated board: an army dealt at random for each side."""

import random
from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.actions import Move, OpenAttack
from engine.board import Piece
from engine.movement import is_run
from engine.ranks import IMMOBILE, Army, Rank
from engine.referee import Referee
from engine.rulings import Combat
from engine.sides import Side
from engine.squares import squares_in

Dealt: TypeAlias = dict[Piece, Rank]
_Test: TypeAlias = Callable[[Piece], bool]


def deal(army: Army, side: Side, seed: int) -> Dealt:
    """Deal an army onto the rows of a side; the same seed deals the same."""
    ranks = [rank for rank, count in army.counts.items() for _ in range(count)]
    random.Random(f"{seed} {side.value}").shuffle(ranks)
    return dict(zip(squares_in(side.home), ranks, strict=False))


def deal_again(referee: Referee, side: Side, seed: int) -> Dealt:
    """Deal to the pieces of a game that has begun, in keeping with all that is known of them.

    The first deal stands as far as it can: the players may have exchanged pieces since.
    """
    dealt = deal(referee.edition.army, side, seed)
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
    """Say which ranks have been told or proved, and which pieces have moved."""
    known: dict[Piece, Rank] = {}
    movers: set[Piece] = set()
    game = Referee(referee.edition)
    for action in referee.actions:
        attack, board = game.attack, game.board
        at_stake = (board.piece_at(attack.source), board.piece_at(attack.target)) if attack else ()
        if isinstance(action, Move | OpenAttack):
            piece = board.piece_at(action.source)
            movers.add(piece)
            if is_run(action.source, action.target):
                known[piece] = Rank.SCOUT
            if isinstance(action, OpenAttack):
                at_stake = (piece, board.piece_at(action.target))
        for ruling in game.apply(action):
            if isinstance(ruling, Combat):
                known |= dict(zip(at_stake, (ruling.attacker, ruling.defender), strict=True))
    if game.attack:
        squares = {game.to_move: game.attack.source, game.to_move.other: game.attack.target}
        for side, rank in game.attack.declared.items():
            known[game.board.piece_at(squares[side])] = rank.unseal()
    return known, movers
