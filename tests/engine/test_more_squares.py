"""The more-squares rule: a chase around four squares, ply by ply."""

import pytest

from engine.legality.board import Board
from engine.legality.more_squares import MoreSquares
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
        """Play moves; with an ``x``, as in ``f7xf6``, an attack in which the attacker falls."""
        for way in ways.split():
            attack = "x" in way
            assert attack or self.repeats(way) is None, way
            source, target = map(square, way.replace("x", "-").split("-"))
            piece = self.board.piece_at(source)
            if attack:
                self.board.remove(source)
            else:
                self.board.shift(source, target)
            self.watcher.record(self.board, self.to_move, piece, (source, target), attack=attack)
            self.to_move = self.to_move.other

    def infiltrate(self) -> None:
        """Spend a turn in which nobody moves."""
        self.watcher.interrupt(self.to_move)
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


def test_a_turn_without_a_move_ends_every_chase() -> None:
    """The chase is long enough that the position would still lie in it, two turns later."""
    chase = Chase(BEFORE_FACING)
    chase.play(f"e4-e5 f5-f6 {ROUND}")
    assert chase.repeats("e5-e6") == 7
    chase.infiltrate()
    chase.infiltrate()
    assert chase.repeats("e5-e6") is None


BEFORE_FACING = """
10   .   .   .   .   .   .   .   .   .  b?
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   .   .   .
 7   .   .   .   .   .   .   .   .   .   .
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .  b?   ~   ~   .   .
 4   .   .   .   .  r?   .   .   .   .   .
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1  r?   .   .   .   .   .   .   .   .   .
"""
BEFORE_THE_CHASE = """
10   .   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   .   .   .
 7   .   .   .   .   .   .   .   .   .   .
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~   .  b?   ~   ~   .   .
 4   .   .   .   .  r2  b?   .   .   .   .
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1   .   .   .   .   .   .   .   .   .   .
"""


def test_what_stood_before_the_chase_may_come_again() -> None:
    """Only a scout can bring it back: it goes two squares at once where it went one and one."""
    chase = Chase(BEFORE_THE_CHASE)
    chase.play("e4-e5 f5-f6 e5-e4 f4-f5 e4-e5 f5-f4 e5-e6 f6-f5")

    assert chase.repeats("e6-e4") is None
    chase.play("e6-e4")
    before = Board.parse(BEFORE_THE_CHASE)
    assert (chase.board.red, chase.board.blue) == (before.red, before.blue)


AFTER_AN_ATTACK = """
10   .   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   .   .   .
 7   .   .   .   .   .  r?   .   .   .   .
 6   .   .   ~   ~   .  b?   ~   ~   .   .
 5   .   .   ~   ~   .  b?   ~   ~   .   .
 4   .   .   .   .   .  r?   .   .   .   .
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1   .   .   .   .   .   .   .   .   .   .
"""


def test_who_fell_in_an_attack_does_not_threaten() -> None:
    """The chase begins with the piece that goes on, so that what the attack left may come again."""
    chase = Chase(AFTER_AN_ATTACK)
    chase.play("f7xf6 f5-e5 f4-f5 e5-e4 f5-e5 e4-f4 e5-e4 f4-f5")

    assert chase.repeats("e4-f4") is None


TWO_TO_THREATEN = """
10   .   .   .   .   .   .   .   .   .   .
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   .   .   .
 7   .   .   .   .  b?  r?   .   .   .   .
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5   .   .   ~   ~  b?   .   ~   ~   .   .
 4   .   .   .   .   .  r?   .   .   .   .
 3   .   .   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1   .   .   .   .   .   .   .   .   .   .
"""


def test_a_piece_that_has_not_evaded_may_be_threatened_again() -> None:
    """On f7 Red stands beside e7, who has not moved, and leaves the one it has chased alone."""
    chase = Chase(TWO_TO_THREATEN)
    chase.play("f4-e4 e5-e6 f7-f6 e6-e5 f6-f5 e5-e6 f5-f6 e6-e5")

    assert chase.repeats("f6-f7") is None
    assert chase.repeats("f6-e6") is None, "that is a new position"
    chase.play("f6-f7")
