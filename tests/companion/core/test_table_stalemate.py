"""Red claims that it cannot move. Blue is asked whether Blue can move (ISF, art. 12)."""

import pytest

from companion.core.events import BoardDiffers, Restored
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.game.rulings import GameOver, Moved, MoveRequired, Reason, StalemateClaimed
from engine.rules.editions import EDITIONS
from engine.rules.rules import Violation, ViolationKind
from tests.companion.core.table_driver import TableDriver, clash

RED, BLUE = Side.RED, Side.BLUE
ISF = EDITIONS["isf"]
DRAWN = GameOver(None, Reason.BOTH_IMMOBILE)
BLUE_WINS = GameOver(BLUE, Reason.NO_LEGAL_MOVE)
YES, NO = actions.AnswerStalemate(able=True), actions.AnswerStalemate(able=False)


@pytest.fixture
def asked() -> TableDriver:
    """Game in which Red claims that it cannot move. Red's e5 and Blue's e6 are adjacent."""
    driver = clash(edition=ISF)
    driver.command(actions.ClaimStalemate())
    return driver


@pytest.fixture
def showing(asked: TableDriver) -> TableDriver:
    asked.command(YES)
    asked.forget()
    return asked


class TestTheQuestion:
    def test_claim_is_put_to_the_opponent(self, asked: TableDriver) -> None:
        assert asked.emitted(StalemateClaimed) == [StalemateClaimed(BLUE)]
        assert asked.table.view.phase is Phase.STALEMATE
        assert asked.table.is_running

    def test_claim_before_the_first_move(self) -> None:
        driver = TableDriver.begun(edition=ISF)
        driver.command(actions.ClaimStalemate())
        assert driver.emitted(StalemateClaimed)

    @pytest.mark.parametrize("edition", [e for e in EDITIONS if e != "isf"])
    def test_claim_loses_in_other_editions(self, edition: str) -> None:
        driver = clash(edition=EDITIONS[edition])
        driver.command(actions.ClaimStalemate())
        assert driver.emitted(GameOver) == [BLUE_WINS]
        assert not driver.emitted(StalemateClaimed)

    def test_no_is_a_draw(self, asked: TableDriver) -> None:
        asked.command(NO)
        assert asked.emitted(GameOver) == [DRAWN]

    def test_yes_must_be_shown(self, asked: TableDriver) -> None:
        asked.command(YES)
        assert asked.emitted(MoveRequired) == [MoveRequired(BLUE)]
        assert asked.table.view.phase is Phase.SHOWING
        assert asked.table.view.to_move is BLUE
        assert asked.table.view.outcome is None

    def test_claim_must_be_answered_first(self, asked: TableDriver) -> None:
        asked.move("f7", "f6")
        assert asked.emitted(BoardDiffers)
        assert asked.table.state.waits_for_board
        asked.move("f6", "f7")
        assert asked.emitted(Restored)
        assert asked.table.view.phase is Phase.STALEMATE

    @pytest.mark.parametrize(
        "what", [actions.ClaimStalemate(), actions.Move(square("a4"), square("a5"))]
    )
    def test_unfitting_actions_change_nothing(
        self, asked: TableDriver, what: actions.ClaimStalemate | actions.Move
    ) -> None:
        asked.forget()
        asked.command(what)
        assert not asked.events

    def test_resignation_during_a_claim(self, asked: TableDriver) -> None:
        asked.command(actions.Resign(BLUE))
        assert asked.emitted(GameOver) == [GameOver(RED, Reason.RESIGNATION)]

    @pytest.mark.parametrize("plies", [0, 2])
    def test_claim_is_taken_back(self, plies: int) -> None:
        driver = clash(edition=ISF) if plies else TableDriver.begun(edition=ISF)
        driver.command(actions.ClaimStalemate())
        driver.take_back()
        driver.wait()
        assert driver.table.view.phase is Phase.PLAY
        assert driver.table.view.plies == plies
        driver.play("a4-a5")

    def test_claim_survives_a_power_cut(self, asked: TableDriver) -> None:
        again = asked.replugged()
        again.wait()
        assert again.table.view.phase is Phase.STALEMATE
        again.command(NO)
        assert again.emitted(GameOver) == [DRAWN]


class TestShowing:
    def test_legal_move_on_the_board_proves_mobility(self, showing: TableDriver) -> None:
        showing.move("f7", "f6")
        assert showing.emitted(Moved) == [Moved(BLUE, square("f7"), square("f6"), long_move=False)]
        assert showing.emitted(GameOver) == [BLUE_WINS]

    def test_illegal_move_is_put_back(self, showing: TableDriver) -> None:
        showing.move("b7", "c6")
        assert [found.fault for found in showing.emitted(Violation)] == [ViolationKind.NOT_STRAIGHT]
        assert showing.table.state.waits_for_board
        assert not showing.table.conversation.can_allow_move, (
            "the move must be shown; it cannot be allowed"
        )
        showing.move("c6", "b7")
        showing.move("b7", "b6")
        assert showing.emitted(GameOver) == [BLUE_WINS]

    def test_claimant_moves_out_of_turn(self, showing: TableDriver) -> None:
        showing.move("a4", "a5")
        assert [found.fault for found in showing.emitted(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]

    def test_attack_proves_mobility_without_declarations(self, showing: TableDriver) -> None:
        showing.command(actions.Attack(square("e6"), square("e5")))
        assert showing.emitted(GameOver) == [BLUE_WINS]
        assert showing.table.conversation.question is None

    def test_attack_by_hand_proves_mobility(self, showing: TableDriver) -> None:
        attacker = showing.lift("e6")
        showing.board.take_away(square("e5"))
        showing.place(attacker, "e5")
        showing.wait()
        assert showing.emitted(GameOver) == [BLUE_WINS]

    def test_opponent_may_answer_no_later(self, showing: TableDriver) -> None:
        showing.command(NO)
        assert showing.emitted(GameOver) == [DRAWN]

    @pytest.mark.parametrize(
        "what",
        [
            YES,
            actions.Infiltrate(square("e6"), square("e5"), Rank.SPY),
            actions.Declare(Secret(BLUE, Rank.SPY)),
        ],
    )
    def test_other_actions_prove_no_mobility(
        self,
        showing: TableDriver,
        what: actions.AnswerStalemate | actions.Infiltrate | actions.Declare,
    ) -> None:
        showing.command(what)
        assert not showing.events

    def test_claim_to_be_shown_survives_a_power_cut(self, showing: TableDriver) -> None:
        again = showing.replugged()
        again.wait()
        again.move("f7", "f6")
        assert again.emitted(GameOver) == [BLUE_WINS]


def test_clocks_stop_during_a_claim() -> None:
    driver = clash(edition=ISF, control=TimeControl("short", each=600, delay=0))
    driver.command(actions.ClaimStalemate())
    left = {side: driver.table.clock.remaining(side, driver.now) for side in Side}
    driver.wait(60)
    assert left == {side: driver.table.clock.remaining(side, driver.now) for side in Side}
    driver.command(YES)
    driver.wait(60)
    before, after = left[BLUE], driver.table.clock.remaining(BLUE, driver.now)
    assert before is not None
    assert after is not None
    assert before - after >= 60, "the clock runs for the side that shows a move"
