"""Running clocks are saved, so a power cut gives a player almost no additional time."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core import inputs
from companion.session.session import CLOCK_SECONDS, Session
from companion.storage.errors import StorageError
from companion.storage.journal import Journal
from engine.board.geometry import Side
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.rules.editions import DEFAULT
from tests.companion.core.table_driver import FRAME, TableDriver
from tests.companion.storage.disk_faults import locked

GIVEN_BACK = 2.0
"""Maximum time that a player may get back after a power cut, in seconds."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


class Sitting:
    def __init__(self, path: Path, control: TimeControl) -> None:
        begun = TableDriver.begun(control=control)
        self.now = begun.now
        self.journal = Journal(path)
        self.session = Session.begin(self.journal, DEFAULT, begun.seed, control)
        self.image = begun.board.image()
        for given in begun.inputs:
            self.session.handle(given)
        self.writes = 0
        self.journal.file.connection.set_trace_callback(self._count)

    def _count(self, statement: str) -> None:
        self.writes += statement == "COMMIT"

    def think(self, seconds: float) -> None:
        for _ in range(round(seconds / FRAME)):
            self.now += FRAME
            self.session.handle(inputs.BoardSeen(self.now, self.image))

    def give(self, *given: inputs.Input) -> None:
        for each in given:
            self.session.handle(replace(each, at=self.now))

    def left(self) -> float:
        left = self.session.table.clock.remaining(Side.RED, self.now)
        assert left is not None
        return left

    def left_after_a_power_cut(self) -> float:
        with closing(Journal(self.journal.path)) as journal:
            kept = journal.unfinished()
        assert kept
        left = kept.beginning.table().clock.remaining(Side.RED, 0.0)
        assert left is not None
        return left


@pytest.fixture
def sitting(path: Path) -> Iterator[Sitting]:
    sitting = Sitting(path, TIME_CONTROLS["bronstein"])
    yield sitting
    sitting.journal.close()


def test_power_cut_refunds_at_most_two_seconds(sitting: Sitting) -> None:
    before = sitting.left()
    for _ in range(300):
        sitting.think(0.26)
        assert 0 <= sitting.left_after_a_power_cut() - sitting.left() <= GIVEN_BACK
    assert sitting.left() < before - 77


def test_repeated_power_cuts_refund_no_more(path: Path) -> None:
    """The clock resumes from its saved time, not from the start of the turn."""
    sitting = Sitting(path, TIME_CONTROLS["bronstein"])
    first, thought = sitting.left(), 0.0
    for _ in range(5):
        sitting.think(9.5)
        thought += 9.5
        sitting.journal.close()
        sitting.journal = Journal(path)
        kept = sitting.journal.unfinished()
        assert kept
        sitting.session = Session.resume(sitting.journal, kept)
        sitting.now = 1000.0 * thought
        sitting.give(
            inputs.BoardFound(0.0, sees_colours=True), inputs.BoardSeen(0.0, sitting.image)
        )
    assert 0 <= sitting.left() - (first - thought) <= 5 * GIVEN_BACK
    sitting.journal.close()


@pytest.mark.parametrize("still", [inputs.CommandInput(0.0, inputs.Pause()), inputs.BoardLost(0.0)])
def test_stopped_clock_writes_nothing(sitting: Sitting, still: inputs.Input) -> None:
    sitting.think(1.0)
    sitting.give(still)
    sitting.think(4)
    sitting.writes = 0
    sitting.think(60)
    assert sitting.writes == 0
    assert sitting.left_after_a_power_cut() - sitting.left() <= GIVEN_BACK
    sitting.give(
        inputs.CommandInput(0.0, inputs.Resume()), inputs.BoardFound(0.0, sees_colours=True)
    )
    sitting.think(9.0)
    assert sitting.left_after_a_power_cut() - sitting.left() <= GIVEN_BACK


def test_clock_is_saved_every_two_seconds(sitting: Sitting) -> None:
    sitting.think(60)
    assert 30 <= sitting.writes <= 60 / CLOCK_SECONDS + 1


@pytest.mark.parametrize("control", [NO_CLOCK, TimeControl.of(setup=600)])
def test_no_clock_writes_nothing(path: Path, control: TimeControl) -> None:
    sitting = Sitting(path, control)
    sitting.think(30)
    assert sitting.writes == 0
    sitting.journal.close()


def test_unsaved_clock_is_reported(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting.journal.file.connection.execute("PRAGMA busy_timeout = 0")
    with locked(sitting.journal.path), pytest.raises(StorageError):
        sitting.think(3)
    assert sitting.session.error
    sitting.think(10)
    sitting.session.retry_save()
    assert sitting.session.error is None
    sitting.think(3)
    assert sitting.left_after_a_power_cut() - sitting.left() <= GIVEN_BACK
