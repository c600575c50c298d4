"""Piece movement and the reach of infiltrators, without repetition rules."""

from collections.abc import Iterator

from tests.reference.board import DIRECTIONS, HOME_ROWS, LAKES, ahead, path
from tests.reference.combat import STRENGTH
from tests.reference.pieces import Standing, other_side


def has_free_path(standing: Standing, source: str, target: str) -> bool:
    """Whether the piece can move to `target`. A scout moves any distance. All other ranks move one
    step."""
    piece, other = standing[source], standing.get(target)
    walked = path(source, target)
    if not walked or target in LAKES or (other and other.side == piece.side):
        return False
    if piece.rank == "scout":
        return not any(square in LAKES or square in standing for square in walked[1:-1])
    return len(walked) == 2


def reachable(standing: Standing, source: str, rank: str) -> Iterator[str]:
    """Yield the squares to which a piece could move if it had this rank."""
    if rank not in STRENGTH:
        return
    side = standing[source].side
    for direction in DIRECTIONS:
        for target in ahead(source, direction):
            other = standing.get(target)
            if target in LAKES or (other and other.side == side):
                break
            yield target
            if other or rank != "scout":
                break


def is_within_reach(standing: Standing, source: str, target: str) -> bool:
    """Whether an infiltrator on `source` could guess the rank of the piece on `target`.

    The infiltrator must be in the opponent's four home rows. The target must be an opposing piece,
    one or two squares away in a straight line.
    """
    side, other = standing[source].side, standing[target].side
    in_enemy_territory = int(source[1:]) in HOME_ROWS[other_side(side)]
    return in_enemy_territory and other != side and len(path(source, target)) in {2, 3}
