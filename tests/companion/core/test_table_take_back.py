"""Take-back by consent: both sides ask, then the board must be restored before anything else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.events import CleanupRequired, Restored, TurnBegan
from companion.core.inputs import NoAttack, OfferDraw, OfferUndo
from engine.board.geometry import SQUARES, Side, square
from engine.board.ranks import Rank
from engine.game.actions import (
    AnswerStalemate,
    Attack,
    ClaimStalemate,
    Infiltrate,
    Move,
    Resign,
    TakeBack,
    TimeExpired,
)
from engine.game.game_state import Phase
from engine.game.rulings import Moved, TakenBack
from engine.rules.editions import EDITIONS
from firmware_bridge.simulated_board.board import PhysicalPiece
from tests.campaigns import Campaign
from tests.companion.core.table_driver import (
    TableDriver,
    attack,
    clash,
    dispute,
    fight,
    infiltrator,
)

RED, BLUE = Side.RED, Side.BLUE


ORDERS = Campaign("any-hands", part=20, whole=240)


def moved() -> TableDriver:
    """Red has moved from e5 to f5."""
    driver = clash()
    driver.play("e5-f5")
    driver.forget()
    return driver


def ask(driver: TableDriver, side: Side) -> None:
    driver.say(OfferUndo(side))


class TestBoardAdoption:
    def test_one_side_alone_changes_nothing(self) -> None:
        driver = moved()
        ask(driver, RED)
        ask(driver, RED)
        assert driver.told(OfferUndo) == [OfferUndo(RED)]
        assert not driver.actions

    def test_when_both_ask_it_is_taken_back(self) -> None:
        driver = moved()
        driver.take_back()
        assert driver.told(TakenBack) == [TakenBack()]
        assert driver.actions == [TakeBack()]
        assert driver.table.referee.to_move is RED

    def test_the_offer_lapses_with_the_next_ply(self) -> None:
        driver = moved()
        ask(driver, RED)
        driver.play("k7-k6")
        assert driver.table.conversation.take_back_offer is None
        ask(driver, BLUE)
        assert not driver.told(TakenBack)

    def test_who_agrees_to_take_a_move_back_does_not_take_back_an_attack(self) -> None:
        driver = clash()
        ask(driver, BLUE)
        attack(driver)
        ask(driver, RED)
        assert driver.table.referee.phase is Phase.ATTACK
        assert driver.told(OfferUndo) == [OfferUndo(BLUE), OfferUndo(RED)]

    def test_who_agrees_to_take_an_attack_back_does_not_take_back_a_move(self) -> None:
        driver = attack(clash())
        ask(driver, RED)
        driver.submit(NoAttack(driver.now))
        ask(driver, BLUE)
        assert not driver.told(TakenBack)

    def test_agreement_takes_one_turn_back(self) -> None:
        driver = attack(clash())
        driver.take_back()
        ask(driver, RED)
        ask(driver, RED)
        assert driver.actions.count(TakeBack()) == 1

    def test_who_takes_an_end_back_does_not_take_back_what_led_to_it(self) -> None:
        driver = clash(edition=EDITIONS["isf"])
        driver.say(ClaimStalemate())
        driver.say(AnswerStalemate(able=False))
        driver.take_back()
        assert driver.table.referee.in_force[-1] == ClaimStalemate()
        ask(driver, BLUE)
        ask(driver, BLUE)
        assert driver.table.referee.in_force[-1] == ClaimStalemate()
        ask(driver, RED)
        assert driver.table.referee.phase is Phase.PLAY

    def test_who_agrees_to_take_an_attack_back_does_not_take_back_an_end(self) -> None:
        driver = attack(clash())
        ask(driver, RED)
        driver.say(Resign(RED))
        ask(driver, BLUE)
        assert driver.table.referee.phase is Phase.OVER

    def test_an_offer_of_a_draw_is_accepted_once(self) -> None:
        driver = moved()
        for side in Side:
            driver.say(OfferDraw(side))
        driver.take_back()
        assert driver.table.conversation.draw_offer is None
        driver.say(OfferDraw(BLUE))
        assert driver.table.referee.phase is Phase.PLAY

    def test_there_is_nothing_to_take_back_at_the_beginning(self) -> None:
        driver = TableDriver.begun()
        driver.take_back()
        assert not driver.events

    def test_nor_when_time_has_run_out(self) -> None:
        before = moved()
        actions = (*before.table.referee.actions, TimeExpired(RED))
        driver = TableDriver(before.table.referee.edition, before.seed, actions)
        driver.forget()
        driver.take_back()
        assert not driver.events

    def test_one_side_alone_cannot_go_on_after_the_end(self) -> None:
        driver = moved()
        driver.say(Resign(RED))
        ask(driver, RED)
        assert driver.table.referee.phase is Phase.OVER


class TestWhatIsTakenBack:
    def test_simple_move(self) -> None:
        driver = moved()
        driver.take_back()
        assert driver.table.state.waits_for_board
        assert driver.told(CleanupRequired)[-1].difference.missing == 1 << square("e5")
        driver.move("f5", "e5")
        assert driver.told(TurnBegan)[-1:] == [TurnBegan(RED)]
        assert not driver.table.state.waits_for_board
        assert driver.actions == [TakeBack()]

    def test_the_end_of_the_game(self) -> None:
        driver = moved()
        driver.say(Resign(BLUE))
        driver.take_back()
        assert driver.table.referee.phase is Phase.PLAY
        driver.move("k7", "k6")
        assert driver.actions == [Resign(BLUE), TakeBack(), Move(square("k7"), square("k6"))]

    def test_the_same_move_can_be_made_again(self) -> None:
        driver = moved()
        driver.take_back()
        driver.move("f5", "e5")
        driver.move("e5", "f5")
        assert driver.actions == [TakeBack(), Move(square("e5"), square("f5"))]

    def test_a_combat_with_its_pieces_off_the_board(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        driver.take_back()
        assert driver.told(CleanupRequired)[-1].difference.missing == (
            1 << square("e5") | 1 << square("e6")
        )
        driver.stand(BLUE, square("e6"))
        driver.wait()
        driver.stand(RED, square("e5"))
        driver.wait()
        assert driver.told(TurnBegan)[-1:] == [TurnBegan(RED)]
        assert driver.actions[-1] == TakeBack()

    def test_a_combat_that_is_being_cleared_up(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        assert driver.table.state.reveal
        driver.take_back()
        assert driver.table.state.reveal is None
        driver.stand(RED, square("e5"))
        driver.stand(BLUE, square("e6"))
        driver.wait()
        assert not driver.table.state.waits_for_board
        assert driver.table.referee.to_move is RED

    @pytest.mark.parametrize("declared", [False, True])
    def test_an_open_attack(self, declared: bool) -> None:
        driver = attack(clash())
        if declared:
            driver.declare(RED, Rank.CAPTAIN)
        driver.take_back()
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.table.state.waits_for_board
        driver.wait()
        assert driver.table.referee.phase is Phase.PLAY, "both in hand are no new attack"
        driver.stand(RED, square("e5"))
        driver.stand(BLUE, square("e6"))
        driver.wait()
        assert driver.events[-1] == Restored()
        assert not driver.table.state.waits_for_board

    def test_a_dispute(self) -> None:
        driver = dispute()
        driver.take_back()
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.table.referee.plies == 2

    def test_a_guess_that_waits_for_its_answer(self) -> None:
        driver = infiltrator()
        driver.infiltrate("e7", "e8", Rank.COLONEL)
        driver.take_back()
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.table.referee.to_move is RED
        driver.wait()
        assert not driver.table.state.waits_for_board

    def test_one_after_the_other_to_the_beginning(self) -> None:
        driver = moved()
        for source, target in [("f5", "e5"), ("e6", "e7"), ("e5", "e4")]:
            driver.take_back()
            driver.move(source, target)
            assert not driver.table.state.waits_for_board
        assert not driver.table.conversation.can_take_back
        driver.play("e4-e5")


class TestRecovery:
    @pytest.mark.parametrize(
        "turn",
        [
            Attack(square("e5"), square("e6")),
            Infiltrate(square("e5"), square("e6"), Rank.SPY),
        ],
    )
    def test_no_turn_is_made_on_the_screen_meanwhile(self, turn: Attack | Infiltrate) -> None:
        driver = moved()
        driver.take_back()
        driver.forget()
        driver.say(turn)
        assert not driver.events

    def test_after_a_pulled_plug_the_board_still_has_to_be_put_right(self) -> None:
        driver = moved()
        driver.take_back()
        again = driver.replugged()
        again.wait()
        assert again.told(CleanupRequired)
        assert not again.told(Moved), "the piece on f5 is what was taken back, no new move"
        again.move("f5", "e5")
        assert again.told(TurnBegan) == [TurnBegan(RED)]

    @ORDERS
    @settings(max_examples=ORDERS.size)
    @given(data=st.data())
    def test_in_whatever_order_pieces_are_put_back_it_is_no_move(self, data: st.DataObject) -> None:
        """One piece stays in the hand; the others are moved about before they are put back."""
        pauses = st.sampled_from([0.0, 0.15, 0.5, 2.0])
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.stand(RED, square("e6"))
        driver.wait()
        driver.take_back()
        homes = {
            driver.lift("e6"): square("e5"),
            PhysicalPiece(BLUE): square("e6"),
            driver.lift("a1"): square("a1"),
            driver.lift("k7"): square("k7"),
        }
        order = data.draw(st.permutations(list(homes)))
        free = [each for each in SQUARES if driver.board.at(each) is None]
        for piece in order[1:]:
            for place in data.draw(st.lists(st.sampled_from(free), max_size=2)):
                if driver.board.at(place) is None:
                    driver.board.place(piece, place)
                    driver.wait(data.draw(pauses))
                    driver.board.lift(place)
                    driver.wait(data.draw(pauses))
        for piece in order:
            driver.board.place(piece, homes[piece])
            driver.wait(data.draw(pauses))
        driver.wait()
        assert driver.actions[-1] == TakeBack()
        assert not driver.table.state.waits_for_board
        driver.play("e5-f5")
