"""Replay recordings of simulated hands, stored as input lines for `boomboard table --json`.

The games use the edition `original-1992`, with a frame every 20 ms. Each recording has its own
expected result.
"""

import gzip
import json
from pathlib import Path
from typing import Final

import pytest

from companion.jsonl.table_process import TableProcess
from engine.rules.editions import EDITIONS

FOLDER: Final = Path(__file__).parent / "recordings"
COMPLAINTS: Final = {"board-differs", "violation", "attack-asked", "who-attacks", "course-asked"}
CALM: Final = {
    # Red holds e4 in one hand and lifts h3 with the other to look at it.
    "looks-while-holding": ["e4-e5"],
    # Red holds e4 over e6 for 0.1 s. Blue sets a7 down on a6 before Red releases e4.
    "a-glimpse-and-an-early-answer": ["e4-e5", "a7-a6"],
    # All moves are legal. The board does not detect colours. b2 flickers for 0.04 s.
    "crash-without-colours": ["k4-k5", "a7-a6", "e4-e5", "i7-i6"],
}


def answers(case: str) -> list[dict[str, object]]:
    process = TableProcess(EDITIONS["original-1992"], 0)
    with gzip.open(FOLDER / f"{case}.jsonl.gz", "rt") as lines:
        return [dict(process.take(json.loads(line))) for line in lines]


def events(answered: list[dict[str, object]]) -> list[dict[str, object]]:
    return [event for answer in answered for event in answer["events"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("case", CALM)
def test_legal_play_causes_no_complaints(case: str) -> None:
    emitted = events(answers(case))
    moved = [f"{each['source']}-{each['target']}" for each in emitted if each["event"] == "moved"]
    assert moved[: len(CALM[case])] == CALM[case]
    assert not COMPLAINTS & {str(each["event"]) for each in emitted}


def test_question_lasts_while_both_pieces_are_lifted() -> None:
    """e4 and e7 are lifted. Red also lifts b3 for a second."""
    answered = answers("question-swept-away")
    states = [answer["state"] for answer in answered]
    first = states.index("who-attacks")
    assert set(states[first:]) == {"who-attacks"}
    assert len([each for each in events(answered) if each["event"] == "attack-asked"]) == 1


def test_defender_may_lift_first() -> None:
    """A scout moves from e4 to e6. Blue lifts e7, and Red sets the scout down there."""
    opened = [
        e for e in events(answers("strike-on-put-on-its-target")) if e["event"] == "attack-opened"
    ]
    assert [(each["side"], each["source"], each["target"]) for each in opened] == [
        ("red", "e4", "e7")
    ]
