"""A session without a screen: the board's messages and their timing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core import Table
from companion.core.inputs import (
    BoardFound,
    BoardLost,
    BoardSeen,
    CommandInput,
    IgnoreSquare,
    Input,
    Ready,
)
from companion.recorder.recorder import Recorder
from companion.recorder.trace_reader import read_trace
from companion.session.game_host import GameHost
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side, set_of, square
from engine.game.game_state import Phase
from engine.rules.editions import DEFAULT
from tests.companion.recorder.recordings import difference
from tests.companion.storage.disk_faults import LETTER, fill, forbidden
from tests.companion.ui.driver import Script
from tests.companion.ui.playing import STANDING, after, squares


class HostDriver:
    def __init__(self, path: Path) -> None:
        self.now = 10.0
        self.script = Script()
        self.shelf = JournalProvider(path)
        self.host = GameHost(self.shelf, self.script, lambda: self.now, lambda: 3)

    def tick(self, *inputs: Input, seconds: float = 0.0) -> None:
        self.script.waiting.extend(inputs)
        self.now += seconds
        self.host.poll()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[HostDriver]:
    evening = HostDriver(tmp_path / "games.sqlite")
    yield evening
    evening.shelf.close()


def test_a_game_learns_what_the_board_said_before_it_began(evening: HostDriver) -> None:
    evening.tick(BoardFound(10.0, sees_colours=True), BoardSeen(10.0, STANDING))
    evening.host.begin(DEFAULT)
    evening.tick(seconds=1)
    assert evening.host.table
    assert evening.host.table.is_connected
    assert evening.host.table.setup.red == 40


def test_a_lost_board_is_no_longer_known(evening: HostDriver) -> None:
    evening.tick(BoardFound(10.0, sees_colours=True), BoardLost(10.0))
    evening.host.begin(DEFAULT)
    assert evening.host.table
    assert not evening.host.table.is_connected


def test_an_image_that_comes_late_counts_as_of_now(evening: HostDriver) -> None:
    evening.tick(BoardFound(10.0, sees_colours=True), BoardSeen(10.0, STANDING))
    evening.host.begin(DEFAULT)
    evening.tick(seconds=1)
    for side in Side:
        evening.host.submit(CommandInput(evening.now, Ready(side)))
    table = evening.host.table
    assert table
    assert table.view.phase is Phase.PLAY
    # The message arrived 0.5 s ago and was not polled: nothing may have settled in the past.
    evening.tick(BoardSeen(evening.now - 0.5, after(STANDING, "e4 e5")))
    assert table.view.plies == 0
    evening.tick(seconds=0.4)
    assert table.view.plies == 1


def test_a_damaged_journal_is_set_aside_and_the_next_game_is_kept(evening: HostDriver) -> None:
    evening.shelf.close()
    evening.shelf.path.write_bytes(LETTER)
    evening.host.look_again()
    assert evening.host.problem is None
    assert evening.host.set_aside
    assert evening.host.set_aside.path.read_bytes() == LETTER
    assert evening.host.kept is None
    evening.host.begin(DEFAULT)
    assert evening.host.table
    assert evening.host.keeps


def test_unwritable_folder_is_reported(evening: HostDriver, tmp_path: Path) -> None:
    evening.shelf.close()
    evening.shelf.path.unlink(missing_ok=True)
    with forbidden(tmp_path):
        evening.host.look_again()
    assert evening.host.problem
    evening.host.begin(DEFAULT)
    assert not evening.host.keeps


def test_what_waits_to_be_saved_is_told_by_no_lamp(evening: HostDriver) -> None:
    evening.tick(BoardFound(10.0, sees_colours=True), BoardSeen(10.0, STANDING))
    evening.host.begin(DEFAULT)
    evening.tick(seconds=1)
    for side in Side:
        evening.host.submit(CommandInput(evening.now, Ready(side)))
    fill(evening.shelf.journal())
    evening.tick(BoardSeen(evening.now, after(STANDING, "e4 e5")))
    evening.tick(seconds=1)
    assert evening.host.unsaved
    assert evening.script.lit[-1] == 0
    evening.host.play_on_unkept()
    evening.tick()
    assert evening.script.lit[-1] == squares("e4 e5")


def test_changes_are_counted_only_when_there_are_any(evening: HostDriver) -> None:
    before = evening.host.changes
    evening.tick(seconds=1)
    assert evening.host.changes == before
    evening.tick(BoardFound(11.0, sees_colours=True))
    assert evening.host.changes > before


def test_every_game_is_recorded(tmp_path: Path, evening: HostDriver) -> None:
    with Recorder(tmp_path / "traces", pytest.fail) as recorder:
        evening.host = GameHost(
            evening.shelf, evening.script, lambda: evening.now, lambda: 3, recorder
        )
        evening.tick(BoardFound(10.0, sees_colours=True), BoardSeen(10.0, STANDING))
        for _ in range(2):
            evening.host.begin(DEFAULT)
            evening.tick(seconds=1)
            evening.host.leave()
    files = sorted((tmp_path / "traces").iterdir())
    assert [difference(each) for each in files] == [None, None]
    assert all(len(read_trace(each).notes) > 2 for each in files)


def test_what_an_arbiter_decides_from_afar_reaches_the_table(evening: HostDriver) -> None:
    asked: list[int | None] = []

    class Arbiter:
        def inputs(self, at: float, game: int | None, table: Table) -> list[Input]:
            asked.append(game)
            return [CommandInput(at, IgnoreSquare(square("e4"), doubted=True))]

    evening.host.far_arbiter = Arbiter()
    evening.tick()
    assert asked == [], "without a game there is nothing to decide"
    evening.host.begin(DEFAULT)
    evening.tick(seconds=1)
    assert asked == [None], "nothing of it is kept yet"
    assert evening.host.table
    assert evening.host.table.doubted == set_of([square("e4")])
