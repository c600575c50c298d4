"""Preset setups are legal and playable."""

import random

import pytest

from companion.setups.setup import NamedSetup, Setup, preset_setups
from engine.board.geometry import LAKES, NEIGHBOURS, Side
from engine.board.ranks import DUEL, INFILTRATOR, MOVABLE, ORIGINAL, Army, Rank
from engine.rules.editions import EDITIONS
from engine.rules.setup import Placed, find_faults

ALL = preset_setups(ORIGINAL)
ARMIES = {army.name: army for edition in EDITIONS.values() for army in edition.armies}
SMALL = {name: preset_setups(army) for name, army in ARMIES.items() if army.size < ORIGINAL.size}


def flag(setup: Setup) -> int:
    (square,) = (square for square, rank in setup.ranks.items() if rank is Rank.FLAG)
    return square


def test_twelve_presets_per_full_army() -> None:
    assert len(ALL) == len(preset_setups(INFILTRATOR)) == 12
    assert len({named.name for named in ALL}) == 12
    assert len({str(named.setup) for named in ALL}) == 12


@pytest.mark.parametrize("named", ALL, ids=lambda named: named.name)
class TestEverySetup:
    def test_preset_is_a_full_army(self, named: NamedSetup) -> None:
        edition = EDITIONS["isf"]
        pieces = [
            Placed(square, side, rank)
            for side in Side
            for square, rank in named.setup.on_squares_of(side).items()
        ]
        assert not find_faults(edition, pieces)

    def test_preset_has_a_description(self, named: NamedSetup) -> None:
        assert named.use.endswith(".")
        assert named.use.count(".") == 1

    def test_preset_flag_is_in_the_back_row(self, named: NamedSetup) -> None:
        assert flag(named.setup) < 10

    def test_preset_has_a_first_move(self, named: NamedSetup) -> None:
        assert any(
            MOVABLE >> rank & 1 and not LAKES >> square + 10 & 1
            for square, rank in named.setup.ranks.items()
            if square >= 30
        )

    def test_preset_blocks_at_most_one_piece(self, named: NamedSetup) -> None:
        """At most one movable piece stays blocked after all the others have moved away."""
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
def test_preset_flag_matches_its_description(name: str, bombs: int) -> None:
    (named,) = (each for each in ALL if each.name == name)
    around = [n for n in NEIGHBOURS[flag(named.setup)] if n < 40]
    assert sum(named.setup.ranks[n] is Rank.BOMB for n in around) == bombs


def test_four_presets_per_short_game() -> None:
    assert {name: len(found) for name, found in SMALL.items()} == {"duel": 4, "barrage": 4}
    small = [each for found in SMALL.values() for each in found]
    assert len({each.name for each in (*ALL, *small)}) == 20
    assert len({str(each.setup) for each in small}) == 8


@pytest.mark.parametrize(
    ("army", "named"),
    [
        pytest.param(ARMIES[name], each, id=f"{name}: {each.name}")
        for name, found in SMALL.items()
        for each in found
    ],
)
class TestEverySmallSetup:
    def test_preset_is_legal_in_all_editions(self, army: Army, named: NamedSetup) -> None:
        pieces = [
            Placed(square, side, rank)
            for side in Side
            for square, rank in named.setup.on_squares_of(side).items()
        ]
        for edition in EDITIONS.values():
            if army in edition.armies:
                assert not find_faults(edition.with_army(army.name), pieces), edition.id

    def test_preset_has_a_description(self, army: Army, named: NamedSetup) -> None:
        assert army.size == len(named.setup.ranks)
        assert named.use.endswith(".")
        assert named.use.count(".") == 1

    def test_short_preset_blocks_no_piece(self, army: Army, named: NamedSetup) -> None:
        ranks = named.setup.ranks
        assert army.size == len(ranks)
        for square, rank in ranks.items():
            ways = [n for n in NEIGHBOURS[square] if n not in ranks and not LAKES >> n & 1]
            assert ways or not MOVABLE >> rank & 1


@pytest.mark.parametrize(
    ("name", "bombs"), [("Guarded corner", 2), ("Two bombs", 1), ("Lone flag", 0), ("Decoy", 0)]
)
def test_short_preset_flag_matches_its_description(name: str, bombs: int) -> None:
    (named,) = (each for found in SMALL.values() for each in found if each.name == name)
    ranks = named.setup.ranks
    around = [ranks.get(n) for n in NEIGHBOURS[flag(named.setup)]]
    assert around.count(Rank.BOMB) == bombs


def test_illegal_short_preset_is_found() -> None:
    (named, *_) = preset_setups(DUEL)
    free = next(n for n in range(40) if n not in named.setup.ranks)
    ranks = {**named.setup.ranks, free: Rank.BOMB}
    pieces = [Placed(square, Side.RED, rank) for square, rank in ranks.items()]
    assert find_faults(EDITIONS["isf"].with_army(DUEL.name), pieces)


def test_infiltrator_is_replaced_by_a_scout() -> None:
    fort, with_infiltrator = (preset_setups(army)[0].setup for army in (ORIGINAL, INFILTRATOR))
    differing = {n for n in fort.ranks if fort.ranks[n] is not with_infiltrator.ranks[n]}
    (where,) = differing
    assert (fort.ranks[where], with_infiltrator.ranks[where]) == (Rank.SCOUT, Rank.INFILTRATOR)


@pytest.mark.parametrize("army", SMALL)
def test_short_preset_squares_reveal_no_rank(army: str) -> None:
    """No occupied square holds the same rank in all setups and variations."""
    dice = random.Random(army)
    found: dict[frozenset[int], dict[int, set[Rank]]] = {}
    names: dict[frozenset[int], set[str]] = {}
    for named in SMALL[army]:
        for _ in range(200):
            ranks = named.varied(dice).setup.ranks
            standing = frozenset(ranks)
            names.setdefault(standing, set()).add(named.name)
            for square, rank in ranks.items():
                found.setdefault(standing, {}).setdefault(square, set()).add(rank)
    assert all(len(ranks) > 1 for possible in found.values() for ranks in possible.values())
    assert all(len(chosen) == len(SMALL[army]) for chosen in names.values())


@pytest.mark.parametrize("name", [each.name for found in SMALL.values() for each in found])
def test_variations_of_a_preset(name: str) -> None:
    (named,) = (each for found in SMALL.values() for each in found if each.name == name)
    dice = random.Random(1)
    varied = [named.varied(dice).setup for _ in range(50)]
    assert len({str(each) for each in varied}) > 2
    assert {flag(each) for each in varied} == {flag(named.setup), flag(named.setup.mirrored())}
    bombs = {sum(rank is Rank.BOMB for rank in each.ranks.values()) for each in varied}
    assert len(bombs) == 1
    for each in varied:
        assert sorted(each.ranks.values()) == sorted(named.setup.ranks.values())


def test_full_setup_has_no_variations() -> None:
    assert all(named.varied(random.Random(1)) == named for named in ALL)
