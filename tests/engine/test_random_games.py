"""Random games in both editions, judged by the engine and by the slow second referee at once.

A few hundred games are tried; see `examples` for how to try many more.
"""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.editions import EDITIONS, Edition
from engine.ranks import ORIGINAL, Army, Rank
from tests.engine.examples import examples
from tests.engine.games import Game, shuffled

seeds = st.integers(0, 2**32 - 1)
editions = pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
MOVABLE = [rank for rank in Rank if rank not in (Rank.FLAG, Rank.BOMB)]


def play(
    army: Army, edition: Edition, seed: int, plies: int, rows: int, *, peaceful: bool = False
) -> Game:
    chance = random.Random(seed)
    edition = replace(edition, army=army)
    game = Game(shuffled(army, chance, rows), edition, chance, peaceful=peaceful)
    game.play(plies)
    game.compare_all_verdicts()
    game.replayed()
    return game


@editions
@given(seeds, st.integers(0, 150))
@examples(8)
def test_whole_armies(edition: Edition, seed: int, plies: int) -> None:
    play(ORIGINAL, edition, seed, plies, rows=4)


@editions
@given(
    seeds,
    st.lists(st.sampled_from(MOVABLE), min_size=1, max_size=4),
    st.integers(0, 2),
    st.integers(0, 150),
)
@examples(40)
def test_few_pieces_to_the_end(
    edition: Edition, seed: int, movable: list[Rank], bombs: int, plies: int
) -> None:
    counts = Counter([Rank.FLAG, *movable, *[Rank.BOMB] * bombs])
    play(Army("few", {rank: counts[rank] for rank in Rank}), edition, seed, plies, rows=2)


@editions
@given(seeds, st.lists(st.sampled_from(MOVABLE), min_size=1, max_size=3))
@examples(20)
def test_chases(edition: Edition, seed: int, movable: list[Rank]) -> None:
    counts = Counter([Rank.FLAG, *movable])
    army = Army("few", {rank: counts[rank] for rank in Rank})
    play(army, edition, seed, 80, rows=1, peaceful=True)


def test_such_chases_do_break_the_more_squares_rule() -> None:
    counts = Counter([Rank.FLAG, Rank.MINER, Rank.MAJOR])
    army = Army("few", {rank: counts[rank] for rank in Rank})
    refused: Counter[str] = Counter()
    for seed in range(20):
        refused += play(army, EDITIONS["isf"], seed, 80, rows=1, peaceful=True).refused

    assert refused["more-squares"] > 20, refused
    assert refused["two-squares"] > 20, refused


def test_such_games_come_to_every_end_that_moves_can_bring() -> None:
    """What the properties above claim about endings is about endings that happen."""
    ends: Counter[str] = Counter()
    armies = [
        Counter([Rank.FLAG, Rank.MINER, Rank.SCOUT]),
        Counter([Rank.FLAG, Rank.SPY, Rank.MARSHAL, Rank.BOMB]),
    ]
    for seed in range(24):
        counts = armies[seed % 2]
        army = Army("few", {rank: counts[rank] for rank in Rank})
        game = play(army, EDITIONS["isf"], seed, 150, rows=1)
        if game.obvious.ending:
            ends[game.obvious.ending[1]] += 1

    assert set(ends) >= {"flag-captured", "no-movable-piece", "both-immobile"}, ends
