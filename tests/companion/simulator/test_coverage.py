"""Count the action types in games, and report those that are missing."""

from typing import get_args

import pytest

from companion.simulator.simulation import add_up, count_actions, coverage_text, find_missing
from engine.board.geometry import Side
from engine.game.actions import Action, Forfeit, Resign, Touch
from engine.records.serialization import ACTIONS

EVERY = dict.fromkeys(ACTIONS, 1)


def test_actions_have_words() -> None:
    assert len(set(ACTIONS)) == len(get_args(Action))


def test_actions_are_counted() -> None:
    counted = count_actions([Forfeit(None), Touch(3), Resign(Side.RED), Touch(4)])
    assert list(counted.items()) == [("touch", 2), ("resign", 1), ("forfeit", 1)]
    assert add_up([counted, {"touch": 1, "move": 5}]) == {
        "move": 5,
        "touch": 3,
        "resign": 1,
        "forfeit": 1,
    }


@pytest.mark.parametrize("word", ACTIONS)
def test_missing_action_is_reported(word: str) -> None:
    counts = {other: 1 for other in ACTIONS if other != word}
    assert find_missing(counts) == [word]
    assert coverage_text(2, counts).endswith(f"; never: {word}")


def test_complete_coverage_reports_nothing() -> None:
    assert find_missing(EVERY) == []
    assert coverage_text(2, EVERY).endswith(" 1; every action occurred")
