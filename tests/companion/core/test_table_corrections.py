"""The arbiter corrects a wrong declaration, and the game continues with the right rank."""

import pytest

from companion.core.events import TurnBegan
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from engine.board.geometry import Side, square
from engine.board.ranks import IMMOBILE, ORIGINAL, SCOUTS, Rank
from engine.game.actions import Correct, NotAScout, RankCorrection, SwapCorrection
from engine.game.game_state import Phase
from engine.game.rulings import Combat, Corrected, CorrectionRefused
from tests.companion.core.table_driver import TableDriver, attack, clash, fight

RED, BLUE = Side.RED, Side.BLUE


@pytest.fixture
def driver() -> TableDriver:
    """Game in which Red declared a colonel by mistake and beat a miner on e6."""
    driver = fight(Rank.COLONEL, Rank.MINER)
    driver.stand(RED, square("e6"))
    driver.wait(20)
    driver.play("f7-f6")
    driver.forget()
    return driver


def test_corrected_piece_fights_with_its_rank(driver: TableDriver) -> None:
    driver.correct("e6", Rank.CAPTAIN)
    mistake = RankCorrection(square("e4"), Rank.CAPTAIN)
    (corrected,) = driver.emitted(Corrected)
    assert (corrected.mistake, corrected.squares) == (mistake, (square("e6"),))
    assert driver.actions == [Correct(mistake)]
    driver.lift("e6")
    driver.lift("f6")
    driver.wait()
    driver.declare(BLUE, Rank.MAJOR)
    (combat,) = driver.emitted(Combat)
    assert (combat.attacker, combat.defender) == (Rank.CAPTAIN, Rank.MAJOR)


def test_correction_is_announced(driver: TableDriver) -> None:
    driver.correct("e6", Rank.CAPTAIN)
    sentence = Announcer(Language("en")).sentence(driver.emitted(Corrected)[0])
    assert sentence == "The arbiter corrects the record: the piece on e6 is: captain."
    driver.wait()
    assert not driver.emitted(TurnBegan)
    assert not driver.table.state.waits_for_board
    driver.play("a4-a5")


def test_impossible_correction_is_refused_with_proof(driver: TableDriver) -> None:
    driver.correct("e6", Rank.BOMB)
    (refused,) = driver.emitted(CorrectionRefused)
    sentence = Announcer(Language("en")).sentence(refused)
    assert sentence.startswith("This correction is impossible. ")
    assert "neither a bomb nor the flag" in sentence
    assert not driver.actions


@pytest.mark.parametrize("where", ["a4", "f6", "e5"])
def test_unrevealed_piece_is_not_corrected(driver: TableDriver, where: str) -> None:
    driver.correct(where, Rank.CAPTAIN)
    assert not driver.events


def test_no_correction_during_declarations() -> None:
    driver = attack(clash())
    assert driver.table.referee.phase is Phase.ATTACK
    driver.correct("e5", Rank.CAPTAIN)
    assert driver.table.referee.phase is Phase.ATTACK
    assert not driver.emitted(Corrected)


def test_illegal_move_must_be_undone_after_a_correction(driver: TableDriver) -> None:
    driver.move("e6", "f5")
    assert driver.table.state.violation is not None
    driver.correct("e6", Rank.CAPTAIN)
    driver.wait()
    assert driver.table.state.violation is not None
    driver.allow_move()
    assert driver.table.expected == driver.board.image()


def test_correction_survives_a_power_cut(driver: TableDriver) -> None:
    driver.correct("e6", Rank.CAPTAIN)
    again = driver.replugged()
    assert again.table.referee.position.ranks_at(square("e6")) == 1 << Rank.CAPTAIN


class TestExchangedPieces:
    def test_shown_ranks_follow_exchanged_pieces(self, driver: TableDriver) -> None:
        board = driver.table.view.board
        mistake = SwapCorrection(board.piece_at(square("e6")), board.piece_at(square("a4")))
        driver.command(Correct(mistake))
        (corrected,) = driver.emitted(Corrected)
        assert corrected.squares == (square("a4"), square("e6"))
        ranks_at = driver.table.referee.position.ranks_at
        assert ranks_at(square("a4")) == 1 << Rank.COLONEL
        assert ranks_at(square("e6")) != 1 << Rank.COLONEL
        driver.wait()
        assert not driver.table.state.waits_for_board, "no piece has to be moved on the board"

    def test_no_exchange_between_sides(self, driver: TableDriver) -> None:
        board = driver.table.view.board
        mistake = SwapCorrection(board.piece_at(square("e6")), board.piece_at(square("a7")))
        assert not driver.table.conversation.can_correct(mistake)
        driver.command(Correct(mistake))
        assert not driver.events


class TestNotALongMove:
    def test_corrected_long_move_allows_all_movable_ranks(self) -> None:
        driver = TableDriver.begun()
        driver.play("e4-e6 f7-f6")
        ranks_at = driver.table.referee.position.ranks_at
        assert ranks_at(square("e6")) == SCOUTS
        mistake = NotAScout(driver.table.view.board.piece_at(square("e6")))
        assert driver.table.conversation.can_correct(mistake)
        driver.command(Correct(mistake))
        (corrected,) = driver.emitted(Corrected)
        assert corrected.changed == 1 << square("e6")
        assert driver.table.referee.position.ranks_at(square("e6")) == ORIGINAL.ranks & ~IMMOBILE

    def test_no_long_move_correction_of_a_single_step(self) -> None:
        driver = TableDriver.begun()
        driver.play("e4-e5 f7-f6")
        piece = driver.table.view.board.piece_at(square("e5"))
        assert not driver.table.conversation.can_correct(NotAScout(piece))
