"""A piece counts as placed only once it is released, however much the hand hesitates."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import events
from companion.core.state import AttackOpen
from engine.board.geometry import Side, square
from engine.game.game_state import Phase
from engine.game.rulings import AttackOpened
from tests.companion.core.gestures import complaints, hover, in_force, slide
from tests.companion.core.table_driver import TableDriver, clash

RED, BLUE = Side.RED, Side.BLUE


@settings(max_examples=15, deadline=None)
@given(
    flashes=st.lists(st.sampled_from([0.02, 0.04, 0.06]), min_size=8, max_size=14),
    between=st.sampled_from([0.1, 0.2, 0.35]),
    target=st.sampled_from(["e5", "e6"]),
)
def test_trembling_hand_has_not_released(flashes: list[float], between: float, target: str) -> None:
    """A hand trembles over e5, then over f5, for longer than the time limit for amending a turn."""
    driver = TableDriver.begun()
    piece = driver.lift("e4")
    driver.wait(0.5)
    for where in ("e5", "f5"):
        for flash in flashes:
            hover(driver, piece, where, flash)
            driver.wait(between)
    driver.place(piece, target)
    driver.wait()
    asked = driver.emitted(events.ChooseExplanation)
    assert in_force(driver) == [f"e4-{target}"] or asked
    assert not complaints(driver)


def test_hand_over_two_squares_may_wait() -> None:
    """The piece from e5 hovers over f5, then over f6, which it cannot reach. Then it attacks e6."""
    driver = clash()
    piece = driver.lift("e5")
    driver.wait(0.4)
    hover(driver, piece, "f5", 0.2)
    driver.wait(0.4)
    hover(driver, piece, "f6", 0.2)
    driver.wait(1.5)
    driver.lift("e6")
    driver.wait(2)
    driver.place(piece, "e6")
    driver.wait()
    opened = driver.table.referee.open_attack
    assert opened
    assert (opened.source, opened.target) == (square("e5"), square("e6"))
    assert not complaints(driver)


def test_early_hand_over_its_target() -> None:
    """Blue holds the piece from e7 over e6 too early, and sets it down on e6 after Red's move. Red
    looks at the piece on h1."""
    driver = TableDriver.begun()
    blue = driver.lift("e7")
    driver.wait(0.4)
    hover(driver, blue, "e6", 0.16)
    driver.wait(1)
    driver.move("a4", "a5", settle=2.5)
    driver.place(blue, "e6")
    driver.wait(0.3)
    looked = driver.lift("h1")
    driver.wait(1.2)
    driver.place(looked, "h1")
    driver.wait()
    assert in_force(driver) == ["a4-a5", "e7-e6"]
    assert not complaints(driver)


def test_reply_does_not_confirm_a_lifted_piece() -> None:
    """Red's e5 hovers over f5. Then Blue lifts e6, too, and puts it on f6."""
    driver = clash()
    red = driver.lift("e5")
    driver.wait(0.3)
    hover(driver, red, "f5", 0.12)
    driver.wait(0.4)
    blue = driver.lift("e6")
    driver.wait(0.7)
    assert isinstance(driver.table.state, AttackOpen)
    driver.place(blue, "f6")
    driver.wait()
    assert in_force(driver)[-1] == "e5xe6"


class TestATap:
    """The piece from e5 is briefly held over e6. Then it is put back."""

    @pytest.mark.parametrize("other", ["c2", "h3"])
    def test_attack_is_offered_during_a_look(self, other: str) -> None:
        driver = clash()
        looked = driver.lift(other)
        driver.wait(0.5)
        piece = driver.lift("e5")
        driver.wait(0.5)
        driver.board.lift(square("e6"))
        driver.place(piece, "e6")
        driver.wait(0.1)
        driver.board.lift(square("e6"))
        driver.stand(BLUE, square("e6"))
        driver.show()
        driver.wait(0.3)
        driver.place(looked, other)
        driver.wait(0.4)
        driver.place(piece, "e5")
        driver.wait()
        assert "e5xe6" in driver.emitted(events.AttackSuggested)[-1].attacks


def test_long_held_piece_leads_to_a_question() -> None:
    """The lifted piece may have been put on top of another piece, where no sensor detects it."""
    driver = clash()
    driver.lift("e5")
    driver.wait(3)
    looked = driver.lift("e6")
    driver.wait(0.8)
    driver.place(looked, "e6")
    driver.wait()
    assert driver.table.referee.phase is Phase.PLAY
    driver.lift("e6")
    driver.wait()
    assert driver.emitted(events.ConfirmAttack)


class TestUnfinishedTurn:
    """A piece hovers over a square and is lifted away again before the opponent replies."""

    def test_whose_target_is_shoved_aside(self) -> None:
        """e5 hovers over f5. Then Red shoves e6 to e7 and sets e5 down on e6."""
        driver = clash()
        red = driver.lift("e5")
        driver.wait(1)
        hover(driver, red, "f5", 0.2)
        driver.wait(0.38)
        blue = driver.lift("e6")
        driver.place(blue, "e7")
        driver.place(red, "e6")
        driver.wait(1)
        opened = driver.table.referee.open_attack
        assert opened
        assert (opened.source, opened.target) == (square("e5"), square("e6"))

    def test_both_hands_hover(self) -> None:
        """Red's piece hovers over e6 and is set down on e5. Blue's piece hovers over b6 and is set
        down there.
        """
        driver = TableDriver.begun()
        red = driver.lift("e4")
        driver.wait(0.2)
        hover(driver, red, "e6", 0.14)
        blue = driver.lift("b7")
        driver.wait(0.22)
        hover(driver, blue, "b6", 0.2)
        driver.wait(0.12)
        driver.place(red, "e5")
        driver.wait(1.2)
        driver.place(blue, "b6")
        driver.wait()
        assert in_force(driver) == ["e4-e5", "b7-b6"]
        assert not complaints(driver)

    def test_answer_lifted_early(self) -> None:
        """Blue's b7 hovers over b6 several times. Red's piece finally goes from f5 to e6."""
        driver = TableDriver.begun()
        driver.play("e4-e5 a7-a6")
        blue = driver.lift("b7")
        driver.wait(1)
        red = driver.lift("e5")
        driver.wait(0.3)
        hover(driver, red, "f5", 0.18)
        for pause in (0.16, 0.26, 0.3):
            driver.wait(pause)
            hover(driver, blue, "b6", 0.04)
        driver.wait(0.2)
        driver.place(red, "f5")
        driver.wait(0.78)
        driver.lift("f5")
        driver.wait(0.56)
        driver.place(red, "e6")
        driver.wait(0.04)
        driver.place(blue, "b6")
        driver.wait()
        assert in_force(driver)[-2:] == ["e5-e6", "b7-b6"]
        assert not complaints(driver)

    @pytest.mark.parametrize("pause", [0.45, 0.7, 0.95])
    def test_run_continues_while_the_opponent_holds_a_piece(self, pause: float) -> None:
        driver = TableDriver.begun()
        slide(driver, "a4", "a5")
        driver.wait(0.2)
        blue = driver.lift("b7")
        driver.wait(pause)
        slide(driver, "a5", "a6")
        driver.wait(1.8)
        driver.place(blue, "b6")
        driver.wait()
        assert in_force(driver) == ["a4-a6", "b7-b6"]
        assert not complaints(driver)

    def test_return_to_the_square_where_it_was_seen(self) -> None:
        """The piece hovers over f5 and k6, is set down on f5, and attacks e6."""
        driver = clash()
        red = driver.lift("e5")
        driver.wait(1)
        hover(driver, red, "f5", 0.2)
        driver.wait(0.1)
        hover(driver, red, "k6", 0.22)
        driver.wait(1)
        driver.place(red, "f5")
        driver.wait(0.7)
        driver.lift("f5")
        driver.wait(0.5)
        driver.lift("a7")
        driver.wait(0.1)
        driver.lift("e6")
        driver.place(red, "e6")
        driver.wait(1)
        opened = driver.table.referee.open_attack
        assert opened
        assert (opened.source, opened.target) == (square("e5"), square("e6"))


def test_passing_hand_does_not_attack_a_tipped_piece() -> None:
    driver = clash()
    red = driver.lift("e5")
    driver.wait(1)
    blue = driver.lift("e6")
    driver.wait(0.06)
    hover(driver, red, "e6", 0.2)
    driver.place(blue, "e6")
    driver.wait(0.3)
    driver.place(red, "f5")
    driver.wait()
    assert not driver.emitted(AttackOpened)
    assert in_force(driver)[-1] == "e5-f5"


def test_reinterpreted_first_turn_does_not_stop_the_table() -> None:
    """While two turns may still be amended, the table reinterprets the first one.

    A sleeve may have pushed the piece that was moved in the first turn.
    """
    driver = TableDriver.begun()
    red = driver.lift("e4")
    driver.wait(0.2)
    driver.place(red, "e5")
    driver.wait(0.14)
    driver.move("a7", "a6", settle=0.14)
    turns = driver.table._turns
    assert len(turns._ruled) == 2
    turns._ruled[0] = replace(turns._ruled[0], may_be_pushed=True)
    driver.wait()
    assert in_force(driver) == ["e4-e5", "a7-a6"]
    driver.play("e5-e6")
