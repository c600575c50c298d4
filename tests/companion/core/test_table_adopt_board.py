"""The board is right and the referee is wrong: both sides agree on every kind of difference."""

from collections.abc import Callable

import pytest

from companion.core.events import BoardOffered, TurnBegan
from companion.core.inputs import IgnoreSquare, OfferUndo
from companion.core.piece_matching import BoardProposal
from companion.core.state import (
    AwaitingAnswer,
    Clearing,
    Disturbed,
    Restoring,
    TableState,
    ToMove,
    WrongMove,
)
from engine.board.geometry import Side, set_of, square, squares_in
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Public, Secret
from engine.game.actions import AdoptBoard, AnswerStalemate, Declare, Relocation, TakeBack
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.game.rulings import (
    AdoptionError,
    AdoptionRejected,
    BoardAdopted,
    GameOver,
    Reason,
    StalemateClaimed,
)
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, attack, clash, fight

RED, BLUE = Side.RED, Side.BLUE


def shift(way: str) -> Relocation:
    source, target = way.split("-")
    return Relocation(square(source), square(target))


def accepted(shifted: str = "", gone: str = "", to_move: Side = RED) -> AdoptBoard:
    removed = set_of(map(square, gone.split()))
    return AdoptBoard(tuple(map(shift, shifted.split())), removed, to_move)


def wrong_move() -> TableDriver:
    """Red has moved from e4 to f5, which no piece may do."""
    evening = TableDriver.begun()
    evening.move("e4", "f5")
    return evening


def out_of_turn() -> TableDriver:
    """According to the referee it is Red's turn, but Blue has moved."""
    evening = TableDriver.begun()
    evening.move("e7", "e6")
    return evening


def knocked() -> TableDriver:
    """Three pieces were knocked over and set up elsewhere, and one is lost.

    Judging by distance, the lost piece is k9, and the piece now on i5 came from i7.
    """
    evening = TableDriver.begun()
    for source, target in (("a1", "b5"), ("b2", "a6"), ("k9", "i5")):
        evening.board.place(evening.board.lift(square(source)), square(target))
    evening.board.lift(square("i7"))
    evening.wait(5)
    return evening


def asked() -> TableDriver:
    """Two red pieces were lifted and one was set down; it is unknown which."""
    evening = TableDriver.begun()
    evening.play("e4-e5 a7-a6")
    evening.forget()
    one = evening.lift("e5")
    evening.lift("f4")
    evening.wait(0.1)
    evening.place(one, "f5")
    evening.wait(2)
    return evening


def not_cleared() -> TableDriver:
    """Red's captain has won on e6 but was set down next to it."""
    evening = fight(Rank.CAPTAIN, Rank.MINER)
    evening.board.stand(RED, square("f6"))
    evening.wait(3)
    return evening


def not_restored() -> TableDriver:
    """Red's move to e5 was taken back, and its piece was put on another square."""
    evening = TableDriver.begun()
    evening.play("e4-e5")
    evening.take_back()
    evening.move("e5", "f5")
    return evening


DIFFERENT: dict[str, tuple[Callable[[], TableDriver], type[TableState], str, str]] = {
    "a wrong move": (wrong_move, WrongMove, "e4-f5", ""),
    "out of turn": (out_of_turn, WrongMove, "e7-e6", ""),
    "knocked": (knocked, Disturbed, "a1-a6 b2-b5 i7-i5", "k9"),
    "asked": (asked, AwaitingAnswer, "f4-f5", "e5"),
    "not cleared": (not_cleared, Clearing, "e6-f6", ""),
    "not restored": (not_restored, Restoring, "e4-f5", ""),
}
"""Every state in which the board may differ, with the pieces that are moved and missing in it."""
NEXT = {RED: "k4-k5", BLUE: "b7-b6"}
everywhere = pytest.mark.parametrize("scene", DIFFERENT)


@everywhere
@pytest.mark.parametrize("to_move", list(Side))
class TestWhereverTheBoardDiffers:
    def test_both_say_so_and_the_referee_takes_it_over(self, scene: str, to_move: Side) -> None:
        make, state, shifted, gone = DIFFERENT[scene]
        evening = make()
        assert isinstance(evening.table.state, state)
        evening.forget()

        evening.agree(to_move)
        assert evening.actions == [accepted(shifted, gone, to_move)]
        evening.wait()

        table = evening.table
        assert isinstance(table.state, ToMove)
        assert table.observed == table.expected == evening.board.image()
        assert table.referee.to_move is to_move
        assert TurnBegan(to_move) in evening.events

    def test_the_game_goes_on(self, scene: str, to_move: Side) -> None:
        evening = DIFFERENT[scene][0]()
        evening.agree(to_move)
        evening.wait()
        evening.play(NEXT[to_move])

    def test_it_is_taken_back_like_any_turn(self, scene: str, to_move: Side) -> None:
        evening = DIFFERENT[scene][0]()
        before = evening.table.referee.position
        evening.agree(to_move)
        evening.wait()
        evening.take_back()
        assert evening.table.referee.actions[-1] == TakeBack()
        assert evening.table.referee.position == before
        evening.wait()
        assert isinstance(evening.table.state, Restoring)

    def test_the_game_is_the_same_after_the_plug_was_pulled(
        self, scene: str, to_move: Side
    ) -> None:
        evening = DIFFERENT[scene][0]()
        evening.agree(to_move)
        again = evening.replugged()
        again.wait()
        assert isinstance(again.table.state, ToMove)
        assert again.table.referee.position == evening.table.referee.position
        again.play(NEXT[to_move])


class TestBoardAdoption:
    def test_one_side_alone_changes_nothing(self) -> None:
        evening = wrong_move()
        evening.forget()
        evening.believe(RED, BLUE)
        evening.believe(RED, BLUE)
        assert evening.events == [BoardOffered(RED, (shift("e4-f5"),), 0, BLUE)]
        assert evening.table.adoption.offer == evening.events[0]
        assert not evening.actions

    def test_both_have_to_name_the_same_side_to_move(self) -> None:
        evening = wrong_move()
        evening.believe(RED, BLUE)
        evening.believe(BLUE, RED)
        assert not evening.told(BoardAdopted)
        evening.believe(RED, RED)
        assert evening.table.referee.actions[-1] == accepted("e4-f5", to_move=RED)

    def test_nobody_agrees_to_a_board_that_was_not_there(self) -> None:
        evening = wrong_move()
        evening.believe(RED, BLUE)
        evening.move("f5", "a6", settle=5)
        assert evening.table.adoption.offer is None
        evening.believe(BLUE, BLUE)
        assert not evening.told(BoardAdopted)
        evening.believe(RED, BLUE)
        assert evening.told(BoardAdopted) == [BoardAdopted((shift("e4-a6"),), 0, BLUE)]

    def test_it_is_void_once_the_pieces_are_put_back(self) -> None:
        evening = wrong_move()
        evening.believe(RED, BLUE)
        evening.move("f5", "e4")
        assert (evening.table.adoption.claim, evening.table.adoption.offer) == (None, None)
        evening.believe(BLUE, BLUE)
        assert not evening.told(BoardAdopted)

    def test_it_is_void_once_something_was_taken_back(self) -> None:
        evening = clash()
        evening.move("e5", "f6")
        evening.believe(RED, BLUE)
        evening.take_back()
        assert evening.table.adoption.offer is None

    @pytest.mark.parametrize("scene", [TableDriver.begun, TableDriver, lambda: attack(clash())])
    def test_where_nothing_differs_there_is_nothing_to_agree_on(
        self, scene: Callable[[], TableDriver]
    ) -> None:
        evening = scene()
        evening.forget()
        evening.agree(BLUE)
        assert evening.table.adoption.claim is None
        assert not evening.events

    def test_nor_while_the_board_cannot_be_read(self) -> None:
        evening = wrong_move()
        evening.lose_board()
        assert evening.table.adoption.claim is None


class TestWhatCannotBe:
    def refused(self, evening: TableDriver) -> AdoptionRejected:
        evening.forget()
        evening.agree(RED)
        assert not evening.actions
        told = evening.told(AdoptionRejected)
        assert len(told) == len(evening.events) == 2
        assert told[0] == told[1] == evening.table.adoption.claim
        return told[0]

    def test_a_piece_too_many(self) -> None:
        evening = TableDriver.begun()
        evening.board.stand(BLUE, square("a5"))
        evening.wait(5)
        assert self.refused(evening) == AdoptionRejected(AdoptionError.TOO_MANY, 1 << square("a5"))

    def test_the_loser_of_a_combat_that_still_stands_there(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        evening.board.stand(BLUE, square("e6"))
        evening.wait(3)
        assert isinstance(evening.table.state, Clearing)
        assert self.refused(evening) == AdoptionRejected(AdoptionError.TOO_MANY, 1 << square("e6"))


def test_what_is_known_of_a_piece_goes_with_it() -> None:
    evening = fight(Rank.CAPTAIN, Rank.MINER)
    evening.board.stand(RED, square("e6"))
    evening.wait(20)
    evening.move("e6", "f5", settle=5)
    evening.agree(BLUE)
    position = evening.table.referee.position
    assert list(ranks_in(position.ranks_at(square("f5")))) == [Rank.CAPTAIN]
    evening.wait()
    evening.play("f7-f6")
    assert evening.table.view.captured == {RED: (), BLUE: (Rank.MINER,)}


def test_what_the_board_is_not_believed_about_stays_as_the_referee_has_it() -> None:
    evening = TableDriver.begun()
    evening.say(IgnoreSquare(square("a4"), doubted=True))
    evening.board.lift(square("a4"))
    evening.move("e4", "f5")
    evening.agree(BLUE)
    assert evening.table.referee.actions[-1] == accepted("e4-f5", to_move=BLUE)
    assert evening.table.expected.red >> square("a4") & 1


def test_on_a_board_without_colours_nearness_tells() -> None:
    evening = TableDriver.begun(BoardKind.PRESENCE)
    for source, target in (("a4", "b6"), ("k7", "i5")):
        evening.board.place(evening.board.lift(square(source)), square(target))
    evening.wait(5)
    assert evening.table.adoption.claim == BoardProposal((shift("a4-b6"), shift("k7-i5")), 0)
    evening.agree(RED)
    evening.wait()
    assert isinstance(evening.table.state, ToMove)


def test_a_reveal_that_is_still_read_is_closed() -> None:
    evening = not_cleared()
    assert evening.table.unread_combat
    evening.agree(BLUE)
    assert evening.table.unread_combat is None


def test_an_army_without_pieces_that_move_has_lost() -> None:
    """Both sides agree that only one row of Blue's pieces is left."""
    evening = TableDriver.begun()
    for each in squares_in(BLUE.home):
        evening.board.lift(each)
    evening.wait(5)
    evening.agree(RED)
    assert evening.told(StalemateClaimed) == [StalemateClaimed(RED)], (
        "for all that is known it cannot either"
    )
    evening.say(AnswerStalemate(able=True))
    evening.move("e4", "e5")
    (over,) = evening.told(GameOver)
    assert (over.winner, over.reason) == (RED, Reason.NO_MOVABLE_PIECE)
    assert evening.table.referee.outcome == over
    evening.take_back()
    assert evening.table.referee.phase is Phase.SHOWING


def test_the_clock_of_the_side_runs_whose_turn_it_is() -> None:
    control = TimeControl("five", each=300)
    evening = TableDriver.begun(control=control)
    evening.move("e4", "f5")
    evening.agree(BLUE)
    left = {side: evening.table.clock.remaining(side, evening.now) for side in Side}
    evening.wait(10)
    assert evening.table.clock.remaining(RED, evening.now) == left[RED]
    assert evening.table.clock.remaining(BLUE, evening.now) == pytest.approx((left[BLUE] or 0) - 10)


def test_nothing_that_is_sealed_is_told() -> None:
    """Two sessions differ in the declared ranks, but in no announcement."""
    told = []
    for rank in (Rank.SPY, Rank.MARSHAL):
        evening = attack(clash())
        evening.say(Declare(Secret(RED, rank)))
        evening.forget()
        evening.take_back()
        evening.board.stand(RED, square("f6"))
        evening.board.stand(BLUE, square("e6"))
        evening.wait(5)
        evening.agree(RED)
        assert evening.told(BoardAdopted)
        told.append([repr(each) for each in evening.events if isinstance(each, Public)])
    assert told[0] == told[1]


def test_who_agrees_to_a_board_does_not_take_anything_back() -> None:
    evening = wrong_move()
    evening.say(OfferUndo(RED))
    evening.agree(BLUE)
    evening.say(OfferUndo(BLUE))
    assert TakeBack() not in evening.table.referee.actions
    assert evening.table.referee.in_force[-1] == accepted("e4-f5", to_move=BLUE)
