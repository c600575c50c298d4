"""Questions and rulings that depend on the exact frames.

Frames are always 20 ms apart. Further cases are stored as traces in tests/companion/recorder/cases.
"""

import pytest

from companion.core.events import BoardDiffers
from companion.core.inputs import NoAttack, TimePassed
from companion.core.state import AwaitingAnswer
from engine.board.geometry import Side, square
from engine.game.actions import Move
from engine.game.rulings import AttackOpened
from engine.rules.rules import Violation
from firmware_bridge.simulated_board.board import PhysicalPiece
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import way

RED, BLUE = Side.RED, Side.BLUE
kinds = pytest.mark.parametrize("kind", BoardKind)


class TestASleeve:
    """A sleeve pushes the piece on i4 to i5 and tips over the piece on h4.

    The sensor at h4 no longer detects its piece.
    """

    @staticmethod
    def swept(kind: BoardKind) -> tuple[TableDriver, PhysicalPiece]:
        driver = TableDriver.begun(kind)
        tipped, pushed = driver.board.lift(square("h4")), driver.board.lift(square("i4"))
        driver.place(pushed, "i5")
        return driver, tipped

    @kinds
    def test_lying_piece_is_reported(self, kind: BoardKind) -> None:
        driver, _ = self.swept(kind)
        driver.wait(10)
        assert driver.emitted(BoardDiffers) or isinstance(driver.table.state, AwaitingAnswer)
        assert not driver.actions

    @kinds
    def test_push_may_be_a_move(self, kind: BoardKind) -> None:
        driver, tipped = self.swept(kind)
        driver.wait(5)
        driver.place(tipped, "h4")
        driver.wait()
        assert driver.actions == [Move(*way("i4-i5"))]


class TestLookWithoutATurn:
    def test_answer_may_be_no_move(self) -> None:
        driver = TableDriver.begun()
        thought = driver.lift("e4")
        looked = driver.lift("e7")
        driver.wait()
        driver.submit(NoAttack(driver.now))
        driver.wait()
        assert not driver.actions
        driver.place(looked, "e7")
        driver.place(thought, "e5")
        driver.wait()
        assert driver.actions == [Move(*way("e4-e5"))]


def test_piece_seen_after_a_silence_counts_as_placed() -> None:
    """No frame arrives for half a second."""
    driver = TableDriver.begun()
    driver.wait(1)
    driver.place(driver.lift("e4"), "e5")
    driver.now += 0.5
    driver.submit(TimePassed(driver.now))
    assert not driver.actions
    driver.show()
    assert driver.actions == [Move(*way("e4-e5"))]


class TestShovedTarget:
    """A piece slides forward, stops in front of another piece and then pushes it."""

    @staticmethod
    def shoved(*, stop: float) -> TableDriver:
        driver = TableDriver.begun()
        driver.play("a4-a5 f7-f6")
        attacker = driver.lift("f4")
        driver.place(attacker, "f5")
        driver.wait(stop)
        target = driver.lift("f6")
        driver.lift("f5")
        driver.wait(0.08)
        driver.place(attacker, "f6")
        driver.wait(0.06)
        driver.place(target, "e6")
        driver.wait()
        return driver

    @pytest.mark.parametrize("stop", [0.1, 0.18, 0.24, 0.6])
    def test_repeated_touches_are_one_attack(self, stop: float) -> None:
        driver = self.shoved(stop=stop)
        opened = driver.emitted(AttackOpened)[-1]
        assert (opened.source, opened.target) == way("f4-f6")
        assert driver.table.referee.plies == 2
        assert not driver.emitted(Violation)


class TestOpponentTouchesAPiece:
    """A scout may slide on after the opponent has lifted a piece that is not part of the turn."""

    @pytest.mark.parametrize("stop", [0.2, 0.3, 0.36])
    def test_slide_continues(self, stop: float) -> None:
        driver = TableDriver.begun()
        scout = driver.lift("k4")
        driver.place(scout, "k5")
        driver.wait(stop - 0.1)
        driver.lift("b7")
        driver.wait(0.06)
        driver.lift("k5")
        driver.place(scout, "k6")
        driver.wait(0.5)
        assert driver.table.referee.position.last_move == way("k4-k6")
        assert not driver.emitted(Violation)
