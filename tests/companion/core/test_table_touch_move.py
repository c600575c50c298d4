"""Touch-move, a house rule: a player who has lifted a piece has to move it, if it can move."""

from dataclasses import replace

import pytest

from companion.core.events import BoardDiffers, ChooseExplanation, Lifted, Restored, TurnBegan
from companion.jsonl.responses import list_asks
from companion.pads.player_view import mark
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.game.actions import FreeTouched, Move, Touch
from engine.game.rulings import AttackOpened, Moved, Touched, TouchedFreed
from engine.rules.editions import DEFAULT
from engine.rules.violations import Violation, ViolationKind
from firmware_bridge.simulated_board.board import PhysicalPiece
from tests.companion.core.table_driver import TableDriver, clash, fight

RED, BLUE = Side.RED, Side.BLUE
TOUCH_MOVE = replace(DEFAULT, touch_move=True)


@pytest.fixture
def evening() -> TableDriver:
    """Both sides have seen that the pieces of e4 and e7 can move."""
    evening = TableDriver.begun(edition=TOUCH_MOVE)
    evening.play("e4-e5 e7-e6 e5-e4 e6-e7")
    evening.forget()
    return evening


def touch(evening: TableDriver, name: str) -> None:
    """Lift a piece, and put it back."""
    evening.place(_hold(evening, name), name)
    evening.wait()


def _hold(evening: TableDriver, name: str) -> PhysicalPiece:
    piece = evening.lift(name)
    evening.wait()
    return piece


class TestATouchedPiece:
    def test_it_is_told_once_and_lies_in_the_hand(self, evening: TableDriver) -> None:
        _hold(evening, "e4")
        assert evening.told(Touched) == [Touched(square("e4"))]
        assert evening.told(Lifted) == [Lifted(square("e4"))]
        assert evening.actions[-1:] == [Touch(square("e4"))]
        assert evening.table.state.lifted == square("e4")

    def test_it_may_move(self, evening: TableDriver) -> None:
        evening.place(_hold(evening, "e4"), "e5")
        evening.wait()
        assert evening.actions[-2:] == [Touch(square("e4")), Move(square("e4"), square("e5"))]
        assert evening.told(TurnBegan) == [TurnBegan(BLUE)]

    def test_no_other_may(self, evening: TableDriver) -> None:
        touch(evening, "e4")
        evening.move("f4", "f5")
        (violation,) = evening.told(Violation)
        assert violation.fault is ViolationKind.TOUCHED_ANOTHER
        assert Announcer(Language("en")).sentence(violation) == (
            "The piece on e4 was touched first, so it must move if it can. (house rule: touch-move)"
        )
        assert evening.table.state.waits_for_board
        evening.move("f5", "f4")
        evening.play("e4-e5")

    def test_to_touch_another_changes_nothing(self, evening: TableDriver) -> None:
        touch(evening, "e4")
        touch(evening, "f4")
        assert evening.told(Touched) == [Touched(square("e4"))]
        assert not evening.told(Restored)

    def test_who_puts_it_back_is_still_to_move(self, evening: TableDriver) -> None:
        touch(evening, "e4")
        assert evening.table.view.to_move is RED
        assert not evening.told(BoardDiffers)
        assert not evening.told(TurnBegan)

    def test_a_pulled_plug_does_not_forget_it(self, evening: TableDriver) -> None:
        touch(evening, "e4")
        again = evening.replugged()
        again.wait()
        again.move("f4", "f5")
        assert [found.fault for found in again.told(Violation)] == [ViolationKind.TOUCHED_ANOTHER]

    def test_an_arbiter_may_let_another_move_stand(self, evening: TableDriver) -> None:
        touch(evening, "e4")
        evening.move("f4", "f5")
        evening.let_stand()
        assert evening.told(Moved) == [Moved(RED, square("f4"), square("f5"), long_move=False)]

    def test_in_the_next_turn_it_is_free(self, evening: TableDriver) -> None:
        touch(evening, "e4")
        evening.play("e4-e5 e7-e6 f4-f5")


class TestNobodyIsBoundBy:
    def test_a_hidden_piece_that_is_lifted_to_look_at_it(self, evening: TableDriver) -> None:
        """The piece may be a bomb, and obliging it to move would then deadlock the game."""
        touch(evening, "f4")
        assert not evening.told(Touched)
        evening.play("k4-k5")

    def test_a_piece_that_cannot_move(self, evening: TableDriver) -> None:
        touch(evening, "e1")
        assert not evening.told(Touched)
        evening.play("e4-e5")

    def test_the_piece_of_the_other_side(self, evening: TableDriver) -> None:
        touch(evening, "e7")
        assert not evening.told(Touched)
        evening.play("e4-e5 f7-f6")

    def test_a_glance(self, evening: TableDriver) -> None:
        piece = evening.lift("e4")
        evening.place(piece, "e4")
        evening.wait()
        assert not evening.told(Touched)

    def test_anything_without_the_house_rule(self) -> None:
        evening = TableDriver.begun()
        touch(evening, "e4")
        assert not evening.told(Touched)
        evening.play("f4-f5")

    def test_what_is_laid_aside_after_a_combat(self) -> None:
        evening = fight(Rank.COLONEL, Rank.MINER, TOUCH_MOVE)
        evening.forget()
        evening.stand(RED, square("e6"))
        evening.wait(20)
        assert not evening.told(Touched)
        evening.play("f7-f6")


def test_both_pieces_of_an_attack_may_be_lifted_one_after_the_other() -> None:
    evening = clash(edition=TOUCH_MOVE)
    evening.lift("e5")
    evening.wait(1)
    evening.lift("e6")
    evening.wait()
    assert evening.told(Touched) == [Touched(square("e5"))]
    assert evening.told(AttackOpened)


def test_a_piece_that_was_just_set_down_goes_on_until_the_other_side_has_touched_one() -> None:
    evening = TableDriver.begun(edition=TOUCH_MOVE)
    evening.move("e4", "e5")
    touch(evening, "f7")
    evening.move("e5", "e6")
    assert [found.fault for found in evening.told(Violation)] == [ViolationKind.NOT_YOUR_PIECE]


def test_the_ranks_of_a_combat_stay_readable_when_a_piece_is_touched() -> None:
    evening = fight(Rank.COLONEL, Rank.MINER, TOUCH_MOVE)
    evening.stand(RED, square("e6"))
    evening.wait(0.5)
    assert evening.table.unread_combat is not None
    touch(evening, "f7")
    assert evening.table.unread_combat is not None


class TestReleasedIsMoved:
    def test_a_piece_stays_where_it_was_let_go_of(self, evening: TableDriver) -> None:
        evening.move("e4", "e5", settle=0.5)
        evening.move("e5", "e6")
        assert evening.actions[-1] == Move(square("e4"), square("e5"))
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]
        evening.move("e6", "e5")
        evening.play("f7-f6")

    def test_it_cannot_be_put_back_either(self, evening: TableDriver) -> None:
        evening.move("e4", "e5", settle=0.5)
        evening.move("e5", "e4")
        assert evening.told(ChooseExplanation) == [ChooseExplanation(("taken-back",))], (
            "by both it can"
        )

    def test_a_run_in_one_go_is_one_move(self, evening: TableDriver) -> None:
        evening.move("e4", "e5", settle=0.08)
        evening.move("e5", "e6")
        assert evening.actions[-1] == Move(square("e4"), square("e6"))
        assert not evening.told(Violation)


class TestAPieceThatIsCarriedOff:
    def test_it_obliges_though_nobody_has_seen_it_move(self, evening: TableDriver) -> None:
        carry(evening)
        assert evening.actions == [Touch(square("f4"), carried=True)]
        told = evening.told(Touched | Violation)  # type: ignore[arg-type]
        assert [type(each) for each in told] == [Touched, Violation]
        evening.move("e6", "f4")
        evening.move("k4", "k5")
        violation = evening.told(Violation)[-1]
        assert (violation.fault, violation.squares) == (
            ViolationKind.TOUCHED_ANOTHER,
            set_of([square("f4")]),
        )
        evening.move("k5", "k4")
        evening.play("f4-f5")

    def test_near_its_square_it_is_only_looked_at(self, evening: TableDriver) -> None:
        evening.move("f4", "e5")
        assert [found.fault for found in evening.told(Violation)] == [ViolationKind.NOT_STRAIGHT]
        assert not evening.told(Touched)
        evening.move("e5", "f4")
        evening.play("k4-k5")

    def test_its_owner_says_in_private_that_it_cannot_move(self, evening: TableDriver) -> None:
        carry(evening)
        evening.move("e6", "f4")
        before = seen_by_all(evening)
        evening.forget()
        evening.say(FreeTouched())
        evening.wait()
        assert (evening.events, evening.actions) == ([], []), "nobody sees that it was said"
        assert seen_by_all(evening) == before
        evening.play("k4-k5")
        assert evening.actions == [FreeTouched(), Move(square("k4"), square("k5"))]
        freed = TouchedFreed(square("f4"))
        assert evening.told(TouchedFreed) == [freed]
        evening.play("k7-k6 f4-f5")

    def test_its_owner_may_attack_with_another(self) -> None:
        evening = clash(edition=TOUCH_MOVE)
        carry(evening, "b4", "e4")
        evening.move("e4", "b4")
        evening.say(FreeTouched())
        evening.lift("e5")
        evening.lift("e6")
        evening.wait()
        assert evening.told(TouchedFreed) == [TouchedFreed(square("b4"))]
        assert evening.told(AttackOpened)

    def test_what_already_stands_elsewhere_is_ruled_once_it_is_said(
        self, evening: TableDriver
    ) -> None:
        carry(evening)
        evening.move("e6", "f4")
        evening.move("k4", "k5")
        evening.say(FreeTouched())
        evening.wait()
        assert evening.told(Moved) == [Moved(RED, square("k4"), square("k5"), long_move=False)]

    def test_a_pulled_plug_forgets_the_word_but_not_the_piece(self, evening: TableDriver) -> None:
        carry(evening)
        evening.move("e6", "f4")
        evening.say(FreeTouched())
        again = evening.replugged()
        again.wait()
        again.move("k4", "k5")
        assert [found.fault for found in again.told(Violation)] == [ViolationKind.TOUCHED_ANOTHER]
        again.say(FreeTouched())
        again.wait()
        assert again.told(Moved)

    def test_nobody_is_excused_from_what_all_have_seen_to_move(self, evening: TableDriver) -> None:
        touch(evening, "e4")
        evening.say(FreeTouched())
        evening.move("f4", "f5")
        assert [found.fault for found in evening.told(Violation)] == [ViolationKind.TOUCHED_ANOTHER]

    def test_a_step_out_of_turn_obliges_nobody(self, evening: TableDriver) -> None:
        evening.move("f7", "e5")
        assert evening.told(Violation)
        assert not evening.told(Touched)


def carry(evening: TableDriver, source: str = "f4", target: str = "e6") -> None:
    """Carry a hidden piece to a square where it may not go."""
    evening.move(source, target)
    assert evening.told(Touched) == [Touched(square(source), carried=True)]


def seen_by_all(evening: TableDriver) -> tuple[object, ...]:
    table = evening.table
    return table.view, table.state, table.saved, mark(1, table), list_asks(table)
