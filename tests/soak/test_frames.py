"""A session must give the same output, no matter whether it processes all frames or only the
relevant ones."""

import math
from dataclasses import replace
from typing import Any

import pytest

from companion.core.game_context import Step
from companion.core.game_options import GameOptions
from companion.core.inputs import Input
from companion.core.table import Table
from tests.campaigns import Campaign
from tests.soak.board_source import DirectBoard
from tests.soak.rig import SimulatedRig
from tests.soak.run import Result, run

soak_frames = Campaign("soak-frames", part=1, whole=30)
LASTS_MS = {0: 60_000}
"""Duration of the first session in milliseconds. `WHOLE_MS` applies to all other sessions."""
WHOLE_MS = 600_000
FIRST = 100
LATE, LATE_MS = 135, 300_000
"""A session in which the program is blocked just when a piece becomes stable: its seed, and its
duration in milliseconds."""


class SavedFrames:
    """Outputs of a session, with their times."""

    def __init__(self) -> None:
        self.steps: list[tuple[float, Any, Any]] = []

    def begin(self, beginning: GameOptions) -> None:
        self.steps.append((0.0, beginning.edition.id, beginning.actions))

    def hear(self, given: Input) -> None:
        self._at = given.at

    def note(self, step: Step, due: float | None) -> None:
        if step.actions or step.events:
            self.steps.append((round(self._at, 6), step.actions, step.events))


def run_recorded(seed: int, lasts_ms: int) -> tuple[Result, list[tuple[float, Any, Any]]]:
    """Play a session, and return its result and its outputs. In the result, the number of inputs is
    0, because it depends on the skipped frames."""
    kept = SavedFrames()
    return replace(run(seed, kept, lasts_ms), steps=0), kept.steps


def pass_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SimulatedRig, "_is_at_rest", False)


@soak_frames
def test_skipped_frames_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """All actions and events must have the same times, to the microsecond."""
    for number in range(soak_frames.size):
        lasts_ms = LASTS_MS.get(number, WHOLE_MS)
        skipped = run_recorded(FIRST + number, lasts_ms)
        assert len(skipped[1]) > 10
        with monkeypatch.context() as patch:
            pass_all(patch)
            assert run_recorded(FIRST + number, lasts_ms) == skipped


def test_most_frames_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    lasts_ms = LASTS_MS[0]
    few = run(FIRST, lasts_ms=lasts_ms).steps
    pass_all(monkeypatch)
    assert 5 * few < run(FIRST, lasts_ms=lasts_ms).steps


def test_missing_deadline_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a table that does not report its deadline."""
    lasts_ms = LASTS_MS[0]
    with monkeypatch.context() as patch:
        pass_all(patch)
        whole = run_recorded(FIRST, lasts_ms)
    monkeypatch.setattr(Table, "idle_until", math.inf)
    assert run_recorded(FIRST, lasts_ms) != whole


def test_missed_changes_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a program that processes only the latest of the waiting frames."""
    as_it_was = run_recorded(LATE, LATE_MS)
    plug_in = DirectBoard.__init__

    def spoiled(source: Any, board: Any, cable: Any, clock: Any, _: Any) -> None:
        plug_in(source, board, cable, clock, lambda: math.inf)

    monkeypatch.setattr(DirectBoard, "__init__", spoiled)
    assert run_recorded(LATE, LATE_MS) != as_it_was
