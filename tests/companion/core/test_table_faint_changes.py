"""Frames that report change times and faint squares."""

import pytest

from companion.core.events import ChooseAttacker
from companion.core.inputs import BoardSeen, TimePassed
from engine.board.geometry import Side, set_of, square
from engine.game.actions import Attack, Move
from engine.game.game_state import Phase
from engine.game.rulings import AttackOpened
from engine.rules.rules import Violation
from tests.companion.core.table_driver import FRAME, TableDriver, clash
from tests.engine.tables import way


def show(driver: TableDriver, faint: str = "", **first: float) -> None:
    """Send the next frame. `first` says how many seconds ago each square first changed."""
    driver.now += FRAME
    moments = tuple((square(name), driver.now - ago) for name, ago in first.items())
    squares = set_of(map(square, faint.split()))
    driver.submit(BoardSeen(driver.now, driver.board.image(), moments, squares))


class TestSimultaneousLifts:
    """Red's e5 is adjacent to Blue's e6. Blue's piece has just moved and may still attack."""

    def test_red_lifted_first_attacks(self) -> None:
        driver = clash()
        driver.board.lift(square("e5"))
        driver.board.lift(square("e6"))
        show(driver, e5=0.017, e6=0.009)
        driver.wait()
        assert not driver.emitted(ChooseAttacker)
        assert driver.actions == [Attack(*way("e5-e6"))]

    def test_blue_lifted_first_is_ambiguous(self) -> None:
        driver = clash()
        driver.board.lift(square("e5"))
        driver.board.lift(square("e6"))
        show(driver, e6=0.017, e5=0.009)
        driver.wait()
        assert driver.emitted(ChooseAttacker) == [ChooseAttacker(square("e5"), square("e6"))]
        assert not driver.actions


class TestPassingHand:
    """Red carries a piece from e4 to e5. As the piece passes, f5 briefly detects it."""

    def test_faint_change_is_ignored(self) -> None:
        driver = TableDriver.begun()
        piece = driver.lift("e4")
        driver.wait(0.3)
        driver.board.place(piece, square("f5"))
        show(driver, faint="f5")
        show(driver, faint="f5")
        assert driver.table.observed is not None
        assert not driver.table.observed.occupied >> square("f5") & 1, (
            "the faint piece is not in the image"
        )
        driver.board.lift(square("f5"))
        show(driver)
        driver.wait(0.3)
        driver.place(piece, "e5")
        driver.wait()
        assert driver.actions == [Move(*way("e4-e5"))]

    def test_faint_lift_of_an_enemy_piece_is_no_attack(self) -> None:
        driver = clash()
        driver.lift("e5")
        driver.board.lift(square("e6"))
        show(driver, faint="e6")
        driver.board.stand(Side.BLUE, square("e6"))
        show(driver)
        driver.wait(0.2)
        assert driver.table.referee.phase is Phase.PLAY
        assert not driver.emitted(AttackOpened)


class TestAWeakMagnet:
    """Red's e4 has a weak magnet, so its reading is faint."""

    @staticmethod
    def moved() -> TableDriver:
        driver = TableDriver.begun()
        driver.move("a4", "a5")
        driver.move("a7", "a6")
        driver.forget()
        piece = driver.lift("e4")
        driver.wait(0.3)
        driver.board.place(piece, square("e5"))
        return driver

    def test_move_of_a_faint_piece_counts_at_once(self) -> None:
        driver = self.moved()
        set_down = driver.now
        show(driver, faint="e5", e5=0.01)
        while not driver.actions:
            show(driver, faint="e5")
        assert driver.actions == [Move(*way("e4-e5"))]
        assert driver.now - set_down <= 0.12 + 2 * FRAME

    def test_faint_piece_stays_accepted(self) -> None:
        driver = self.moved()
        for _ in range(200):
            show(driver, faint="e5")
        driver.board.place(driver.board.lift(square("f7")), square("f6"))
        for _ in range(200):
            show(driver, faint="e5")
        driver.board.place(driver.board.lift(square("e5")), square("e6"))
        for _ in range(200):
            show(driver, faint="e6")
        assert driver.table.referee.in_force[-3:] == [
            Move(*way(each)) for each in ("e4-e5", "f7-f6", "e5-e6")
        ]
        assert not driver.emitted(Violation)

    def test_faint_change_needs_frames(self) -> None:
        driver = self.moved()
        show(driver, faint="e5")
        assert driver.table.next_deadline is not None
        driver.now += 1
        driver.submit(TimePassed(driver.now))
        assert not driver.actions
        show(driver, faint="e5")
        show(driver, faint="e5")
        assert driver.actions == [Move(*way("e4-e5"))]


@pytest.mark.parametrize("faint", ["", "e4 k10"])
def test_repeated_frames_change_nothing(faint: str) -> None:
    driver = TableDriver.begun()
    driver.wait(15)
    show(driver, faint=faint)
    steps = len(driver.steps)
    for _ in range(100):
        show(driver, faint=faint)
    assert not any(step.is_news for step in driver.steps[steps:])
