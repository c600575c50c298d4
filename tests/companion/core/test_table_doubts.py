"""A sensor that is dead, stuck or shows a phantom piece does not end the game."""

import pytest

from companion.core.events import BoardDiffers, ChooseExplanation, SetupSeen
from companion.core.inputs import ExplanationChosen, IgnoreSquare, Ready
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Attack, Move
from engine.game.game_state import Phase
from tests.companion.core.table_driver import TableDriver, clash, fight

RED, BLUE = Side.RED, Side.BLUE


def doubt(evening: TableDriver, where: str, *, doubted: bool = True) -> None:
    evening.say(IgnoreSquare(square(where), doubted))


def moved(evening: TableDriver, source: str, target: str) -> bool:
    return Move(square(source), square(target)) in evening.actions


class TestAGhost:
    """The board reports a piece on a5, although the square is empty."""

    @pytest.fixture
    def evening(self) -> TableDriver:
        evening = clash()
        evening.stand(BLUE, square("a5"))
        evening.wait()
        assert evening.told(BoardDiffers)
        evening.forget()
        return evening

    def test_is_not_believed_any_more(self, evening: TableDriver) -> None:
        doubt(evening, "a5")
        assert evening.told(IgnoreSquare) == [IgnoreSquare(square("a5"), doubted=True)]
        assert evening.table.doubted == 1 << square("a5")
        evening.wait()
        assert not evening.table.state.waits_for_board
        evening.play("f4-f5 f7-f6")

    def test_is_believed_again(self, evening: TableDriver) -> None:
        doubt(evening, "a5")
        evening.wait()
        doubt(evening, "a5", doubted=False)
        evening.wait()
        assert evening.told(IgnoreSquare)[-1:] == [IgnoreSquare(square("a5"), doubted=False)]
        assert evening.table.state.waits_for_board

    def test_may_flicker_as_it_likes(self, evening: TableDriver) -> None:
        doubt(evening, "a5")
        piece = evening.lift("f4")
        evening.place(piece, "f5")
        for _ in range(40):
            evening.lift("a5")
            evening.stand(BLUE, square("a5"))
            evening.show()
        assert moved(evening, "f4", "f5")

    def test_a_move_onto_it_is_made_on_the_screen(self, evening: TableDriver) -> None:
        doubt(evening, "a5")
        evening.lift("a4")
        evening.wait()
        assert evening.table.state.lifted == square("a4")
        evening.say(Move(square("a4"), square("a5")))
        assert moved(evening, "a4", "a5")
        evening.wait()
        assert not evening.table.state.waits_for_board
        evening.play("f7-f6")

    def test_a_move_from_it_is_understood(self, evening: TableDriver) -> None:
        doubt(evening, "a5")
        evening.lift("a4")
        evening.say(Move(square("a4"), square("a5")))
        evening.play("f7-f6")
        evening.stand(RED, square("a6"))
        evening.wait()
        assert moved(evening, "a5", "a6")

    def test_is_still_doubted_after_a_pulled_plug(self, evening: TableDriver) -> None:
        doubt(evening, "a5")
        again = evening.replugged()
        again.wait()
        assert again.table.doubted == 1 << square("a5")
        assert not again.table.state.waits_for_board


class TestADeadSensor:
    """The board no longer reports the red piece on e5, which faces Blue's piece on e6."""

    @pytest.fixture
    def evening(self) -> TableDriver:
        evening = clash()
        doubt(evening, "e5")
        evening.lift("e5")
        evening.wait()
        evening.forget()
        return evening

    def test_the_game_goes_on_beside_it(self, evening: TableDriver) -> None:
        assert evening.table.state.lifted is None
        evening.play("a4-a5 a7-a6")

    def test_a_move_from_it_is_seen_where_it_ends(self, evening: TableDriver) -> None:
        evening.stand(RED, square("f5"))
        evening.wait()
        assert moved(evening, "e5", "f5")
        evening.play("a7-a6")

    def test_so_is_an_attack_that_is_set_down(self, evening: TableDriver) -> None:
        evening.lift("e6")
        evening.stand(RED, square("e6"))
        evening.wait()
        assert evening.actions == [Attack(square("e5"), square("e6"))]

    def test_any_attack_can_be_made_on_the_screen(self, evening: TableDriver) -> None:
        evening.say(Attack(square("e5"), square("e6")))
        assert evening.table.referee.phase is Phase.ATTACK

    def test_what_it_may_not_do_is_refused(self, evening: TableDriver) -> None:
        evening.stand(RED, square("k5"))
        evening.wait()
        assert not evening.actions
        assert evening.table.state.violation
        assert evening.table.state.difference.surplus == 1 << square("k5")

    def test_two_explanations_are_asked_about(self, evening: TableDriver) -> None:
        """e5 and f4 are ignored, and a red piece appears on f5.

        Either piece may have moved there.
        """
        doubt(evening, "f4")
        evening.stand(RED, square("f5"))
        evening.wait()
        assert not evening.actions
        courses = evening.told(ChooseExplanation)[0].courses
        assert sorted(courses) == ["e5-f5", "f4-f5"]
        evening.submit(ExplanationChosen(evening.now, courses.index("f4-f5")))
        assert moved(evening, "f4", "f5")


def test_a_winner_that_is_not_felt_can_be_cleared_up() -> None:
    evening = fight(Rank.COLONEL, Rank.MAJOR)
    evening.wait(60)
    assert evening.table.state.reveal
    doubt(evening, "e6")
    evening.wait()
    assert evening.table.state.reveal is None
    assert not evening.table.state.waits_for_board
    evening.play("f7-f6")


def test_a_move_is_not_made_on_the_screen_where_the_board_is_believed() -> None:
    evening = clash()
    evening.say(Move(square("f4"), square("f5")))
    assert not evening.events


class TestSettingUp:
    def test_a_dead_square_counts_as_manned_by_a_full_army(self) -> None:
        evening = TableDriver()
        evening.stand(RED, *(each for each in squares_in(RED.home) if each != square("b3")))
        evening.stand(BLUE, *squares_in(BLUE.home), square("e5"))
        evening.wait()
        for where in ("b3", "e5"):
            doubt(evening, where)
        evening.wait()
        assert evening.told(SetupSeen)[-1] == SetupSeen(red=40, blue=40, astray=())
        for side in Side:
            evening.say(Ready(side))
        evening.wait()
        assert evening.table.referee.phase is Phase.PLAY
        assert evening.table.expected.red == RED.home
        evening.play("a4-a5")
