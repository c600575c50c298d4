"""The board: square names and paths."""

from functools import cache
from itertools import pairwise

COLUMNS = "abcdefghik"
SQUARES = [f"{column}{row}" for row in range(1, 11) for column in COLUMNS]
LAKES = {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"}
DIRECTIONS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
HOME_ROWS = {"red": {1, 2, 3, 4}, "blue": {7, 8, 9, 10}}


@cache
def ahead(square: str, direction: tuple[int, int]) -> list[str]:
    """Return the squares ahead of a square in one direction, up to the edge of the board."""
    column, row = COLUMNS.index(square[0]), int(square[1:])
    east, north = direction
    squares: list[str] = []
    while True:
        column, row = column + east, row + north
        if not (0 <= column < 10 and 1 <= row <= 10):
            return squares
        squares.append(f"{COLUMNS[column]}{row}")


@cache  # cached because the same paths are needed repeatedly
def path(source: str, target: str) -> list[str]:
    """Return the squares on a straight path, including both ends.

    The result is empty if the squares are not in the same row or column.
    """
    for direction in DIRECTIONS:
        walked = [source]
        for square in ahead(source, direction):
            walked.append(square)
            if square == target:
                return walked
    return []


@cache
def crossed(source: str, target: str) -> list[set[str]]:
    """Return the square edges that a move crosses, each as a set of two squares."""
    return [{a, b} for a, b in pairwise(path(source, target))]


@cache
def next_to(square: str) -> set[str]:
    return {near for direction in DIRECTIONS for near in ahead(square, direction)[:1]}
