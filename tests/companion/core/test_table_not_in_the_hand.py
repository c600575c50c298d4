"""Pieces that are off the board without being part of a turn: the table does not wait for them."""

import pytest

from companion.core.events import BoardDiffers, CleanupRequired
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Attack
from engine.game.rulings import Combat
from firmware_bridge.simulated_board.board import PhysicalPiece
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, clash, fight
from tests.engine.tables import way

RED, BLUE = Side.RED, Side.BLUE
kinds = pytest.mark.parametrize("kind", BoardKind)


class TestABeatenAttacker:
    """Red has touched e5 and e6 on the screen, and its captain has met a colonel."""

    @staticmethod
    def beaten(kind: BoardKind) -> TableDriver:
        evening = clash(kind)
        evening.say(Attack(*way("e5-e6")))
        evening.declare(RED, Rank.CAPTAIN)
        evening.declare(BLUE, Rank.COLONEL)
        evening.wait()
        assert evening.told(Combat)
        assert evening.table.state.waits_for_board
        return evening

    @kinds
    def test_the_winner_may_have_been_lifted_too(self, kind: BoardKind) -> None:
        evening = self.beaten(kind)
        evening.lift("e5")
        evening.place(evening.lift("e6"), "e6")
        evening.wait(30)
        assert evening.table.state.lifted is None
        evening.play("f7-f6")


class TestALoserThatStandsAbout:
    """Red's captain was lost on e6 but put down on f5; f4 is next to it."""

    @staticmethod
    def stray() -> TableDriver:
        evening = fight(Rank.CAPTAIN, Rank.COLONEL)
        evening.stand(RED, square("f5"))
        evening.wait(0.5)
        evening.stand(BLUE, square("e6"))
        evening.wait(0.3)
        evening.play("k7-k6")
        evening.forget()
        return evening

    @pytest.mark.parametrize("later", [0.02, 0.3, 0.7])
    def test_it_is_not_the_piece_that_is_taken_up_beside_it(self, later: float) -> None:
        evening = self.stray()
        evening.wait(later)
        piece = evening.lift("f4")
        evening.wait(1)
        assert not evening.actions
        assert not evening.told(BoardDiffers), "there is time to tidy up, and to think"
        evening.place(piece, "f4")
        evening.wait(0.3)
        assert not evening.actions


class TestAWinner:
    """Red's colonel has captured a miner, and was on e6 for a moment: the cleanup is complete."""

    @staticmethod
    def up_again() -> tuple[TableDriver, PhysicalPiece]:
        evening = fight(Rank.COLONEL, Rank.MINER)
        evening.stand(RED, square("e6"))
        evening.wait(0.15)
        assert not evening.table.state.waits_for_board
        winner = evening.lift("e6")
        evening.forget()
        return evening, winner

    def test_it_may_be_taken_up_again(self) -> None:
        evening, winner = self.up_again()
        evening.wait(1)
        evening.place(winner, "e6")
        evening.wait()
        assert not evening.told(BoardDiffers)
        assert not evening.told(CleanupRequired)
        assert evening.table.state.lifted is None
        evening.play("f7-f6 e6-e5")


class TestTwoPiecesThatSomebodyStraightens:
    @kinds
    @pytest.mark.parametrize("order", ["e4 f4", "f4 e4"])
    @pytest.mark.parametrize("names", ["e4 f4", "e7 f7"])
    def test_nobody_complains(self, kind: BoardKind, names: str, order: str) -> None:
        evening = TableDriver.begun(kind)
        pieces = [evening.lift(name) for name in names.split()]
        up = dict(zip(names.split(), pieces, strict=True))
        evening.wait(0.6)
        for name in sorted(up, reverse=order == "f4 e4"):
            evening.place(up[name], name)
        evening.wait()
        assert not evening.told(BoardDiffers)
        assert not evening.actions
        evening.play("e4-e5 f7-f6")

    def test_they_may_be_held_for_long(self) -> None:
        evening = TableDriver.begun()
        evening.lift("e4")
        evening.lift("f4")
        evening.wait(30)
        assert not evening.told(BoardDiffers)
