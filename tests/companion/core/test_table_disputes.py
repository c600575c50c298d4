"""Disputes about a rank, and the arbiter's overrides and decisions."""

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
from engine.game import rulings
from engine.game.actions import Attack, Declare, Forfeit, Override, SettleDispute, UpholdDeclaration
from engine.game.game_state import Phase
from engine.rules.editions import EDITIONS, MovedBombPenalty
from engine.rules.rules import Violation, ViolationKind
from tests.companion.core.table_driver import TableDriver, attack, clash, dispute, fight

RED, BLUE = Side.RED, Side.BLUE


def settle(driver: TableDriver, *, accepted: bool) -> None:
    driver.command(SettleDispute(accepted))


class TestInsisting:
    def test_dispute_is_announced(self) -> None:
        driver = dispute()
        assert driver.emitted(rulings.Disputed) == [rulings.Disputed(BLUE, square("e6"))]
        assert driver.actions[-1] == UpholdDeclaration(Secret(BLUE, Rank.BOMB))
        assert driver.table.conversation.question is None, (
            "no question is open until the dispute is settled"
        )
        assert driver.table.conversation.contradiction is None

    def test_accepted_rank_counts(self) -> None:
        driver = dispute()
        settle(driver, accepted=True)
        (combat,) = driver.emitted(rulings.Combat)
        assert (combat.attacker, combat.defender) == (Rank.CAPTAIN, Rank.BOMB)
        assert driver.emitted(rulings.DisputeSettled) == [
            rulings.DisputeSettled(BLUE, accepted=True)
        ]

    def test_refused_rank_is_asked_again(self) -> None:
        driver = dispute()
        driver.forget()
        settle(driver, accepted=False)
        assert driver.emitted(rulings.DisputeSettled) == [
            rulings.DisputeSettled(BLUE, accepted=False)
        ]
        assert [asked.owner for asked in driver.emitted(RankAsked)] == [BLUE]
        driver.declare(BLUE, Rank.MINER)
        assert driver.emitted(rulings.Combat)[0].defender is Rank.MINER
        assert driver.actions == [
            SettleDispute(accepted=False),
            Declare(Secret(BLUE, Rank.MINER)),
        ]

    def test_no_insisting_without_a_contradiction(self) -> None:
        driver = attack(clash())
        driver.forget()
        driver.insist(RED, Rank.BOMB)
        assert not driver.events

    @pytest.mark.parametrize(
        ("side", "rank"),
        [(BLUE, Rank.BOMB), (RED, Rank.FLAG), (RED, Rank.MINER)],
        ids=["the other side", "another impossible rank", "a possible rank"],
    )
    def test_only_the_contradicted_rank_can_be_upheld(self, side: Side, rank: Rank) -> None:
        driver = attack(clash())
        driver.declare(RED, Rank.BOMB)
        driver.forget()
        driver.insist(side, rank)
        assert not driver.events
        assert driver.table.conversation.contradiction

    def test_open_dispute_blocks_declarations(self) -> None:
        driver = attack(clash())
        driver.declare(RED, Rank.BOMB)
        driver.insist(RED, Rank.BOMB)
        driver.forget()
        driver.command(Declare(Secret(RED, Rank.MINER)))
        driver.submit(NoAttack(driver.now))
        driver.insist(RED, Rank.BOMB)
        assert not driver.events
        assert driver.table.referee.phase is Phase.DISPUTE

    def test_attacking_bomb_is_never_allowed(self) -> None:
        driver = attack(clash())
        driver.declare(RED, Rank.BOMB)
        driver.insist(RED, Rank.BOMB)
        settle(driver, accepted=True)
        assert not driver.emitted(Violation), "the reason of the rejection is not announced"
        assert driver.table.conversation.question
        assert driver.table.conversation.question.owner is RED

    def test_nothing_to_settle_without_a_dispute(self) -> None:
        driver = attack(clash())
        driver.forget()
        settle(driver, accepted=True)
        assert not driver.events

    @pytest.mark.parametrize("accepted", [True, False])
    def test_upheld_rank_is_hidden_until_the_reveal(self, accepted: bool) -> None:
        """Games in which Blue stands by different declarations look identical to all but Blue."""
        drivers = [dispute(rank) for rank in (Rank.BOMB, Rank.FLAG)]
        for driver in drivers:
            settle(driver, accepted=accepted)
        bomb, flag = map(public, drivers)
        assert bomb == flag
        assert rulings.Disputed(BLUE, square("e6")) in bomb
        emitted = repr([event for step in drivers[0].steps for event in step.events])
        assert "BOMB" in emitted, "the owner reads the rank in the contradiction"
        assert "BOMB" not in repr(bomb)

    def test_dispute_survives_a_power_cut(self) -> None:
        again = dispute().replugged()
        assert again.table.referee.phase is Phase.DISPUTE
        assert again.table.conversation.question is None
        settle(again, accepted=True)
        assert again.emitted(rulings.Combat)


def public(driver: TableDriver) -> list[Public]:
    """Return the public events that precede the reveal of a rank."""
    events = [event for step in driver.steps for event in step.events]
    reveal = next(
        (n for n, event in enumerate(events) if isinstance(event, rulings.Combat)), len(events)
    )
    return [event for event in events[:reveal] if isinstance(event, Public)]


def too_far() -> TableDriver:
    """Return a game in which Red has moved a known captain two squares."""
    driver = fight(Rank.CAPTAIN, Rank.MINER)
    driver.stand(RED, square("e6"))
    driver.wait()
    driver.play("a7-a6 e6-e5 a6-a5")
    driver.forget()
    driver.move("e5", "e7")
    return driver


def diagonal() -> TableDriver:
    driver = clash()
    driver.move("e5", "f6")
    return driver


def out_of_turn() -> TableDriver:
    driver = clash()
    driver.move("k7", "k6")
    return driver


def to_and_fro() -> TableDriver:
    driver = TableDriver.begun(edition=EDITIONS["isf"])
    driver.play("e4-e5 a7-a6 e5-e4 a6-b6 e4-e5 b6-b5")
    driver.forget()
    driver.move("e5", "e4")
    return driver


class TestAllowedMoves:
    @pytest.mark.parametrize(
        ("refused", "fault", "mover"),
        [
            (too_far, ViolationKind.TOO_FAR, RED),
            (diagonal, ViolationKind.NOT_STRAIGHT, RED),
            (out_of_turn, ViolationKind.NOT_YOUR_PIECE, BLUE),
            (to_and_fro, ViolationKind.TO_AND_FRO, RED),
        ],
    )
    def test_allowed_move_becomes_the_position(
        self, refused: Callable[[], TableDriver], fault: ViolationKind, mover: Side
    ) -> None:
        driver = refused()
        assert [violation.fault for violation in driver.emitted(Violation)] == [fault]
        assert driver.table.conversation.can_allow_move
        driver.allow_move()
        assert [
            overridden.violation.fault for overridden in driver.emitted(rulings.Overridden)
        ] == [fault]
        assert [moved.side for moved in driver.emitted(rulings.Moved)] == [mover]
        assert isinstance(driver.actions[-1], Override)
        assert driver.table.expected == driver.board.image()
        driver.wait()
        assert driver.emitted(TurnBegan)[-1:] == [TurnBegan(mover.other)]
        assert driver.table.state.violation is None
        assert not driver.table.state.waits_for_board

    def test_attack_out_of_turn_is_allowed(self) -> None:
        driver = clash()
        driver.play("a4-a5")
        piece = driver.lift("e5")
        driver.board.take_away(square("e6"))
        driver.place(piece, "e6")
        driver.wait()
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]
        driver.allow_move()
        assert [opened.side for opened in driver.emitted(rulings.AttackOpened)] == [RED]
        assert driver.table.conversation.question

    def test_piece_on_a_lake_cannot_be_allowed(self) -> None:
        driver = TableDriver.begun()
        driver.move("c4", "c5")
        driver.forget()
        driver.allow_move()
        assert not driver.events
        assert driver.table.state.violation

    def test_nothing_to_allow(self) -> None:
        driver = clash()
        driver.allow_move()
        assert not driver.events

    def test_nothing_to_allow_after_undoing(self) -> None:
        driver = out_of_turn()
        driver.move("k6", "k7")
        driver.forget()
        driver.allow_move()
        assert not driver.events

    def test_attack_on_an_empty_square_cannot_be_allowed(self) -> None:
        driver = clash()
        driver.command(Attack(square("e5"), square("f5")))
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.NOTHING_TO_ATTACK
        ]
        driver.forget()
        driver.allow_move()
        assert not driver.events


class TestArbiterDecision:
    @pytest.mark.parametrize("side", Side)
    def test_forfeit_of_one_side(self, side: Side) -> None:
        driver = dispute()
        driver.command(Forfeit(side))
        assert driver.emitted(rulings.GameOver) == [
            rulings.GameOver(side.other, rulings.Reason.FORFEIT)
        ]

    def test_forfeit_of_both_sides(self) -> None:
        driver = dispute()
        driver.command(Forfeit(None))
        assert driver.emitted(rulings.GameOver) == [rulings.GameOver(None, rulings.Reason.FORFEIT)]

    @pytest.mark.parametrize("side", [RED, None])
    def test_no_forfeit_before_the_game(self, side: Side | None) -> None:
        driver = TableDriver()
        driver.forget()
        driver.command(Forfeit(side))
        assert not driver.events


def bomb_on_f7(edition: str, moved_bomb: MovedBombPenalty | None = None) -> TableDriver:
    """Return a game with Red to move, in which f7 is known to be a bomb."""
    played = EDITIONS[edition]
    driver = clash(edition=replace(played, moved_bomb=moved_bomb or played.moved_bomb))
    driver.play("f4-f5 a7-a6 f5-f6 a6-a5")
    driver.lift("f6")
    driver.lift("f7")
    driver.wait()
    driver.declare(RED, Rank.MARSHAL)
    driver.declare(BLUE, Rank.BOMB)
    driver.stand(BLUE, square("f7"))
    driver.wait()
    driver.forget()
    return driver


class TestAMovedBomb:
    def test_moved_bomb_is_put_back(self) -> None:
        driver = bomb_on_f7("original-1992")
        driver.move("f7", "f6")
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.IMMOBILE
        ]
        assert driver.table.state.difference
        driver.move("f6", "f7")
        driver.play("k7-k6")

    @pytest.mark.parametrize("edition", ["gravopedia-2006", "travel-2017"])
    def test_moved_bomb_loses(self, edition: str) -> None:
        driver = bomb_on_f7(edition, MovedBombPenalty.LOSES)
        driver.move("f7", "f6", settle=10)
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.IMMOBILE
        ]
        assert driver.emitted(rulings.GameOver) == [
            rulings.GameOver(RED, rulings.Reason.MOVED_BOMB)
        ]
        again = driver.replugged()
        assert again.table.view.outcome == rulings.GameOver(RED, rulings.Reason.MOVED_BOMB)

    @pytest.mark.parametrize("seconds", [0.4, 1, 3])
    def test_knocked_bomb_does_not_lose(self, seconds: float) -> None:
        driver = bomb_on_f7("gravopedia-2006")
        driver.move("f7", "f6", settle=seconds)
        driver.move("f6", "f7")
        assert not driver.emitted(rulings.GameOver)
        assert bool(driver.emitted(LossWarning)) == (seconds > 0.4)
        driver.play("k7-k6")

    def test_moved_bomb_may_be_put_back_in_time(self) -> None:
        driver = bomb_on_f7("gravopedia-2006")
        driver.move("f7", "f6", settle=LIMITS.moved_bomb_loses_seconds - 0.5)
        (threat,) = driver.emitted(LossWarning)
        assert threat.difference.missing == 1 << square("f7")
        assert driver.table.state.difference == threat.difference
        assert isinstance(driver.table.state, LossPending)
        driver.wait(1)
        assert driver.emitted(rulings.GameOver) == [
            rulings.GameOver(RED, rulings.Reason.MOVED_BOMB)
        ]

    def test_screen_touch_moves_no_bomb(self) -> None:
        driver = bomb_on_f7("gravopedia-2006")
        driver.play("k7-k6 e5-f5 k6-k7 f5-f6 k7-k6 k4-k5")
        driver.forget()
        driver.command(Attack(square("f7"), square("f6")))
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.IMMOBILE
        ]
        assert not driver.emitted(rulings.GameOver)
        driver.wait()
        driver.play("b7-b6")

    def test_bomb_lifted_with_an_enemy_piece_is_put_back(self) -> None:
        """A player who lifts a bomb and an enemy piece is only looking at the two pieces."""
        driver = bomb_on_f7("gravopedia-2006")
        driver.play("k7-k6 e5-f5 k6-k7 f5-f6 k7-k6 k4-k5")
        driver.forget()
        bomb, neighbour = driver.lift("f7"), driver.lift("f6")
        driver.wait(30)
        assert not driver.emitted(LossWarning)
        driver.place(bomb, "f7")
        driver.place(neighbour, "f6")
        driver.wait()
        assert not driver.emitted(rulings.GameOver)

    def test_arbiter_allows_the_bomb_move(self) -> None:
        driver = bomb_on_f7("isf")
        driver.move("f7", "f6")
        driver.allow_move()
        driver.wait()
        assert driver.emitted(TurnBegan) == [TurnBegan(RED)]
        assert driver.table.expected == driver.board.image()

    def test_arbiter_ends_the_game(self) -> None:
        driver = bomb_on_f7("isf")
        driver.move("f7", "f6")
        assert not driver.emitted(rulings.GameOver)
        driver.command(Forfeit(BLUE))
        assert driver.emitted(rulings.GameOver) == [rulings.GameOver(RED, rulings.Reason.FORFEIT)]

    def test_upholding_a_moved_bomb_loses(self) -> None:
        driver = attack(clash(edition=EDITIONS["gravopedia-2006"]))
        driver.declare(RED, Rank.CAPTAIN)
        driver.declare(BLUE, Rank.BOMB)
        assert driver.emitted(rulings.Contradiction)
        driver.insist(BLUE, Rank.BOMB)
        assert driver.emitted(rulings.GameOver) == [
            rulings.GameOver(RED, rulings.Reason.MOVED_BOMB)
        ]
