"""The ranks in a combat are revealed once, then hidden again (rules.md §10)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.inputs import NoAttack, RevealDismissed
from companion.core.recognition_limits import LIMITS
from companion.session.session import Session
from companion.storage.journal import Journal
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.rules.editions import DEFAULT
from tests.companion.core.table_driver import TableDriver, fight

RED, BLUE = Side.RED, Side.BLUE


def cleared() -> TableDriver:
    """Return a game in which Red's captain has beaten a miner and both players know the result."""
    driver = fight(Rank.CAPTAIN, Rank.MINER)
    driver.stand(RED, square("e6"))
    driver.wait(LIMITS.combat_readable_seconds)
    return driver


class TestReading:
    def test_reveal_stays_readable_for_a_while(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        assert driver.table.state.reveal is None
        assert driver.table.unread_combat == driver.table.referee.position.last_combat
        driver.wait(LIMITS.combat_readable_seconds)
        assert driver.table.unread_combat is None

    def test_quick_reply_does_not_hide_the_reveal(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        combat = driver.table.unread_combat
        driver.move("f7", "f6", settle=0.5)
        assert driver.table.referee.to_move is RED
        assert driver.table.unread_combat == combat

    def test_touch_closes_the_reveal(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        driver.submit(RevealDismissed(driver.now))
        assert driver.table.unread_combat is None

    def test_touch_does_not_close_an_uncleared_combat(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.wait(60)
        driver.submit(RevealDismissed(driver.now))
        assert driver.table.unread_combat
        assert driver.table.state.reveal == driver.table.unread_combat
        driver.stand(RED, square("e6"))
        driver.wait()
        assert driver.table.unread_combat is None, "both players had time to read the reveal"

    def test_taken_back_combat_is_not_shown(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        driver.take_back()
        assert driver.table.unread_combat is None

    def test_valid_combat_is_shown_after_a_take_back(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        combat = driver.table.unread_combat
        driver.move("f7", "f6", settle=0.5)
        driver.take_back()
        assert driver.table.unread_combat == combat


class TestAfterARestart:
    def test_lifted_piece_reveals_nothing(self) -> None:
        driver = cleared()
        driver.lift("e6")
        driver.wait()
        again = driver.replugged()
        again.wait()
        assert again.table.unread_combat is None
        assert again.table.state.reveal is None

    def test_lifted_piece_reveals_nothing_after_a_take_back(self) -> None:
        driver = cleared()
        driver.play("f7-f6")
        driver.take_back()
        driver.move("f6", "f7")
        driver.lift("e6")
        again = driver.replugged()
        again.wait()
        assert again.table.unread_combat is None
        assert again.table.state.reveal is None

    def test_withdrawn_attack_reveals_nothing(self) -> None:
        driver = cleared()
        driver.play("e8-e7")
        driver.play("a4-a5")
        driver.lift("e7")
        driver.lift("e6")
        driver.wait()
        again = driver.replugged()
        again.submit(NoAttack(again.now))
        again.wait()
        assert again.table.unread_combat is None

    def test_unread_reveal_survives_a_restart(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        again = driver.replugged()
        again.wait()
        assert again.table.unread_combat == driver.table.referee.position.last_combat
        again.wait(LIMITS.combat_readable_seconds)
        assert again.table.unread_combat is None

    def test_unread_reveal_expires_after_the_result(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.stand(RED, square("e6"))
        driver.wait(1)
        driver.lift("e6")
        again = driver.replugged()
        again.wait()
        assert again.table.state.reveal is None
        again.wait(LIMITS.combat_readable_seconds)
        assert again.table.unread_combat is None, "the reveal expires although a piece is lifted"

    def test_unread_reveal_survives_a_reply(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        combat = driver.table.unread_combat
        driver.move("f7", "f6", settle=0.5)
        again = driver.replugged()
        again.wait()
        assert again.table.unread_combat == combat
        assert not again.table.state.waits_for_board


@pytest.fixture
def open_journal(tmp_path: Path) -> Iterator[Callable[[], Journal]]:
    opened: list[Journal] = []

    def open_() -> Journal:
        opened.append(Journal(tmp_path / "games.sqlite"))
        return opened[-1]

    yield open_
    for journal in opened:
        journal.close()


def test_reveal_after_a_power_cut_at_any_time(
    open_journal: Callable[[], Journal],
) -> None:
    """The power is cut after every input, and a new process resumes the game."""
    driver = cleared()
    driver.play("f7-f6")
    driver.lift("e6")
    driver.wait()
    journal, reader = open_journal(), open_journal()
    session = Session.begin(journal, DEFAULT, seed=1)
    was_open = was_closed = False
    for number, each in enumerate(driver.inputs):
        is_news = session.handle(each).is_news
        if not session.table.referee.actions or not (is_news or number % 10 == 0):
            continue
        journal._one_player.leave()
        kept = reader.unfinished()
        assert kept
        again = Session.resume(reader, kept).table
        reader._one_player.leave()
        assert again.unread_combat == session.table.unread_combat
        if was_closed:
            assert again.unread_combat is None
        was_open |= again.unread_combat is not None
        was_closed |= was_open and again.unread_combat is None
    assert was_closed
