"""Records are replayed as refereed games with true declarations, whatever their ending."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.storage.records import as_record, as_transcript, read_record, sample_game
from engine.board.geometry import Side, square
from engine.game.actions import Declare
from engine.game.rulings import GameOver, Reason
from engine.records.adjudication import judge
from engine.records.record import GameKind, Record, RecordedMove
from engine.records.record_files import read_transcript, write_transcript
from engine.rules.editions import EDITIONS, Edition
from engine.rules.rules import ViolationKind
from tests.engine.examples import examples
from tests.engine.games import shuffled
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.transcripts import DUEL, ISF_DUEL, TRAVEL_DUEL


def duel(*ways: str, result: GameOver | None = None) -> Record:
    setup = Setup.parse(DUEL)
    moves = (way.split("-") for way in ways)
    recorded = tuple(RecordedMove(square(source), square(target)) for source, target in moves)
    placing = setup.placing
    return Record(setup.ranks, placing.red, placing.blue, recorded, result, GameKind.DUELL)


FIGHT = ("b4-b5", "b7-b6", "b5-b6")


def test_real_game_round_trip() -> None:
    with sample_game() as path:
        record = replace(read_record(path), kind=GameKind.CLASSIC)

    transcript = as_transcript(record, EDITIONS["original-1992"])

    assert as_record(transcript) == record
    assert read_transcript(write_transcript(transcript).encode()) == transcript


@pytest.mark.parametrize("edition", ["isf", "gravopedia-2006", "travel-2017"])
@given(st.integers(0, 2**32), st.sampled_from([None, *Reason]), st.sampled_from([None, *Side]))
@examples(25)
def test_random_games_round_trip(
    edition: str, seed: int, reason: Reason | None, winner: Side | None
) -> None:
    rules = EDITIONS[edition].with_army("duel")
    record = _random_game(rules, random.Random(seed), reason and GameOver(winner, reason))

    transcript = as_transcript(record, rules)

    verdict = judge(record, rules)
    assert not transcript.violations
    assert bool(transcript.outcome) == bool(verdict.outcome)
    if transcript.outcome and verdict.outcome:
        assert transcript.outcome.winner is verdict.outcome.winner
    assert as_record(transcript).moves == record.moves
    assert read_transcript(write_transcript(transcript).encode()) == transcript


def _random_game(rules: Edition, chance: random.Random, result: GameOver | None) -> Record:
    setup = shuffled(rules.army, chance, rows=1)
    game = setup.reference_game(3, more_squares=True)
    moves = []
    for _ in range(chance.randrange(60)):
        if game.ending or not (legal := game.legal_moves()):
            break
        way = chance.choice(legal)
        game.play(*way)
        moves.append(RecordedMove(*map(square, way)))
    placing = setup.placing
    return Record(setup.ranks, placing.red, placing.blue, tuple(moves), result)


def test_truthful_declarations() -> None:
    transcript = as_transcript(duel(*FIGHT, "k7-k6", "b6-b7", "a7-b7"), ISF_DUEL)

    declared = [
        (entry.action.rank.owner, entry.action.rank.unseal().name)
        for entry in transcript.entries
        if isinstance(entry.action, Declare)
    ]
    assert declared == [(RED, "SPY"), (BLUE, "MARSHAL"), (BLUE, "MINER")]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (GameOver(RED, Reason.RESIGNATION), None),
        (GameOver(RED, Reason.FORFEIT), None),
        (GameOver(RED, Reason.TIME), None),
        (GameOver(None, Reason.TIME), None),
        (GameOver(None, Reason.AGREED_DRAW), None),
        (GameOver(RED, Reason.NO_LEGAL_MOVE), GameOver(RED, Reason.FORFEIT)),
        (GameOver(BLUE, Reason.NO_LEGAL_MOVE), GameOver(BLUE, Reason.FORFEIT)),
        (GameOver(BLUE, Reason.FLAG_CAPTURED), GameOver(BLUE, Reason.FORFEIT)),
        (GameOver(None, Reason.BOTH_IMMOBILE), None),
        (GameOver(None, Reason.FORFEIT), None),
        (None, None),
    ],
)
def test_claimed_ending(result: GameOver | None, expected: GameOver | None) -> None:
    """It is Blue's turn. Red's last move only proves that Red can move, so records omit it."""
    assert as_transcript(duel(*FIGHT, result=result), ISF_DUEL).outcome == (expected or result)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (GameOver(RED, Reason.NO_LEGAL_MOVE), None),
        (GameOver(None, Reason.BOTH_IMMOBILE), GameOver(None, Reason.AGREED_DRAW)),
    ],
)
def test_stalemate_ending_without_a_question(result: GameOver, expected: GameOver | None) -> None:
    game = as_transcript(duel(*FIGHT, result=result), TRAVEL_DUEL)
    assert game.outcome == (expected or result)


def test_illegal_ply_is_the_last_action() -> None:
    transcript = as_transcript(
        duel(*FIGHT, "f7-e6", "e4-e5", result=GameOver(RED, Reason.TIME)), ISF_DUEL
    )

    assert [violation.fault for violation in transcript.violations] == [ViolationKind.NOT_STRAIGHT]
    assert transcript.referee().plies == 3
    assert transcript.outcome is None


def test_moved_bomb_in_a_record() -> None:
    transcript = as_transcript(duel("c1-c2"), TRAVEL_DUEL)

    assert [violation.fault for violation in transcript.violations] == [ViolationKind.IMMOBILE]
    assert transcript.outcome == GameOver(BLUE, Reason.MOVED_BOMB)


def test_ply_after_the_end() -> None:
    ways = ("e4-e5", "k7-k6", "e5-e6", "k6-k5", "e6-e7", "a7-a6", "e7-e8", "a6-a5")
    ends = (*ways, "e8-e9", "f7-f6", "e9-e10", "f6-f5", "e10-d10", "f5-e5", "d10-c10", "e5-e6")
    transcript = as_transcript(duel(*ends, "c10-b10", "e6-e5", "b10-a10", "e5-e6"), ISF_DUEL)

    assert transcript.outcome == GameOver(RED, Reason.FLAG_CAPTURED)
    assert [violation.fault for violation in transcript.violations] == [ViolationKind.GAME_IS_OVER]


def test_all_setup_faults_in_a_transcript() -> None:
    record = duel()
    wrong = replace(record, red=record.red & ~(1 << square("a1")))

    transcript = as_transcript(wrong, ISF_DUEL)

    assert [violation.fault for violation in transcript.violations] == [ViolationKind.WRONG_COUNT]
    assert transcript.entries[1:] == ()
