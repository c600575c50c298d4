"""Sessions without a screen: messages from the board and their timing."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.core import inputs
from companion.core.table import Table
from companion.opponent.setup_choice import choose_setup
from companion.recorder.recorder import Recorder
from companion.recorder.trace_reader import read_trace
from companion.session.game_host import GameHost, Submit
from companion.session.screen_setups import LocalCommitments
from companion.setups.setup import Setup
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side, set_of, square
from engine.game.actions import Resign
from engine.game.game_state import Phase
from engine.rules.editions import DEFAULT
from tests.companion.recorder.recordings import difference
from tests.companion.storage.disk_faults import LETTER, fill, forbidden
from tests.companion.ui.playing import STANDING, after, squares
from tests.companion.ui.running_app import Script


class HostDriver:
    def __init__(self, path: Path) -> None:
        self.now = 10.0
        self.script = Script()
        self.journals = JournalProvider(path)
        self.host = GameHost(self.journals, self.script, lambda: self.now, lambda: 3)

    def tick(self, *given: inputs.Input, seconds: float = 0.0) -> None:
        self.script.waiting.extend(given)
        self.now += seconds
        self.host.poll()


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[HostDriver]:
    driver = HostDriver(tmp_path / "games.sqlite")
    yield driver
    driver.journals.close()


def begin(driver: HostDriver) -> None:
    """Connect a board with both armies, and begin a game."""
    driver.tick(inputs.BoardFound(10.0, sees_colours=True), inputs.BoardSeen(10.0, STANDING))
    driver.host.begin(DEFAULT)
    driver.tick(seconds=1)
    for side in Side:
        driver.host.submit(inputs.CommandInput(driver.now, inputs.Ready(side)))


def test_new_game_gets_the_last_board_image(driver: HostDriver) -> None:
    driver.tick(inputs.BoardFound(10.0, sees_colours=True), inputs.BoardSeen(10.0, STANDING))
    driver.host.begin(DEFAULT)
    driver.tick(seconds=1)
    assert driver.host.table
    assert driver.host.table.is_connected
    assert driver.host.table.setup.red == 40


def test_lost_board_is_forgotten(driver: HostDriver) -> None:
    driver.tick(inputs.BoardFound(10.0, sees_colours=True), inputs.BoardLost(10.0))
    driver.host.begin(DEFAULT)
    assert driver.host.table
    assert not driver.host.table.is_connected


def test_late_image_counts_as_of_now(driver: HostDriver) -> None:
    begin(driver)
    table = driver.host.table
    assert table
    assert table.view.phase is Phase.PLAY
    # The message is 0.5 s old when it is polled, but the move must not count as settled.
    driver.tick(inputs.BoardSeen(driver.now - 0.5, after(STANDING, "e4 e5")))
    assert table.view.plies == 0
    driver.tick(seconds=0.4)
    assert table.view.plies == 1


def test_damaged_journal_is_quarantined(driver: HostDriver) -> None:
    driver.journals.close()
    driver.journals.path.write_bytes(LETTER)
    driver.host.look_again()
    assert driver.host.problem is None
    assert driver.host.quarantined
    assert driver.host.quarantined.path.read_bytes() == LETTER
    assert driver.host.kept is None
    driver.host.begin(DEFAULT)
    assert driver.host.table
    assert driver.host.keeps


def test_unwritable_folder_is_reported(driver: HostDriver, tmp_path: Path) -> None:
    driver.journals.close()
    driver.journals.path.unlink(missing_ok=True)
    with forbidden(tmp_path):
        driver.host.look_again()
    assert driver.host.problem
    driver.host.begin(DEFAULT)
    assert not driver.host.keeps


def test_unsaved_events_light_no_lamp(driver: HostDriver) -> None:
    begin(driver)
    fill(driver.journals.journal())
    driver.tick(inputs.BoardSeen(driver.now, after(STANDING, "e4 e5")))
    driver.tick(seconds=1)
    assert driver.host.unsaved
    assert driver.script.lit[-1] == 0
    driver.host.continue_unsaved()
    driver.tick()
    assert driver.script.lit[-1] == squares("e4 e5")


def test_only_real_changes_are_counted(driver: HostDriver) -> None:
    before = driver.host.changes
    driver.tick(seconds=1)
    assert driver.host.changes == before
    driver.tick(inputs.BoardFound(11.0, sees_colours=True))
    assert driver.host.changes > before


def test_every_game_is_recorded(tmp_path: Path, driver: HostDriver) -> None:
    with Recorder(tmp_path / "traces", pytest.fail) as recorder:
        driver.host = GameHost(
            driver.journals, driver.script, lambda: driver.now, lambda: 3, recorder
        )
        driver.tick(inputs.BoardFound(10.0, sees_colours=True), inputs.BoardSeen(10.0, STANDING))
        for _ in range(2):
            driver.host.begin(DEFAULT)
            driver.tick(seconds=1)
            driver.host.leave()
    files = sorted((tmp_path / "traces").iterdir())
    assert [difference(each) for each in files] == [None, None]
    assert all(len(read_trace(each).notes) > 2 for each in files)


def test_remote_arbiter_decision_reaches_the_table(driver: HostDriver) -> None:
    asked: list[int | None] = []

    class Arbiter:
        def carry_out(self, at: float, game: int | None, table: Table, submit: Submit) -> None:
            asked.append(game)
            submit(inputs.CommandInput(at, inputs.IgnoreSquare(square("e4"), doubted=True)))

    driver.host.far_arbiter = Arbiter()
    driver.tick()
    assert asked == [], "without a game there is nothing to decide"
    driver.host.begin(DEFAULT)
    driver.tick(seconds=1)
    assert asked == [None], "the game is not saved yet"
    assert driver.host.table
    assert driver.host.table.doubted == set_of([square("e4")])


def test_proofs_belong_to_their_game(driver: HostDriver) -> None:
    """Opened seals of one game are not shown in another one that is resumed."""
    seals = LocalCommitments(driver.host, lambda: driver.now)
    begin(driver)
    first = driver.host.number
    driver.host.leave()
    driver.host.begin(replace(DEFAULT, sealed_armies=True))
    driver.tick(seconds=1)
    for side in Side:
        seals.draw_up(side, Setup.of(side, choose_setup(DEFAULT, side, Random(side.value))))
        seals.seal(side)
        driver.host.submit(inputs.CommandInput(driver.now, inputs.Ready(side)))
    driver.host.submit(inputs.CommandInput(driver.now, Resign(Side.RED)))
    for side in Side:
        seals.prove(side)
    assert seals.proofs.keys() == {*Side}
    driver.host.leave()
    driver.host.resume(first)
    assert driver.host.number == first
    assert not seals.proofs
