"""Attacks that players may have intended are suggested. They may ignore that and play on."""

import pytest

from companion.core.events import AttackSuggested, BoardDiffers
from companion.core.inputs import AttackerNamed, ExplanationChosen, NoAttack
from companion.core.state import AwaitingAnswer
from engine.board.geometry import Side, square
from engine.game.actions import Attack, Move
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.rules.violations import Violation
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import TableDriver, clash
from tests.engine.tables import way

RED, BLUE = Side.RED, Side.BLUE
CONTROL = TimeControl("short", each=600, delay=4, whole=1000)
OFFERED = AttackSuggested(("e5xe6",))


def tap(evening: TableDriver, source: str, target: str, *, covered: float = 0.2) -> None:
    """Hold a piece over another one for a moment, and put it back."""
    attacker = evening.lift(source)
    evening.wait(0.1)
    beneath = evening.board.lift(square(target))
    evening.place(attacker, target)
    evening.wait(covered)
    evening.board.lift(square(target))
    evening.place(beneath, target)
    evening.wait(0.1)
    evening.place(attacker, source)
    evening.wait()


class TestATap:
    """Red's e5 covers e6 for 0.2 s and is then back on e5."""

    @pytest.fixture
    def evening(self) -> TableDriver:
        evening = clash(control=CONTROL)
        tap(evening, "e5", "e6")
        return evening

    def test_is_offered_and_nothing_more(self, evening: TableDriver) -> None:
        assert evening.told(AttackSuggested) == [OFFERED]
        assert not evening.actions
        assert not evening.told(Violation)
        assert not evening.told(BoardDiffers)
        assert not isinstance(evening.table.state, AwaitingAnswer)

    def test_is_accepted_by_naming_the_attacker(self, evening: TableDriver) -> None:
        evening.submit(AttackerNamed(evening.now, RED))
        assert evening.actions == [Attack(*way("e5-e6"))]
        assert evening.table.referee.phase is Phase.ATTACK
        assert not evening.table.state.asked.answers

    def test_is_accepted_by_choosing_it(self, evening: TableDriver) -> None:
        evening.submit(ExplanationChosen(evening.now, 0))
        assert evening.actions == [Attack(*way("e5-e6"))]

    def test_the_other_side_was_not_offered_anything(self, evening: TableDriver) -> None:
        evening.submit(AttackerNamed(evening.now, BLUE))
        assert not evening.actions

    def test_who_plays_on_has_not_meant_it(self, evening: TableDriver) -> None:
        evening.play("a4-a5")
        assert not evening.table.state.asked.answers
        assert evening.actions == [Move(*way("a4-a5"))]

    def test_what_was_declined_is_not_offered_again_in_this_turn(
        self, evening: TableDriver
    ) -> None:
        evening.submit(NoAttack(evening.now))
        assert not evening.table.state.asked.answers
        evening.forget()
        evening.wait(10)
        tap(evening, "e5", "e6")
        piece = evening.lift("e5")
        evening.wait(10)
        evening.place(piece, "e5")
        evening.wait()
        assert not evening.told(AttackSuggested)
        assert not evening.actions

    def test_in_the_next_turn_it_is(self, evening: TableDriver) -> None:
        evening.submit(NoAttack(evening.now))
        evening.play("a4-a5 a7-a6")
        evening.forget()
        tap(evening, "e5", "e6")
        assert evening.told(AttackSuggested) == [OFFERED]

    def test_stops_no_clock(self, evening: TableDriver) -> None:
        red, blue = (evening.table.clock.remaining(side, evening.now) for side in Side)
        whole = evening.table.clock.whole_left(evening.now)
        evening.wait(5)
        assert evening.table.state.asked.answers
        assert red is not None
        assert whole is not None
        assert evening.table.clock.remaining(RED, evening.now) == pytest.approx(red - 5)
        assert evening.table.clock.remaining(BLUE, evening.now) == blue
        assert evening.table.clock.whole_left(evening.now) == pytest.approx(whole - 5)


class TestAPieceInTheHandBesideAnEnemy:
    @pytest.mark.parametrize(
        ("kind", "patience"), [(BoardKind.COLOURS, 2.0), (BoardKind.PRESENCE, 1.0)]
    )
    def test_its_attack_is_offered_after_a_while(self, kind: BoardKind, patience: float) -> None:
        evening = clash(kind)
        evening.lift("e5")
        evening.wait(patience - 0.1)
        assert not evening.told(AttackSuggested)
        evening.wait(0.2)
        assert evening.told(AttackSuggested) == [OFFERED]
        evening.submit(AttackerNamed(evening.now, RED))
        assert evening.actions == [Attack(*way("e5-e6"))]

    def test_stops_no_clock(self) -> None:
        evening = clash(control=CONTROL)
        evening.wait(10)
        evening.lift("e5")
        evening.wait(3)
        red = evening.table.clock.remaining(RED, evening.now)
        assert evening.told(AttackSuggested)
        assert red is not None
        evening.wait(5)
        assert evening.table.clock.remaining(RED, evening.now) == pytest.approx(red - 5)

    def test_it_may_go_elsewhere(self) -> None:
        evening = clash()
        piece = evening.lift("e5")
        evening.wait(3)
        evening.place(piece, "f5")
        evening.wait()
        assert evening.actions == [Move(*way("e5-f5"))]
        assert not evening.table.state.asked.answers

    def test_of_the_side_that_is_not_to_move_nothing_is_offered(self) -> None:
        evening = clash()
        evening.play("a4-a5 a7-a6")
        evening.forget()
        evening.lift("e6")
        evening.wait(5)
        assert not evening.told(AttackSuggested)
        assert not evening.actions

    def test_of_what_is_known_to_be_a_scout_all_attacks_are_offered(self) -> None:
        """The piece has moved from e4 to e6 and back to e5, and covers either f5 or e7."""
        evening = TableDriver.begun(BoardKind.PRESENCE)
        evening.play("e4-e6 f7-f6 e6-e5 f6-f5")
        evening.forget()
        evening.lift("e5")
        evening.wait(1.2)
        [offered] = evening.told(AttackSuggested)
        assert set(offered.attacks) == {"e5xf5", "e5xe7"}

    def test_without_an_enemy_nothing_is_offered(self) -> None:
        evening = clash()
        evening.lift("a4")
        evening.wait(2.4)
        assert not evening.told(AttackSuggested)


def test_a_piece_that_has_hovered_and_is_gone_may_attack_from_where_it_began() -> None:
    """The piece was on f5 and briefly on e4; now it covers e6, undetected by any sensor."""
    evening = clash()
    attacker = evening.lift("e5")
    evening.place(attacker, "f5")
    evening.wait(0.24)
    evening.lift("f5")
    evening.wait(0.1)
    evening.place(attacker, "e4")
    evening.wait(0.1)
    evening.lift("e4")
    evening.wait()
    assert evening.told(AttackSuggested) == [OFFERED]
    evening.submit(AttackerNamed(evening.now, RED))
    assert evening.table.referee.phase is Phase.ATTACK
