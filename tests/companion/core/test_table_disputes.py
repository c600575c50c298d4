"""A player upholds a disputed rank; an arbiter allows an action or ends the game."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.core.events import LossWarning, RankAsked, TurnBegan
from companion.core.inputs import NoAttack
from companion.core.recognition_limits import LIMITS
from companion.core.state import LossPending
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Public, Secret
from engine.game.actions import Attack, Declare, Forfeit, Override, SettleDispute, UpholdDeclaration
from engine.game.game_state import Phase
from engine.game.rulings import (
    AttackOpened,
    Combat,
    Contradiction,
    Disputed,
    GameOver,
    Moved,
    Overridden,
    Reason,
)
from engine.game.rulings import DisputeSettled as Settled
from engine.rules.editions import EDITIONS, MovedBombPenalty
from engine.rules.violations import Violation, ViolationKind
from tests.companion.core.table_driver import TableDriver, attack, clash, dispute, fight

RED, BLUE = Side.RED, Side.BLUE


def settle(evening: TableDriver, *, accepted: bool) -> None:
    evening.say(SettleDispute(accepted))


class TestInsisting:
    def test_everybody_hears_that_there_is_a_dispute(self) -> None:
        evening = dispute()
        assert evening.told(Disputed) == [Disputed(BLUE, square("e6"))]
        assert evening.actions[-1] == UpholdDeclaration(Secret(BLUE, Rank.BOMB))
        assert evening.table.conversation.question is None, "nobody is asked before it is settled"
        assert evening.table.conversation.contradiction is None

    def test_it_counts(self) -> None:
        evening = dispute()
        settle(evening, accepted=True)
        (combat,) = evening.told(Combat)
        assert (combat.attacker, combat.defender) == (Rank.CAPTAIN, Rank.BOMB)
        assert evening.told(Settled) == [Settled(BLUE, accepted=True)]

    def test_it_does_not_count_and_another_rank_is_asked_for(self) -> None:
        evening = dispute()
        evening.forget()
        settle(evening, accepted=False)
        assert evening.told(Settled) == [Settled(BLUE, accepted=False)]
        assert [asked.owner for asked in evening.told(RankAsked)] == [BLUE]
        evening.declare(BLUE, Rank.MINER)
        assert evening.told(Combat)[0].defender is Rank.MINER
        assert evening.actions == [
            SettleDispute(accepted=False),
            Declare(Secret(BLUE, Rank.MINER)),
        ]

    def test_nobody_can_insist_without_a_contradiction(self) -> None:
        evening = attack(clash())
        evening.forget()
        evening.insist(RED, Rank.BOMB)
        assert not evening.events

    @pytest.mark.parametrize(
        ("side", "rank"),
        [(BLUE, Rank.BOMB), (RED, Rank.FLAG), (RED, Rank.MINER)],
        ids=["the other side", "another impossible rank", "a possible rank"],
    )
    def test_only_what_was_contradicted_can_be_insisted_on(self, side: Side, rank: Rank) -> None:
        evening = attack(clash())
        evening.declare(RED, Rank.BOMB)
        evening.forget()
        evening.insist(side, rank)
        assert not evening.events
        assert evening.table.conversation.contradiction

    def test_while_it_is_open_nobody_declares_or_withdraws(self) -> None:
        evening = attack(clash())
        evening.declare(RED, Rank.BOMB)
        evening.insist(RED, Rank.BOMB)
        evening.forget()
        evening.say(Declare(Secret(RED, Rank.MINER)))
        evening.submit(NoAttack(evening.now))
        evening.insist(RED, Rank.BOMB)
        assert not evening.events
        assert evening.table.referee.phase is Phase.DISPUTE

    def test_no_arbiter_lets_a_bomb_attack(self) -> None:
        evening = attack(clash())
        evening.declare(RED, Rank.BOMB)
        evening.insist(RED, Rank.BOMB)
        settle(evening, accepted=True)
        assert not evening.told(Violation), "nobody is told why it does not count"
        assert evening.table.conversation.question
        assert evening.table.conversation.question.owner is RED

    def test_there_is_nothing_to_settle_without_a_dispute(self) -> None:
        evening = attack(clash())
        evening.forget()
        settle(evening, accepted=True)
        assert not evening.events

    @pytest.mark.parametrize("accepted", [True, False])
    def test_what_is_declared_stays_sealed_until_the_reveal(self, accepted: bool) -> None:
        """Two sessions that differ only in the upheld rank look and sound alike."""
        evenings = [dispute(rank) for rank in (Rank.BOMB, Rank.FLAG)]
        for evening in evenings:
            settle(evening, accepted=accepted)
        bomb, flag = map(public, evenings)
        assert bomb == flag
        assert Disputed(BLUE, square("e6")) in bomb
        told = repr([event for step in evenings[0].steps for event in step.events])
        assert "BOMB" in told, "as a contradiction, for its owner"
        assert "BOMB" not in repr(bomb)

    def test_after_a_pulled_plug_it_is_still_open(self) -> None:
        again = dispute().replugged()
        assert again.table.referee.phase is Phase.DISPUTE
        assert again.table.conversation.question is None
        settle(again, accepted=True)
        assert again.told(Combat)


def public(evening: TableDriver) -> list[Public]:
    """Public events before any rank was revealed."""
    events = [event for step in evening.steps for event in step.events]
    reveal = next((n for n, event in enumerate(events) if isinstance(event, Combat)), len(events))
    return [event for event in events[:reveal] if isinstance(event, Public)]


def too_far() -> TableDriver:
    """A red piece that was revealed as a captain moves two squares."""
    evening = fight(Rank.CAPTAIN, Rank.MINER)
    evening.stand(RED, square("e6"))
    evening.wait()
    evening.play("a7-a6 e6-e5 a6-a5")
    evening.forget()
    evening.move("e5", "e7")
    return evening


def diagonal() -> TableDriver:
    evening = clash()
    evening.move("e5", "f6")
    return evening


def out_of_turn() -> TableDriver:
    evening = clash()
    evening.move("k7", "k6")
    return evening


def to_and_fro() -> TableDriver:
    evening = TableDriver.begun(edition=EDITIONS["isf"])
    evening.play("e4-e5 a7-a6 e5-e4 a6-b6 e4-e5 b6-b5")
    evening.forget()
    evening.move("e5", "e4")
    return evening


class TestLettingStand:
    @pytest.mark.parametrize(
        ("refused", "fault", "mover"),
        [
            (too_far, ViolationKind.TOO_FAR, RED),
            (diagonal, ViolationKind.NOT_STRAIGHT, RED),
            (out_of_turn, ViolationKind.NOT_YOUR_PIECE, BLUE),
            (to_and_fro, ViolationKind.TO_AND_FRO, RED),
        ],
    )
    def test_what_stands_on_the_board_becomes_the_position(
        self, refused: Callable[[], TableDriver], fault: ViolationKind, mover: Side
    ) -> None:
        evening = refused()
        assert [violation.fault for violation in evening.told(Violation)] == [fault]
        assert evening.table.conversation.can_let_stand
        evening.let_stand()
        assert [overridden.violation.fault for overridden in evening.told(Overridden)] == [fault]
        assert [moved.side for moved in evening.told(Moved)] == [mover]
        assert isinstance(evening.actions[-1], Override)
        assert evening.table.expected == evening.board.image()
        evening.wait()
        assert evening.told(TurnBegan)[-1:] == [TurnBegan(mover.other)]
        assert evening.table.state.violation is None
        assert not evening.table.state.waits_for_board

    def test_an_attack_out_of_turn(self) -> None:
        evening = clash()
        evening.play("a4-a5")
        piece = evening.lift("e5")
        evening.board.take_away(square("e6"))
        evening.place(piece, "e6")
        evening.wait()
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]
        evening.let_stand()
        assert [opened.side for opened in evening.told(AttackOpened)] == [RED]
        assert evening.table.conversation.question

    def test_a_piece_in_a_lake_cannot_stand(self) -> None:
        evening = TableDriver.begun()
        evening.move("c4", "c5")
        evening.forget()
        evening.let_stand()
        assert not evening.events
        assert evening.table.state.violation

    def test_there_is_nothing_to_let_stand(self) -> None:
        evening = clash()
        evening.let_stand()
        assert not evening.events

    def test_once_it_is_mended_there_is_nothing_to_let_stand(self) -> None:
        evening = out_of_turn()
        evening.move("k6", "k7")
        evening.forget()
        evening.let_stand()
        assert not evening.events

    def test_an_attack_on_nobody_is_no_matter_of_opinion(self) -> None:
        evening = clash()
        evening.say(Attack(square("e5"), square("f5")))
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.NOTHING_TO_ATTACK
        ]
        evening.forget()
        evening.let_stand()
        assert not evening.events


class TestTheArbitersWord:
    @pytest.mark.parametrize("side", Side)
    def test_a_side_has_lost(self, side: Side) -> None:
        evening = dispute()
        evening.say(Forfeit(side))
        assert evening.told(GameOver) == [GameOver(side.other, Reason.FORFEIT)]

    def test_both_have_lost(self) -> None:
        evening = dispute()
        evening.say(Forfeit(None))
        assert evening.told(GameOver) == [GameOver(None, Reason.FORFEIT)]

    @pytest.mark.parametrize("side", [RED, None])
    def test_not_before_the_game_has_begun(self, side: Side | None) -> None:
        evening = TableDriver()
        evening.forget()
        evening.say(Forfeit(side))
        assert not evening.events


def bomb_on_f7(edition: str, moved_bomb: MovedBombPenalty | None = None) -> TableDriver:
    """Red's marshal has hit Blue's bomb on f7, and Blue has moved since; Red to move."""
    played = EDITIONS[edition]
    evening = clash(edition=replace(played, moved_bomb=moved_bomb or played.moved_bomb))
    evening.play("f4-f5 a7-a6 f5-f6 a6-a5")
    evening.lift("f6")
    evening.lift("f7")
    evening.wait()
    evening.declare(RED, Rank.MARSHAL)
    evening.declare(BLUE, Rank.BOMB)
    evening.stand(BLUE, square("f7"))
    evening.wait()
    evening.forget()
    return evening


class TestAMovedBomb:
    def test_it_is_put_back(self) -> None:
        evening = bomb_on_f7("original-1992")
        evening.move("f7", "f6")
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.IMMOBILE
        ]
        assert evening.table.state.difference
        evening.move("f6", "f7")
        evening.play("k7-k6")

    @pytest.mark.parametrize("edition", ["gravopedia-2006", "travel-2017"])
    def test_it_loses(self, edition: str) -> None:
        evening = bomb_on_f7(edition, MovedBombPenalty.LOSES)
        evening.move("f7", "f6", settle=10)
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.IMMOBILE
        ]
        assert evening.told(GameOver) == [GameOver(RED, Reason.MOVED_BOMB)]
        again = evening.replugged()
        assert again.table.view.outcome == GameOver(RED, Reason.MOVED_BOMB)

    @pytest.mark.parametrize("seconds", [0.4, 1, 3])
    def test_a_sleeve_does_not_lose_the_game(self, seconds: float) -> None:
        evening = bomb_on_f7("gravopedia-2006")
        evening.move("f7", "f6", settle=seconds)
        evening.move("f6", "f7")
        assert not evening.told(GameOver)
        assert bool(evening.told(LossWarning)) == (seconds > 0.4)
        evening.play("k7-k6")

    def test_until_it_counts_the_table_says_to_put_it_back(self) -> None:
        evening = bomb_on_f7("gravopedia-2006")
        evening.move("f7", "f6", settle=LIMITS.moved_bomb_loses_seconds - 0.5)
        (threat,) = evening.told(LossWarning)
        assert threat.difference.missing == 1 << square("f7")
        assert evening.table.state.difference == threat.difference
        assert isinstance(evening.table.state, LossPending)
        evening.wait(1)
        assert evening.told(GameOver) == [GameOver(RED, Reason.MOVED_BOMB)]

    def test_a_touch_on_the_screen_moves_no_bomb(self) -> None:
        evening = bomb_on_f7("gravopedia-2006")
        evening.play("k7-k6 e5-f5 k6-k7 f5-f6 k7-k6 k4-k5")
        evening.forget()
        evening.say(Attack(square("f7"), square("f6")))
        assert [violation.fault for violation in evening.told(Violation)] == [
            ViolationKind.IMMOBILE
        ]
        assert not evening.told(GameOver)
        evening.wait()
        evening.play("b7-b6")

    def test_both_in_the_hands_are_put_back_too(self) -> None:
        """A player who lifts a bomb together with an opposing piece is only looking at it."""
        evening = bomb_on_f7("gravopedia-2006")
        evening.play("k7-k6 e5-f5 k6-k7 f5-f6 k7-k6 k4-k5")
        evening.forget()
        bomb, neighbour = evening.lift("f7"), evening.lift("f6")
        evening.wait(30)
        assert not evening.told(LossWarning)
        evening.place(bomb, "f7")
        evening.place(neighbour, "f6")
        evening.wait()
        assert not evening.told(GameOver)

    def test_the_arbiter_lets_it_stand(self) -> None:
        evening = bomb_on_f7("isf")
        evening.move("f7", "f6")
        evening.let_stand()
        evening.wait()
        assert evening.told(TurnBegan) == [TurnBegan(RED)]
        assert evening.table.expected == evening.board.image()

    def test_the_arbiter_ends_the_game(self) -> None:
        evening = bomb_on_f7("isf")
        evening.move("f7", "f6")
        assert not evening.told(GameOver)
        evening.say(Forfeit(BLUE))
        assert evening.told(GameOver) == [GameOver(RED, Reason.FORFEIT)]

    def test_who_insists_that_a_bomb_has_moved_has_lost_where_that_loses(self) -> None:
        evening = attack(clash(edition=EDITIONS["gravopedia-2006"]))
        evening.declare(RED, Rank.CAPTAIN)
        evening.declare(BLUE, Rank.BOMB)
        assert evening.told(Contradiction)
        evening.insist(BLUE, Rank.BOMB)
        assert evening.told(GameOver) == [GameOver(RED, Reason.MOVED_BOMB)]
