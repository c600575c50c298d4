"""Tests for draws in which neither side can move after combat."""

from dataclasses import replace
from typing import Final

import pytest

from engine.game.actions import AnswerStalemate, Move
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import GameOver, MoveRequired, Reason, StalemateClaimed
from engine.records.adjudication import Basis, judge
from engine.rules.editions import EDITIONS, Edition
from engine.rules.rules import Interpretation
from tests.engine.adjudication_cases import record_of, reference_after
from tests.engine.cases import in_every_edition
from tests.engine.tables import BLUE, RED, Setup, Table, state, way

POCKET = """
    10   .   .   .   .   .   .   .   .  bB  b7
     9   .   .   .   .   .   .   .   .  bF  bB
     8   .   .   .   .   .   .   .   .   .   .
     7  bB   .   .   .  bB  b2   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .  r7  rB   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF  rB  rB  rB   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
"""Blue's major is enclosed in its corner."""
BOMB: Final = "e4-e5 f7-f6 e5-e6 f6-f5 a4xa7 f5xf4 e6xe7"
RED_ATTACKS: Final = "e4-e5 f7-f6 e5-e6 f6-f5 e6xe7 f5-e5 a4-d4 e5-e4 d4xe4"
BLUE_ATTACKS: Final = "e4-e5 f7-f6 e5-e6 f6-f5 e6xe7 f5-e5 a4-e4 e5xe4"
FORMS: Final = (BOMB, RED_ATTACKS, BLUE_ATTACKS)
DRAW: Final = GameOver(None, Reason.BOTH_IMMOBILE)

in_every_form = pytest.mark.parametrize("moves", FORMS, ids=["bomb", "red", "blue"])


def pairs(moves: str) -> list[tuple[str, str]]:
    return [(each[:2], each[3:]) for each in moves.split()]


def cited(over: GameOver | None, edition: Edition) -> bool:
    """Whether the ending cites the right source: the ISF article, or our interpretation of another
    rulebook."""
    assert over
    assert over.citation
    if edition.id == "isf":
        return str(over.citation) == "ISF game rules, art. 12" and over.citation.reading is None
    return over.citation.reading is Interpretation.BOTH_SHUT_IN


@in_every_form
@in_every_edition
def test_known_ranks(moves: str, edition: Edition) -> None:
    setup = Setup.parse(POCKET)

    verdict = judge(record_of(setup, pairs(moves)), replace(edition, army=setup.army, armies=()))

    assert (verdict.outcome, verdict.basis) == (DRAW, Basis.PROVED)
    assert cited(verdict.outcome, edition)


@in_every_form
def test_second_referee(moves: str) -> None:
    game = reference_after(record_of(Setup.parse(POCKET), []), pairs(moves))

    assert game.ending == ("nobody", "both-immobile")


@in_every_form
@in_every_edition
def test_hidden_ranks(moves: str, edition: Edition) -> None:
    table = Table.of(POCKET, rules=edition)

    assert table.play(moves)[-1] == StalemateClaimed(BLUE)
    assert (table.referee.phase, table.referee.outcome) == (Phase.STALEMATE, None)

    assert table.referee.apply(AnswerStalemate(able=False)) == (DRAW,)
    assert cited(table.referee.outcome, edition)
    assert state(Referee.replay(table.referee.edition, table.referee.actions)) == state(
        table.referee
    )


@in_every_form
@in_every_edition
def test_side_that_shows_a_move_wins(moves: str, edition: Edition) -> None:
    """The rank of i10 is unknown, so the piece may be able to move to h10."""
    table = Table.of(POCKET, rules=edition)
    table.play(moves)

    assert table.referee.apply(AnswerStalemate(able=True)) == (MoveRequired(BLUE),)
    assert table.referee.to_move is BLUE
    assert table.referee.apply(Move(*way("i10 h10")))[-1] == GameOver(BLUE, Reason.NO_MOVABLE_PIECE)


@in_every_edition
def test_obviously_mobile_side_is_not_asked(edition: Edition) -> None:
    table = Table.of(FREE, rules=edition)

    assert table.play("e4-e5 e7-e6 e5xe6 f7-f6 a4xa7")[-1] == GameOver(
        BLUE, Reason.NO_MOVABLE_PIECE
    )


FREE = """
    10   .   .   .   .   .   .   .   .   .  bF
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7  bB   .   .   .  b5  b2   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .  r5   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF  rB   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


def test_asked_side() -> None:
    """The question goes to the side that is not stuck, even if it is that side's turn."""
    for moves, to_move in ((BOMB, BLUE), (RED_ATTACKS, BLUE), (BLUE_ATTACKS, RED)):
        table = Table.of(POCKET, rules=EDITIONS["original-1992"])
        table.play(moves)

        assert table.referee.to_move is to_move
        assert table.referee.stalemate
        assert table.referee.stalemate.stuck is RED
