"""The setups that everybody can choose from are setups that one can play with."""

import pytest

from companion.setups.known_setups import known_setups
from companion.setups.setup import Setup
from companion.setups.setup_file import NamedSetup
from engine.legality.setup import Placed, find_faults
from engine.ranks import BARRAGE, DUEL, INFILTRATOR, MOVABLE, ORIGINAL, Rank
from engine.rulebook.editions import EDITIONS
from engine.sides import Side
from engine.squares import LAKES, NEIGHBOURS

ALL = known_setups(ORIGINAL)


def flag(setup: Setup) -> int:
    (square,) = (square for square, rank in setup.ranks.items() if rank is Rank.FLAG)
    return square


def test_there_are_a_dozen_of_them_for_each_army_of_forty() -> None:
    assert len(ALL) == len(known_setups(INFILTRATOR)) == 12
    assert len({named.name for named in ALL}) == 12
    assert len({str(named.setup) for named in ALL}) == 12


@pytest.mark.parametrize("named", ALL, ids=lambda named: named.name)
class TestEverySetup:
    def test_is_a_whole_army_in_its_rows(self, named: NamedSetup) -> None:
        edition = EDITIONS["isf"]
        pieces = [
            Placed(square, side, rank)
            for side in Side
            for square, rank in named.setup.on_squares_of(side).items()
        ]
        assert not find_faults(edition, pieces)

    def test_says_what_it_is_good_for_in_one_sentence(self, named: NamedSetup) -> None:
        assert named.use.endswith(".")
        assert named.use.count(".") == 1

    def test_has_its_flag_in_the_back_row(self, named: NamedSetup) -> None:
        assert flag(named.setup) < 10

    def test_lets_a_piece_move_at_once(self, named: NamedSetup) -> None:
        assert any(
            MOVABLE >> rank & 1 and not LAKES >> square + 10 & 1
            for square, rank in named.setup.ranks.items()
            if square >= 30
        )

    def test_walls_in_no_more_than_a_decoy(self, named: NamedSetup) -> None:
        """Whatever else can move finds a way out once the others have moved."""
        ranks = named.setup.ranks
        reached = {n for n in range(30, 40) if not LAKES >> n + 10 & 1 and MOVABLE >> ranks[n] & 1}
        ways = list(reached)
        while ways:
            for beside in NEIGHBOURS[ways.pop()]:
                if beside < 40 and beside not in reached and MOVABLE >> ranks[beside] & 1:
                    reached.add(beside)
                    ways.append(beside)
        assert sum(bool(MOVABLE >> rank & 1) for rank in ranks.values()) - len(reached) <= 1


@pytest.mark.parametrize(
    ("name", "bombs"), [("Corner fort", 2), ("Wall in the middle", 3), ("Open flag", 0)]
)
def test_the_flag_stands_as_its_sentence_says(name: str, bombs: int) -> None:
    (named,) = (each for each in ALL if each.name == name)
    around = [n for n in NEIGHBOURS[flag(named.setup)] if n < 40]
    assert sum(named.setup.ranks[n] is Rank.BOMB for n in around) == bombs


def test_small_armies_are_offered_only_what_fits() -> None:
    for army in (DUEL, BARRAGE):
        assert all(named.setup.fits(army) for named in known_setups(army))


def test_an_infiltrator_is_a_scout_where_there_is_none() -> None:
    fort, with_infiltrator = (known_setups(army)[0].setup for army in (ORIGINAL, INFILTRATOR))
    differing = {n for n in fort.ranks if fort.ranks[n] is not with_infiltrator.ranks[n]}
    (where,) = differing
    assert (fort.ranks[where], with_infiltrator.ranks[where]) == (Rank.SCOUT, Rank.INFILTRATOR)
