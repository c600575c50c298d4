"""Tests for game endings, each with the rule on which it is based (rules.md §9)."""

from dataclasses import replace

import pytest

from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import GameOver, Reason, StalemateClaimed
from engine.game.views import public_view
from engine.rules.editions import EDITIONS, Edition
from engine.rules.rules import Citation, Interpretation, Rule, Violation, ViolationKind
from tests.engine.cases import each, in_every_edition
from tests.engine.tables import BLUE, CORNER, POCKETS, RED, Table, way

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


def test_flag_capture() -> None:
    table = Table.of(ENDS)

    assert table.play("a4xa10")[-1] == GameOver(RED, Reason.FLAG_CAPTURED)

    assert ending(table) == GameOver(RED, Reason.FLAG_CAPTURED)
    assert table.referee.position.player(BLUE).captured == {Rank.FLAG: 1}
    assert table.referee.position.board.side_at(square("a10")) is RED


def test_no_legal_moves_after_the_end() -> None:
    table = Table.of(ENDS)
    table.play("a4xa10")

    violation = table.referee.find_violation(*way("k7 k6"))

    assert violation == Violation(
        ViolationKind.GAME_IS_OVER,
        set_of(way("k7 k6")),
        Citation("Small rulebook", Rule.OUT_OF_TURN),
    )
    assert violation.fault.rule is Rule.OUT_OF_TURN


def test_both_lose_their_last_movable_piece() -> None:
    table = Table.of(ENDS)
    table.play("f4-f5 f7-f6 f5xf6")
    assert ending(table) is None
    table.play("k7-k4")

    assert table.play("a4xk4")[-1] == GameOver(None, Reason.BOTH_IMMOBILE)


@each("winner", Side)
def test_one_side_loses_its_last_movable_piece(winner: Side) -> None:
    """The scouts capture each other. Then one general attacks the other side's bomb."""
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


@each("loser", Side)
@each("attack", [False, True])
def test_resignation(loser: Side, attack: bool) -> None:
    table = Table.of(ENDS)
    if attack:
        table.referee.apply(actions.Attack(*way("a4 a10")))

    rulings = table.referee.apply(actions.Resign(loser))

    assert rulings == (GameOver(loser.other, Reason.RESIGNATION),)
    assert ending(table) == rulings[0]
    assert table.referee.open_attack is None


@each("attack", [False, True])
def test_agreed_draw(attack: bool) -> None:
    table = Table.of(ENDS)
    if attack:
        table.referee.apply(actions.Attack(*way("a4 a10")))

    assert table.referee.apply(actions.AgreeDraw()) == (GameOver(None, Reason.AGREED_DRAW),)
    assert table.referee.open_attack is None
    assert ending(table)


@each("moves", ["", "f4-f5"])
def test_side_that_cannot_move_loses(moves: str) -> None:
    table = Table.of(ENDS)
    table.play(moves)
    stuck = table.referee.to_move

    rulings = table.referee.apply(actions.ClaimStalemate())

    if not moves:
        assert rulings == (StalemateClaimed(stuck.other),), (
            "it is not known whether the opponent can move"
        )
        return
    assert rulings == (GameOver(stuck.other, Reason.NO_LEGAL_MOVE),)
    assert ending(table) == rulings[0]


# -- stalemate

RED_SHUT_IN = "k4xk8 a7xa3 i4xi9 b7xb2 e4-e8 f7-f1 e8xk8 f1xb1"
BOTH_SHUT_IN = "k4xk8 a7xa3 i4xi9 b7xb2 e4-e10 f7-f1 e10xi10 f1xb1"


def cited(table: Table) -> tuple[str, Interpretation | None]:
    """Return the citation for the end of the game, and the interpretation if there is one."""
    outcome = table.referee.outcome
    assert outcome
    assert outcome.citation
    assert outcome.citation.rule is Rule.ENDING
    return str(outcome.citation), outcome.citation.reading


def place(edition: Edition) -> str:
    """Return the edition's article about the end of a game."""
    return f"{edition.rulebook}, art. 12" if edition.id == "isf" else edition.rulebook


@in_every_edition
def test_publicly_blocked_side_loses_without_a_claim(edition: Edition) -> None:
    """One of the pieces on a1 and a2 is the flag, and the other is enclosed."""
    table = Table.of(POCKETS, rules=edition)

    rulings = table.play(RED_SHUT_IN)

    assert rulings[-1] == StalemateClaimed(BLUE), "only Blue knows whether it can move"
    assert ending(table) is None
    assert table.referee.possible("a2") - {Rank.FLAG, Rank.BOMB}, "the piece may be movable"
    assert table.referee.actions[-1] != actions.ClaimStalemate(), "no claim was needed"


def test_unknown_pieces_prove_no_immobility() -> None:
    """The bomb on b1 has not been revealed. It might be the major, which could move to c1."""
    table = Table.of(POCKETS, rules=EDITIONS["original-1992"])
    table.play(RED_SHUT_IN.replace("f1xb1", "f1-f2"))

    assert ending(table) is None
    assert table.referee.find_violation(*way("b1 c1")) is None
    assert table.referee.apply(actions.ClaimStalemate()) == (GameOver(BLUE, Reason.NO_LEGAL_MOVE),)


@in_every_edition
def test_both_sides_blocked(edition: Edition) -> None:
    table = Table.of(POCKETS, rules=edition)

    rulings = table.play(BOTH_SHUT_IN)

    assert rulings[-1] == GameOver(None, Reason.BOTH_IMMOBILE)
    read = None if edition.id == "isf" else Interpretation.BOTH_SHUT_IN
    assert cited(table) == (place(edition), read)


def test_reason_for_a_blocked_side() -> None:
    table = Table.of(POCKETS)
    table.play(RED_SHUT_IN)

    def fault(move: str) -> ViolationKind:
        violation = table.referee.find_violation(*way(move))
        assert violation
        return violation.fault

    assert fault("b1 c1") is ViolationKind.IMMOBILE
    assert fault("a1 b1") is ViolationKind.ONTO_OWN_PIECE
    assert fault("k10 k9") is ViolationKind.NOT_YOUR_PIECE


@pytest.mark.parametrize("sides", [(RED, BLUE), (RED,)])
def test_known_ranks_prove_immobility(sides: tuple[Side, ...]) -> None:
    """The proof is complete one combat earlier if all ranks of the side to move are known."""
    table = Table.of(POCKETS)
    ranks = {at: rank for at, (side, rank) in table.setup.pieces.items() if side in sides}
    known = Referee.waiting(table.referee.edition, known=ranks)
    table.play(RED_SHUT_IN.removesuffix(" f1xb1") + " f1-f2")
    for action in table.referee.actions:
        if not isinstance(action, actions.Declare) or action.rank.owner not in sides:
            known.apply(action)

    assert ending(table) is None
    assert known.outcome == GameOver(BLUE, Reason.NO_LEGAL_MOVE)


@in_every_edition
def test_blocked_by_the_two_squares_rule(edition: Edition) -> None:
    """Red's scout can reach only two squares, and may cross the edge between them only a limited
    number of times."""
    table = Table.of(CORNER, rules=edition)
    there_and_back, walk = ["a1-b1", "b1-a1"], ["e7-e6", "e6-f6", "f6-f7", "f7-e7"]
    for n in range(edition.two_squares_limit):
        table.play(there_and_back[n % 2])
        assert ending(table) is None
        rulings = table.play(walk[n % 4])

    assert rulings[-1] == GameOver(BLUE, Reason.NO_LEGAL_MOVE)
    assert cited(table) == (place(edition), Interpretation.REPETITION_LOSES)
    worn = table.referee.find_violation(*way("b1 a1"))
    assert worn
    assert worn.fault is ViolationKind.TO_AND_FRO


def test_exhausted_border_stops_a_long_move() -> None:
    """A long move also crosses the edge that the scout must not cross again. The scout is therefore
    stuck, although there are two more squares along which it could move."""
    table = Table.of(LONG_CORNER, rules=EDITIONS["isf"])
    table.play("a1-b1 e7-e6 b1-a1 e6-f6 a1-b1 f6-f7")
    assert ending(table) is None, "from b1 the piece can move on to c1"
    table.take_back()
    table.take_back()
    table.play("a1-c1 f6-f7")

    assert ending(table) is None, "the border between b1 and c1 was crossed only once"
    table.play("c1-b1 f7-e7 b1-c1 e7-e6")

    assert ending(table) == GameOver(BLUE, Reason.NO_LEGAL_MOVE)


def test_third_square_is_free_by_squares() -> None:
    table = Table.of(LONG_CORNER, rules=EDITIONS["gravopedia-2006"])
    table.play("a1-b1 e7-e6 b1-a1 e6-f6 a1-b1 f6-f7 b1-c1 f7-e7 c1-b1 e7-e6 b1-c1 e6-f6")

    assert ending(table) is None
    assert [str(turn) for turn in table.referee.legal_moves()] == ["c1-a1"]


LONG_CORNER = """
    10   .   .   .   .   .   .   .   .  bB  bF
     9   .   .   .   .   .   .   .   .  bB  bB
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .  b2   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .   .   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2  rF  rB  rB   .   .   .   .   .   .   .
     1  r2   .   .  rB   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


# -- all movable pieces have fallen, under every rulebook


@in_every_edition
def test_no_movable_pieces_on_either_side(edition: Edition) -> None:
    table = Table.of(LAST_TWO, rules=edition)

    rulings = table.play("e4-e5 e7-e6 e5xe6")

    assert rulings[-1] == GameOver(None, Reason.BOTH_IMMOBILE), (
        "the game is a draw in every edition"
    )
    assert cited(table) == ("our reading", Interpretation.BOTH_SPENT), (
        "no rulebook covers this case"
    )


def test_aggressor_advantage_prevents_the_draw() -> None:
    rules = replace(EDITIONS["isf"], aggressor_advantage=True)
    table = Table.of(LAST_TWO, rules=rules)

    assert table.play("e4-e5 e7-e6 e5xe6")[-1] == GameOver(RED, Reason.NO_MOVABLE_PIECE)


LAST_TWO = """
    10   .   .   .   .   .   .   .   .   .  bF
     9   .   .   .   .   .   .   .   .   .  bB
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .  b5   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  r5   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2  rB   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


# -- which interpretation applies if a side is blocked by pieces or by a repetition rule


@in_every_edition
def test_interpretations_of_endings(edition: Edition) -> None:
    everywhere = {Interpretation.BOTH_SPENT, Interpretation.REPETITION_LOSES}
    about_the_end = {
        "compact-1992": everywhere | {Interpretation.BOTH_SHUT_IN, Interpretation.SHUT_IN_LOSES},
        "isf": everywhere,
    }
    elsewhere = everywhere | {Interpretation.BOTH_SHUT_IN}

    assert {reading for reading in edition.readings if reading.rule is Rule.ENDING} == (
        about_the_end.get(edition.id, elsewhere)
    )


# -- the clock and the arbiter


@in_every_edition
@each(
    ("action", "expected"),
    [
        (actions.TimeExpired(RED), GameOver(BLUE, Reason.TIME)),
        (actions.TimeExpired(BLUE), GameOver(RED, Reason.TIME)),
        (actions.TimeExpired(None), GameOver(None, Reason.TIME)),
        (actions.Forfeit(RED), GameOver(BLUE, Reason.FORFEIT)),
        (actions.Forfeit(BLUE), GameOver(RED, Reason.FORFEIT)),
        (actions.Forfeit(None), GameOver(None, Reason.FORFEIT)),
        (actions.Resign(BLUE), GameOver(RED, Reason.RESIGNATION)),
        (actions.AgreeDraw(), GameOver(None, Reason.AGREED_DRAW)),
    ],
)
def test_claimed_endings(edition: Edition, action: actions.Action, expected: GameOver) -> None:
    table = Table.of(LAST_TWO, rules=edition)

    assert table.referee.apply(action) == (expected,)
    assert ending(table) == expected
    outside = expected.reason in (Reason.TIME, Reason.FORFEIT)
    assert cited(table) == ("the organiser's rule" if outside else "a house rule", None)
    assert table.referee.actions[-1] == action


def test_double_loss_is_no_draw() -> None:
    """The view distinguishes a loss for both sides from a draw."""
    table = Table.of(LAST_TWO, rules=EDITIONS["isf"])
    table.referee.apply(actions.Forfeit(None))

    lines = str(public_view(table.referee)).splitlines()
    assert "over: both have lost" in lines
    table.take_back()
    table.referee.apply(actions.AgreeDraw())
    assert "over: draw" in str(public_view(table.referee)).splitlines()


def test_endings_are_equal_across_editions() -> None:
    one, other = (Table.of(LAST_TWO, rules=EDITIONS[edition]) for edition in ("isf", "travel-2017"))
    for table in (one, other):
        table.play("e4-e5 e7-e6 e5xe6")

    assert ending(one) == ending(other) == GameOver(None, Reason.BOTH_IMMOBILE)
