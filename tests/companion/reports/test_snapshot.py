"""Compare the positions of games with the second referee."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.reports.replay import Snapshot, snapshot
from companion.storage.records import as_transcript, read_record, sample_game
from engine.board.geometry import name, square
from engine.board.ranks import BARRAGE, Rank
from engine.board.visibility import Secret
from engine.game.actions import Amend, Declare, Resign
from engine.records.record import Record, RecordedMove
from engine.records.transcript import Transcript
from engine.rules.editions import EDITIONS
from tests.engine.examples import examples
from tests.engine.games import shuffled
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.transcripts import FIGHT, full, game_of, games
from tests.reference import ReferenceGame

ISF, ORIGINAL_1992 = EDITIONS["isf"], EDITIONS["original-1992"]


@pytest.fixture(scope="module")
def sample() -> Record:
    with sample_game() as path:
        return read_record(path)


@pytest.fixture(scope="module")
def game(sample: Record) -> Transcript:
    return as_transcript(sample, ORIGINAL_1992)


def record_of(setup: Setup, *moves: RecordedMove) -> Record:
    return Record(setup.ranks, setup.placing.red, setup.placing.blue, moves)


def open_table(seen: Snapshot) -> dict[str, tuple[str, str]]:
    """Return the side and rank of every piece, in the notation of the second referee."""
    return {
        name(place): (side.value, "?" if rank is None else rank.name.lower())
        for place, (side, rank) in seen.pieces.items()
    }


def standing(game: ReferenceGame) -> dict[str, tuple[str, str]]:
    return {place: (piece.side, piece.rank) for place, piece in game.standing.items()}


def test_positions_of_the_real_game(sample: Record, game: Transcript) -> None:
    second = Setup(
        {
            place: (side, rank)
            for place, (side, rank) in snapshot(game, 0).pieces.items()
            if rank is not None
        }
    ).reference_game(5)

    for ply, move in enumerate(sample.moves):
        if ply % 20 < 2:
            assert open_table(snapshot(game, ply)) == standing(second)
        second.play(name(move.source), name(move.target))
    assert open_table(snapshot(game)) == open_table(snapshot(game, 206)) == standing(second)


@given(st.randoms(use_true_random=False))
@examples(20)
def test_final_positions_of_random_games(chance: random.Random) -> None:
    setup = shuffled(BARRAGE, chance)
    second = setup.reference_game(3, more_squares=True)
    moves: list[RecordedMove] = []
    while len(moves) < 40 and not second.ending and (legal := second.legal_moves()):
        way = chance.choice(legal)
        second.play(*way)
        moves.append(RecordedMove(*map(square, way)))

    game = as_transcript(record_of(setup, *moves), ISF)

    assert open_table(snapshot(game, len(moves))) == standing(second)
    assert snapshot(game).last_move == ((moves[-1].source, moves[-1].target) if moves else None)


def test_position_has_the_last_move(game: Transcript) -> None:
    assert snapshot(game, 0).last_move is None
    assert snapshot(game, 1).last_move == (square("e4"), square("e5"))


@pytest.mark.parametrize("ply", [-1, 207])
def test_ply_out_of_range(game: Transcript, ply: int) -> None:
    with pytest.raises(ValueError, match=rf"no ply {ply}; this game has 206 legal plies"):
        snapshot(game, ply)


def test_no_positions_after_an_illegal_ply(sample: Record, game: Transcript) -> None:
    moves = list(sample.moves)
    moves[10] = RecordedMove(square("d1"), square("d2"))
    spoiled = as_transcript(replace(sample, moves=tuple(moves)), ORIGINAL_1992)

    assert snapshot(spoiled) == snapshot(spoiled, 10) == snapshot(game, 10)
    with pytest.raises(ValueError, match="no ply 11"):
        snapshot(spoiled, 11)


def test_illegal_setup_has_one_position(sample: Record) -> None:
    short = replace(sample, red=sample.red & ~(1 << square("a1")))
    wrong = as_transcript(short, ORIGINAL_1992)

    assert square("a1") not in snapshot(wrong).pieces
    assert len(snapshot(wrong).pieces) == 79


def test_no_position_before_the_setup() -> None:
    with pytest.raises(ValueError, match="never set up"):
        snapshot(Transcript(ISF, ()))


def test_picture_of_known_ranks() -> None:
    assert (
        str(snapshot(game_of(FIGHT)))
        == """\
10 b?  .  .  .  .  .  .  .  .  .
 9 b?  .  .  .  .  .  .  .  .  .
 8  .  .  .  .  .  .  . b?  . b?
 7 b?  .  .  . b? b?  .  . b? b?
 6  . r1  ~  ~  .  .  ~  ~  .  .
 5  .  .  ~  ~  .  .  ~  ~  .  .
 4 r?  .  .  . r? r?  .  . r? r?
 3  .  .  .  .  .  .  .  .  .  .
 2  .  .  .  .  .  .  .  .  .  .
 1 r?  . r? r?  . r?  .  .  .  .
    a  b  c  d  e  f  g  h  i  k"""
    )


def test_taken_back_turns_have_no_position() -> None:
    game = full(game_of("b4-b5, b7-b6, taken back, k7-k6, b5-b6", Resign(RED)))

    assert square("b7") in snapshot(game).pieces
    assert snapshot(game, 2).last_move == (square("k7"), square("k6"))


def test_move_and_attack_are_one_ply() -> None:
    tap = Amend(square("a6"), square("a7"))

    game = game_of("a4-a6", tap, Declare(Secret(BLUE, Rank.MINER)))

    assert snapshot(game, 0).pieces[square("a4")] == (RED, Rank.SCOUT)
    assert square("a4") not in snapshot(game, 1).pieces
    assert snapshot(game, 1).last_move == (square("a4"), square("a7"))


@given(games())
@examples(10)
def test_positions_of_every_ply(game: Transcript) -> None:
    plies = game.referee().plies
    first = max(1, plies - 10)

    before = snapshot(game, first - 1)
    for ply in range(first, plies + 1):
        after = snapshot(game, ply)
        assert after.last_move
        assert after.pieces != before.pieces or after.last_move != before.last_move
        before = after
    end = game.referee().position.board
    assert snapshot(game).pieces.keys() == {s for s in range(100) if end.occupied >> s & 1}
