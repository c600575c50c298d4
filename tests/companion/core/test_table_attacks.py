"""Attacks at the table: beginning, private declarations, reveal and cleanup."""

from companion.core import events
from companion.core.inputs import NoAttack
from engine.board.geometry import Side, name, set_of, square
from engine.board.ranks import IMMOBILE, ORIGINAL, Rank, ranks_in
from engine.game import rulings
from engine.game.actions import Attack, WithdrawAttack
from engine.game.game_state import Phase
from tests.companion.core.table_driver import attack, clash, fight

RED, BLUE = Side.RED, Side.BLUE


class TestAttacking:
    def test_both_in_hand_must_be_held(self) -> None:
        driver = clash()
        driver.lift("e5")
        driver.lift("e6")
        driver.wait(0.2)
        assert not driver.emitted(rulings.AttackOpened)
        driver.wait()
        assert driver.actions == [Attack(square("e5"), square("e6"))]

    def test_set_down_on_the_target(self) -> None:
        driver = clash()
        attacker = driver.lift("e5")
        driver.lift("e6")
        driver.place(attacker, "e6")
        driver.wait()
        assert driver.actions == [Attack(square("e5"), square("e6"))]

    def test_attack_by_screen_with_the_piece_in_hand(self) -> None:
        driver = clash()
        driver.lift("e5")
        driver.wait()
        driver.command(Attack(square("e5"), square("e6")))
        assert driver.emitted(rulings.AttackOpened) == [
            rulings.AttackOpened(RED, square("e5"), square("e6"), (RED, BLUE))
        ]

    def test_illegal_attack_by_screen_blocks_nothing(self) -> None:
        driver = clash()
        driver.command(Attack(square("e5"), square("e7")))
        assert driver.table.state.violation
        assert not driver.table.state.waits_for_board
        driver.move("e5", "f5")
        assert driver.emitted(rulings.Moved)
        assert driver.table.state.violation is None

    def test_declarations_are_revealed_together(self) -> None:
        driver = attack(clash())
        asked = driver.emitted(events.RankAsked)
        assert [(ask.owner, name(ask.square)) for ask in asked] == [(RED, "e5")]
        driver.declare(RED, Rank.CAPTAIN)
        assert driver.emitted(rulings.Declared) == [rulings.Declared(RED)]
        assert not driver.emitted(rulings.Combat)
        assert driver.emitted(events.RankAsked)[-1].owner is BLUE
        driver.declare(BLUE, Rank.MINER)
        (combat,) = driver.emitted(rulings.Combat)
        assert (combat.attacker, combat.defender) == (Rank.CAPTAIN, Rank.MINER)

    def test_tiles_are_shuffled_possible_ranks(self) -> None:
        orders = set()
        for seed in range(5):
            driver = clash(seed=seed)
            attack(driver)
            tiles = driver.emitted(events.RankAsked)[-1].tiles
            assert sorted(tiles) == [*ranks_in(ORIGINAL.ranks & ~IMMOBILE)]
            orders.add(tiles)
        assert len(orders) == 5

    def test_not_an_attack(self) -> None:
        driver = clash()
        attacker = driver.lift("e5")
        target = driver.lift("e6")
        driver.wait()
        driver.submit(NoAttack(driver.now))
        assert driver.emitted(rulings.AttackWithdrawn)
        assert driver.actions[-1] == WithdrawAttack()
        driver.wait()
        assert driver.table.referee.phase is Phase.PLAY, (
            "the same image does not open an attack again"
        )
        driver.place(target, "e6")
        driver.place(attacker, "f5")
        driver.wait()
        assert driver.emitted(rulings.Moved) == [
            rulings.Moved(RED, square("e5"), square("f5"), long_move=False)
        ]

    def test_withdrawn_attack_can_be_repeated(self) -> None:
        driver = attack(clash())
        driver.submit(NoAttack(driver.now))
        driver.stand(RED, square("e5"))
        driver.stand(BLUE, square("e6"))
        driver.wait()
        attack(driver)
        assert driver.table.referee.phase is Phase.ATTACK

    def test_too_late_for_not_an_attack(self) -> None:
        driver = attack(clash())
        driver.declare(RED, Rank.CAPTAIN)
        driver.submit(NoAttack(driver.now))
        assert driver.table.referee.phase is Phase.ATTACK

    def test_other_changes_during_an_attack_disturb(self) -> None:
        driver = attack(clash())
        piece = driver.lift("a1")
        driver.wait(30)
        assert not driver.emitted(events.BoardDiffers), "players may look at a piece"
        driver.place(piece, "a5")
        driver.wait()
        assert not driver.emitted(events.BoardDiffers), (
            "the piece may be the attacker, while a player looks at a1"
        )
        driver.move("b1", "b5")
        assert driver.emitted(events.BoardDiffers)[-1].difference.missing == set_of(
            map(square, ("a1", "b1"))
        )
        driver.lift("a5")
        driver.stand(RED, square("a1"))
        driver.move("b5", "b1")
        assert driver.events[-1] == events.Restored()
        assert driver.table.referee.phase is Phase.ATTACK

    def test_declaration_by_the_wrong_player_is_ignored(self) -> None:
        driver = attack(clash())
        driver.forget()
        driver.declare(BLUE, Rank.MINER)
        assert not driver.events

    def test_contradiction_is_private_to_its_owner(self) -> None:
        driver = attack(clash())
        driver.declare(RED, Rank.BOMB)
        (contradiction,) = driver.emitted(rulings.Contradiction)
        assert contradiction.owner is RED
        assert driver.table.conversation.contradiction == contradiction
        driver.declare(RED, Rank.CAPTAIN)
        assert driver.table.conversation.contradiction is None
        assert driver.emitted(rulings.Declared) == [rulings.Declared(RED)]


class TestAfterCombat:
    def test_reveal_lasts_until_the_board_shows_the_result(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        assert driver.table.state.reveal
        assert driver.emitted(events.CleanupRequired)[-1].difference.missing == 1 << square("e6")
        assert not driver.emitted(events.TurnBegan)
        driver.stand(RED, square("e6"))
        driver.wait()
        assert driver.table.state.reveal is None, "the reveal has ended"
        assert driver.emitted(events.TurnBegan) == [events.TurnBegan(BLUE)]

    def test_both_fall_without_clearing(self) -> None:
        driver = fight(Rank.MINER, Rank.MINER)
        assert driver.table.state.reveal is None
        assert driver.emitted(events.TurnBegan) == [events.TurnBegan(BLUE)]

    def test_boom(self) -> None:
        driver = clash()
        driver.move("f4", "f5")
        driver.move("a7", "a6")
        driver.move("f5", "f6")
        driver.move("a6", "a5")
        driver.forget()
        driver.lift("f6")
        driver.lift("f7")
        driver.wait()
        driver.declare(RED, Rank.MARSHAL)
        driver.declare(BLUE, Rank.BOMB)
        (combat,) = driver.emitted(rulings.Combat)
        assert combat.boom
        driver.stand(BLUE, square("f7"))
        driver.wait()
        assert driver.emitted(events.TurnBegan) == [events.TurnBegan(BLUE)]

    def test_next_player_may_hold_a_piece(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.forget()
        driver.lift("k7")
        driver.stand(RED, square("e6"))
        driver.wait()
        assert driver.emitted(events.TurnBegan) == [events.TurnBegan(BLUE)]
        assert driver.emitted(events.Lifted) == [events.Lifted(square("k7"))]

    def test_straightening_the_winner_is_silent(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.stand(RED, square("e6"))
        driver.wait()
        driver.move("e6", "e6")
        assert driver.emitted(events.TurnBegan)
        assert not driver.emitted(events.Restored)

    def test_no_attack_by_screen_before_clearing(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.command(Attack(square("f7"), square("f6")))
        assert driver.table.referee.phase is Phase.PLAY
        assert driver.table.state.violation is None

    def test_revealed_piece_is_not_asked_again(self) -> None:
        driver = fight(Rank.CAPTAIN, Rank.MINER)
        driver.stand(RED, square("e6"))
        driver.wait()
        driver.move("e8", "e7")
        driver.move("a4", "a5")
        driver.forget()
        driver.lift("e7")
        driver.lift("e6")
        driver.wait()
        assert driver.emitted(rulings.AttackOpened)[0].awaited == (BLUE,)
        assert [ask.owner for ask in driver.emitted(events.RankAsked)] == [BLUE]
