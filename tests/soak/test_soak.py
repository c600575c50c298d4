"""Tests that whole sessions violate no invariant, and that every faulty build is detected."""

from pathlib import Path

import pytest

from companion.recorder.replay import replay
from companion.recorder.trace_reader import read_trace
from tests.campaigns import Campaign, slow_after_first
from tests.soak.invariants import Invariant
from tests.soak.run import run
from tests.soak.runner import record, run_many
from tests.soak.spoiled import SPOILED

soak = Campaign("soak", part=2, whole=300)
LASTS_MS = 600_000
"""Duration of a session in milliseconds: ten minutes."""
SEEDS = 20
"""A faulty build must be detected in a session whose seed is at least `Spoiled.seed` and lower than
this number."""
BROKEN = "lamps depend on a declared rank"


@soak
def test_invariants_hold() -> None:
    for seed in range(soak.size):
        assert run(seed, lasts_ms=LASTS_MS).failure is None


@pytest.mark.parametrize("name", slow_after_first("soak", SPOILED))
def test_corrupted_build_is_detected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spoiled = SPOILED[name]
    spoiled.spoil(monkeypatch)
    results = (run(seed, lasts_ms=LASTS_MS) for seed in range(spoiled.seed, SEEDS))
    failures = (result.failure for result in results)
    assert spoiled.invariant.value in (failure.invariant for failure in failures if failure)


def test_invariants_have_corrupted_builds() -> None:
    assert {spoiled.invariant for spoiled in SPOILED.values()} == set(Invariant)


def test_seed_gives_the_same_session_in_any_process() -> None:
    """The iteration order of sets of strings differs from process to process."""
    lasts_ms = 60_000
    together = list(run_many(range(2), 2, lambda: False, lasts_ms))
    assert together == [run(seed, lasts_ms=lasts_ms) for seed in range(2)]


def test_no_session_starts_after_the_deadline() -> None:
    left = [False, False, True]
    assert [each.seed for each in run_many(range(9), 1, lambda: left.pop(0), 1_000)] == [0, 1]


def test_failure_trace_can_be_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        SPOILED[BROKEN].spoil(patch)
        trace = record(SPOILED[BROKEN].seed, tmp_path, LASTS_MS)
    assert trace
    replayed = list(replay(read_trace(trace)))
    assert replayed
    assert not any(each.difference or each.broke for each in replayed)
