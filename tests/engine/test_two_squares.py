"""Tests for the two forms of the two-squares rule (rules.md §7).

The rulebooks count moves between the same two squares, whereas the federation counts crossings of
the same square edge. The two forms are equivalent for pieces that move one square at a time.
"""

from dataclasses import replace

import pytest

from engine import IllegalActionError, Referee
from engine.board.geometry import line, names, set_of, square
from engine.game.actions import Attack, WithdrawAttack
from engine.game.rulings import Combat, Moved, Ruling
from engine.rules import repetition
from engine.rules.editions import EDITIONS, Edition, TwoSquaresForm
from engine.rules.rules import Interpretation, Rule, Violation, ViolationKind
from tests.engine.cases import each
from tests.engine.tables import BLUE, Setup, Table, way

FRONTIER = """
    10   .   .   .   .   .   .   .   .  bB  bF
     9   .   .   .   .   .   .   .   .  b2  b9
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b4   .   .  b5   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2   .   .   .  r9  r5   .   .   .  r4
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1   .   .   .   .   .   .   .   .  rB  rF
         a   b   c   d   e   f   g   h   i   k
"""
AROUND = {"b7": "b8", "b8": "b9", "b9": "c9", "c9": "c8", "c8": "c7", "c7": "b7"}
UP_AND_DOWN = {"b7": "b8", "b8": "b7"}

ISF = EDITIONS["isf"]
OLDER_ISF = replace(ISF, two_squares_limit=5)
RULEBOOK = EDITIONS["gravopedia-2006"]
OLDER_RULEBOOK = EDITIONS["original-1992"]

forms = each(
    "rules",
    [RULEBOOK, OLDER_RULEBOOK, ISF, OLDER_ISF],
    ids=["rulebook-3", "rulebook-5", "isf-3", "isf-5"],
)
rulebooks = each("rules", [e for e in EDITIONS.values() if e is not ISF])


def red_plays(table: Table, moves: str, walk: dict[str, str] | None = None) -> tuple[Ruling, ...]:
    """Play Red's moves, with moves of a blue piece in between. Return the rulings on the last
    move."""
    walk = walk or AROUND
    rulings: tuple[Ruling, ...] = ()
    for move in moves.split():
        if table.referee.to_move is BLUE:
            stands = next(
                s for s in walk if table.referee.position.board.side_at(square(s)) is BLUE
            )
            table.play(f"{stands}-{walk[stands]}")
        rulings = table.play(move)
    return rulings


def to_the_limit(rules: Edition, one: str, other: str) -> str:
    """Return as many back-and-forth moves as the rules allow. All limits are odd numbers."""
    there_and_back = [f"{one}-{other}", f"{other}-{one}"] * rules.two_squares_limit
    return " ".join(there_and_back[: rules.two_squares_limit])


def worn(rulings: tuple[Ruling, ...]) -> str | None:
    """Return the two squares named in the violation, or None if the move is legal."""
    ruling = rulings[0]
    if not isinstance(ruling, Violation):
        return None
    assert ruling.fault is ViolationKind.TO_AND_FRO
    return names(ruling.squares)


def free(table: Table, source: str, *targets: str) -> list[str]:
    """Return the squares among `targets` to which a piece may move."""
    position = table.referee.position
    return [t for t in targets if not position.find_violation(square(source), square(t))]


# -- common to both forms


@forms
def test_limit_exceeded(rules: Edition) -> None:
    table = Table.of(FRONTIER, rules=rules)

    assert worn(red_plays(table, to_the_limit(rules, "e4", "e5"))) is None
    assert worn(red_plays(table, "e5-e4")) == "e4 e5"


@forms
def test_violation_cites_rule_and_limit(rules: Edition) -> None:
    table = Table.of(FRONTIER, rules=rules)

    (ruling,) = red_plays(table, to_the_limit(rules, "e4", "e5") + " e5-e4")

    assert isinstance(ruling, Violation)
    assert ruling.count == rules.two_squares_limit
    assert ruling.citation == rules.cite(Rule.TWO_SQUARES)


def test_limits_of_editions() -> None:
    assert {e.id: e.two_squares_limit for e in EDITIONS.values()} == {
        "compact-1992": 5,
        "original-1992": 5,
        "gravopedia-2006": 3,
        "nordic-2015": 3,
        "travel-2017": 3,
        "isf": 3,
    }
    by_border = [e.id for e in EDITIONS.values() if e.recurrence is TwoSquaresForm.SAME_BORDER]
    assert by_border == ["isf"]
    assert ISF.limits == (3, 5)
    assert str(OLDER_RULEBOOK.cite(Rule.TWO_SQUARES)) == "Original Stratego 498"
    assert str(ISF.cite(Rule.TWO_SQUARES)) == "ISF game rules, art. 10"
    assert str(ISF.cite(Rule.MOVEMENT)) == "ISF game rules"


@forms
@each(
    "elsewhere",
    [
        "k4-k5",  # another piece
        "e5-e6 e6-e5",  # a third square
        "e5-f5 f5-e5",  # a third square, around the corner
        "a4-a8",  # a long move of another piece
    ],
)
def test_resets_of_the_count(rules: Edition, elsewhere: str) -> None:
    table = Table.of(FRONTIER, rules=rules)
    red_plays(table, to_the_limit(rules, "e4", "e5"))

    assert worn(red_plays(table, f"{elsewhere} e5-e4")) is None


@forms
def test_count_restarts_after_a_reset(rules: Edition) -> None:
    table = Table.of(FRONTIER, rules=rules)
    red_plays(table, "e4-e5 e5-e4 k4-k5")

    assert worn(red_plays(table, to_the_limit(rules, "e4", "e5"))) is None
    assert worn(red_plays(table, "e5-e4")) == "e4 e5"


@forms
def test_walk_around_four_squares_is_legal(rules: Edition) -> None:
    table = Table.of(FRONTIER, rules=rules)

    red_plays(table, "e4-e5 e5-e6 e6-f6 f6-f5 f5-e5 " + "e5-e6 e6-f6 f6-f5 f5-e5 " * 5)

    assert table.referee.plies == 2 * 25 - 1


@forms
def test_first_mover_must_stop_first(rules: Edition) -> None:
    table = Table.of(FRONTIER, rules=rules)
    red_plays(table, to_the_limit(rules, "e4", "e5"), UP_AND_DOWN)

    assert worn(red_plays(table, "e5-e4", UP_AND_DOWN)) == "e4 e5"
    assert worn(table.play("k4-k5")) is None
    assert worn(table.play("b8-b7")) == "b7 b8"


@forms
def test_refused_move_does_not_count(rules: Edition) -> None:
    table = Table.of(FRONTIER, rules=rules)
    red_plays(table, to_the_limit(rules, "e4", "e5"))

    assert worn(red_plays(table, "e5-e4")) == "e4 e5"
    assert worn(table.play("e5-e4")) == "e4 e5"
    assert worn(table.play("e5-f5")) is None


def test_taken_back_move_does_not_count() -> None:
    table = Table.of(FRONTIER, rules=ISF)
    red_plays(table, "e4-e5 e5-e4 e4-e5")
    table.take_back()
    table.play("e4-e5 b9-b8")

    assert worn(table.play("e5-e4")) == "e4 e5"
    for _ in range(2):
        table.take_back()
    assert worn(table.play("k4-k5 b9-b8 e4-e5")) is None


# -- differences between the two forms of the rule: scouts


@rulebooks
def test_third_square_beyond_is_free_by_squares(rules: Edition) -> None:
    table = Table.of(FRONTIER, rules=rules)
    red_plays(table, "a4-a5 k4-k5 " + to_the_limit(rules, "a5", "a6"))
    table.play("k9-k8")

    assert free(table, "a6", "a5", "a4", "a3", "a1", "a7", "b6") == ["a4", "a3", "a1", "a7", "b6"]
    assert worn(table.play("a6-a5")) == "a5 a6"
    assert worn(table.play("a6-a4")) is None


@each("rules", [ISF, OLDER_ISF], ids=["isf-3", "isf-5"])
def test_third_square_beyond_is_barred_by_borders(rules: Edition) -> None:
    table = Table.of(FRONTIER, rules=rules)
    red_plays(table, "a4-a5 k4-k5 " + to_the_limit(rules, "a5", "a6"))
    table.play("k9-k8")

    assert free(table, "a6", "a5", "a4", "a3", "a1", "a7", "b6") == ["a7", "b6"]
    assert worn(table.play("a6-a4")) == "a5 a6"


@each("rules", [RULEBOOK, ISF], ids=["rulebook", "isf"])
def test_refusal_text(rules: Edition) -> None:
    game = Referee(replace(rules, army=Setup.parse(FRONTIER).army), board=FRONTIER)
    for move in ("a4-a6", "k9-k8", "a6-a4", "i9-i8", "a4-a6", "k8-k9"):
        game.push(move)

    with pytest.raises(IllegalActionError) as refused:
        game.push("a6-a4")

    squares = "a4 a5" if rules is ISF else "a4 a6"
    assert str(refused.value) == (
        f"the piece has moved back and forth too often in a row ({squares}) – two-squares, "
        f"{rules.cite(Rule.TWO_SQUARES)}" + _reading_of(rules)
    )


def _reading_of(rules: Edition) -> str:
    read = Interpretation.SCOUT_BORDERS if Interpretation.SCOUT_BORDERS in rules.readings else None
    return f"; our reading: {read.meaning}" if read else ""


STOPS = [
    # After moving from a4 to a8, a5 and a9, the piece may return as far as a8.
    ("a4-a8 a8-a5 a5-a9", ["a9-a8", "a9-a10", "a9-b9"], ["a9-a7", "a9-a6", "a9-a5", "a9-a2"]),
    # After a4, a8, a5, a7, the piece may move on or sideways, but not return.
    ("a4-a8 a8-a5 a5-a7", ["a7-a8", "a7-a10", "a7-b7"], ["a7-a6", "a7-a5", "a7-a1"]),
    # the same moves in the opposite direction
    ("a4-a9 k4-k5 a9-a5 a5-a8 a8-a4", ["a4-a5", "a4-a1"], ["a4-a6", "a4-a9", "a4-a10"]),
    # two short moves across a border that a long move then crosses as well
    ("a4-a5 a5-a4 a4-a9", ["a9-a8", "a9-a5"], ["a9-a4", "a9-a1"]),
    # Two moves in the same direction are not back and forth.
    ("a4-a5 a5-a6 a6-a5 a5-a4", ["a4-a5", "a4-a6", "a4-a10"], []),
]


@each(("stops", "allowed", "forbidden"), STOPS)
def test_part_of_a_long_move_is_barred_by_borders(
    stops: str, allowed: list[str], forbidden: list[str]
) -> None:
    table = Table.of(FRONTIER, rules=ISF)
    walk = {"e7": "e6", "e6": "f6", "f6": "f7", "f7": "e7"}
    red_plays(table, stops, walk)
    table.play("k9-k8")

    for move in forbidden:
        assert worn(table.play(move)) is not None, move
    for move in allowed:
        assert table.referee.find_violation(*way(move)) is None, move


@each(("stops", "allowed", "forbidden"), STOPS)
def test_long_moves_are_free_by_squares(
    stops: str, allowed: list[str], forbidden: list[str]
) -> None:
    """No pair of squares occurs often enough to reach the limit."""
    table = Table.of(FRONTIER, rules=RULEBOOK)
    red_plays(table, stops, {"e7": "e6", "e6": "f6", "f6": "f7", "f7": "e7"})
    table.play("k9-k8")

    for move in allowed + forbidden:
        assert table.referee.find_violation(*way(move)) is None, move


def test_limit_of_six_crossings() -> None:
    table = Table.of(FRONTIER, rules=OLDER_ISF)

    assert worn(red_plays(table, "a4-a8 a8-a5 a5-a9 a9-a5 a5-a7")) is None
    table.play("k9-k8")
    assert free(table, "a7", "a6", "a5", "a1", "a8", "a10") == ["a8", "a10"]


# -- attacks


def test_attack_counts_as_a_crossing() -> None:
    table = Table.of(FRONTIER)
    table.play("k4-k5 e7-e6 e4-e5 b7-b8 e5-e4 e6-e5")

    assert isinstance(table.play("e4xe5")[-1], Combat)  # the third crossing
    table.play("b8-b9")
    assert worn(table.play("e5-e4")) == "e4 e5"


def test_attack_may_exceed_the_limit() -> None:
    table = Table.of(FRONTIER)
    table.play("e4-e5 b7-b8 e5-f5 e7-e6 f5-e5 b8-b9 e5-f5 e6-e5")

    assert worn(table.play("f5xe5")) == "e5 f5"
    assert table.referee.open_attack is None
    assert isinstance(table.play("f4-e4")[0], Moved)


def test_withdrawn_attack_is_no_crossing() -> None:
    table = Table.of(FRONTIER)
    table.play("k4-k5 e7-e6 e4-e5 b7-b8 e5-e4 e6-e5")

    for _ in range(3):
        table.referee.apply(Attack(square("e4"), square("e5")))
        table.referee.apply(WithdrawAttack())

    assert isinstance(table.play("e4xe5")[-1], Combat)


def cited(rulings: tuple[Ruling, ...]) -> Interpretation | None:
    (ruling,) = rulings
    assert isinstance(ruling, Violation)
    assert ruling.fault is ViolationKind.TO_AND_FRO
    return ruling.citation.reading


@each(
    ("rules", "reading"),
    [(RULEBOOK, Interpretation.ATTACK_IS_A_MOVE), (ISF, None)],
    ids=["book", "isf"],
)
@each(
    ("moves", "refused", "decides"),
    [
        # the attack is the first or the last of the moves that count
        ("k4-k5 e7-e6 k5-k6 e6-e5 e4xe5 b7-b8 e5-e4 b8-b9 e4-e5 b9-c9", "e5-e4", True),
        ("k4-k5 e7-e6 e4-e5 b7-b8 e5-e4 e6-e5 e4xe5 b8-b9", "e5-e4", True),
        # the attack is the refused move
        ("e4-e5 b7-b8 e5-f5 e7-e6 f5-e5 b8-b9 e5-f5 e6-e5", "f5xe5", True),
        # none of the moves that count is an attack
        ("e4-e5 b7-b8 e5-e4 b8-b9 e4-e5 b9-c9", "e5-e4", False),
        (
            "k4-k5 e7-e6 k5-k6 e6-e5 e4xe5 b7-b8 e5-f5 b8-b9 f5-e5 b9-c9 e5-f5 c9-c8",
            "f5-e5",
            False,
        ),
    ],
)
def test_interpretation_is_cited_for_attacks(
    rules: Edition, reading: Interpretation | None, moves: str, refused: str, decides: bool
) -> None:
    table = Table.of(FRONTIER, rules=rules)
    table.play(moves)

    assert cited(table.play(refused)) is (reading if decides else None)


# -- traces


def pairs(trace: int) -> list[str]:
    """Return the names of the pairs of squares in a trace."""
    return [names(set_of(pair)) for bit, pair in enumerate(repetition._PAIRS) if trace >> bit & 1]


def test_pairs_of_squares_in_a_line() -> None:
    found = list(repetition._number_pairs())

    assert len(found) == len(set(found)) == 900
    assert all(one < other and line(one, other) for one, other in found)


@each(
    ("move", "joins", "crosses"),
    [
        ("a4-a5", ["a4 a5"], ["a4 a5"]),
        ("a5-a4", ["a4 a5"], ["a4 a5"]),
        ("a4-a7", ["a4 a7"], ["a4 a5", "a5 a6", "a6 a7"]),
        ("k1-h1", ["h1 k1"], ["h1 i1", "i1 k1"]),
        ("a4-b6", [], []),
        ("a4-a4", [], []),
    ],
)
def test_crossed_borders_of_a_move(move: str, joins: list[str], crosses: list[str]) -> None:
    source, target = way(move)

    assert pairs(repetition._joins(source)[target]) == joins
    assert sorted(pairs(repetition._crosses(source)[target])) == crosses
    if joins:
        assert (
            names(set_of(repetition.squares_of(repetition._crosses(source)[target]))) == crosses[0]
        )


def test_reported_run_length() -> None:
    before = (7, 3, 4, True, None)
    run = (7, 4, 5, False, before)

    assert repetition.recent_moves(run, 1) == ((4, 5, False),)
    assert repetition.recent_moves(run, 3) == ((4, 5, False), (3, 4, True))
    assert repetition.recent_moves(None, 3) == ()


def test_counted_moves_of_a_piece() -> None:
    table = Table.of(FRONTIER, rules=RULEBOOK)
    (violation,) = red_plays(table, "a4-a5 e4-e5 e5-e4 e4-e5 e5-e4")
    assert isinstance(violation, Violation)
    position = table.referee.position
    counted = [way("e4-e5"), way("e5-e4"), way("e4-e5")]
    assert repetition.repeated_moves(violation, position.own_run, position.past) == counted


def test_other_violations_count_no_moves() -> None:
    table = Table.of(FRONTIER, rules=RULEBOOK)
    (violation,) = red_plays(table, "e4-e5 e5-c7")
    assert isinstance(violation, Violation)
    position = table.referee.position
    assert repetition.repeated_moves(violation, position.own_run, position.past) == []
