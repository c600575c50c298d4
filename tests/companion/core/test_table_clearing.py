"""The table is not blocked by lifted pieces that are not part of a turn."""

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


class TestBeatenAttacker:
    """Red's captain has attacked e6 on the screen and lost to a colonel."""

    @staticmethod
    def beaten(kind: BoardKind) -> TableDriver:
        driver = clash(kind)
        driver.command(Attack(*way("e5-e6")))
        driver.declare(RED, Rank.CAPTAIN)
        driver.declare(BLUE, Rank.COLONEL)
        driver.wait()
        assert driver.emitted(Combat)
        assert driver.table.state.waits_for_board
        return driver

    @kinds
    def test_lifted_winner_is_no_alarm(self, kind: BoardKind) -> None:
        driver = self.beaten(kind)
        driver.lift("e5")
        driver.place(driver.lift("e6"), "e6")
        driver.wait(30)
        assert driver.table.state.lifted is None
        driver.play("f7-f6")


class TestMisplacedLoser:
    """Red's captain has lost on e6 and has been put down on f5, next to Red's piece on f4."""

    @staticmethod
    def stray() -> TableDriver:
        driver = fight(Rank.CAPTAIN, Rank.COLONEL)
        driver.stand(RED, square("f5"))
        driver.wait(0.5)
        driver.stand(BLUE, square("e6"))
        driver.wait(0.3)
        driver.play("k7-k6")
        driver.forget()
        return driver

    @pytest.mark.parametrize("later", [0.02, 0.3, 0.7])
    def test_neighbour_of_the_winner_is_not_the_winner(self, later: float) -> None:
        driver = self.stray()
        driver.wait(later)
        piece = driver.lift("f4")
        driver.wait(1)
        assert not driver.actions
        assert not driver.emitted(BoardDiffers), (
            "players have time to clear the pieces and to think"
        )
        driver.place(piece, "f4")
        driver.wait(0.3)
        assert not driver.actions


class TestAWinner:
    """Red's colonel has beaten a miner. The cleanup is complete once the colonel stands on e6."""

    @staticmethod
    def up_again() -> tuple[TableDriver, PhysicalPiece]:
        driver = fight(Rank.COLONEL, Rank.MINER)
        driver.stand(RED, square("e6"))
        driver.wait(0.15)
        assert not driver.table.state.waits_for_board
        winner = driver.lift("e6")
        driver.forget()
        return driver, winner

    def test_winner_may_be_lifted_again(self) -> None:
        driver, winner = self.up_again()
        driver.wait(1)
        driver.place(winner, "e6")
        driver.wait()
        assert not driver.emitted(BoardDiffers)
        assert not driver.emitted(CleanupRequired)
        assert driver.table.state.lifted is None
        driver.play("f7-f6 e6-e5")


class TestTwoStraightenedPieces:
    @kinds
    @pytest.mark.parametrize("order", ["e4 f4", "f4 e4"])
    @pytest.mark.parametrize("names", ["e4 f4", "e7 f7"])
    def test_no_false_alarm(self, kind: BoardKind, names: str, order: str) -> None:
        driver = TableDriver.begun(kind)
        pieces = [driver.lift(name) for name in names.split()]
        up = dict(zip(names.split(), pieces, strict=True))
        driver.wait(0.6)
        for name in sorted(up, reverse=order == "f4 e4"):
            driver.place(up[name], name)
        driver.wait()
        assert not driver.emitted(BoardDiffers)
        assert not driver.actions
        driver.play("e4-e5 f7-f6")

    def test_two_pieces_may_be_held_for_long(self) -> None:
        driver = TableDriver.begun()
        driver.lift("e4")
        driver.lift("f4")
        driver.wait(30)
        assert not driver.emitted(BoardDiffers)
