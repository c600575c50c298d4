"""Take-backs by agreement. The board is restored before play continues."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.events import CleanupRequired, TurnBegan
from companion.core.inputs import AdjustClock, Command, NoAttack, OfferDraw, OfferUndo
from engine.board.geometry import SQUARES, Side, square
from engine.board.ranks import Rank
from engine.game import actions
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.game.rulings import Moved, TakenBack
from engine.rules.editions import EDITIONS
from firmware_bridge.simulated_board.board import PhysicalPiece
from tests.campaigns import Campaign
from tests.companion.core import table_driver

RED, BLUE = Side.RED, Side.BLUE


ORDERS = Campaign("any-hands", part=20, whole=240)


def moved() -> table_driver.TableDriver:
    driver = table_driver.clash()
    driver.play("e5-f5")
    driver.forget()
    return driver


def ask(driver: table_driver.TableDriver, side: Side) -> None:
    driver.command(OfferUndo(side))


class TestBoardAdoption:
    def test_one_side_cannot_agree_alone(self) -> None:
        driver = moved()
        ask(driver, RED)
        ask(driver, RED)
        assert driver.emitted(OfferUndo) == [OfferUndo(RED)]
        assert not driver.actions

    def test_both_agree_to_take_back(self) -> None:
        driver = moved()
        driver.take_back()
        assert driver.emitted(TakenBack) == [TakenBack()]
        assert driver.actions == [actions.TakeBack()]
        assert driver.table.referee.to_move is RED

    def test_take_back_offer_lapses_with_the_next_ply(self) -> None:
        driver = moved()
        ask(driver, RED)
        driver.play("k7-k6")
        assert driver.table.conversation.take_back_offer is None
        ask(driver, BLUE)
        assert not driver.emitted(TakenBack)

    def test_agreement_for_a_move_does_not_undo_an_attack(self) -> None:
        driver = table_driver.clash()
        ask(driver, BLUE)
        table_driver.attack(driver)
        ask(driver, RED)
        assert driver.table.referee.phase is Phase.ATTACK
        assert driver.emitted(OfferUndo) == [OfferUndo(BLUE), OfferUndo(RED)]

    def test_agreement_for_an_attack_does_not_undo_a_move(self) -> None:
        driver = table_driver.attack(table_driver.clash())
        ask(driver, RED)
        driver.submit(NoAttack(driver.now))
        ask(driver, BLUE)
        assert not driver.emitted(TakenBack)

    def test_agreement_undoes_one_turn(self) -> None:
        driver = table_driver.attack(table_driver.clash())
        driver.take_back()
        ask(driver, RED)
        ask(driver, RED)
        assert driver.actions.count(actions.TakeBack()) == 1

    def test_take_back_of_the_end_keeps_the_last_turn(self) -> None:
        driver = table_driver.clash(edition=EDITIONS["isf"])
        driver.command(actions.ClaimStalemate())
        driver.command(actions.AnswerStalemate(able=False))
        driver.take_back()
        assert driver.table.referee.in_force[-1] == actions.ClaimStalemate()
        ask(driver, BLUE)
        ask(driver, BLUE)
        assert driver.table.referee.in_force[-1] == actions.ClaimStalemate()
        ask(driver, RED)
        assert driver.table.referee.phase is Phase.PLAY

    def test_agreement_for_an_attack_does_not_undo_an_end(self) -> None:
        driver = table_driver.attack(table_driver.clash())
        ask(driver, RED)
        driver.command(actions.Resign(RED))
        ask(driver, BLUE)
        assert driver.table.referee.phase is Phase.OVER

    def test_draw_offer_is_accepted_once(self) -> None:
        driver = moved()
        for side in Side:
            driver.command(OfferDraw(side))
        driver.take_back()
        assert driver.table.conversation.draw_offer is None
        driver.command(OfferDraw(BLUE))
        assert driver.table.referee.phase is Phase.PLAY

    def test_nothing_to_take_back_at_the_start(self) -> None:
        driver = table_driver.TableDriver.begun()
        driver.take_back()
        assert not driver.events

    def test_no_take_back_after_time_ran_out(self) -> None:
        before = moved()
        ended = (*before.table.referee.actions, actions.TimeExpired(RED))
        driver = table_driver.TableDriver(before.table.referee.edition, before.seed, ended)
        driver.forget()
        driver.take_back()
        assert not driver.events

    def test_resuming_needs_both_sides(self) -> None:
        driver = moved()
        driver.command(actions.Resign(RED))
        ask(driver, RED)
        assert driver.table.referee.phase is Phase.OVER


class TestScopeOfATakeBack:
    def test_simple_move(self) -> None:
        driver = moved()
        driver.take_back()
        assert driver.table.state.waits_for_board
        assert driver.emitted(CleanupRequired)[-1].difference.missing == 1 << square("e5")
        driver.move("f5", "e5")
        assert driver.emitted(TurnBegan)[-1:] == [TurnBegan(RED)]
        assert not driver.table.state.waits_for_board
        assert driver.actions == [actions.TakeBack()]

    def test_take_back_of_the_end(self) -> None:
        driver = moved()
        driver.command(actions.Resign(BLUE))
        driver.take_back()
        assert driver.table.referee.phase is Phase.PLAY
        driver.move("k7", "k6")
        assert driver.actions == [
            actions.Resign(BLUE),
            actions.TakeBack(),
            actions.Move(square("k7"), square("k6")),
        ]

    def test_taken_back_move_can_be_repeated(self) -> None:
        driver = moved()
        driver.take_back()
        driver.move("f5", "e5")
        driver.move("e5", "f5")
        assert driver.actions == [actions.TakeBack(), actions.Move(square("e5"), square("f5"))]

    def test_take_back_of_a_cleared_combat(self) -> None:
        driver = table_driver.fight(Rank.MINER, Rank.MINER)
        driver.take_back()
        assert driver.emitted(CleanupRequired)[-1].difference.missing == (
            1 << square("e5") | 1 << square("e6")
        )
        driver.stand(BLUE, square("e6"))
        driver.wait()
        driver.stand(RED, square("e5"))
        driver.wait()
        assert driver.emitted(TurnBegan)[-1:] == [TurnBegan(RED)]
        assert driver.actions[-1] == actions.TakeBack()

    def test_take_back_during_clearing(self) -> None:
        driver = table_driver.fight(Rank.CAPTAIN, Rank.MINER)
        assert driver.table.state.reveal
        driver.take_back()
        assert driver.table.state.reveal is None
        driver.stand(RED, square("e5"))
        driver.stand(BLUE, square("e6"))
        driver.wait()
        assert not driver.table.state.waits_for_board
        assert driver.table.referee.to_move is RED

    @pytest.mark.parametrize("declared", [False, True])
    def test_take_back_of_an_open_attack(self, declared: bool) -> None:
        driver = table_driver.attack(table_driver.clash())
        if declared:
            driver.declare(RED, Rank.CAPTAIN)
        driver.take_back()
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.table.state.waits_for_board
        driver.wait()
        assert driver.table.referee.phase is Phase.PLAY, "lifting both pieces is not a new attack"
        driver.stand(RED, square("e5"))
        driver.stand(BLUE, square("e6"))
        driver.wait()
        assert driver.events[-1] == TurnBegan(RED)
        assert not driver.table.state.waits_for_board

    def test_take_back_of_a_dispute(self) -> None:
        driver = table_driver.dispute()
        driver.take_back()
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.table.referee.plies == 2

    def test_take_back_of_an_open_guess(self) -> None:
        driver = table_driver.infiltrator()
        driver.infiltrate("e7", "e8", Rank.COLONEL)
        driver.take_back()
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.table.referee.to_move is RED
        driver.wait()
        assert not driver.table.state.waits_for_board

    def test_repeated_take_backs_to_the_start(self) -> None:
        driver = moved()
        for source, target in [("f5", "e5"), ("e6", "e7"), ("e5", "e4")]:
            driver.take_back()
            driver.move(source, target)
            assert not driver.table.state.waits_for_board
        assert not driver.table.conversation.can_take_back
        driver.play("e4-e5")


ENDS: dict[str, list[actions.Action | Command]] = {
    "resignation": [actions.Resign(RED)],
    "draw": [OfferDraw(RED), OfferDraw(BLUE)],
    "forfeit": [actions.Forfeit(RED)],
    "time": [],
}


@pytest.mark.parametrize("end", ENDS)
def test_end_of_a_solo_game_is_final(end: str) -> None:
    """The screen shows the computer's ranks at the end, so the game must not continue."""
    control = TimeControl("free", each=600, delay=4, whole=3000)
    driver = table_driver.TableDriver.begun(control=control, computer=BLUE)
    driver.play("e4-e5")
    driver.take_back()
    driver.move("e5", "e4")
    assert driver.actions[-1:] == [actions.TakeBack()], "the computer may agree during the game"
    for command in ENDS[end]:
        driver.command(command)
    driver.wait(0 if ENDS[end] else 601)
    for ended in (driver, driver.replugged()):
        outcome = ended.table.view.outcome
        assert outcome
        ended.take_back()
        ended.command(actions.TakeBack())
        ended.command(AdjustClock(RED, 60))
        assert not ended.table.conversation.can_take_back
        assert ended.table.view.outcome == outcome


class TestRecovery:
    @pytest.mark.parametrize(
        "turn",
        [
            actions.Attack(square("e5"), square("e6")),
            actions.Infiltrate(square("e5"), square("e6"), Rank.SPY),
        ],
    )
    def test_no_move_by_screen_during_a_take_back(
        self, turn: actions.Attack | actions.Infiltrate
    ) -> None:
        driver = moved()
        driver.take_back()
        driver.forget()
        driver.command(turn)
        assert not driver.events

    def test_restoring_survives_a_power_cut(self) -> None:
        driver = moved()
        driver.take_back()
        again = driver.replugged()
        again.wait()
        assert again.emitted(CleanupRequired)
        assert not again.emitted(Moved), (
            "the piece on f5 belongs to the move taken back, not to a new move"
        )
        again.move("f5", "e5")
        assert again.emitted(TurnBegan) == [TurnBegan(RED)]

    @ORDERS
    @settings(max_examples=ORDERS.size)
    @given(data=st.data())
    def test_restoring_in_any_order_is_no_move(self, data: st.DataObject) -> None:
        """One piece stays in hand. The others visit other squares before they are put back."""
        pauses = st.sampled_from([0.0, 0.15, 0.5, 2.0])
        driver = table_driver.fight(Rank.CAPTAIN, Rank.MINER)
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
        assert driver.actions[-1] == actions.TakeBack()
        assert not driver.table.state.waits_for_board
        driver.play("e5-f5")
