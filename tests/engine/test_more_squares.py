"""The more-squares rule: a chase around four squares, ply by ply."""

import pytest

from engine.board import Board
from engine.more_squares import MoreSquares
from engine.sides import Side
from engine.squares import square

FACING = """
10   .   .   .   .   .   .   .   .   .  b?
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   .   .   .
 7   .   .   .   .   .   .   .   .   .   .
 6   .   .   ~   ~   .  b?   ~   ~   .   .
 5   .   .   ~   ~  r?   .   ~   ~   .   .
 4   .   .   .   .   .   .   .   .   .   .
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1  r?   .   .   .   .   .   .   .   .   .
"""
ROUND = "e5-e6 f6-f5 e6-f6 f5-e5 f6-f5 e5-e6 f5-e5 e6-f6"
"""Red chases Blue once around the four squares; after it both stand as before it."""


class Chase:
    """A board with somebody who watches it; the sides take turns."""

    def __init__(self, drawn: str) -> None:
        self.board = Board.parse(drawn)
        self.watcher = MoreSquares()
        self.to_move = Side.RED

    def repeats(self, way: str) -> int | None:
        source, target = map(square, way.split("-"))
        piece = self.board.piece_at(source)
        return self.watcher.repeated(self.board, self.to_move, piece, source, target)

    def play(self, ways: str) -> None:
        for way in ways.split():
            assert self.repeats(way) is None, way
            source, target = map(square, way.split("-"))
            piece = self.board.piece_at(source)
            self.board.shift(source, target)
            self.watcher.record(self.board, self.to_move, piece, (source, target), attack=False)
            self.to_move = self.to_move.other


@pytest.fixture
def chase() -> Chase:
    return Chase(FACING)


def test_once_around_is_enough(chase: Chase) -> None:
    chase.play(ROUND)
    assert chase.repeats("e5-e6") == 7


def test_a_chase_may_go_on_to_a_new_position(chase: Chase) -> None:
    chase.play(ROUND)
    assert chase.repeats("e5-f5") is None


def test_a_move_that_does_not_chase_is_free(chase: Chase) -> None:
    chase.play(ROUND)
    assert chase.repeats("a1-a2") is None
    assert chase.repeats("e5-e4") is None


def test_who_stops_in_between_may_begin_anew(chase: Chase) -> None:
    chase.play(ROUND + " a1-a2 k10-k9")
    chase.play(ROUND)
    assert chase.repeats("e5-e6") == 7


def test_the_evader_may_come_back_to_a_position(chase: Chase) -> None:
    chase.play("e5-e6 f6-f5 e6-f6 f5-e5 f6-f5 e5-e6 f5-e5")
    chase.play("e6-f6")
    assert chase.board == Board.parse(FACING), "the position before the first move, made by Blue"


def test_taking_back_the_own_last_move_is_free(chase: Chase) -> None:
    chase.play("e5-e6 f6-f5 e6-e5 f5-f6")
    assert chase.repeats("e5-e6") is None, "that is for the two-squares rule to forbid"
