"""The arbiter's notes are derived from the saved game."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.core import inputs
from companion.core.events import BoardDiffers, BoardDisconnected, Restored
from companion.reports.incident_sheet import Incident, incident_sheet, incident_words
from companion.reports.replay import Archive
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.journal import Journal
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Forfeit, Resign, SettleDispute
from engine.game.clocks import TimeControl
from engine.game.rulings import Disputed, DisputeSettled, GameOver, Overridden, TakenBack
from engine.rules.rules import Violation
from tests.companion.core.table_driver import TableDriver, clash, dispute

RED, BLUE = Side.RED, Side.BLUE
CONTROL = TimeControl("free", each=600)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def keep(path: Path, driver: TableDriver) -> None:
    with closing(Journal(path)) as journal:
        session = Session.begin(journal, driver.table.referee.edition, driver.seed, driver.control)
        for given in driver.inputs:
            session.handle(given)


def found(path: Path) -> list[Incident]:
    journals = JournalProvider(path)
    with closing(journals):
        return Archive(journals).incidents(1)[1]


def kinds(incidents: list[Incident]) -> list[type]:
    return [type(incident.what) for incident in incidents]


def eventful() -> TableDriver:
    """Return a game with several incidents.

    The incidents are an illegal move, a pause, a clock adjustment, an ignored square and a
    take-back.
    """
    driver = clash(control=CONTROL)
    driver.place(driver.lift("a4"), "b5")
    driver.wait(3)
    driver.wait(3)
    driver.place(driver.lift("b5"), "a4")
    driver.wait(3)
    driver.command(inputs.Pause())
    driver.wait(60)
    driver.command(inputs.Resume())
    driver.wait(3)
    driver.command(inputs.AdjustClock(BLUE, 120))
    driver.command(inputs.IgnoreSquare(square("k1"), doubted=True))
    driver.take_back()
    driver.wait(3)
    return driver


def test_incidents_during_a_game(path: Path) -> None:
    keep(path, eventful())
    incidents = [each for each in found(path) if not isinstance(each.what, BoardDiffers)]
    assert kinds(incidents)[:6] == [
        Violation,
        Restored,
        inputs.Pause,
        inputs.Resume,
        inputs.AdjustClock,
        inputs.IgnoreSquare,
    ]
    assert kinds(incidents)[6:8] == [inputs.OfferUndo, TakenBack]
    wrong, _, _, _, given, *_ = incidents
    assert (wrong.side, wrong.ply) == (RED, 2)
    assert (given.side, given.what) == (BLUE, inputs.AdjustClock(BLUE, 120))
    assert given.clock is not None
    assert given.seconds > 66


def test_lasting_fault_is_recorded_once(path: Path) -> None:
    driver = clash()
    for source, target in (("a1", "a5"), ("b1", "b5")):
        driver.place(driver.lift(source), target)
    driver.wait(3)
    driver.lift("c1")
    driver.wait(3)
    keep(path, driver)
    assert kinds(found(path)) == [BoardDiffers]


def test_arbiter_call_is_recorded(path: Path) -> None:
    driver = clash()
    text = (
        inputs.CallArbiter(RED),
        inputs.WithdrawCall(RED),
        inputs.CallArbiter(None),
        inputs.AnswerCall(),
    )
    for each in text:
        driver.command(each)
    keep(path, driver)
    incidents = found(path)
    assert tuple(each.what for each in incidents) == text
    assert [each.side for each in incidents] == [RED, RED, None, None]


def test_dispute_is_recorded(path: Path) -> None:
    driver = dispute()
    driver.command(SettleDispute(accepted=True))
    driver.command(Forfeit(RED))
    keep(path, driver)
    assert [kind for kind in kinds(found(path)) if kind is not BoardDiffers] == [
        *(Disputed, DisputeSettled, GameOver)
    ]


def test_incidents_contain_only_public_ranks(path: Path) -> None:
    sheets = []
    for name, rank in (("one", Rank.BOMB), ("other", Rank.FLAG)):
        there = path.with_name(name)
        keep(there, dispute(rank))
        journals = JournalProvider(there)
        with closing(journals):
            game, incidents = Archive(journals).incidents(1)
        sheets.append(incident_sheet(game, incidents, Language("en")).splitlines()[2:])
    assert sheets[0] == sheets[1]
    assert "captain" not in "\n".join(sheets[0])


def test_override_is_recorded(path: Path) -> None:
    driver = clash()
    driver.place(driver.lift("a4"), "b5")
    driver.wait(3)
    driver.allow_move()
    keep(path, driver)
    assert kinds(found(path)) == [Violation, Overridden]


def test_lost_board_is_recorded(path: Path) -> None:
    driver = clash()
    driver.lose_board()
    keep(path, driver)
    assert kinds(found(path)) == [BoardDisconnected]


def test_incidents_page(path: Path) -> None:
    keep(path, eventful())
    journals = JournalProvider(path)
    with closing(journals):
        game, incidents = Archive(journals).incidents(1)
    sheet = incident_sheet(game, incidents, Language("en"))
    assert sheet.splitlines()[1].startswith("Classic (Original Stratego 498)  20")
    assert "ply 2 · Red 9:5" in sheet
    assert "Red: Pieces move straight along a row or a column." in sheet
    assert "The arbiter adjusts the clock: Blue, 2 minutes more." in sheet


def test_take_back_of_the_end(path: Path) -> None:
    """No move is taken back, so the incident does not mention one."""
    driver = clash()
    driver.command(Resign(RED))
    for side in Side:
        driver.command(inputs.OfferUndo(side))
    keep(path, driver)
    incidents = found(path)
    (offer,) = [each for each in incidents if isinstance(each.what, inputs.OfferUndo)]
    assert incident_words(offer, Announcer(Language("en"))) == "Red asks for a take-back."
    assert TakenBack in kinds(incidents)


def test_set_clock_survives_a_restart(path: Path) -> None:
    driver = eventful()
    driver.command(inputs.AdjustClock(RED, 300))
    keep(path, driver)
    with closing(Journal(path)) as journal:
        kept = journal.unfinished()
        assert kept is not None
        left = Session.resume(journal, kept).table.clock.remaining(RED, 0)
    assert left == pytest.approx(driver.table.clock.remaining(RED, driver.now))


def test_game_without_incidents(path: Path) -> None:
    keep(path, clash())
    assert not found(path)
