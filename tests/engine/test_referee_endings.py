"""How a game ends, and by which rule (RULES §8)."""

import pytest

from engine.actions import AgreeDraw, CannotMove, OpenAttack, Resign
from engine.ranks import Rank
from engine.referee import Phase
from engine.rules import Fault, Rule, Source
from engine.rulings import GameOver, Reason, Violation
from engine.sides import Side
from engine.squares import set_of, square
from tests.engine.tables import BLUE, RED, Table, way

ENDS = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .  b9   .   .   .  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .   .  r9   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .   .  rF
         a   b   c   d   e   f   g   h   i   k
"""


def ending(table: Table) -> GameOver | None:
    assert (table.referee.outcome is None) == (table.referee.phase is not Phase.OVER)
    return table.referee.outcome


def test_the_flag_is_captured() -> None:
    table = Table.of(ENDS)

    assert table.play("a4xa10")[-1] == GameOver(RED, Reason.FLAG_CAPTURED)

    assert ending(table) == GameOver(RED, Reason.FLAG_CAPTURED)
    assert table.referee.captured[BLUE] == {Rank.FLAG: 1}
    assert table.referee.board.side_at(square("a10")) is RED


def test_after_the_end_nothing_is_legal() -> None:
    table = Table.of(ENDS)
    table.play("a4xa10")

    violation = table.referee.find_violation(*way("k7 k6"))

    assert violation == Violation(
        Fault.GAME_IS_OVER, set_of(way("k7 k6")), Source("Small rulebook", Rule.OUT_OF_TURN)
    )
    assert violation.fault.rule is Rule.OUT_OF_TURN


def test_both_have_lost_all_that_moves() -> None:
    table = Table.of(ENDS)
    table.play("f4-f5 f7-f6 f5xf6")
    assert ending(table) is None
    table.play("k7-k4")

    assert table.play("a4xk4")[-1] == GameOver(None, Reason.BOTH_IMMOBILE)


@pytest.mark.parametrize("winner", Side)
def test_one_has_lost_all_that_moves_whoever_attacked(winner: Side) -> None:
    """The scouts fall together; then one general walks into the other side's bomb."""
    table = Table.of(
        ENDS.replace("7   .   .   .   .", "7   .   .   .  bB").replace(
            "4  r2   .   .   .", "4  r2   .   .  rB"
        )
    )
    table.play("a4-b4 k7-k6 b4-b9 k6-i6 b9-i9 i6xi9")
    assert ending(table) is None
    if winner is BLUE:
        last = table.play("f4-f5 f7-g7 f5-e5 g7-h7 e5-e6 h7-h8 e6-e7 h8-h9 e7xd7")
    else:
        last = table.play("f4-g4 f7-e7 g4-h4 e7-e6 h4-h3 e6-e5 h3-h2 e5-e4 h2-h1 e4xd4")

    assert last[-1] == GameOver(winner, Reason.NO_MOVABLE_PIECE)
    assert ending(table) == last[-1]


def test_the_flag_counts_more_than_the_last_movable_piece() -> None:
    """Red's last piece takes the flag that Blue, without a movable piece, has left."""
    table = Table.of(ENDS)
    table.play("f4-f5 f7-f6 f5xf6 k7-k6 a4-b4 k6-k5 b4-b10 k5-k4")

    assert table.play("b10xa10")[-1] == GameOver(RED, Reason.FLAG_CAPTURED)


@pytest.mark.parametrize("loser", Side)
@pytest.mark.parametrize("attack", [False, True])
def test_resignation_by_either_side_at_any_time(loser: Side, attack: bool) -> None:
    table = Table.of(ENDS)
    if attack:
        table.referee.apply(OpenAttack(*way("a4 a10")))

    rulings = table.referee.apply(Resign(loser))

    assert rulings == (GameOver(loser.other, Reason.RESIGNATION),)
    assert ending(table) == rulings[0]
    assert table.referee.attack is None


@pytest.mark.parametrize("attack", [False, True])
def test_an_agreed_draw(attack: bool) -> None:
    table = Table.of(ENDS)
    if attack:
        table.referee.apply(OpenAttack(*way("a4 a10")))

    assert table.referee.apply(AgreeDraw()) == (GameOver(None, Reason.AGREED_DRAW),)
    assert table.referee.attack is None
    assert ending(table)


@pytest.mark.parametrize("moves", ["", "f4-f5"])
def test_who_cannot_move_loses(moves: str) -> None:
    table = Table.of(ENDS)
    table.play(moves)
    stuck = table.referee.to_move

    rulings = table.referee.apply(CannotMove())

    assert rulings == (GameOver(stuck.other, Reason.NO_LEGAL_MOVE),)
    assert ending(table) == rulings[0]
