"""What was seen rules out what did not happen, however well the rules would like it (design, 1).

Every case is shown to the table as a board does it, a frame every 20 ms.
"""

import pytest

from companion.table.events import AttackAsked, BoardDiffers, Restored, TurnBegan, WhoAttacks
from companion.table.inputs import AttackerNamed, NoAttack, TimePassed
from companion.table.state import Asked
from engine.play.actions import Attack, Move
from engine.play.moment import Phase
from engine.play.rulings import AttackOpened, Combat, Contradiction, Moved
from engine.ranks import Rank
from engine.rulebook.faults import Fault
from engine.rulebook.violation import Violation
from engine.sides import Side
from engine.squares import set_of, square
from firmware_bridge.virtual.board import Piece
from firmware_bridge.wire import BoardKind
from tests.companion.table.evening import Evening, clash
from tests.engine.tables import way

RED, BLUE = Side.RED, Side.BLUE
kinds = pytest.mark.parametrize("kind", BoardKind)


def take(evening: Evening, source: str, target: str) -> None:
    """Take a piece off its square and put the attacker there, between two frames."""
    attacker = evening.lift(source)
    evening.board.lift(square(target))
    evening.place(attacker, target)


def faults(evening: Evening) -> list[Fault]:
    return [violation.fault for violation in evening.told(Violation)]


class TestTwoTurnsOfAPieceAreNoRun:
    """Red's captain goes e4-e5 and e5-e6, and in between Blue has taken up f7 to answer."""

    @staticmethod
    def hasty(*, blue_is_first: bool) -> Evening:
        evening = Evening.begun()
        evening.move("e4", "e5", settle=0.3)
        answer = evening.lift("f7")
        evening.wait(0.1)
        captain = evening.lift("e5")
        evening.wait(0.1)
        placed = [(answer, "f6"), (captain, "e6")]
        for piece, target in placed if blue_is_first else reversed(placed):
            evening.place(piece, target)
            evening.wait(0.1)
        evening.wait()
        return evening

    @pytest.mark.parametrize("blue_is_first", [True, False])
    def test_these_are_three_plies(self, blue_is_first: bool) -> None:
        evening = self.hasty(blue_is_first=blue_is_first)
        assert evening.actions == [Move(*way(each)) for each in ("e4-e5", "f7-f6", "e5-e6")]
        assert not any(moved.long_move for moved in evening.told(Moved))
        assert not evening.told(Violation)

    @pytest.mark.parametrize("blue_is_first", [True, False])
    def test_the_captain_is_believed_later(self, blue_is_first: bool) -> None:
        evening = self.hasty(blue_is_first=blue_is_first)
        evening.play("a7-a6")
        evening.lift("e6")
        evening.lift("e7")
        evening.wait()
        evening.declare(RED, Rank.CAPTAIN)
        evening.declare(BLUE, Rank.SERGEANT)
        assert not evening.told(Contradiction)
        assert [combat.attacker for combat in evening.told(Combat)] == [Rank.CAPTAIN]


class TestAPieceThatStoodShortlyAndWasTaken:
    """Red's piece stands on e6 for 0.15 s when Blue takes it with e7."""

    @kinds
    def test_it_is_attacked_where_it_went(self, kind: BoardKind) -> None:
        """It is no move of Blue's to e6, and no attack on e5, from where it came."""
        evening = Evening.begun(kind)
        evening.play("e4-e5 a7-a6")
        evening.forget()
        evening.move("e5", "e6", settle=0.15)
        take(evening, "e7", "e6")
        evening.wait()
        if kind is BoardKind.PRESENCE:  # this board shows only that Blue has e7 in the hand
            assert evening.actions == [Move(*way("e5-e6"))]
            evening.give(AttackerNamed(evening.now, BLUE))
        assert evening.actions == [Move(*way("e5-e6")), Attack(*way("e7-e6"))]
        assert evening.told(AttackOpened)[0].awaited == (BLUE, RED), "nobody is a proved scout"

    def test_so_it_is_if_it_was_pushed_on(self) -> None:
        evening = Evening.begun()
        evening.move("e4", "e5", settle=0.4)
        evening.move("e5", "e6", settle=0.15)
        take(evening, "e7", "e6")
        evening.wait()
        assert evening.table.referee.in_force[-2:] == [
            Move(*way("e4-e6")),
            Attack(*way("e7-e6")),
        ]
        assert [opened.source for opened in evening.told(AttackOpened)] == [square("e7")]


class TestOutOfTurn:
    def test_who_goes_on_a_minute_later_is_told(self) -> None:
        evening = Evening.begun()
        evening.move("e4", "e5")
        evening.wait(60)
        evening.move("e5", "e6")
        assert faults(evening) == [Fault.NOT_YOUR_PIECE]
        assert evening.actions == [Move(*way("e4-e5"))]
        evening.move("e6", "e5")
        evening.play("f7-f6")

    @pytest.mark.parametrize("after", [0.04, 0.14])
    def test_the_answer_does_not_make_a_turn_of_it(self, after: float) -> None:
        """Blue is to move. Red goes k4-k5, and Blue, a quarter of a second later, a7-a6."""
        evening = Evening.begun()
        evening.play("e4-e5")
        evening.forget()
        evening.move("k4", "k5", settle=after)
        piece = evening.lift("a7")
        evening.wait(0.23 - after)
        evening.place(piece, "a6")
        evening.wait()
        assert evening.actions == [Move(*way("a7-a6"))]
        assert faults(evening) == [Fault.NOT_YOUR_PIECE]
        assert evening.table.state.difference.surplus == set_of([square("k5")])
        evening.move("k5", "k4")
        evening.play("k4-k5")


class TestAStrayLoser:
    """Red's captain has fallen on e5 and was set down on b5; the table has said so."""

    @staticmethod
    def named(kind: BoardKind) -> Evening:
        evening = Evening.begun(kind)
        evening.play("e4-e5 e7-e6 a4-a5")
        winner, loser = evening.lift("e6"), evening.lift("e5")
        evening.wait()
        evening.declare(BLUE, Rank.COLONEL)
        evening.declare(RED, Rank.CAPTAIN)
        evening.place(winner, "e5")
        evening.place(loser, "b5")
        evening.wait(15)
        assert evening.told(BoardDiffers)[-1].difference.surplus == set_of([square("b5")])
        evening.forget()
        return evening

    @kinds
    def test_it_is_no_move_of_the_piece_that_is_lifted_behind_it(self, kind: BoardKind) -> None:
        evening = self.named(kind)
        piece = evening.lift("b4")
        evening.wait(4)
        assert not evening.actions
        evening.place(piece, "b4")
        evening.wait()
        assert not evening.actions

    @kinds
    def test_without_it_the_game_goes_on(self, kind: BoardKind) -> None:
        evening = self.named(kind)
        evening.place(evening.lift("b4"), "b4")
        evening.lift("b5")
        evening.wait()
        assert evening.told(Restored)
        evening.play("b4-b5 f7-f6")


class TestASleeve:
    """It pushes i4 to i5 and tips h4 over, so that h4 is not felt any more."""

    @staticmethod
    def swept(kind: BoardKind) -> tuple[Evening, Piece]:
        evening = Evening.begun(kind)
        tipped, pushed = evening.board.lift(square("h4")), evening.board.lift(square("i4"))
        evening.place(pushed, "i5")
        return evening, tipped

    @kinds
    def test_what_is_put_back_soon_was_no_turn(self, kind: BoardKind) -> None:
        evening, tipped = self.swept(kind)
        evening.wait(1)
        evening.place(tipped, "h4")
        evening.wait(0.3)
        evening.move("i5", "i4")
        assert evening.table.referee.plies == 0
        assert evening.told(TurnBegan)[-1:] == [TurnBegan(RED)]
        assert not evening.told(Violation)
        evening.play("e4-e5 f7-f6")

    @kinds
    def test_what_is_put_back_late_is_told(self, kind: BoardKind) -> None:
        evening, tipped = self.swept(kind)
        evening.wait(5)
        evening.place(tipped, "h4")
        evening.wait(0.3)
        evening.move("i5", "i4")
        evening.wait()
        assert evening.told(BoardDiffers)
        assert not evening.actions
        assert not evening.table.state.waits_for_board
        evening.play("e4-e5 f7-f6")

    @kinds
    def test_of_what_lies_there_the_players_are_told(self, kind: BoardKind) -> None:
        evening, _ = self.swept(kind)
        evening.wait(10)
        assert evening.told(BoardDiffers) or isinstance(evening.table.state, Asked)
        assert not evening.actions

    @kinds
    def test_the_push_may_have_been_a_move_after_all(self, kind: BoardKind) -> None:
        evening, tipped = self.swept(kind)
        evening.wait(5)
        evening.place(tipped, "h4")
        evening.wait()
        assert evening.actions == [Move(*way("i4-i5"))]


class TestWhoOnlyLooks:
    def test_a_glance_at_a_piece_far_away_opens_no_attack(self) -> None:
        """Red thinks with e4 in the hand, and Blue looks at e7, three squares away."""
        evening = Evening.begun()
        thought = evening.lift("e4")
        evening.wait(0.5)
        looked = evening.lift("e7")
        evening.wait(0.75)
        assert evening.told(AttackAsked) == [AttackAsked(*way("e4-e7"))]
        evening.place(looked, "e7")
        evening.wait(0.3)
        evening.place(thought, "e5")
        evening.wait()
        assert evening.actions == [Move(*way("e4-e5"))]

    def test_the_answer_may_be_that_it_is_none(self) -> None:
        evening = Evening.begun()
        thought = evening.lift("e4")
        looked = evening.lift("e7")
        evening.wait()
        evening.give(NoAttack(evening.now))
        evening.wait()
        assert not evening.actions
        evening.place(looked, "e7")
        evening.place(thought, "e5")
        evening.wait()
        assert evening.actions == [Move(*way("e4-e5"))]


class TestTheDefenderIsLiftedFirst:
    def test_it_is_asked_whether_it_strikes_on(self) -> None:
        """Blue's e6 came from e7 in the turn before, and a scout might go on to e5."""
        evening = clash()
        evening.lift("e6")
        evening.wait(0.3)
        evening.lift("e5")
        evening.wait()
        assert evening.told(WhoAttacks) == [WhoAttacks(square("e5"), square("e6"))]
        assert not evening.actions
        evening.give(AttackerNamed(evening.now, RED))
        assert evening.actions == [Attack(*way("e5-e6"))]

    def test_a_piece_whose_turn_is_long_over_attacks_nothing(self) -> None:
        evening = clash()
        evening.play("a4-a5 a7-a6")
        evening.forget()
        evening.lift("e6")
        evening.wait(0.3)
        evening.lift("e5")
        evening.wait()
        assert [opened.side for opened in evening.told(AttackOpened)] == [RED]


class TestSilenceIsNoRest:
    """The board sends every frame, and then none for half a second."""

    @staticmethod
    def silent() -> tuple[Evening, Piece]:
        evening = Evening.begun()
        evening.wait(1)
        piece = evening.lift("e4")
        evening.place(piece, "e5")
        evening.now += 0.5
        evening.give(TimePassed(evening.now))
        return evening, piece

    def test_nothing_has_stood_that_nobody_has_seen_standing(self) -> None:
        evening, piece = self.silent()
        assert not evening.actions
        evening.board.lift(square("e5"))
        evening.place(piece, "e4")
        evening.wait()
        assert not evening.actions
        evening.play("e4-e5")

    def test_what_is_seen_standing_after_it_has_stood(self) -> None:
        evening, _ = self.silent()
        evening.show()
        assert evening.actions == [Move(*way("e4-e5"))]

    def test_an_attack_does_not_open_in_it(self) -> None:
        evening = clash()
        evening.wait(1)
        pieces = [(name, evening.lift(name)) for name in ("e5", "e6")]
        evening.now += 0.5
        evening.give(TimePassed(evening.now))
        assert evening.table.referee.phase is Phase.PLAY
        for name, piece in pieces:
            evening.board.place(piece, square(name))
        evening.wait()
        assert not evening.actions
        evening.play("f4-f5")
