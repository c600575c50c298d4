"""The table offers attacks that players may have intended; players may ignore the offers."""

import pytest

from companion.core.events import AttackSuggested, BoardDiffers
from companion.core.inputs import AttackerNamed, ExplanationChosen, NoAttack
from companion.core.state import AwaitingAnswer
from engine.board.geometry import Side, square
from engine.game.actions import Attack, Move
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.rules.rules import Violation
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, clash
from tests.engine.tables import way

RED, BLUE = Side.RED, Side.BLUE
CONTROL = TimeControl("short", each=600, delay=4, whole=1000)
OFFERED = AttackSuggested(("e5xe6",))


def tap(driver: TableDriver, source: str, target: str, *, covered: float = 0.2) -> None:
    """Briefly hold a piece over another one, then put it back."""
    attacker = driver.lift(source)
    driver.wait(0.1)
    beneath = driver.board.lift(square(target))
    driver.place(attacker, target)
    driver.wait(covered)
    driver.board.lift(square(target))
    driver.place(beneath, target)
    driver.wait(0.1)
    driver.place(attacker, source)
    driver.wait()


class TestATap:
    """Red's e5 is held over e6 for 0.2 s and put back."""

    @pytest.fixture
    def driver(self) -> TableDriver:
        driver = clash(control=CONTROL)
        tap(driver, "e5", "e6")
        return driver

    def test_attack_is_only_offered(self, driver: TableDriver) -> None:
        assert driver.emitted(AttackSuggested) == [OFFERED]
        assert not driver.actions
        assert not driver.emitted(Violation)
        assert not driver.emitted(BoardDiffers)
        assert not isinstance(driver.table.state, AwaitingAnswer)

    def test_offer_accepted_by_naming_the_attacker(self, driver: TableDriver) -> None:
        driver.submit(AttackerNamed(driver.now, RED))
        assert driver.actions == [Attack(*way("e5-e6"))]
        assert driver.table.referee.phase is Phase.ATTACK
        assert not driver.table.state.asked.answers

    def test_offer_accepted_by_choosing_it(self, driver: TableDriver) -> None:
        driver.submit(ExplanationChosen(driver.now, 0))
        assert driver.actions == [Attack(*way("e5-e6"))]

    def test_other_side_gets_no_offer(self, driver: TableDriver) -> None:
        driver.submit(AttackerNamed(driver.now, BLUE))
        assert not driver.actions

    def test_playing_on_declines_the_offer(self, driver: TableDriver) -> None:
        driver.play("a4-a5")
        assert not driver.table.state.asked.answers
        assert driver.actions == [Move(*way("a4-a5"))]

    def test_declined_offer_is_not_repeated_in_the_turn(self, driver: TableDriver) -> None:
        driver.submit(NoAttack(driver.now))
        assert not driver.table.state.asked.answers
        driver.forget()
        driver.wait(10)
        tap(driver, "e5", "e6")
        piece = driver.lift("e5")
        driver.wait(10)
        driver.place(piece, "e5")
        driver.wait()
        assert not driver.emitted(AttackSuggested)
        assert not driver.actions

    def test_declined_offer_returns_in_the_next_turn(self, driver: TableDriver) -> None:
        driver.submit(NoAttack(driver.now))
        driver.play("a4-a5 a7-a6")
        driver.forget()
        tap(driver, "e5", "e6")
        assert driver.emitted(AttackSuggested) == [OFFERED]

    def test_offer_does_not_stop_the_clock(self, driver: TableDriver) -> None:
        red, blue = (driver.table.clock.remaining(side, driver.now) for side in Side)
        whole = driver.table.clock.whole_left(driver.now)
        driver.wait(5)
        assert driver.table.state.asked.answers
        assert red is not None
        assert whole is not None
        assert driver.table.clock.remaining(RED, driver.now) == pytest.approx(red - 5)
        assert driver.table.clock.remaining(BLUE, driver.now) == blue
        assert driver.table.clock.whole_left(driver.now) == pytest.approx(whole - 5)


class TestHeldPieceNextToAnEnemy:
    @pytest.mark.parametrize(
        ("kind", "patience"), [(BoardKind.COLOURS, 2.0), (BoardKind.PRESENCE, 1.0)]
    )
    def test_attack_of_a_hovering_piece_is_offered(self, kind: BoardKind, patience: float) -> None:
        driver = clash(kind)
        driver.lift("e5")
        driver.wait(patience - 0.1)
        assert not driver.emitted(AttackSuggested)
        driver.wait(0.2)
        assert driver.emitted(AttackSuggested) == [OFFERED]
        driver.submit(AttackerNamed(driver.now, RED))
        assert driver.actions == [Attack(*way("e5-e6"))]

    def test_offer_does_not_stop_the_clock(self) -> None:
        driver = clash(control=CONTROL)
        driver.wait(10)
        driver.lift("e5")
        driver.wait(3)
        red = driver.table.clock.remaining(RED, driver.now)
        assert driver.emitted(AttackSuggested)
        assert red is not None
        driver.wait(5)
        assert driver.table.clock.remaining(RED, driver.now) == pytest.approx(red - 5)

    def test_hovering_piece_may_go_elsewhere(self) -> None:
        driver = clash()
        piece = driver.lift("e5")
        driver.wait(3)
        driver.place(piece, "f5")
        driver.wait()
        assert driver.actions == [Move(*way("e5-f5"))]
        assert not driver.table.state.asked.answers

    def test_no_offer_to_the_waiting_side(self) -> None:
        driver = clash()
        driver.play("a4-a5 a7-a6")
        driver.forget()
        driver.lift("e6")
        driver.wait(5)
        assert not driver.emitted(AttackSuggested)
        assert not driver.actions

    def test_known_scout_gets_all_attacks_offered(self) -> None:
        """The move e4-e6 revealed a scout. It may now be on top of the piece on f5 or on e7."""
        driver = TableDriver.begun(BoardKind.PRESENCE)
        driver.play("e4-e6 f7-f6 e6-e5 f6-f5")
        driver.forget()
        driver.lift("e5")
        driver.wait(1.2)
        [offered] = driver.emitted(AttackSuggested)
        assert set(offered.attacks) == {"e5xf5", "e5xe7"}

    def test_no_offer_without_an_enemy(self) -> None:
        driver = clash()
        driver.lift("a4")
        driver.wait(2.4)
        assert not driver.emitted(AttackSuggested)


def test_hovered_piece_may_attack_from_its_source() -> None:
    """The piece was on f5 and briefly on e4. It may also have been put on the piece on e6."""
    driver = clash()
    attacker = driver.lift("e5")
    driver.place(attacker, "f5")
    driver.wait(0.24)
    driver.lift("f5")
    driver.wait(0.1)
    driver.place(attacker, "e4")
    driver.wait(0.1)
    driver.lift("e4")
    driver.wait()
    assert driver.emitted(AttackSuggested) == [OFFERED]
    driver.submit(AttackerNamed(driver.now, RED))
    assert driver.table.referee.phase is Phase.ATTACK
