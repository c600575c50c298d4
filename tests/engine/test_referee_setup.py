"""Tests for setting up the armies under the rules of each edition (rules.md §3)."""

import pytest

from engine.board.geometry import names, set_of, square
from engine.board.ranks import DUEL, ORIGINAL, Rank
from engine.game.actions import PlaceArmies
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import ArmiesPlaced
from engine.rules.editions import DEFAULT, EDITIONS
from engine.rules.rules import Citation, Rule, Violation, ViolationKind
from engine.rules.setup import Placed, find_faults
from tests.engine.cases import each
from tests.engine.tables import BLUE, RED, SKIRMISH, Setup, moment


def test_red_begins() -> None:
    setup = Setup.parse(SKIRMISH)
    referee = Referee.waiting(setup.edition())
    assert (referee.phase, referee.plies, referee.actions) == (Phase.SETUP, 0, [])

    assert referee.apply(setup.placing) == (ArmiesPlaced(),)

    assert (referee.phase, referee.to_move, referee.plies) == (Phase.PLAY, RED, 0)
    assert referee.actions == [setup.placing]
    assert referee.position.board.red == setup.placing.red
    assert referee.position.board.blue == setup.placing.blue


def test_full_armies_fill_their_rows() -> None:
    for edition in EDITIONS.values():
        referee = Referee.waiting(edition)
        assert referee.apply(PlaceArmies(RED.home, BLUE.home)) == (ArmiesPlaced(),)
    assert DEFAULT.army is ORIGINAL


def test_all_setup_faults_are_reported() -> None:
    setup = Setup.parse(SKIRMISH)
    referee = Referee.waiting(setup.edition())
    red = setup.placing.red ^ set_of(map(square, ["a1", "c5", "c6"]))
    blue = setup.placing.blue ^ set_of(map(square, ["a10", "a4"]))

    rulings = referee.apply(PlaceArmies(red, blue))

    assert [(r.fault, names(r.squares)) for r in rulings if isinstance(r, Violation)] == [
        (ViolationKind.WRONG_COUNT, names(red)),
        (ViolationKind.OUTSIDE_HOME, "a4"),
        (ViolationKind.ON_LAKE, "c5 c6"),
    ]
    assert {r.fault.rule for r in rulings if isinstance(r, Violation)} == {Rule.SETUP}
    assert {r.citation for r in rulings if isinstance(r, Violation)} == {
        Citation("Small rulebook", Rule.SETUP)
    }
    assert (referee.phase, referee.actions, referee.position.board.occupied) == (Phase.SETUP, [], 0)

    assert referee.apply(setup.placing) == (ArmiesPlaced(),)


@each("missing", [0, 1, 2])
def test_missing_or_surplus_piece(missing: int) -> None:
    referee = Referee.waiting(EDITIONS["isf"])
    red = RED.home & ~(1 << 5) if missing & 1 else RED.home
    blue = BLUE.home & ~(1 << 95) if missing & 2 else BLUE.home

    rulings = referee.apply(PlaceArmies(red, blue))

    citation = Citation("ISF game rules", Rule.SETUP)
    expected = [
        Violation(ViolationKind.WRONG_COUNT, squares, citation, count=39, side=side)
        for side, squares in ((RED, red), (BLUE, blue))
        if squares != side.home
    ]
    assert rulings == (tuple(expected) or (ArmiesPlaced(),))


# -- all faults combined, with and without ranks

DUEL_SETUP = """
    10  bF  bB   .   .   .   .   .   .   .   .
     9  b1  b2  b2   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7  b3  b3  bB  b9 b10   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r3  r3  rB  r9 r10   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2  r1  r2  r2   .   .   .   .   .   .   .
     1  rF  rB   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
ISF_DUEL = EDITIONS["isf"].with_army("duel")


def placed(drawn: str = DUEL_SETUP, *, known: bool = True) -> list[Placed]:
    """Return the pieces on a drawn board, with their ranks if `known`."""
    pieces = Setup.parse(drawn).pieces.items()
    return [Placed(place, side, rank if known else None) for place, (side, rank) in pieces]


def faults(pieces: list[Placed]) -> list[tuple[ViolationKind, str]]:
    found = find_faults(ISF_DUEL, pieces)
    assert {str(violation.citation) for violation in found} <= {"ISF game rules"}
    assert {violation.citation.rule for violation in found} <= {Rule.SETUP}
    return [(violation.fault, names(violation.squares)) for violation in found]


@each("known", [True, False])
def test_duel_setup_anywhere_in_home_rows(known: bool) -> None:
    assert faults(placed(known=known)) == []
    assert ISF_DUEL.army is DUEL


def test_wrong_ranks_in_an_army() -> None:
    """Both sides have a third miner. Red lacks a scout, and Blue lacks the flag."""
    drawn = DUEL_SETUP.replace(" r1  r2  r2", " r1  r2  r3").replace("bF", "b3")

    assert faults(placed(drawn)) == [
        (ViolationKind.WRONG_ARMY, "b2 c2 a4 b4"),
        (ViolationKind.WRONG_ARMY, "a7 b7 a10"),
    ]
    assert faults(placed(drawn, known=False)) == [], "unknown ranks are not faults"
    counted = [
        (violation.side, violation.count) for violation in find_faults(ISF_DUEL, placed(drawn))
    ]
    assert counted == [(RED, DUEL.size), (BLUE, DUEL.size)]


def test_piece_outside_its_rows() -> None:
    drawn = DUEL_SETUP.replace("6   .", "6  bF").replace("bF  bB", " .  bB")

    (violation,) = find_faults(ISF_DUEL, placed(drawn))

    assert (violation.fault, names(violation.squares)) == (ViolationKind.OUTSIDE_HOME, "a6")
    assert violation.side is BLUE


def test_pieces_sharing_a_square() -> None:
    """Two red pieces share a1, and a red piece shares a10 with the blue flag."""
    pieces = [piece for piece in placed() if piece.square not in (square("a2"), square("b1"))]
    pieces += [Placed(square("a1"), RED, Rank.SPY), Placed(square("a10"), RED, Rank.BOMB)]

    assert faults(pieces) == [
        (ViolationKind.OUTSIDE_HOME, "a10"),
        (ViolationKind.SHARED_SQUARE, "a1 a10"),
    ]


def test_many_faults_at_once() -> None:
    ranks = {square("e4"): square("h6"), square("a2"): square("e8"), square("b10"): square("d5")}
    pieces = [
        Placed(ranks.get(piece.square, piece.square), piece.side, piece.rank) for piece in placed()
    ]
    pieces.append(Placed(square("h6"), RED, Rank.SPY))

    red = names(set_of(piece.square for piece in pieces if piece.side is RED))
    assert faults(pieces) == [
        (ViolationKind.WRONG_COUNT, red),
        (ViolationKind.OUTSIDE_HOME, "e8"),
        (ViolationKind.ON_LAKE, "d5 h6"),
        (ViolationKind.SHARED_SQUARE, "h6"),
    ]


def test_missing_army() -> None:
    assert faults([]) == [(ViolationKind.WRONG_COUNT, ""), (ViolationKind.WRONG_COUNT, "")]


def test_surplus_piece() -> None:
    """One of Red's 41 pieces is in front of its rows, and one of Blue's pieces is on a lake."""
    referee = Referee.waiting(EDITIONS["isf"])
    before = moment(referee)
    red = RED.home | 1 << square("f5")
    blue = BLUE.home ^ set_of(map(square, ["k10", "g6"]))

    rulings = referee.apply(PlaceArmies(red, blue))

    assert [(r.fault, names(r.squares)) for r in rulings if isinstance(r, Violation)] == [
        (ViolationKind.WRONG_COUNT, names(red)),
        (ViolationKind.OUTSIDE_HOME, "f5"),
        (ViolationKind.ON_LAKE, "g6"),
    ]
    assert (moment(referee), referee.actions) == (before, [])
    assert referee.apply(PlaceArmies(RED.home, BLUE.home)) == (ArmiesPlaced(),)


@each(
    ("id", "armies"),
    [
        ("compact-1992", "original"),
        ("original-1992", "original"),
        ("gravopedia-2006", "original duel"),
        ("nordic-2015", "infiltrator original duel"),
        ("travel-2017", "original duel"),
        ("isf", "original duel barrage"),
    ],
)
def test_armies_of_editions(id: str, armies: str) -> None:  # noqa: A002
    edition = EDITIONS[id]

    assert [army.name for army in edition.armies] == armies.split()
    assert edition.army is edition.armies[0]
    with pytest.raises(
        ValueError, match=f"{edition.rulebook}: expected the army .*, found 'grand'"
    ):
        edition.with_army("grand")
