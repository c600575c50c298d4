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
    evening = clash()
    evening.play("e5-f5")
    evening.forget()
    return evening


def ask(evening: TableDriver, side: Side) -> None:
    evening.say(OfferUndo(side))


class TestBoardAdoption:
    def test_one_side_alone_changes_nothing(self) -> None:
        evening = moved()
        ask(evening, RED)
        ask(evening, RED)
        assert evening.told(OfferUndo) == [OfferUndo(RED)]
        assert not evening.actions

    def test_when_both_ask_it_is_taken_back(self) -> None:
        evening = moved()
        evening.take_back()
        assert evening.told(TakenBack) == [TakenBack()]
        assert evening.actions == [TakeBack()]
        assert evening.table.referee.to_move is RED

    def test_the_offer_lapses_with_the_next_ply(self) -> None:
        evening = moved()
        ask(evening, RED)
        evening.play("k7-k6")
        assert evening.table.conversation.take_back_offer is None
        ask(evening, BLUE)
        assert not evening.told(TakenBack)

    def test_who_agrees_to_take_a_move_back_does_not_take_back_an_attack(self) -> None:
        evening = clash()
        ask(evening, BLUE)
        attack(evening)
        ask(evening, RED)
        assert evening.table.referee.phase is Phase.ATTACK
        assert evening.told(OfferUndo) == [OfferUndo(BLUE), OfferUndo(RED)]

    def test_who_agrees_to_take_an_attack_back_does_not_take_back_a_move(self) -> None:
        evening = attack(clash())
        ask(evening, RED)
        evening.submit(NoAttack(evening.now))
        ask(evening, BLUE)
        assert not evening.told(TakenBack)

    def test_one_consent_takes_one_thing_back(self) -> None:
        evening = attack(clash())
        evening.take_back()
        ask(evening, RED)
        ask(evening, RED)
        assert evening.actions.count(TakeBack()) == 1

    def test_who_takes_an_end_back_does_not_take_back_what_led_to_it(self) -> None:
        evening = clash(edition=EDITIONS["isf"])
        evening.say(ClaimStalemate())
        evening.say(AnswerStalemate(able=False))
        evening.take_back()
        assert evening.table.referee.in_force[-1] == ClaimStalemate()
        ask(evening, BLUE)
        ask(evening, BLUE)
        assert evening.table.referee.in_force[-1] == ClaimStalemate()
        ask(evening, RED)
        assert evening.table.referee.phase is Phase.PLAY

    def test_who_agrees_to_take_an_attack_back_does_not_take_back_an_end(self) -> None:
        evening = attack(clash())
        ask(evening, RED)
        evening.say(Resign(RED))
        ask(evening, BLUE)
        assert evening.table.referee.phase is Phase.OVER

    def test_an_offer_of_a_draw_is_accepted_once(self) -> None:
        evening = moved()
        for side in Side:
            evening.say(OfferDraw(side))
        evening.take_back()
        assert evening.table.conversation.draw_offer is None
        evening.say(OfferDraw(BLUE))
        assert evening.table.referee.phase is Phase.PLAY

    def test_there_is_nothing_to_take_back_at_the_beginning(self) -> None:
        evening = TableDriver.begun()
        evening.take_back()
        assert not evening.events

    def test_nor_when_time_has_run_out(self) -> None:
        before = moved()
        actions = (*before.table.referee.actions, TimeExpired(RED))
        evening = TableDriver(before.table.referee.edition, before.seed, actions)
        evening.forget()
        evening.take_back()
        assert not evening.events

    def test_one_side_alone_cannot_go_on_after_the_end(self) -> None:
        evening = moved()
        evening.say(Resign(RED))
        ask(evening, RED)
        assert evening.table.referee.phase is Phase.OVER


class TestWhatIsTakenBack:
    def test_a_move(self) -> None:
        evening = moved()
        evening.take_back()
        assert evening.table.state.waits_for_board
        assert evening.told(CleanupRequired)[-1].difference.missing == 1 << square("e5")
        evening.move("f5", "e5")
        assert evening.told(TurnBegan)[-1:] == [TurnBegan(RED)]
        assert not evening.table.state.waits_for_board
        assert evening.actions == [TakeBack()]

    def test_the_end_of_the_game(self) -> None:
        evening = moved()
        evening.say(Resign(BLUE))
        evening.take_back()
        assert evening.table.referee.phase is Phase.PLAY
        evening.move("k7", "k6")
        assert evening.actions == [Resign(BLUE), TakeBack(), Move(square("k7"), square("k6"))]

    def test_the_same_move_can_be_made_again(self) -> None:
        evening = moved()
        evening.take_back()
        evening.move("f5", "e5")
        evening.move("e5", "f5")
        assert evening.actions == [TakeBack(), Move(square("e5"), square("f5"))]

    def test_a_combat_with_its_pieces_off_the_board(self) -> None:
        evening = fight(Rank.MINER, Rank.MINER)
        evening.take_back()
        assert evening.told(CleanupRequired)[-1].difference.missing == (
            1 << square("e5") | 1 << square("e6")
        )
        evening.stand(BLUE, square("e6"))
        evening.wait()
        evening.stand(RED, square("e5"))
        evening.wait()
        assert evening.told(TurnBegan)[-1:] == [TurnBegan(RED)]
        assert evening.actions[-1] == TakeBack()

    def test_a_combat_that_is_being_cleared_up(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        assert evening.table.state.reveal
        evening.take_back()
        assert evening.table.state.reveal is None
        evening.stand(RED, square("e5"))
        evening.stand(BLUE, square("e6"))
        evening.wait()
        assert not evening.table.state.waits_for_board
        assert evening.table.referee.to_move is RED

    @pytest.mark.parametrize("declared", [False, True])
    def test_an_open_attack(self, declared: bool) -> None:
        evening = attack(clash())
        if declared:
            evening.declare(RED, Rank.CAPTAIN)
        evening.take_back()
        assert evening.table.referee.phase is Phase.PLAY
        assert evening.table.state.waits_for_board
        evening.wait()
        assert evening.table.referee.phase is Phase.PLAY, "both in hand are no new attack"
        evening.stand(RED, square("e5"))
        evening.stand(BLUE, square("e6"))
        evening.wait()
        assert evening.events[-1] == Restored()
        assert not evening.table.state.waits_for_board

    def test_a_dispute(self) -> None:
        evening = dispute()
        evening.take_back()
        assert evening.table.referee.phase is Phase.PLAY
        assert evening.table.referee.plies == 2

    def test_a_guess_that_waits_for_its_answer(self) -> None:
        evening = infiltrator()
        evening.infiltrate("e7", "e8", Rank.COLONEL)
        evening.take_back()
        assert evening.table.referee.phase is Phase.PLAY
        assert evening.table.referee.to_move is RED
        evening.wait()
        assert not evening.table.state.waits_for_board

    def test_one_after_the_other_to_the_beginning(self) -> None:
        evening = moved()
        for source, target in [("f5", "e5"), ("e6", "e7"), ("e5", "e4")]:
            evening.take_back()
            evening.move(source, target)
            assert not evening.table.state.waits_for_board
        assert not evening.table.conversation.can_take_back
        evening.play("e4-e5")


class TestTheWayBack:
    @pytest.mark.parametrize(
        "turn",
        [
            Attack(square("e5"), square("e6")),
            Infiltrate(square("e5"), square("e6"), Rank.SPY),
        ],
    )
    def test_no_turn_is_made_on_the_screen_meanwhile(self, turn: Attack | Infiltrate) -> None:
        evening = moved()
        evening.take_back()
        evening.forget()
        evening.say(turn)
        assert not evening.events

    def test_after_a_pulled_plug_the_board_still_has_to_be_put_right(self) -> None:
        evening = moved()
        evening.take_back()
        again = evening.replugged()
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
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        evening.stand(RED, square("e6"))
        evening.wait()
        evening.take_back()
        homes = {
            evening.lift("e6"): square("e5"),
            PhysicalPiece(BLUE): square("e6"),
            evening.lift("a1"): square("a1"),
            evening.lift("k7"): square("k7"),
        }
        order = data.draw(st.permutations(list(homes)))
        free = [each for each in SQUARES if evening.board.at(each) is None]
        for piece in order[1:]:
            for place in data.draw(st.lists(st.sampled_from(free), max_size=2)):
                if evening.board.at(place) is None:
                    evening.board.place(piece, place)
                    evening.wait(data.draw(pauses))
                    evening.board.lift(place)
                    evening.wait(data.draw(pauses))
        for piece in order:
            evening.board.place(piece, homes[piece])
            evening.wait(data.draw(pauses))
        evening.wait()
        assert evening.actions[-1] == TakeBack()
        assert not evening.table.state.waits_for_board
        evening.play("e5-f5")
