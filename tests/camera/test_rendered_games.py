"""Play games in front of a rendered camera and check every ruling."""

from dataclasses import replace
from statistics import median

from tests.camera.rendered_game import RenderedGame, Score
from tests.camera.scenes import LOOKS, SHOTS
from tests.campaigns import Campaign

GAMES = Campaign("camera-plies", part=1, whole=92)
PLIES = 24
"""Number of plies in each game. Some games end earlier. The campaign's 92 games have over 2,000
plies in total and take 20 minutes."""
MOST_MISSED = 0.02
"""Maximum fraction of turns that may be missed. In 92 games, none of 2,039 turns was missed. After
a missed turn, the players have to restore the board."""


def play_games(games: int, plies: int) -> Score:
    total = Score()
    for number in range(games):
        look = list(LOOKS.values())[number % len(LOOKS)]
        shot = replace(SHOTS[number % len(SHOTS)], width=800, height=600)
        total.add(RenderedGame(look, shot, number).play(plies))
    return total


def test_square_behind_a_block_is_read_as_empty() -> None:
    """After b4-b5, a low camera sees only half of square b4, because another block overlaps it."""
    shot = replace(SHOTS[3], width=800, height=600)
    score = RenderedGame(LOOKS["narrow"], shot, 88).play(1)
    assert (score.plies, score.wrong, score.missed) == (1, [], [])


@GAMES
def test_turns_are_ruled_as_made() -> None:
    score = play_games(GAMES.size, PLIES if GAMES.size > 1 else 2)
    assert not score.wrong, score.wrong
    assert len(score.missed) <= MOST_MISSED * score.plies, score.missed
    assert score.questions <= score.plies / 50, score
    if GAMES.size > 1:  # a median over two plies is meaningless
        assert median(score.delays) <= 0.5, score
