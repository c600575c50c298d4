"""Games in front of a rendered camera, from pictures to rulings."""

from dataclasses import replace
from statistics import median

from tests.camera.rendered_game import RenderedGame, Score
from tests.camera.scenes import LOOKS, SHOTS
from tests.campaigns import Campaign

GAMES = Campaign("camera-plies", part=1, whole=84)
PLIES = 24
"""Plies of a game in the campaign; 84 games have 2,000."""


def play_games(games: int, plies: int) -> Score:
    """Play games with different sets, cameras and light."""
    total = Score()
    for number in range(games):
        look = list(LOOKS.values())[number % len(LOOKS)]
        shot = replace(SHOTS[number % len(SHOTS)], width=800, height=600)
        total.add(RenderedGame(look, shot, number).play(plies))
    return total


@GAMES
def test_every_turn_is_ruled_as_it_was_made() -> None:
    score = play_games(GAMES.size, PLIES if GAMES.size > 1 else 2)
    assert not score.wrong, score.wrong
    assert not score.missed, score.missed
    assert score.questions <= score.plies / 50, score
    if GAMES.size > 1:  # a median of two plies means nothing
        assert median(score.delays) <= 0.5, score
