"""The idle state, in which a table ignores frames that repeat the same image."""

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


def news_in(evening: TableDriver, seconds: float) -> int:
    """Show the same image for a while, frame by frame; return the number of frames processed."""
    before = len(evening.steps)
    for _ in range(round(seconds / FRAME)):
        evening.show()
    return sum(step.is_news for step in evening.steps[before:])


def test_it_rests_for_ever_where_nothing_is_done() -> None:
    evening = TableDriver.begun()
    evening.wait(60)
    assert evening.table.idle_until == math.inf
    assert news_in(evening, 10) == 0


def test_it_waits_for_a_turn_to_stand() -> None:
    evening = TableDriver.begun()
    evening.wait(60)
    evening.board.place(evening.board.lift(square("e4")), square("e5"))
    evening.show()
    rests = evening.table.idle_until
    assert evening.now < rests < math.inf
    assert news_in(evening, rests - evening.now - FRAME) == 0
    assert news_in(evening, 2 * FRAME) > 0


def test_it_looks_at_the_first_frames_of_a_board() -> None:
    """The first frames, but not a missing frame, show whether the board sends in sequence."""
    evening = TableDriver.begun()
    evening.wait(60)
    evening.submit(BoardFound(evening.now, sees_colours=True))
    for _ in range(SENSING_LIMITS.stream_frames):
        evening.show()
        assert evening.table.idle_until == -math.inf
    evening.show()
    assert evening.table.idle_until == math.inf


@pytest.mark.parametrize("still", [Resign(Side.RED), Pause()])
def test_it_rests_after_a_combat_whatever_is_said_then(still: Resign | Pause) -> None:
    """Lost pieces may stay on the board for a while; then the table stops waiting for them."""
    evening = fight(Rank.CAPTAIN, Rank.MINER)
    evening.stand(Side.RED, square("e6"))
    evening.wait(LIMITS.combat_readable_seconds / 2)
    evening.submit(CommandInput(evening.now, still))
    assert (evening.table.referee.phase is Phase.OVER) == isinstance(still, Resign)
    evening.wait(LIMITS.combat_readable_seconds + LIMITS.losers_remain_seconds)
    assert evening.table.idle_until > evening.now
    assert news_in(evening, 10) == 0


def test_a_moment_that_is_nearly_due_is_due() -> None:
    """A frame's time is a rounded sum.

    The rounding must not decide whether the frame is processed.
    """
    evening = fight(Rank.MINER, Rank.MINER)
    assert evening.table.unread_combat is not None
    due = evening.table.next_deadline
    assert due is not None
    while evening.table.unread_combat is not None:
        due = evening.table.next_deadline
        assert due is not None
        evening.submit(BoardSeen(due - 1e-12, evening.board.image()))
        assert evening.table.next_deadline != due
