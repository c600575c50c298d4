"""Compare the editions and the deductions with those of the slow second referee.

`test_plies` plays whole games with both referees, and `make plies` plays many more games.
"""

import random
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.board.ranks import Army, Rank
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty, TwoSquaresForm
from tests import reference
from tests.engine.cases import in_every_edition
from tests.engine.examples import examples
from tests.engine.games import Game, shuffled
from tests.engine.random_plan import MOVABLE

seeds = st.integers(0, 2**32 - 1)


def army_of(ranks: list[Rank]) -> Army:
    counts = Counter(ranks)
    return Army("few", {rank: counts[rank] for rank in Rank})


@in_every_edition
def test_second_referee_agrees_on_editions(edition: Edition) -> None:
    armies = {
        army.name: {rank.name.lower(): count for rank, count in army.counts.items() if count}
        for army in edition.armies
    }
    row = reference.EDITIONS[edition.id]
    assert armies == {
        name: {rank: count for rank, count in reference.ARMIES[name].items() if count}
        for name in row.armies
    }
    assert (edition.limits or (edition.two_squares_limit,)) == row.limits
    assert edition.two_squares_limit == row.limits[0]
    assert (edition.recurrence is TwoSquaresForm.SAME_BORDER) == row.by_borders
    assert edition.more_squares == row.more_squares
    choices = edition.moved_bomb_choices or (edition.moved_bomb,)
    assert tuple(choice is MovedBombPenalty.LOSES for choice in choices) == row.moved_bomb_loses
    assert edition.moved_bomb is choices[0]
    assert edition.both_immobile_draw == row.both_immobile_draw


def test_all_editions_are_played() -> None:
    assert list(EDITIONS) == list(reference.EDITIONS)


@given(seeds, st.lists(st.sampled_from([*MOVABLE, Rank.INFILTRATOR]), max_size=4), st.booleans())
@examples(20)
def test_proved_ranks_equal_brute_force(seed: int, others: list[Rank], silent: bool) -> None:
    """Compare the ranks deduced by both referees with a full enumeration."""
    chance = random.Random(seed)
    army = army_of([Rank.FLAG, Rank.INFILTRATOR, *others])
    edition = replace(EDITIONS["nordic-2015"], army=army, silent_defence=silent)
    game = Game(shuffled(army, chance, rows=2, columns=4), edition, chance)
    for _ in range(8):
        for side, pieces in game.reference_game.knowledge.armies.items():
            ranks = [piece.rank for piece in pieces]
            facts = [game.reference_game.facts[piece] for piece in pieces]
            tried = reference.possible_ranks_by_trying(ranks, facts)
            assert list(game.reference_game.possible(side).values()) == tried
        game.compare_deductions()
        game.play(12)
