"""Games between the computer's difficulty levels.

Two games are played in every run, and hundreds in the campaign.
"""

import pytest

from engine import EDITIONS
from tests.campaigns import Campaign, slow_after_first
from tests.league.match import play
from tests.league.ratings import Score

opponent = Campaign("opponent", part=2, whole=200)
weakest = Campaign("opponent", part=0, whole=200)
EDITION = EDITIONS["original-1992"]


def score(first: str, second: str, games: int) -> Score:
    """Return the score of the first player. The players swap sides after every game."""
    won = drawn = 0
    for number in range(games):
        names = (first, second) if number % 2 == 0 else (second, first)
        record = play(names, EDITION, seed=number // 2)
        assert "illegal" not in record.reason
        assert record.reason != "no-legal-move" or record.winner is not None
        drawn += record.winner is None
        won += record.winner is not None and getattr(record, record.winner) == first
    return Score(won, drawn, games - won - drawn)


@opponent
@pytest.mark.parametrize(
    ("stronger", "weaker"),
    slow_after_first(
        "opponent",
        [("cadet", "recruit"), ("captain", "cadet"), ("marshal", "captain"), ("marshal", "greedy")],
    ),
)
def test_each_level_beats_the_one_below(stronger: str, weaker: str) -> None:
    found = score(stronger, weaker, opponent.size)
    assert found.interval[1] > 0.75, str(found)
    assert weaker == "greedy" or found.interval[0] < 0.95, str(found)


@weakest
def test_greedy_player_has_a_chance_against_recruit() -> None:
    found = score("greedy", "recruit", opponent.size)
    assert found.interval[1] >= 0.25, str(found)


def test_interval() -> None:
    """The 95 % Wilson interval for 270 wins in 300 games is taken from published tables."""
    low, high = Score(270, 0, 30).interval
    assert (round(low, 3), round(high, 3)) == (0.861, 0.929)
