"""Attacks at the table: opened, declared in private, revealed and followed by the cleanup."""

from companion.core.events import (
    BoardDiffers,
    CleanupRequired,
    Lifted,
    RankAsked,
    Restored,
    TurnBegan,
)
from companion.core.inputs import NoAttack
from engine.board.geometry import Side, name, set_of, square
from engine.board.ranks import IMMOBILE, ORIGINAL, Rank, ranks_in
from engine.game.actions import Attack, WithdrawAttack
from engine.game.game_state import Phase
from engine.game.rulings import (
    AttackOpened,
    AttackWithdrawn,
    Combat,
    Contradiction,
    Declared,
    Moved,
)
from tests.companion.core.table_driver import attack, clash, fight

RED, BLUE = Side.RED, Side.BLUE


class TestAttacking:
    def test_both_in_hand_has_to_be_held(self) -> None:
        evening = clash()
        evening.lift("e5")
        evening.lift("e6")
        evening.wait(0.2)
        assert not evening.told(AttackOpened)
        evening.wait()
        assert evening.actions == [Attack(square("e5"), square("e6"))]

    def test_set_down_on_the_target(self) -> None:
        evening = clash()
        attacker = evening.lift("e5")
        evening.lift("e6")
        evening.place(attacker, "e6")
        evening.wait()
        assert evening.actions == [Attack(square("e5"), square("e6"))]

    def test_opened_on_the_screen_with_the_piece_in_hand(self) -> None:
        evening = clash()
        evening.lift("e5")
        evening.wait()
        evening.say(Attack(square("e5"), square("e6")))
        assert evening.told(AttackOpened) == [
            AttackOpened(RED, square("e5"), square("e6"), (RED, BLUE))
        ]

    def test_an_attack_that_is_none_on_the_screen_blocks_nothing(self) -> None:
        evening = clash()
        evening.say(Attack(square("e5"), square("e7")))
        assert evening.table.state.violation
        assert not evening.table.state.waits_for_board
        evening.move("e5", "f5")
        assert evening.told(Moved)
        assert evening.table.state.violation is None

    def test_both_declare_in_private_and_are_revealed_together(self) -> None:
        evening = attack(clash())
        asked = evening.told(RankAsked)
        assert [(ask.owner, name(ask.square)) for ask in asked] == [(RED, "e5")]
        evening.declare(RED, Rank.CAPTAIN)
        assert evening.told(Declared) == [Declared(RED)]
        assert not evening.told(Combat)
        assert evening.told(RankAsked)[-1].owner is BLUE
        evening.declare(BLUE, Rank.MINER)
        (combat,) = evening.told(Combat)
        assert (combat.attacker, combat.defender) == (Rank.CAPTAIN, Rank.MINER)

    def test_tiles_are_the_possible_ranks_in_another_order_each_time(self) -> None:
        orders = set()
        for seed in range(5):
            evening = clash(seed=seed)
            attack(evening)
            tiles = evening.told(RankAsked)[-1].tiles
            assert sorted(tiles) == [*ranks_in(ORIGINAL.ranks & ~IMMOBILE)]
            orders.add(tiles)
        assert len(orders) == 5

    def test_not_an_attack(self) -> None:
        evening = clash()
        attacker = evening.lift("e5")
        target = evening.lift("e6")
        evening.wait()
        evening.submit(NoAttack(evening.now))
        assert evening.told(AttackWithdrawn)
        assert evening.actions[-1] == WithdrawAttack()
        evening.wait()
        assert evening.table.referee.phase is Phase.PLAY, "the same image opens no attack again"
        evening.place(target, "e6")
        evening.place(attacker, "f5")
        evening.wait()
        assert evening.told(Moved) == [Moved(RED, square("e5"), square("f5"), long_move=False)]

    def test_after_a_withdrawal_the_same_attack_can_be_made(self) -> None:
        evening = attack(clash())
        evening.submit(NoAttack(evening.now))
        evening.stand(RED, square("e5"))
        evening.stand(BLUE, square("e6"))
        evening.wait()
        attack(evening)
        assert evening.table.referee.phase is Phase.ATTACK

    def test_too_late_for_not_an_attack(self) -> None:
        evening = attack(clash())
        evening.declare(RED, Rank.CAPTAIN)
        evening.submit(NoAttack(evening.now))
        assert evening.table.referee.phase is Phase.ATTACK

    def test_other_squares_must_not_change_during_an_attack(self) -> None:
        evening = attack(clash())
        piece = evening.lift("a1")
        evening.wait(30)
        assert not evening.told(BoardDiffers), "a piece may be looked at"
        evening.place(piece, "a5")
        evening.wait()
        assert not evening.told(BoardDiffers), "it may be the attacker, and a1 is looked at"
        evening.move("b1", "b5")
        assert evening.told(BoardDiffers)[-1].difference.missing == set_of(
            map(square, ("a1", "b1"))
        )
        evening.lift("a5")
        evening.stand(RED, square("a1"))
        evening.move("b5", "b1")
        assert evening.events[-1] == Restored()
        assert evening.table.referee.phase is Phase.ATTACK

    def test_a_declaration_of_the_wrong_player_is_not_taken(self) -> None:
        evening = attack(clash())
        evening.forget()
        evening.declare(BLUE, Rank.MINER)
        assert not evening.events

    def test_a_contradiction_is_for_its_owner_alone(self) -> None:
        evening = attack(clash())
        evening.declare(RED, Rank.BOMB)
        (contradiction,) = evening.told(Contradiction)
        assert contradiction.owner is RED
        assert evening.table.conversation.contradiction == contradiction
        evening.declare(RED, Rank.CAPTAIN)
        assert evening.table.conversation.contradiction is None
        assert evening.told(Declared) == [Declared(RED)]


class TestAfterACombat:
    def test_the_reveal_stays_until_the_board_shows_the_result(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        assert evening.table.state.reveal
        assert evening.told(CleanupRequired)[-1].difference.missing == 1 << square("e6")
        assert not evening.told(TurnBegan)
        evening.stand(RED, square("e6"))
        evening.wait()
        assert evening.table.state.reveal is None, "gone for good"
        assert evening.told(TurnBegan) == [TurnBegan(BLUE)]

    def test_both_fall_and_nothing_is_left_to_do(self) -> None:
        evening = fight(Rank.MINER, Rank.MINER)
        assert evening.table.state.reveal is None
        assert evening.told(TurnBegan) == [TurnBegan(BLUE)]

    def test_boom(self) -> None:
        evening = clash()
        evening.move("f4", "f5")
        evening.move("a7", "a6")
        evening.move("f5", "f6")
        evening.move("a6", "a5")
        evening.forget()
        evening.lift("f6")
        evening.lift("f7")
        evening.wait()
        evening.declare(RED, Rank.MARSHAL)
        evening.declare(BLUE, Rank.BOMB)
        (combat,) = evening.told(Combat)
        assert combat.boom
        evening.stand(BLUE, square("f7"))
        evening.wait()
        assert evening.told(TurnBegan) == [TurnBegan(BLUE)]

    def test_the_next_player_may_already_have_a_piece_in_hand(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        evening.forget()
        evening.lift("k7")
        evening.stand(RED, square("e6"))
        evening.wait()
        assert evening.told(TurnBegan) == [TurnBegan(BLUE)]
        assert evening.told(Lifted) == [Lifted(square("k7"))]

    def test_who_straightens_the_winner_is_not_told_that_the_board_is_right_again(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        evening.stand(RED, square("e6"))
        evening.wait()
        evening.move("e6", "e6")
        assert evening.told(TurnBegan)
        assert not evening.told(Restored)

    def test_no_attack_is_opened_on_the_screen_before_the_board_is_cleared(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        evening.say(Attack(square("f7"), square("f6")))
        assert evening.table.referee.phase is Phase.PLAY
        assert evening.table.state.violation is None

    def test_a_revealed_piece_is_not_asked_for_again(self) -> None:
        evening = fight(Rank.CAPTAIN, Rank.MINER)
        evening.stand(RED, square("e6"))
        evening.wait()
        evening.move("e8", "e7")
        evening.move("a4", "a5")
        evening.forget()
        evening.lift("e7")
        evening.lift("e6")
        evening.wait()
        assert evening.told(AttackOpened)[0].awaited == (BLUE,)
        assert [ask.owner for ask in evening.told(RankAsked)] == [BLUE]
