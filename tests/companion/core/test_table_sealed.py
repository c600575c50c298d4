"""At the table, armies are sealed, their seals are opened, and ranks are proved."""

import pytest

from companion.core.events import ArmiesSealed, RankAsked, SealsMissing
from companion.core.inputs import ArmySealed, CommandInput, Input, Ready
from companion.core.state import AttackOpen, DisputeOpen, Finished, ToMove
from companion.recorder.input_codec import encode_input, read_given, write_secret
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Private, Secret
from engine.deduction.commitment import ArmyCommitment
from engine.deduction.possible_ranks import Evidence
from engine.game import actions, rulings
from engine.game.game_state import Phase
from firmware_bridge.image import Image
from tests.companion.core import sealed_table_driver
from tests.companion.core.table_driver import TableDriver

RED, BLUE = Side.RED, Side.BLUE


@pytest.fixture
def attacked() -> TableDriver:
    driver = sealed_table_driver.attacked_with_seals()
    driver.forget()
    return driver


class TestBeforeTheGame:
    def test_ready_needs_a_seal(self) -> None:
        driver = sealed_table_driver.standing()
        driver.command(Ready(RED))

        assert driver.emitted(SealsMissing) == [SealsMissing(RED, tuple(squares_in(RED.home)))]
        assert not driver.table.ready

    def test_sealing_is_announced(self) -> None:
        driver = sealed_table_driver.standing()
        sealed_table_driver.seal(driver, BLUE)

        assert driver.emitted(ArmiesSealed) == [ArmiesSealed(BLUE)]
        assert driver.table.sealed == {BLUE}

    def test_seals_are_recorded(self) -> None:
        driver = sealed_table_driver.standing()
        for side in Side:
            sealed_table_driver.seal(driver, side)
            driver.command(Ready(side))
        driver.wait()

        assert driver.emitted(rulings.ArmiesPlaced)
        (placed,) = driver.actions
        assert placed == actions.PlaceArmies(
            RED.home,
            BLUE.home,
            {side: ArmyCommitment.of(side, sealed_table_driver.ARMIES[side]) for side in Side},
        )

    def test_new_seal_cancels_ready(self) -> None:
        driver = sealed_table_driver.standing()
        for side in Side:
            sealed_table_driver.seal(driver, side)
        driver.command(Ready(RED))
        sealed_table_driver.seal(driver, RED)
        driver.command(Ready(BLUE))
        driver.wait()

        assert driver.table.ready == {BLUE}
        driver.command(Ready(RED))
        driver.wait()
        assert driver.emitted(rulings.ArmiesPlaced)

    def test_only_the_first_seals_count_in_other_games(self) -> None:
        """If the rules do not require seals, only the computer seals its army, and only once."""
        driver = TableDriver()
        sealed_table_driver.seal(driver, BLUE)
        commitment = driver.table.commitments[BLUE]
        sealed_table_driver.seal(driver, RED)
        driver.submit(ArmySealed(driver.now, BLUE, ArmyCommitment.of(BLUE, {})))

        assert driver.table.commitments == {BLUE: commitment}
        for side in Side:
            driver.stand(side, *squares_in(side.home))
        driver.wait()
        for side in Side:
            driver.command(Ready(side))
        driver.wait()
        assert driver.emitted(rulings.ArmiesPlaced)
        assert driver.table.sealed == {BLUE}

    def test_seal_during_the_game_is_ignored(self) -> None:
        driver = sealed_table_driver.begun()
        before = driver.table.referee.position
        sealed_table_driver.seal(driver, RED)

        assert driver.table.referee.position == before
        assert not driver.events


class TestDeclarations:
    def test_declarations_open_the_seals(self, attacked: TableDriver) -> None:
        sealed_table_driver.declare(attacked, RED, Rank.CAPTAIN, "e4")
        sealed_table_driver.declare(attacked, BLUE, Rank.SERGEANT, "e7")
        attacked.wait()

        (combat,) = attacked.emitted(rulings.Combat)
        assert (combat.attacker, combat.defender) == (Rank.CAPTAIN, Rank.SERGEANT)

    def test_false_opening_is_refused_privately(self, attacked: TableDriver) -> None:
        sealed_table_driver.declare(attacked, RED, Rank.MARSHAL, "e4")

        assert not attacked.emitted(rulings.Declared)
        (refused,) = attacked.emitted(rulings.Contradiction)
        assert isinstance(refused, Private)
        assert refused.proof.ground is Evidence.NOT_AS_SEALED
        question = attacked.table.conversation.question
        assert isinstance(question, RankAsked)
        assert question.owner is RED

    def test_upholding_a_false_opening_opens_a_dispute(self, attacked: TableDriver) -> None:
        sealed_table_driver.declare(attacked, RED, Rank.MINER, "f4")
        miner = sealed_table_driver.ARMIES[RED][square("f4")]
        attacked.command(
            actions.UpholdDeclaration(Secret(RED, miner.rank), Secret(RED, miner.salt))
        )

        assert attacked.emitted(rulings.Disputed) == [
            rulings.Disputed(RED, square("e5"), is_as_sealed=False)
        ]
        assert isinstance(attacked.table.state, DisputeOpen)
        assert attacked.table.view.is_as_sealed is False

    def test_valid_opening_settles_the_declaration(self, attacked: TableDriver) -> None:
        """The rank was declared on a device that does not have the opening."""
        captain = sealed_table_driver.ARMIES[RED][square("e4")]
        attacked.command(actions.Declare(Secret(RED, captain.rank)))
        attacked.command(
            actions.UpholdDeclaration(Secret(RED, captain.rank), Secret(RED, captain.salt))
        )

        assert not attacked.emitted(rulings.Disputed)
        assert attacked.emitted(rulings.Declared) == [rulings.Declared(RED)]

    def test_moved_bomb_is_detected(self) -> None:
        """Red moves the bomb on a4. When it is attacked, a true declaration exposes the move."""
        driver = sealed_table_driver.begun()
        driver.play("a4-a5 a7-a6 i4-i5")
        driver.lift("a6")
        driver.lift("a5")
        driver.wait()
        sealed_table_driver.declare(driver, BLUE, Rank.SCOUT, "a7")
        sealed_table_driver.declare(driver, RED, Rank.SCOUT, "a4")
        sealed_table_driver.declare(driver, RED, Rank.BOMB, "a4")
        bomb = sealed_table_driver.ARMIES[RED][square("a4")]
        driver.command(actions.UpholdDeclaration(Secret(RED, bomb.rank), Secret(RED, bomb.salt)))

        assert [each.proof.ground for each in driver.emitted(rulings.Contradiction)] == [
            Evidence.NOT_AS_SEALED,
            Evidence.MOVED,
        ]
        assert driver.emitted(rulings.Disputed) == [
            rulings.Disputed(RED, square("a5"), is_as_sealed=True)
        ]
        driver.command(actions.Forfeit(RED))
        (over,) = driver.emitted(rulings.GameOver)
        assert over.winner is BLUE

    def test_seals_survive_a_power_cut(self, attacked: TableDriver) -> None:
        again = attacked.replugged()
        again.command(actions.Declare(Secret(RED, Rank.CAPTAIN)))
        assert not again.emitted(rulings.Declared)
        sealed_table_driver.declare(again, RED, Rank.CAPTAIN, "e4")
        assert again.emitted(rulings.Declared) == [rulings.Declared(RED)]


class TestBrokenSeals:
    def test_broken_seals_keep_the_open_attack(self, attacked: TableDriver) -> None:
        attacked.command(actions.BreakSeals(RED))
        attacked.command(actions.Declare(Secret(RED, Rank.MARSHAL)))

        assert attacked.emitted(rulings.SealsBroken) == [rulings.SealsBroken(RED)]
        assert attacked.emitted(rulings.Declared) == [rulings.Declared(RED)]
        assert isinstance(attacked.table.state, AttackOpen)

    def test_broken_seals_keep_lifted_pieces(self) -> None:
        driver = sealed_table_driver.begun()
        driver.lift("e4")
        driver.wait()
        driver.command(actions.BreakSeals(BLUE))

        assert driver.table.state == ToMove(lifted=square("e4"))

    def test_nothing_to_break_without_seals(self, attacked: TableDriver) -> None:
        for _ in range(2):
            attacked.command(actions.BreakSeals(RED))
        assert len(attacked.actions) == 1


class TestAfterTheGame:
    def test_both_armies_are_proved(self, attacked: TableDriver) -> None:
        attacked.command(actions.Resign(BLUE))
        for side in Side:
            assert attacked.table.conversation.can_prove(side)
            attacked.command(actions.OpenArmy(side, sealed_table_driver.ARMIES[side]))
            assert not attacked.table.conversation.can_prove(side)

        assert [(each.side, each.wrong) for each in attacked.emitted(rulings.ArmyOpened)] == [
            (RED, 0),
            (BLUE, 0),
        ]
        assert isinstance(attacked.table.state, Finished)
        assert attacked.table.view.proved[RED][square("e4")] is Rank.CAPTAIN

    def test_no_take_back_after_the_proof(self, attacked: TableDriver) -> None:
        attacked.command(actions.Resign(BLUE))
        assert attacked.table.conversation.can_take_back
        attacked.command(actions.OpenArmy(RED, sealed_table_driver.ARMIES[RED]))
        attacked.take_back()

        assert not attacked.table.conversation.can_take_back
        assert attacked.table.referee.phase is Phase.OVER

    def test_failed_proof_is_private(self, attacked: TableDriver) -> None:
        attacked.command(actions.Resign(BLUE))
        attacked.command(actions.OpenArmy(RED, sealed_table_driver.ARMIES[BLUE]))

        (fails,) = attacked.emitted(rulings.OpeningFailed)
        assert isinstance(fails, Private)
        assert fails.owner is RED
        assert fails.squares == RED.home
        assert not attacked.table.view.proved

    def test_no_proof_during_a_game(self, attacked: TableDriver) -> None:
        attacked.command(actions.OpenArmy(RED, sealed_table_driver.ARMIES[RED]))
        assert not attacked.events
        assert not attacked.actions


@pytest.mark.parametrize("side", Side)
def test_openings_are_recorded_separately(side: Side) -> None:
    """A redacted trace does not contain the data that opens a commitment."""
    at, opening = next(iter(sealed_table_driver.ARMIES[side].items()))
    rank, salt = Secret(side, opening.rank), Secret(side, opening.salt)
    inputs: list[Input] = [
        ArmySealed(1.5, side, ArmyCommitment.of(side, sealed_table_driver.ARMIES[side])),
        CommandInput(1.5, actions.Declare(rank, salt)),
        CommandInput(1.5, actions.UpholdDeclaration(rank, salt)),
        CommandInput(1.5, actions.UpholdDeclaration(rank)),
        CommandInput(1.5, actions.AnswerGuess(True, Secret(side, opening))),
        CommandInput(1.5, actions.OpenArmy(side, {at: opening})),
        CommandInput(1.5, actions.BreakSeals(side)),
    ]
    for given in inputs:
        public, secret = encode_input(given, Image()), write_secret(given)
        assert opening.salt not in str(public)
        assert opening.rank.name.lower() not in str(public)
        assert read_given(public, Image(), secret) == given
