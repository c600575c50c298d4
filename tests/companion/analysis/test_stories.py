"""Check every sentence in the reviews of random and recorded games."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.analysis.game_review import GameReview
from companion.analysis.moments import MOMENTS, choose_moments
from companion.reports.reviews import build_story, review_paragraphs
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.records import as_transcript, play_truthfully, read_record, sample_game
from engine.board.geometry import Side
from engine.game.actions import AgreeDraw, Declare, Resign
from engine.game.referee import Referee
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


def alone(record: Record, *, knows_red: bool) -> Transcript:
    """Return a game until Red resigns. On the simulated board, the referee `knows_red`'s ranks."""
    seen = {at: rank for at, rank in record.ranks.items() if record.red >> at & 1 and knows_red}
    referee = Referee.replay(DEFAULT, [replace(record.placing, ranks=seen)])
    for move in record.moves:
        play_truthfully(move, record, referee)
    if not referee.outcome:
        referee.apply(Resign(Side.RED))
    timed = [(0.0, action) for action in referee.actions]
    return transcribe(DEFAULT, timed, ranks=record.ranks)


def test_whole_game_alone_on_the_simulated_board() -> None:
    """Ranks that only the referee saw at the start are neither public nor revealed."""
    record, announcer = sample(), Announcer(Language("en"))
    mine, ours = (alone(record, knows_red=each) for each in (True, False))
    declared = [each.action.rank.owner for each in mine.entries if isinstance(each.action, Declare)]
    assert {*declared} == {Side.BLUE}, "the table asks only for the computer's ranks"
    assert check_review(mine, setup_of(record)) == 28 + 9
    stories = [build_story(game, announcer) for game in (mine, ours)]
    assert stories[0] == stories[1]
    assert not stories[0].pages[0].known
    reports = [[*review_paragraphs(game, announcer.language, whole=True)] for game in (mine, ours)]
    assert reports[0] == reports[1]
    assert any("Red: on average" in each and "1.0 at" not in each for each in reports[0])


def sample() -> Record:
    with sample_game() as path:
        return read_record(Path(path))


def test_sample_game() -> None:
    record = sample()
    assert check_review(as_transcript(record, DEFAULT), setup_of(record)) == 28 + 9
