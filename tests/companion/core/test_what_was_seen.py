"""Observations rule out events that did not happen, even likely ones (design, 1).

Every case is shown to the table as a board would, with a frame every 20 ms. More cases are stored
as traces in tests/companion/recorder/cases.
"""

import pytest

from companion.core.events import BoardDiffers
from companion.core.inputs import NoAttack, TimePassed
from companion.core.state import AwaitingAnswer
from engine.board.geometry import Side, square
from engine.game.actions import Move
from engine.game.rulings import AttackOpened
from engine.rules.violations import Violation
from firmware_bridge.simulated_board.board import PhysicalPiece
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import way

RED, BLUE = Side.RED, Side.BLUE
kinds = pytest.mark.parametrize("kind", BoardKind)


class TestASleeve:
    """A hand pushes i4 to i5 and tips h4 over, so that h4 is no longer detected."""

    @staticmethod
    def swept(kind: BoardKind) -> tuple[TableDriver, PhysicalPiece]:
        evening = TableDriver.begun(kind)
        tipped, pushed = evening.board.lift(square("h4")), evening.board.lift(square("i4"))
        evening.place(pushed, "i5")
        return evening, tipped

    @kinds
    def test_of_what_lies_there_the_players_are_told(self, kind: BoardKind) -> None:
        evening, _ = self.swept(kind)
        evening.wait(10)
        assert evening.told(BoardDiffers) or isinstance(evening.table.state, AwaitingAnswer)
        assert not evening.actions

    @kinds
    def test_the_push_may_have_been_a_move_after_all(self, kind: BoardKind) -> None:
        evening, tipped = self.swept(kind)
        evening.wait(5)
        evening.place(tipped, "h4")
        evening.wait()
        assert evening.actions == [Move(*way("i4-i5"))]


class TestWhoOnlyLooks:
    def test_the_answer_may_be_that_it_is_none(self) -> None:
        evening = TableDriver.begun()
        thought = evening.lift("e4")
        looked = evening.lift("e7")
        evening.wait()
        evening.submit(NoAttack(evening.now))
        evening.wait()
        assert not evening.actions
        evening.place(looked, "e7")
        evening.place(thought, "e5")
        evening.wait()
        assert evening.actions == [Move(*way("e4-e5"))]


def test_what_is_seen_standing_after_a_silence_has_stood() -> None:
    """The board sends every frame, then none for half a second, and then continues."""
    evening = TableDriver.begun()
    evening.wait(1)
    evening.place(evening.lift("e4"), "e5")
    evening.now += 0.5
    evening.submit(TimePassed(evening.now))
    assert not evening.actions
    evening.show()
    assert evening.actions == [Move(*way("e4-e5"))]


class TestATargetIsShovedAside:
    """A piece is slid without a pause, stops before the last line, and pushes the piece there."""

    @staticmethod
    def shoved(*, stop: float) -> TableDriver:
        evening = TableDriver.begun()
        evening.play("a4-a5 f7-f6")
        attacker = evening.lift("f4")
        evening.place(attacker, "f5")
        evening.wait(stop)
        target = evening.lift("f6")
        evening.lift("f5")
        evening.wait(0.08)
        evening.place(attacker, "f6")
        evening.wait(0.06)
        evening.place(target, "e6")
        evening.wait()
        return evening

    @pytest.mark.parametrize("stop", [0.1, 0.18, 0.24, 0.6])
    def test_that_is_one_attack(self, stop: float) -> None:
        evening = self.shoved(stop=stop)
        opened = evening.told(AttackOpened)[-1]
        assert (opened.source, opened.target) == way("f4-f6")
        assert evening.table.referee.plies == 2
        assert not evening.told(Violation)


class TestTheOtherSideTouchesAPieceMeanwhile:
    """The touch ends the previous turn, but the touched piece need not belong to a turn."""

    @pytest.mark.parametrize("stop", [0.2, 0.3, 0.36])
    def test_a_slide_goes_on(self, stop: float) -> None:
        evening = TableDriver.begun()
        scout = evening.lift("k4")
        evening.place(scout, "k5")
        evening.wait(stop - 0.1)
        evening.lift("b7")
        evening.wait(0.06)
        evening.lift("k5")
        evening.place(scout, "k6")
        evening.wait(0.5)
        assert evening.table.referee.position.last_move == way("k4-k6")
        assert not evening.told(Violation)
