"""A scout that stops next to its target and then attacks takes a single turn (rules.md §4)."""

import pytest

from companion.core.events import ChooseAttacker, CleanupRequired, ConfirmAttack
from companion.core.inputs import AttackerNamed, NoAttack
from companion.core.state import AwaitingAnswer
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Amend, Attack, Move
from engine.game.game_state import Phase
from engine.game.rulings import AttackOpened, Combat, Moved
from engine.rules.editions import EDITIONS
from engine.rules.rules import Violation
from tests.companion.core.table_driver import TableDriver, fight

RED, BLUE = Side.RED, Side.BLUE


@pytest.fixture
def driver() -> TableDriver:
    """Game in which Red's scout has moved from e4 to e6, next to e7. Blue is to move."""
    driver = TableDriver.begun()
    driver.play("e4-e6")
    driver.forget()
    return driver


def strike(driver: TableDriver) -> None:
    """Lift the scout and the piece on e7, and set the scout down on e7."""
    scout = driver.lift("e6")
    driver.lift("e7")
    driver.place(scout, "e7")
    driver.wait()


def test_set_down_on_the_target(driver: TableDriver) -> None:
    strike(driver)

    assert driver.actions == [Amend(square("e6"), square("e7"))]
    assert driver.emitted(AttackOpened) == [AttackOpened(RED, square("e4"), square("e7"), (BLUE,))]
    assert driver.table.state.difference.missing == 0


def test_winning_scout_passes_the_turn(driver: TableDriver) -> None:
    strike(driver)
    driver.declare(BLUE, Rank.SPY)
    driver.wait()

    (combat,) = driver.emitted(Combat)
    assert combat.source == square("e4")
    assert not driver.table.state.waits_for_board
    driver.play("f7-f6")


def test_falling_scout_leaves_the_defender(driver: TableDriver) -> None:
    strike(driver)
    driver.declare(BLUE, Rank.MAJOR)
    driver.wait()
    assert driver.table.state.waits_for_board

    driver.lift("e7")
    driver.stand(BLUE, square("e7"))
    driver.show()
    driver.wait()

    assert not driver.table.state.waits_for_board
    driver.play("f7-f6")


def test_scout_attack_by_screen(driver: TableDriver) -> None:
    driver.command(Attack(square("e6"), square("e7")))
    driver.wait()

    assert driver.actions == [Amend(square("e6"), square("e7"))]
    assert not driver.table.state.difference, "the scout may stay where it was set down"


def test_withdrawn_scout_attack(driver: TableDriver) -> None:
    strike(driver)
    driver.submit(NoAttack(driver.now))
    driver.wait()
    assert driver.table.referee.phase is Phase.PLAY, "the same image does not open an attack again"

    scout = driver.lift("e7")
    driver.stand(BLUE, square("e7"))
    driver.place(scout, "e6")
    driver.wait()
    driver.play("f7-f6")


def test_no_scout_attack_after_the_reply(driver: TableDriver) -> None:
    driver.play("f7-f6 a4-a5 k7-k6")
    driver.forget()
    driver.play("a5-a6")
    strike(driver)

    assert isinstance(driver.table.state.violation, Violation)
    assert not driver.emitted(AttackOpened)


def test_move_without_attack() -> None:
    driver = TableDriver.begun()
    driver.play("e4-e6 f7-f6")

    assert driver.actions[-2:] == [
        Move(square("e4"), square("e6")),
        Move(square("f7"), square("f6")),
    ]
    assert [moved.long_move for moved in driver.emitted(Moved)] == [True, False]


def test_fallen_scout_is_removed_from_its_square(driver: TableDriver) -> None:
    driver.command(Attack(square("e6"), square("e7")))
    driver.declare(BLUE, Rank.MAJOR)
    driver.wait()

    assert driver.table.state.reveal, "the reveal stays until the board shows the result"
    assert [cleared.difference.surplus for cleared in driver.emitted(CleanupRequired)] == [
        1 << square("e6")
    ]
    driver.lift("e6")
    driver.wait()
    assert not driver.table.state.waits_for_board
    driver.play("f7-f6")


def test_known_bomb_does_not_attack() -> None:
    """f7 is known to be a bomb. A possible scout has moved next to it."""
    driver = fight(Rank.CAPTAIN, Rank.SPY, edition=EDITIONS["gravopedia-2006"])
    driver.stand(RED, square("e6"))
    driver.wait()
    driver.play("a7-a6 e6-f6 a6-a7")
    driver.lift("f6")
    driver.lift("f7")
    driver.wait()
    driver.declare(BLUE, Rank.BOMB)
    driver.stand(BLUE, square("f7"))
    driver.wait()
    driver.play("a7-a6 f4-f6")
    driver.forget()
    driver.lift("f7")
    driver.lift("f6")
    driver.wait()
    assert driver.emitted(ConfirmAttack) == [ConfirmAttack(square("f6"), square("f7"))]
    driver.submit(AttackerNamed(driver.now, RED))
    assert driver.actions == [Amend(square("f6"), square("f7"))]


class TestBothInHand:
    """Red's scout may attack. Because it is Blue's turn, Blue may attack the scout.

    The lifted pieces do not show which side attacks.
    """

    @pytest.fixture
    def driver(self, driver: TableDriver) -> TableDriver:
        driver.lift("e6")
        driver.lift("e7")
        driver.wait()
        assert not driver.actions
        assert driver.emitted(ChooseAttacker) == [ChooseAttacker(square("e7"), square("e6"))]
        return driver

    def test_attacker_is_red(self, driver: TableDriver) -> None:
        driver.submit(AttackerNamed(driver.now, RED))
        assert driver.actions == [Amend(square("e6"), square("e7"))]
        assert driver.emitted(AttackOpened)[0].source == square("e4")
        assert not isinstance(driver.table.state, AwaitingAnswer)

    def test_attacker_is_blue(self, driver: TableDriver) -> None:
        driver.submit(AttackerNamed(driver.now, BLUE))
        assert driver.actions == [Attack(square("e7"), square("e6"))]

    def test_no_attack_was_made(self, driver: TableDriver) -> None:
        driver.stand(BLUE, square("e7"))
        driver.stand(RED, square("e6"))
        driver.wait()
        assert not isinstance(driver.table.state, AwaitingAnswer)
        driver.submit(AttackerNamed(driver.now, RED))
        assert not driver.actions
        driver.play("f7-f6")

    def test_board_answers_the_question(self, driver: TableDriver) -> None:
        driver.stand(RED, square("e7"))
        driver.wait()
        assert driver.actions == [Amend(square("e6"), square("e7"))]

    def test_attacker_question_survives_a_power_cut(self, driver: TableDriver) -> None:
        again = driver.replugged()
        again.wait()
        assert again.emitted(ChooseAttacker)
        again.submit(AttackerNamed(again.now, RED))
        assert again.emitted(AttackOpened)


def test_side_that_lifts_first_attacks(driver: TableDriver) -> None:
    """Blue lifts its piece first, after Red has released the scout. This begins Blue's turn."""
    driver.wait(2)
    driver.lift("e7")
    driver.lift("e6")
    driver.wait()
    assert driver.actions == [Attack(square("e7"), square("e6"))]
    assert not driver.emitted(ChooseAttacker)


def test_target_may_be_lifted_after_the_scout_move(driver: TableDriver) -> None:
    driver.lift("e7")
    driver.wait(0.5)
    driver.lift("e6")
    driver.wait(1)
    assert not driver.emitted(ChooseAttacker), "the hands usually show who attacks"
    driver.wait(0.5)
    assert driver.emitted(ChooseAttacker) == [ChooseAttacker(square("e7"), square("e6"))]
    assert not driver.actions


@pytest.mark.parametrize("later", [0.1, 0.5, 0.9])
def test_scout_placed_on_its_target(driver: TableDriver, later: float) -> None:
    driver.lift("e7")
    driver.wait(0.5)
    scout = driver.lift("e6")
    driver.wait(later)
    driver.place(scout, "e7")
    driver.wait()
    assert driver.actions == [Amend(square("e6"), square("e7"))]
    assert not driver.emitted(ChooseAttacker)


def test_other_rank_can_only_be_attacked() -> None:
    """Red's known captain moves to f6. Then the pieces on f6 and f7 are lifted."""
    driver = fight(Rank.CAPTAIN, Rank.SPY)
    driver.stand(RED, square("e6"))
    driver.wait()
    driver.play("a7-a6 e6-e5 a6-a5 e5-f5 a5-a6 f5-f6")
    driver.forget()
    driver.lift("f6")
    driver.lift("f7")
    driver.wait()
    assert driver.actions == [Attack(square("f7"), square("f6"))]
