"""The arbiter corrects a wrongly declared rank, and the game continues with the right one."""

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
def evening() -> TableDriver:
    """Red has declared a colonel by mistake and has beaten a miner on e6."""
    evening = fight(Rank.COLONEL, Rank.MINER)
    evening.stand(RED, square("e6"))
    evening.wait(20)
    evening.play("f7-f6")
    evening.forget()
    return evening


def test_it_fights_on_as_what_it_is(evening: TableDriver) -> None:
    evening.correct("e6", Rank.CAPTAIN)
    mistake = RankCorrection(square("e4"), Rank.CAPTAIN)
    (corrected,) = evening.told(Corrected)
    assert (corrected.mistake, corrected.squares) == (mistake, (square("e6"),))
    assert evening.actions == [Correct(mistake)]
    evening.lift("e6")
    evening.lift("f6")
    evening.wait()
    evening.declare(BLUE, Rank.MAJOR)
    (combat,) = evening.told(Combat)
    assert (combat.attacker, combat.defender) == (Rank.CAPTAIN, Rank.MAJOR)


def test_it_is_announced_and_nothing_else_is_due(evening: TableDriver) -> None:
    evening.correct("e6", Rank.CAPTAIN)
    said = Announcer(Language("en")).sentence(evening.told(Corrected)[0])
    assert said == "The arbiter corrects the record: the piece on e6 is: captain."
    evening.wait()
    assert not evening.told(TurnBegan)
    assert not evening.table.state.waits_for_board
    evening.play("a4-a5")


def test_what_cannot_be_is_refused_with_the_proof(evening: TableDriver) -> None:
    evening.correct("e6", Rank.BOMB)
    (refused,) = evening.told(CorrectionRefused)
    said = Announcer(Language("en")).sentence(refused)
    assert said.startswith("This correction is impossible. ")
    assert "neither a bomb nor the flag" in said
    assert not evening.actions


@pytest.mark.parametrize("where", ["a4", "f6", "e5"])
def test_what_was_never_shown_is_not_corrected(evening: TableDriver, where: str) -> None:
    evening.correct(where, Rank.CAPTAIN)
    assert not evening.events


def test_not_while_ranks_are_declared() -> None:
    evening = attack(clash())
    assert evening.table.referee.phase is Phase.ATTACK
    evening.correct("e5", Rank.CAPTAIN)
    assert evening.table.referee.phase is Phase.ATTACK
    assert not evening.told(Corrected)


def test_a_wrong_move_still_has_to_be_put_right(evening: TableDriver) -> None:
    evening.move("e6", "f5")
    assert evening.table.state.violation is not None
    evening.correct("e6", Rank.CAPTAIN)
    evening.wait()
    assert evening.table.state.violation is not None
    evening.let_stand()
    assert evening.table.expected == evening.board.image()


def test_a_pulled_plug_does_not_bring_the_wrong_rank_back(evening: TableDriver) -> None:
    evening.correct("e6", Rank.CAPTAIN)
    again = evening.replugged()
    assert again.table.referee.position.ranks_at(square("e6")) == 1 << Rank.CAPTAIN


class TestExchangedPieces:
    def test_what_was_shown_goes_with_its_piece(self, evening: TableDriver) -> None:
        board = evening.table.view.board
        mistake = SwapCorrection(board.piece_at(square("e6")), board.piece_at(square("a4")))
        evening.say(Correct(mistake))
        (corrected,) = evening.told(Corrected)
        assert corrected.squares == (square("a4"), square("e6"))
        ranks_at = evening.table.referee.position.ranks_at
        assert ranks_at(square("a4")) == 1 << Rank.COLONEL
        assert ranks_at(square("e6")) != 1 << Rank.COLONEL
        evening.wait()
        assert not evening.table.state.waits_for_board, "nobody has to touch a piece for it"

    def test_not_with_a_piece_of_the_other_side(self, evening: TableDriver) -> None:
        board = evening.table.view.board
        mistake = SwapCorrection(board.piece_at(square("e6")), board.piece_at(square("a7")))
        assert not evening.table.conversation.can_correct(mistake)
        evening.say(Correct(mistake))
        assert not evening.events


class TestALongMoveThatWasNone:
    def test_the_piece_may_be_anything_again_that_moves(self) -> None:
        evening = TableDriver.begun()
        evening.play("e4-e6 f7-f6")
        ranks_at = evening.table.referee.position.ranks_at
        assert ranks_at(square("e6")) == SCOUTS
        mistake = NotAScout(evening.table.view.board.piece_at(square("e6")))
        assert evening.table.conversation.can_correct(mistake)
        evening.say(Correct(mistake))
        (corrected,) = evening.told(Corrected)
        assert corrected.changed == 1 << square("e6")
        assert evening.table.referee.position.ranks_at(square("e6")) == ORIGINAL.ranks & ~IMMOBILE

    def test_not_of_a_piece_that_went_one_square(self) -> None:
        evening = TableDriver.begun()
        evening.play("e4-e5 f7-f6")
        piece = evening.table.view.board.piece_at(square("e5"))
        assert not evening.table.conversation.can_correct(NotAScout(piece))
