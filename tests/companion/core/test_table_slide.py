"""A slow slide with stops on the way counts as a single move (rules.md §4)."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.events import TurnBegan
from engine.board.geometry import Side, line, name, square
from engine.board.ranks import SCOUTS
from engine.game.actions import Amend, Move
from engine.game.clocks import TimeControl
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import Moved
from engine.rules.rules import Violation, ViolationKind
from tests.campaigns import Campaign
from tests.companion.core.table_driver import TableDriver
from tests.engine.tables import moment, way

RED, BLUE = Side.RED, Side.BLUE
STOPS = Campaign("any-hands", part=20, whole=240)
CONTROL = TimeControl("short", each=600, delay=4, whole=1000)


def slide(driver: TableDriver, *way: str, pause: float = 0.35) -> None:
    """Push a piece along `way`, with a pause on each square."""
    for source, target in pairwise(way):
        piece = driver.lift(source)
        driver.wait(0.1)
        driver.place(piece, target)
        driver.wait(pause)
    driver.wait()


class TestOneMove:
    @pytest.mark.parametrize(
        "way", ["e4 e5 e6", "e4 e6 e5", "i4 i5 i6", "a4 a5 a6", "e4 e5 e6 e5", "b4 b6 b5 b6"]
    )
    def test_slide_equals_a_direct_move(self, way: str) -> None:
        driver = TableDriver.begun()
        stops = way.split()
        slide(driver, *stops)
        direct = TableDriver.begun()
        direct.play(f"{stops[0]}-{stops[-1]}")

        assert moment(driver.table.referee) == moment(direct.table.referee)
        assert driver.table.referee.in_force == direct.table.referee.in_force
        assert not driver.emitted(Violation)
        assert not driver.table.state.difference
        assert driver.emitted(TurnBegan) == [TurnBegan(BLUE)]
        driver.play("f7-f6")

    def test_slide_announcements(self) -> None:
        driver = TableDriver.begun()
        slide(driver, "e4", "e5", "e6")
        ways = [(square("e4"), square("e5"), False), (square("e4"), square("e6"), True)]
        assert driver.emitted(Moved) == [Moved(RED, *way) for way in ways]

    def test_illegal_slide_proves_no_scout(self) -> None:
        driver = TableDriver.begun()
        slide(driver, "e4", "e6", "e5")
        possible = driver.table.referee.position.ranks_at(square("e5"))
        assert possible != SCOUTS

    def test_slid_scout_may_attack(self) -> None:
        driver = TableDriver.begun()
        slide(driver, "e4", "e5", "e6")
        driver.forget()
        scout = driver.lift("e6")
        driver.lift("e7")
        driver.place(scout, "e7")
        driver.wait()
        assert isinstance(driver.actions[-1], Amend)
        attack = driver.table.referee.open_attack
        assert attack
        assert (attack.source, attack.target) == (square("e4"), square("e7"))

    def test_pause_belongs_to_the_move(self) -> None:
        driver = TableDriver.begun(control=CONTROL)
        begun = driver.now
        driver.wait(3)
        slide(driver, "e4", "e5", "e6", pause=0.6)
        clock = driver.table.clock
        driver.wait(5)

        red, blue = (clock.remaining(side, driver.now) for side in Side)
        whole = clock.whole_left(driver.now)
        assert red is not None
        assert blue is not None
        assert whole is not None
        assert red + blue == pytest.approx(1200 - (driver.now - begun) + 4, abs=3)
        assert red == pytest.approx(600 - 2, abs=3)
        assert 1000 - whole == pytest.approx(driver.now - begun, abs=3)

    @pytest.mark.parametrize("beside", ["e6", "d5", "f5"])
    def test_slide_stops_on_a_border(self, beside: str) -> None:
        driver = TableDriver.begun()
        piece = driver.lift("e4")
        driver.wait(0.3)
        driver.place(piece, "e5")
        driver.wait(0.04)
        driver.stand(RED, square(beside))
        driver.wait(0.04)
        driver.lift(beside)
        driver.wait()
        assert driver.actions == [Move(*way("e4-e5"))]
        assert not driver.emitted(Violation)

    def test_slide_is_taken_back_whole(self) -> None:
        driver = TableDriver.begun()
        slide(driver, "e4", "e5", "e6")
        driver.take_back()
        assert driver.table.referee.plies == 0
        driver.move("e6", "e4")
        driver.play("e4-e5")

    def test_slide_survives_a_power_cut(self) -> None:
        driver = TableDriver.begun()
        slide(driver, "e4", "e5", "e6")
        again = driver.replugged()
        again.wait()
        assert not again.table.state.difference
        again.play("f7-f6")


class TestAnotherMove:
    def test_slide_back_is_no_move(self) -> None:
        driver = TableDriver.begun()
        slide(driver, "e4", "e6", "e4")
        assert driver.table.referee.plies == 0
        assert driver.actions == [Move(*way("e4-e6")), Amend(*way("e6-e4"))]
        assert not driver.emitted(Violation)
        driver.play("e4-e5 f7-f6")

    def test_slide_in_the_other_direction(self) -> None:
        driver = TableDriver.begun()
        driver.play("e4-e5 a7-a6 e5-f5 a6-a7 e3-e4 a7-a6")
        driver.forget()
        slide(driver, "e4", "e5", "e3")
        assert driver.table.referee.in_force[-1] == Move(*way("e4-e3"))
        assert not driver.emitted(Violation)

    def test_no_slide_around_a_corner(self) -> None:
        driver = TableDriver.begun()
        slide(driver, "e4", "e5", "f5")
        assert [each.fault for each in driver.emitted(Violation)] == [ViolationKind.NOT_STRAIGHT]
        assert driver.table.state.difference
        assert len(driver.actions) == 1

    def test_no_slide_long_after_placement(self) -> None:
        driver = TableDriver.begun()
        slide(driver, "e4", "e5", "e6", pause=2.5)
        assert [each.fault for each in driver.emitted(Violation)] == [ViolationKind.NOT_YOUR_PIECE]
        assert driver.table.referee.in_force[-1] == Move(*way("e4-e5"))

    def test_no_slide_of_another_piece(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5", settle=0.35)
        driver.move("k4", "k5")
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]

    def test_no_slide_after_the_opponent_touched_a_piece(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5")
        piece = driver.lift("f7")
        driver.wait()
        driver.place(piece, "f7")
        driver.wait()
        slide(driver, "e5", "e6")
        assert [violation.fault for violation in driver.emitted(Violation)] == [
            ViolationKind.NOT_YOUR_PIECE
        ]

    def test_no_slide_after_the_reply(self) -> None:
        driver = TableDriver.begun()
        driver.play("e4-e5 f7-f6")
        driver.play("e5-e6")
        moved = [Move, Move, Move]
        assert [type(action) for action in driver.actions] == moved


class TestQuickHands:
    def test_slide_while_the_opponent_holds_a_piece(self) -> None:
        driver = TableDriver.begun()
        driver.move("e4", "e5", settle=0.4)
        driver.move("e5", "e6", settle=0.1)
        piece = driver.lift("f7")
        driver.wait()
        assert [type(action) for action in driver.actions] == [Move, Amend]
        assert driver.table.state.lifted == square("f7")
        driver.place(piece, "f6")
        driver.wait()
        assert driver.table.referee.plies == 2

    def test_second_reply_is_a_new_move(self) -> None:
        """Because Blue has replied, Red's second step is a new move."""
        driver = TableDriver.begun()
        driver.play("e4-e5")
        driver.move("f7", "f6", settle=0.1)
        driver.move("e5", "e6")
        assert [type(action) for action in driver.actions[-2:]] == [Move, Move]
        assert driver.table.referee.plies == 3

    def test_rules_decide_the_order_of_unseen_moves(self) -> None:
        """A piece of each side moves between two frames. It is Blue's turn, so Blue moved first."""
        driver = TableDriver.begun()
        driver.play("e4-e5")
        driver.forget()
        for source, target in (("e5", "e6"), ("f7", "f6")):
            piece = driver.board.lift(square(source))
            driver.board.place(piece, square(target))
        driver.wait()
        assert driver.actions == [Move(*way("f7-f6")), Move(*way("e5-e6"))]


@STOPS
@settings(max_examples=STOPS.size, deadline=None)
@given(data=st.data(), pause=st.sampled_from([0.0, 0.2, 0.35, 0.6]))
def test_slide_stops_change_nothing(data: st.DataObject, pause: float) -> None:
    driver, direct = TableDriver.begun(), TableDriver.begun()
    for _ in range(data.draw(st.integers(1, 6))):
        referee = direct.table.referee
        if referee.phase is not Phase.PLAY:
            break
        source, target = data.draw(st.sampled_from(_moves(referee)))
        way = line(source, target)
        assert way is not None
        stops = sorted(data.draw(st.sets(st.sampled_from(way[:-1]))) if way[:-1] else [])
        if target < source:
            stops.reverse()
        direct.move(name(source), name(target))
        slide(driver, *map(name, [source, *stops, target]), pause=pause)
    assert moment(driver.table.referee) == moment(direct.table.referee)
    assert driver.table.referee.in_force == direct.table.referee.in_force
    assert driver.board.image() == direct.board.image()


def _moves(referee: Referee) -> list[tuple[int, int]]:
    return [(turn.source, turn.target) for turn in referee.legal_moves() if isinstance(turn, Move)]
