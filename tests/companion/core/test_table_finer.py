"""Details in a frame: when squares changed, and which squares have a faint reading."""

import pytest

from companion.core.events import ChooseAttacker
from companion.core.inputs import BoardSeen, TimePassed
from engine.board.geometry import Side, set_of, square
from engine.game.actions import Attack, Move
from engine.game.game_state import Phase
from engine.game.rulings import AttackOpened
from engine.rules.violations import Violation
from tests.companion.core.table_driver import FRAME, TableDriver, clash
from tests.engine.tables import way


def show(evening: TableDriver, faint: str = "", **first: float) -> None:
    """Show the next frame; `first` gives the age in seconds of each square's first change."""
    evening.now += FRAME
    moments = tuple((square(name), evening.now - ago) for name, ago in first.items())
    squares = set_of(map(square, faint.split()))
    evening.submit(BoardSeen(evening.now, evening.board.image(), moments, squares))


class TestBothAreLiftedWithinOneFrame:
    """Red's e5 faces Blue's e6, which came from e7 in the previous turn and may still attack."""

    def test_reds_first_is_reds_attack(self) -> None:
        evening = clash()
        evening.board.lift(square("e5"))
        evening.board.lift(square("e6"))
        show(evening, e5=0.017, e6=0.009)
        evening.wait()
        assert not evening.told(ChooseAttacker)
        assert evening.actions == [Attack(*way("e5-e6"))]

    def test_blues_first_may_be_the_attack_of_either(self) -> None:
        evening = clash()
        evening.board.lift(square("e5"))
        evening.board.lift(square("e6"))
        show(evening, e6=0.017, e5=0.009)
        evening.wait()
        assert evening.told(ChooseAttacker) == [ChooseAttacker(square("e5"), square("e6"))]
        assert not evening.actions


class TestAHandThatPasses:
    """Red carries e4 to e6, low over f5, where the piece is detected for a moment."""

    def test_it_is_nothing(self) -> None:
        evening = TableDriver.begun()
        piece = evening.lift("e4")
        evening.wait(0.3)
        evening.board.place(piece, square("f5"))
        show(evening, faint="f5")
        show(evening, faint="f5")
        assert evening.table.observed is not None
        assert not evening.table.observed.occupied >> square("f5") & 1, "it is not even shown"
        evening.board.lift(square("f5"))
        show(evening)
        evening.wait(0.3)
        evening.place(piece, "e5")
        evening.wait()
        assert evening.actions == [Move(*way("e4-e5"))]

    def test_a_faint_look_at_an_opposing_piece_opens_no_attack(self) -> None:
        evening = clash()
        evening.lift("e5")
        evening.board.lift(square("e6"))
        show(evening, faint="e6")
        evening.board.stand(Side.BLUE, square("e6"))
        show(evening)
        evening.wait(0.2)
        assert evening.table.referee.phase is Phase.PLAY
        assert not evening.told(AttackOpened)


class TestAWeakMagnet:
    """The magnet of Red's e4 is weak, so the reading is faint."""

    @staticmethod
    def moved() -> TableDriver:
        evening = TableDriver.begun()
        evening.move("a4", "a5")
        evening.move("a7", "a6")
        evening.forget()
        piece = evening.lift("e4")
        evening.wait(0.3)
        evening.board.place(piece, square("e5"))
        return evening

    def test_its_move_counts_as_soon_as_any(self) -> None:
        evening = self.moved()
        set_down = evening.now
        show(evening, faint="e5", e5=0.01)
        while not evening.actions:
            show(evening, faint="e5")
        assert evening.actions == [Move(*way("e4-e5"))]
        assert evening.now - set_down <= 0.12 + 2 * FRAME

    def test_it_stays_believed_and_play_goes_on(self) -> None:
        evening = self.moved()
        for _ in range(200):
            show(evening, faint="e5")
        evening.board.place(evening.board.lift(square("f7")), square("f6"))
        for _ in range(200):
            show(evening, faint="e5")
        evening.board.place(evening.board.lift(square("e5")), square("e6"))
        for _ in range(200):
            show(evening, faint="e6")
        assert evening.table.referee.in_force[-3:] == [
            Move(*way(each)) for each in ("e4-e5", "f7-f6", "e5-e6")
        ]
        assert not evening.told(Violation)

    def test_only_frames_confirm_it(self) -> None:
        evening = self.moved()
        show(evening, faint="e5")
        assert evening.table.next_deadline is not None
        evening.now += 1
        evening.submit(TimePassed(evening.now))
        assert not evening.actions
        show(evening, faint="e5")
        show(evening, faint="e5")
        assert evening.actions == [Move(*way("e4-e5"))]


@pytest.mark.parametrize("faint", ["", "e4 k10"])
def test_frames_that_show_the_same_are_no_news(faint: str) -> None:
    evening = TableDriver.begun()
    evening.wait(15)
    show(evening, faint=faint)
    steps = len(evening.steps)
    for _ in range(100):
        show(evening, faint=faint)
    assert not any(step.is_news for step in evening.steps[steps:])
