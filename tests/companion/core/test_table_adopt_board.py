"""The players accept the board as it stands because the referee's position is wrong."""

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
from engine.game import rulings
from engine.game.actions import AdoptBoard, AnswerStalemate, Declare, Relocation, TakeBack
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
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
    """Return a game in which Red has made an illegal move from e4 to f5."""
    driver = TableDriver.begun()
    driver.move("e4", "f5")
    return driver


def out_of_turn() -> TableDriver:
    driver = TableDriver.begun()
    driver.move("e7", "e6")
    return driver


def knocked() -> TableDriver:
    """Return a game in which three pieces were knocked to other squares and another is missing.

    The missing piece stood on i7. The piece on i5 came from k9, but i7 is nearer. The table
    therefore assumes that it came from i7, and that the piece from k9 is missing.
    """
    driver = TableDriver.begun()
    for source, target in (("a1", "b5"), ("b2", "a6"), ("k9", "i5")):
        driver.board.place(driver.board.lift(square(source)), square(target))
    driver.board.lift(square("i7"))
    driver.wait(5)
    return driver


def asked() -> TableDriver:
    """Return a game in which Red lifted two pieces but set only one down."""
    driver = TableDriver.begun()
    driver.play("e4-e5 a7-a6")
    driver.forget()
    one = driver.lift("e5")
    driver.lift("f4")
    driver.wait(0.1)
    driver.place(one, "f5")
    driver.wait(2)
    return driver


def not_cleared() -> TableDriver:
    """Return a game in which Red's captain won on e6, but was put down on f6."""
    driver = fight(Rank.CAPTAIN, Rank.MINER)
    driver.board.stand(RED, square("f6"))
    driver.wait(3)
    return driver


def not_restored() -> TableDriver:
    """Return a game in which the move to e5 was taken back, but Red put the piece on f5."""
    driver = TableDriver.begun()
    driver.play("e4-e5")
    driver.take_back()
    driver.move("e5", "f5")
    return driver


DIFFERENT: dict[str, tuple[Callable[[], TableDriver], type[TableState], str, str]] = {
    "a wrong move": (wrong_move, WrongMove, "e4-f5", ""),
    "out of turn": (out_of_turn, WrongMove, "e7-e6", ""),
    "knocked": (knocked, Disturbed, "a1-a6 b2-b5 i7-i5", "k9"),
    "asked": (asked, AwaitingAnswer, "f4-f5", "e5"),
    "not cleared": (not_cleared, Clearing, "e6-f6", ""),
    "not restored": (not_restored, Restoring, "e4-f5", ""),
}
"""For each case: the game, the table's state, the moved pieces and the missing pieces."""
NEXT = {RED: "k4-k5", BLUE: "b7-b6"}
everywhere = pytest.mark.parametrize("scene", DIFFERENT)


@everywhere
@pytest.mark.parametrize("to_move", list(Side))
class TestDifferingBoard:
    def test_both_sides_agree_to_adopt_the_board(self, scene: str, to_move: Side) -> None:
        make, state, shifted, gone = DIFFERENT[scene]
        driver = make()
        assert isinstance(driver.table.state, state)
        driver.forget()

        driver.agree(to_move)
        assert driver.actions == [accepted(shifted, gone, to_move)]
        driver.wait()

        table = driver.table
        assert isinstance(table.state, ToMove)
        assert table.observed == table.expected == driver.board.image()
        assert table.referee.to_move is to_move
        assert TurnBegan(to_move) in driver.events

    def test_the_game_goes_on(self, scene: str, to_move: Side) -> None:
        driver = DIFFERENT[scene][0]()
        driver.agree(to_move)
        driver.wait()
        driver.play(NEXT[to_move])

    def test_adoption_can_be_taken_back(self, scene: str, to_move: Side) -> None:
        driver = DIFFERENT[scene][0]()
        before = driver.table.referee.position
        driver.agree(to_move)
        driver.wait()
        driver.take_back()
        assert driver.table.referee.actions[-1] == TakeBack()
        assert driver.table.referee.position == before
        driver.wait()
        assert isinstance(driver.table.state, Restoring)

    def test_game_survives_a_power_cut(self, scene: str, to_move: Side) -> None:
        driver = DIFFERENT[scene][0]()
        driver.agree(to_move)
        again = driver.replugged()
        again.wait()
        assert isinstance(again.table.state, ToMove)
        assert again.table.referee.position == driver.table.referee.position
        again.play(NEXT[to_move])


class TestBoardAdoption:
    def test_one_side_cannot_agree_alone(self) -> None:
        driver = wrong_move()
        driver.forget()
        driver.believe(RED, BLUE)
        driver.believe(RED, BLUE)
        assert driver.events == [BoardOffered(RED, (shift("e4-f5"),), 0, BLUE)]
        assert driver.table.adoption.offer == driver.events[0]
        assert not driver.actions

    def test_both_must_name_the_same_side_to_move(self) -> None:
        driver = wrong_move()
        driver.believe(RED, BLUE)
        driver.believe(BLUE, RED)
        assert not driver.emitted(rulings.BoardAdopted)
        driver.believe(RED, RED)
        assert driver.table.referee.actions[-1] == accepted("e4-f5", to_move=RED)

    def test_stale_board_cannot_be_agreed_to(self) -> None:
        driver = wrong_move()
        driver.believe(RED, BLUE)
        driver.move("f5", "a6", settle=5)
        assert driver.table.adoption.offer is None
        driver.believe(BLUE, BLUE)
        assert not driver.emitted(rulings.BoardAdopted)
        driver.believe(RED, BLUE)
        assert driver.emitted(rulings.BoardAdopted) == [
            rulings.BoardAdopted((shift("e4-a6"),), 0, BLUE)
        ]

    def test_restored_board_voids_the_offer(self) -> None:
        driver = wrong_move()
        driver.believe(RED, BLUE)
        driver.move("f5", "e4")
        assert (driver.table.adoption.claim, driver.table.adoption.offer) == (None, None)
        driver.believe(BLUE, BLUE)
        assert not driver.emitted(rulings.BoardAdopted)

    def test_take_back_voids_the_offer(self) -> None:
        driver = clash()
        driver.move("e5", "f6")
        driver.believe(RED, BLUE)
        driver.take_back()
        assert driver.table.adoption.offer is None

    @pytest.mark.parametrize("scene", [TableDriver.begun, TableDriver, lambda: attack(clash())])
    def test_nothing_to_adopt_without_differences(self, scene: Callable[[], TableDriver]) -> None:
        driver = scene()
        driver.forget()
        driver.agree(BLUE)
        assert driver.table.adoption.claim is None
        assert not driver.events

    @pytest.mark.parametrize("computer", Side)
    def test_nothing_to_adopt_against_the_computer(self, computer: Side) -> None:
        """A single person would agree on behalf of both sides."""
        driver = TableDriver.begun(computer=computer)
        driver.move("e4", "f5")
        assert driver.table.state.violation
        driver.agree(BLUE)
        assert (driver.table.adoption.is_open, driver.table.adoption.claim) == (False, None)
        assert not driver.actions
        driver.move("f5", "e4")
        assert driver.table.state == ToMove(), "the pieces can be put back"

    def test_nothing_to_adopt_without_a_board(self) -> None:
        driver = wrong_move()
        driver.lose_board()
        assert driver.table.adoption.claim is None


class TestImpossibleBoards:
    def refused(self, driver: TableDriver) -> rulings.AdoptionRejected:
        driver.forget()
        driver.agree(RED)
        assert not driver.actions
        rejections = driver.emitted(rulings.AdoptionRejected)
        assert len(rejections) == len(driver.events) == 2
        assert rejections[0] == rejections[1] == driver.table.adoption.claim
        return rejections[0]

    def test_surplus_piece_prevents_adoption(self) -> None:
        driver = TableDriver.begun()
        driver.board.stand(BLUE, square("a5"))
        driver.wait(5)
        assert self.refused(driver) == rulings.AdoptionRejected(
            rulings.AdoptionError.TOO_MANY, 1 << square("a5")
        )

    def test_uncleared_loser_prevents_adoption(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.board.stand(BLUE, square("e6"))
        driver.wait(3)
        assert isinstance(driver.table.state, Clearing)
        assert self.refused(driver) == rulings.AdoptionRejected(
            rulings.AdoptionError.TOO_MANY, 1 << square("e6")
        )


def test_known_ranks_follow_a_relocated_piece() -> None:
    driver = fight(Rank.CAPTAIN, Rank.MINER)
    driver.board.stand(RED, square("e6"))
    driver.wait(20)
    driver.move("e6", "f5", settle=5)
    driver.agree(BLUE)
    position = driver.table.referee.position
    assert list(ranks_in(position.ranks_at(square("f5")))) == [Rank.CAPTAIN]
    driver.wait()
    driver.play("f7-f6")
    assert driver.table.view.captured == {RED: (), BLUE: (Rank.MINER,)}


def test_doubted_squares_keep_the_referee_state() -> None:
    driver = TableDriver.begun()
    driver.command(IgnoreSquare(square("a4"), doubted=True))
    driver.board.lift(square("a4"))
    driver.move("e4", "f5")
    driver.agree(BLUE)
    assert driver.table.referee.actions[-1] == accepted("e4-f5", to_move=BLUE)
    assert driver.table.expected.red >> square("a4") & 1


def test_adoption_without_colours() -> None:
    driver = TableDriver.begun(BoardKind.PRESENCE)
    for source, target in (("a4", "b6"), ("k7", "i5")):
        driver.board.place(driver.board.lift(square(source)), square(target))
    driver.wait(5)
    assert driver.table.adoption.claim == BoardProposal((shift("a4-b6"), shift("k7-i5")), 0)
    driver.agree(RED)
    driver.wait()
    assert isinstance(driver.table.state, ToMove)


def test_adoption_closes_the_reveal() -> None:
    driver = not_cleared()
    assert driver.table.unread_combat
    driver.agree(BLUE)
    assert driver.table.unread_combat is None


def test_adoption_without_movable_pieces_ends_the_game() -> None:
    driver = TableDriver.begun()
    for each in squares_in(BLUE.home):
        driver.board.lift(each)
    driver.wait(5)
    driver.agree(RED)
    assert driver.emitted(rulings.StalemateClaimed) == [rulings.StalemateClaimed(RED)], (
        "Red may be unable to move as well"
    )
    driver.command(AnswerStalemate(able=True))
    driver.move("e4", "e5")
    (over,) = driver.emitted(rulings.GameOver)
    assert (over.winner, over.reason) == (RED, rulings.Reason.NO_MOVABLE_PIECE)
    assert driver.table.referee.outcome == over
    driver.take_back()
    assert driver.table.referee.phase is Phase.SHOWING


def test_agreed_side_has_the_clock() -> None:
    control = TimeControl("five", each=300)
    driver = TableDriver.begun(control=control)
    driver.move("e4", "f5")
    driver.agree(BLUE)
    left = {side: driver.table.clock.remaining(side, driver.now) for side in Side}
    driver.wait(10)
    assert driver.table.clock.remaining(RED, driver.now) == left[RED]
    assert driver.table.clock.remaining(BLUE, driver.now) == pytest.approx((left[BLUE] or 0) - 10)


def test_sealed_ranks_stay_hidden() -> None:
    """Announcements are identical in two sessions that differ in the declared ranks."""
    announced = []
    for rank in (Rank.SPY, Rank.MARSHAL):
        driver = attack(clash())
        driver.command(Declare(Secret(RED, rank)))
        driver.forget()
        driver.take_back()
        driver.board.stand(RED, square("f6"))
        driver.board.stand(BLUE, square("e6"))
        driver.wait(5)
        driver.agree(RED)
        assert driver.emitted(rulings.BoardAdopted)
        announced.append([repr(each) for each in driver.events if isinstance(each, Public)])
    assert announced[0] == announced[1]


def test_agreeing_to_a_board_is_no_take_back() -> None:
    driver = wrong_move()
    driver.command(OfferUndo(RED))
    driver.agree(BLUE)
    driver.command(OfferUndo(BLUE))
    assert TakeBack() not in driver.table.referee.actions
    assert driver.table.referee.in_force[-1] == accepted("e4-f5", to_move=BLUE)
