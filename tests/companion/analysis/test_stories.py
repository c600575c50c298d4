"""Check every sentence in the reviews of random and recorded games."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.analysis.game_review import GameReview
from companion.analysis.moments import MOMENTS, choose_moments
from companion.storage.records import as_transcript, read_record, sample_game
from engine.board.geometry import Side
from engine.game.actions import AgreeDraw
from engine.game.rulings import GameOver, Reason
from engine.records.record import Record
from engine.records.record_files import read_chase
from engine.records.transcript import Transcript, transcribe
from engine.rules.editions import DEFAULT, EDITIONS
from tests.campaigns import Campaign
from tests.companion.analysis.second_reader import check_review
from tests.engine.chases import CHASES
from tests.engine.random_plan import plan
from tests.engine.tables import Setup

STORIES = Campaign("stories", part=2, whole=1000)
RECORDED = Campaign("stories", part=1, whole=len(CHASES))


def setup_of(record: Record) -> Setup:
    sides = {Side.RED: record.red, Side.BLUE: record.blue}
    return Setup(
        {
            square: (next(side for side in Side if sides[side] >> square & 1), rank)
            for square, rank in record.ranks.items()
        }
    )


def random_game(number: int) -> tuple[Transcript, Setup]:
    """Return a game and its setup. If `number` is even, the game contains only revealed ranks."""
    one = plan(number)
    game = one.begin()
    game.play(one.plies)
    referee = game.table.referee.copy()
    if not referee.outcome:
        referee.apply(AgreeDraw())
    timed = [(0.0, action) for action in referee.actions]
    ranks = game.setup.ranks if number % 2 else None
    return transcribe(one.edition, timed, ranks=ranks), game.setup


@STORIES
@pytest.mark.parametrize("number", range(STORIES.size))
def test_random_games(number: int) -> None:
    game, setup = random_game(number)
    check_review(game, setup)
    assert len(choose_moments(GameReview(game))) <= MOMENTS


@RECORDED
@pytest.mark.parametrize("file", RECORDED.among(list(CHASES)))
def test_recorded_chases(file: str) -> None:
    """The last move of each of these games is illegal, so it is replaced with an agreed draw."""
    record = read_chase(CHASES[file])
    over = GameOver(None, Reason.AGREED_DRAW)
    record = replace(record, moves=record.moves[:-1], result=over)
    check_review(as_transcript(record, EDITIONS["isf"]), setup_of(record))


def sample() -> Record:
    with sample_game() as path:
        return read_record(Path(path))


def test_sample_game() -> None:
    record = sample()
    assert check_review(as_transcript(record, DEFAULT), setup_of(record)) == 28 + 9
