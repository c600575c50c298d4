"""Games that were refereed wrongly once, by hands as people have them, or never came to an end."""

import pytest

from companion.simulator.hands.campaign import Campaign
from engine.rulebook.editions import DEFAULT


@pytest.mark.parametrize(
    ("hands", "seed", "game"),
    [
        pytest.param("blitz", 500, 20, id="an early answer opened and withdrew an attack for ever"),
        pytest.param("normal", 300, 34, id="a piece hovered, and then shoved its target aside"),
        pytest.param("clumsy", 300, 19, id="a run was asked about, and the other side went on"),
        pytest.param("hover", 7, 2, id="two pieces were up after one had hovered"),
    ],
)
def test_it_is_refereed_now(hands: str, seed: int, game: int) -> None:
    score = Campaign(hands, "table", DEFAULT, seed).play(game)
    assert (score.wrong, score.missed, score.complaints) == (0, 0, 0)
