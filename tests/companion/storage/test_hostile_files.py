"""Malformed files are refused quickly, with a one-sentence message and little memory use."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.storage.records import LARGEST, as_transcript, read_game, read_record, sample_game
from engine.records.record import RecordError
from engine.records.record_files import write_transcript
from engine.rules.editions import DEFAULT

SECONDS = 10.0
"""CPU time limit, in seconds. Reading takes half a second."""


def sample() -> dict[str, Any]:
    with sample_game() as path:
        text = write_transcript(as_transcript(read_record(path), DEFAULT))
    read: dict[str, Any] = json.loads(text)
    return read


def twice_in_one_object() -> str:
    keys = ",".join(f'"{number}":0' for number in range(80_000))
    return f'{{{keys},"x":0,"x":1}}'


def take_backs_after_corrections() -> str:
    game = sample()
    place, move, *_ = game["actions"]
    wrong = {"do": "correct", "mistake": "wrong-rank", "piece": "a1", "rank": "spy"}
    correct, take_back = (
        {"at": 0, **action, "rulings": []} for action in (wrong, {"do": "take-back"})
    )
    game["actions"] = [place, move, *[correct] * 4_000, *[take_back, move] * 2_000]
    return json.dumps(game)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (twice_in_one_object, "occurs twice in one object"),
        (take_backs_after_corrections, r"too many corrections \(4000\) and take-backs"),
    ],
)
def test_expensive_files_are_refused(
    tmp_path: Path, make: Callable[[], str], expected: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(make())
    assert path.stat().st_size < LARGEST
    begun = time.process_time()
    with pytest.raises(RecordError, match=expected):
        read_game(path)
    assert time.process_time() - begun < SECONDS


def test_oversized_files_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("[" * (LARGEST + 1))
    with pytest.raises(RecordError, match="larger than 1 MB, so it is not a game"):
        read_game(path)


def test_game_of_4000_plies_is_accepted() -> None:
    game = sample()
    plies = sum(action["do"] in ("move", "attack") for action in game["actions"])
    assert len(json.dumps(game)) / plies * 4_000 < LARGEST
