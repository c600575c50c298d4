"""An idle table ignores frames with an unchanged image."""

import math

import pytest

from companion.core.inputs import BoardFound, BoardSeen, CommandInput, Pause
from companion.core.recognition_limits import LIMITS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Resign
from engine.game.game_state import Phase
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tests.companion.core.table_driver import FRAME, TableDriver, fight


def news_in(driver: TableDriver, seconds: float) -> int:
    """Repeat an image for the given number of seconds. Return how many frames were processed."""
    before = len(driver.steps)
    for _ in range(round(seconds / FRAME)):
        driver.show()
    return sum(step.is_news for step in driver.steps[before:])


def test_idle_table_has_no_deadline() -> None:
    driver = TableDriver.begun()
    driver.wait(60)
    assert driver.table.idle_until == math.inf
    assert news_in(driver, 10) == 0


def test_deadline_while_a_turn_settles() -> None:
    driver = TableDriver.begun()
    driver.wait(60)
    driver.board.place(driver.board.lift(square("e4")), square("e5"))
    driver.show()
    rests = driver.table.idle_until
    assert driver.now < rests < math.inf
    assert news_in(driver, rests - driver.now - FRAME) == 0
    assert news_in(driver, 2 * FRAME) > 0


def test_deadline_after_the_first_frames() -> None:
    """The table uses the first frames to find out whether the board sends every frame."""
    driver = TableDriver.begun()
    driver.wait(60)
    driver.submit(BoardFound(driver.now, sees_colours=True))
    for _ in range(SENSING_LIMITS.stream_frames):
        driver.show()
        assert driver.table.idle_until == -math.inf
    driver.show()
    assert driver.table.idle_until == math.inf


@pytest.mark.parametrize("still", [Resign(Side.RED), Pause()])
def test_idle_after_a_combat(still: Resign | Pause) -> None:
    """The table waits a while for captured pieces to be removed, and then becomes idle."""
    driver = fight(Rank.CAPTAIN, Rank.MINER)
    driver.stand(Side.RED, square("e6"))
    driver.wait(LIMITS.combat_readable_seconds / 2)
    driver.submit(CommandInput(driver.now, still))
    assert (driver.table.referee.phase is Phase.OVER) == isinstance(still, Resign)
    driver.wait(LIMITS.combat_readable_seconds + LIMITS.losers_remain_seconds)
    assert driver.table.idle_until > driver.now
    assert news_in(driver, 10) == 0


def test_nearly_due_deadline_is_due() -> None:
    """Rounding errors in frame times must not affect whether a frame is processed."""
    driver = fight(Rank.MINER, Rank.MINER)
    assert driver.table.unread_combat is not None
    due = driver.table.next_deadline
    assert due is not None
    while driver.table.unread_combat is not None:
        due = driver.table.next_deadline
        assert due is not None
        driver.submit(BoardSeen(due - 1e-12, driver.board.image()))
        assert driver.table.next_deadline != due
