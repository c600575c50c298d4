"""Tests for the more-squares rule, ply by ply, with a chase around four squares."""

from dataclasses import replace

import pytest

from engine.board.board import Board
from engine.board.geometry import name, square
from engine.board.ranks import Rank
from engine.game import position_updates
from engine.game.position import Position
from engine.rules.editions import EDITIONS, Edition
from engine.rules.movement import CombatResult, resolve
from engine.rules.repetition import recent_positions, repeated_moves
from engine.rules.rules import Interpretation, ViolationKind
from tests.engine.cases import each
from tests.engine.tables import as_drawn
from tests.reference import Piece, ReferenceGame

ISF = EDITIONS["isf"]
NORDIC = EDITIONS["nordic-2015"]
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
"""One lap of the chase around the four squares, which leads back to the initial position."""


class Chase:
    """Board on which the sides take turns. Red begins."""

    def __init__(self, drawn: str, rules: Edition = ISF) -> None:
        self.position = Position(rules, as_drawn(drawn)[0])

    def repeats(self, way: str) -> int | None:
        """Return how many moves ago the position that a move repeats occurred, or None if the move
        is legal."""
        found = self.position.find_violation(*map(square, way.split("-")))
        assert found is None or found.fault is ViolationKind.CHASE_REPEATS
        return found.count if found else None

    def play(self, ways: str) -> None:
        """Play moves. An ``x``, as in ``f7xf6``, denotes an attack that fails."""
        for way in ways.split():
            source, target = map(square, way.replace("x", "-").split("-"))
            if "x" in way:
                self.fight(way, Rank.SCOUT, Rank.MINER)
            else:
                assert self.repeats(way) is None, way
                self.position = position_updates.move(self.position, source, target)

    def fight(self, way: str, attacker: Rank, defender: Rank) -> None:
        """Attack. `attacker` and `defender` are the ranks of the two pieces."""
        source, target = map(square, way.split("x"))
        self.position = position_updates.after_combat(
            self.position, source, target, attacker, defender
        )

    def infiltrate(self, way: str) -> None:
        """Complete a turn in which no piece moves."""
        source, target = map(square, way.split("-"))
        infiltrate = position_updates.infiltrate
        self.position = infiltrate(self.position, source, target, Rank.MARSHAL, right=False)


@pytest.fixture
def chase() -> Chase:
    return Chase(FACING)


def test_one_round_of_a_chase_is_the_limit(chase: Chase) -> None:
    chase.play(ROUND)
    assert chase.repeats("e5-e6") == 7


def test_counted_moves_of_a_chase() -> None:
    chase = Chase(BEFORE_FACING, NORDIC)
    chase.play(f"e4-e5 f5-f6 {ROUND}")
    violation = chase.position.find_violation(square("e5"), square("e6"))
    assert violation
    moves = repeated_moves(violation, chase.position.own_run, chase.position.past)
    counted = ROUND.split()[1:]  # the first move led to the repeated position
    assert [f"{name(source)}-{name(target)}" for source, target in moves] == counted[::-1]


def test_chase_may_reach_a_new_position(chase: Chase) -> None:
    chase.play(ROUND)
    assert chase.repeats("e5-f5") is None


def test_move_without_threat_may_repeat(chase: Chase) -> None:
    chase.play(ROUND)
    assert chase.repeats("a1-a2") is None
    assert chase.repeats("e5-e4") is None


def test_interrupted_chase_starts_again(chase: Chase) -> None:
    chase.play(ROUND + " a1-a2 k10-k9")
    chase.play(ROUND)
    assert chase.repeats("e5-e6") == 7


def test_evader_may_repeat_a_position(chase: Chase) -> None:
    chase.play("e5-e6 f6-f5 e6-f6 f5-e5 f6-f5 e5-e6 f5-e5")
    chase.play("e6-f6")
    board = chase.position.board
    assert board == Board.parse(FACING), "Blue's move repeats the initial position"


def test_undoing_the_last_move_is_legal(chase: Chase) -> None:
    chase.play("e5-e6 f6-f5 e6-e5 f5-f6")
    assert chase.repeats("e5-e6") is None, "only the two-squares rule forbids this"


def test_a_turn_without_a_move_ends_every_chase() -> None:
    """If the turn did not end the chase, the chase would still include the repeated position two
    turns later."""
    chase = Chase(BEFORE_FACING, NORDIC)
    chase.play(f"e4-e5 f5-f6 {ROUND}")
    assert chase.repeats("e5-e6") == 7
    chase.infiltrate("a1-k10")
    chase.infiltrate("k10-a1")
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


def test_position_before_the_chase_may_recur() -> None:
    """Only a scout can return to this position, because that takes a move of two squares."""
    chase = Chase(BEFORE_THE_CHASE)
    chase.play("e4-e5 f5-f6 e5-e4 f4-f5 e4-e5 f5-f4 e5-e6 f6-f5")

    assert chase.repeats("e6-e4") is None
    chase.play("e6-e4")
    board, before = chase.position.board, Board.parse(BEFORE_THE_CHASE)
    assert (board.red, board.blue) == (before.red, before.blue)


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


def test_captured_attacker_does_not_threaten() -> None:
    """The chase begins only when the other red piece makes a threat. The position after the attack
    may therefore recur."""
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
    """From f7, Red threatens the piece on e7, which has not moved, but no longer the piece that was
    being chased."""
    chase = Chase(TWO_TO_THREATEN, replace(ISF, two_squares_limit=5))
    chase.play("f4-e4 e5-e6 f7-f6 e6-e5 f6-f5 e5-e6 f5-f6 e6-e5")

    assert chase.repeats("f6-f7") is None
    assert chase.repeats("f6-e6") is None, "the resulting position is new"
    chase.play("f6-f7")


# -- an attack is no threat if the attacker falls or both pieces fall

BESIDE_AN_ATTACK = """
10   .   .   .   .   .   .   .   .   .  b4
 9   .   .   .   .   .   .   .   .   .   .
 8   .   .   .   .   .   .   .   .   .   .
 7   .   .   .   .   .   .   .   .   .   .
 6   .   .   ~   ~   .   .   ~   ~   .   .
 5  b?  b5   ~   ~   .   .   ~   ~   .   .
 4  r3   .  b7   .   .   .   .   .   .   .
 3   .  r2   .   .   .   .   .   .   .   .
 2   .   .   .   .   .   .   .   .   .   .
 1   .   .   .   .   .   .   .   .   .  r4
"""
LEAVING = "b5-b4 b3-c3 c4-d4 c3-d3 d4-c4"
"""The lieutenant moves from the square of the combat towards the scout. The scout threatens the
major twice, and may then return to the square next to the lieutenant."""


@each("met", [Rank.BOMB, Rank.MINER])
def test_leaving_after_a_failed_attack_is_no_evasion(met: Rank) -> None:
    """If the lieutenant's departure counted as an evasion, the earlier position would belong to the
    chase, and the scout could not move back."""
    chase = Chase(BESIDE_AN_ATTACK)
    attacker = Rank.SERGEANT if met is Rank.BOMB else Rank.MINER
    chase.fight("a4xa5", attacker, met)
    chase.play(LEAVING)

    assert resolve(attacker, met) is not CombatResult.ATTACKER_WINS
    assert chase.repeats("d3-b3") is None
    chase.play("d3-b3")
    assert chase.position.board.side_at(square("b3"))


@each("met", ["bomb", "sergeant"])
def test_second_referee_agrees_on_chases(met: str) -> None:
    game = ReferenceGame.by(
        "isf",
        {
            "a4": Piece("red", "sergeant"),
            "b3": Piece("red", "scout"),
            "k1": Piece("red", "sergeant"),
            "a5": Piece("blue", met),
            "b5": Piece("blue", "lieutenant"),
            "c4": Piece("blue", "major"),
            "k10": Piece("blue", "sergeant"),
        },
    )
    for way in f"a4-a5 {LEAVING}".split():
        game.play(*way.split("-"))

    assert not game.broken_rules("d3", "b3")


def test_leaving_after_a_successful_attack_is_evasion() -> None:
    """The scout may not move back, because the earlier position belongs to the chase."""
    chase = Chase(BESIDE_AN_ATTACK)
    chase.fight("a4xa5", Rank.MINER, Rank.BOMB)
    chase.play(LEAVING)

    assert chase.repeats("d3-b3") == 4


# -- editions with this rule


@each(
    ("rules", "reading"),
    [
        ("gravopedia-2006", Interpretation.CHASE_AS_ISF),
        ("nordic-2015", Interpretation.CHASE_AS_ISF),
        ("travel-2017", Interpretation.CHASE_AS_ISF),
        ("isf", Interpretation.RUNNING_CHASE),
    ],
)
def test_deciding_interpretation_is_cited(rules: str, reading: Interpretation) -> None:
    chase = Chase(FACING, EDITIONS[rules])
    chase.play(ROUND)

    found = chase.position.find_violation(square("e5"), square("e6"))

    assert found
    assert found.fault is ViolationKind.CHASE_REPEATS
    assert found.citation.reading is reading
    assert "our reading" in str(found)
    assert ("art. 11" in str(found)) == (rules == "isf")


@each("rules", ["compact-1992", "original-1992"])
def test_older_editions_lack_more_squares(rules: str) -> None:
    chase = Chase(FACING, EDITIONS[rules])
    chase.play(ROUND)

    assert chase.repeats("e5-e6") is None
    assert not EDITIONS[rules].more_squares


def test_chase_positions_are_returned_up_to_the_limit() -> None:
    past = (b"latest", (b"before", (b"first", None)))

    assert recent_positions(past, 2) == (b"latest", b"before")
    assert recent_positions(past, 9) == (b"latest", b"before", b"first")
    assert recent_positions(None, 2) == ()
