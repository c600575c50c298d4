"""New and resumed sessions pass their games to a trace recorder."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.core.inputs import TimePassed
from companion.recorder.recorder import Recorder
from companion.recorder.trace_reader import read_trace
from companion.session.session import Session
from companion.storage.journal import Journal
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import DEFAULT
from tests.companion.core.table_driver import clash
from tests.companion.recorder.recordings import difference

CONTROL = TIME_CONTROLS["bronstein"]


def test_trace_of_new_and_resumed_games(
    tmp_path: Path,
) -> None:
    driver, folder = clash(control=CONTROL), tmp_path / "traces"
    with (
        closing(Journal(tmp_path / "games.sqlite")) as journal,
        Recorder(folder, pytest.fail) as recorder,
    ):
        session = Session.begin(journal, DEFAULT, driver.seed, CONTROL)
        session.record(recorder)
        for given in driver.inputs:
            session.handle(given)
        kept = journal.unfinished()
        assert kept
        again = Session.resume(journal, kept)
        again.record(recorder)
        for given in driver.replugged(90.0).inputs:
            again.handle(given)
        again.handle(TimePassed(95.0))
    first, second = sorted(folder.iterdir())
    assert read_trace(first).beginning().actions == ()
    assert read_trace(second).beginning().actions == kept.beginning.actions
    assert [difference(each) for each in (first, second)] == [None, None]


def test_failing_input_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_over(*_: object) -> None:
        raise ZeroDivisionError("by hand")

    folder = tmp_path / "traces"
    with (
        closing(Journal(tmp_path / "games.sqlite")) as journal,
        Recorder(folder, pytest.fail) as recorder,
    ):
        session = Session.begin(journal, DEFAULT, 1)
        session.record(recorder)
        monkeypatch.setattr("companion.core.table.Table._take_input", break_over)
        with pytest.raises(ZeroDivisionError):
            session.handle(TimePassed(1.0))
    (path,) = folder.iterdir()
    assert [note.is_answered for note in read_trace(path).notes] == [False]
    assert difference(path) is None, "the replay fails in the same way"
