"""A recorded game played again, compared with the second referee's open table."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.records import read_record, sample_game
from companion.score.replay import Pieces, legal_plies, position
from engine.editions import EDITIONS
from engine.ranks import BARRAGE
from engine.record import Record, RecordedMove
from engine.squares import name, square
from tests.engine.examples import examples
from tests.engine.games import shuffled
from tests.engine.obvious import ObviousGame
from tests.engine.tables import Setup

ISF, ORIGINAL_1992 = EDITIONS["isf"], EDITIONS["original-1992"]


@pytest.fixture(scope="module")
def sample() -> Record:
    with sample_game() as path:
        return read_record(path)


def record_of(setup: Setup, *moves: RecordedMove) -> Record:
    return Record(setup.ranks, setup.placing.red, setup.placing.blue, moves)


def open_table(pieces: Pieces) -> dict[str, tuple[str, str]]:
    """Name everything, as the second referee does."""
    return {name(place): (side.value, rank.name.lower()) for place, (side, rank) in pieces.items()}


def standing(game: ObviousGame) -> dict[str, tuple[str, str]]:
    return {place: (piece.side, piece.rank) for place, piece in game.standing.items()}


def test_every_position_of_the_real_game(sample: Record) -> None:
    game = Setup(position(sample, ORIGINAL_1992, 0)).obvious(5)
    plies = list(legal_plies(sample, ORIGINAL_1992))

    assert len(plies) == 206
    for ply in plies:
        assert open_table(ply.before) == standing(game)
        attack = name(ply.move.target) in game.standing
        game.play(name(ply.move.source), name(ply.move.target))
        assert open_table(ply.after) == standing(game)
        assert attack == (ply.result is not None)


@given(st.randoms(use_true_random=False))
@examples(20)
def test_every_position_of_small_random_games(chance: random.Random) -> None:
    setup = shuffled(BARRAGE, chance)
    game = setup.obvious(3, more_squares=True)
    moves: list[RecordedMove] = []
    while len(moves) < 40 and not game.ending and (legal := game.legal_moves()):
        way = chance.choice(legal)
        game.play(*way)
        moves.append(RecordedMove(*map(square, way)))

    assert open_table(position(record_of(setup, *moves), ISF, len(moves))) == standing(game)


def test_a_position_is_that_after_so_many_plies(sample: Record) -> None:
    plies = list(legal_plies(sample, ORIGINAL_1992))

    assert position(sample, ORIGINAL_1992, 0) == plies[0].before
    for number in (1, 2, 100, 206):
        assert position(sample, ORIGINAL_1992, number) == plies[number - 1].after


@pytest.mark.parametrize("ply", [-1, 207])
def test_a_ply_that_is_not_in_the_record(sample: Record, ply: int) -> None:
    with pytest.raises(ValueError, match=rf"no legal ply {ply} in this record of 206 plies"):
        position(sample, ORIGINAL_1992, ply)


def test_after_an_illegal_ply_there_are_no_positions(sample: Record) -> None:
    moves = list(sample.moves)
    moves[10] = RecordedMove(square("d1"), square("d2"))
    spoiled = replace(sample, moves=tuple(moves))

    assert len(list(legal_plies(spoiled, ORIGINAL_1992))) == 10
    assert position(spoiled, ORIGINAL_1992, 10) == position(sample, ORIGINAL_1992, 10)
    with pytest.raises(ValueError, match="no legal ply 11"):
        position(spoiled, ORIGINAL_1992, 11)


def test_a_wrong_setup_has_a_position_and_no_plies(sample: Record) -> None:
    short = replace(sample, red=sample.red & ~(1 << square("a1")))

    assert square("a1") not in position(short, ORIGINAL_1992, 0)
    assert list(legal_plies(short, ORIGINAL_1992)) == []
