"""Hands hesitate, tremble and change their plan: only a released piece counts."""

from dataclasses import replace
from itertools import cycle
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.events import (
    AttackSuggested,
    BoardDiffers,
    ChooseAttacker,
    ChooseExplanation,
    ConfirmAttack,
)
from companion.core.inputs import BoardSeen, ExplanationChosen
from companion.core.state import AttackOpen
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import TakeBack
from engine.game.game_state import Phase
from engine.game.rulings import AttackOpened
from engine.rules.violations import Violation
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.board import PhysicalPiece
from firmware_bridge.wire import BoardKind
from tests.companion.core.table_driver import FRAME, TableDriver, clash

RED, BLUE = Side.RED, Side.BLUE
COMPLAINTS: Final = (BoardDiffers, Violation)


def complaints(evening: TableDriver) -> list[object]:
    return [event for kind in COMPLAINTS for event in evening.told(kind)]


def in_force(evening: TableDriver) -> list[str]:
    return [str(action) for action in evening.table.referee.in_force[1:]]


def hover(evening: TableDriver, piece: PhysicalPiece, where: str, seconds: float) -> None:
    """Hold a piece so low over a square that the square reports it."""
    evening.place(piece, where)
    evening.wait(seconds - FRAME)
    evening.lift(where)


def slide(evening: TableDriver, source: str, target: str, overlap: float = 0.06) -> None:
    """Slide a piece: both squares report it for a moment."""
    before = evening.board.image()
    evening.board.place(evening.board.lift(square(source)), square(target))
    after = evening.board.image()
    both = Image(before.red | after.red, before.blue | after.blue)
    until = evening.now + overlap
    while evening.now < until:
        evening.now += FRAME
        evening.submit(BoardSeen(evening.now, both))
    evening.show()


@settings(max_examples=15, deadline=None)
@given(
    flashes=st.lists(st.sampled_from([0.02, 0.04, 0.06]), min_size=8, max_size=14),
    between=st.sampled_from([0.1, 0.2, 0.35]),
    target=st.sampled_from(["e5", "e6"]),
)
def test_a_hand_that_trembles_has_not_let_go(
    flashes: list[float], between: float, target: str
) -> None:
    """The hand holds its piece over e5, then over f5, for longer than a turn can be amended."""
    evening = TableDriver.begun()
    piece = evening.lift("e4")
    evening.wait(0.5)
    for where in ("e5", "f5"):
        for flash in flashes:
            hover(evening, piece, where, flash)
            evening.wait(between)
    evening.place(piece, target)
    evening.wait()
    asked = evening.told(ChooseExplanation)
    assert in_force(evening) == [f"e4-{target}"] or asked
    assert not complaints(evening)


def test_a_hand_that_was_over_two_squares_may_take_its_time() -> None:
    """e5 was over f5, then over f6, where it may not move. After four seconds it attacks e6."""
    evening = clash()
    piece = evening.lift("e5")
    evening.wait(0.4)
    hover(evening, piece, "f5", 0.2)
    evening.wait(0.4)
    hover(evening, piece, "f6", 0.2)
    evening.wait(1.5)
    evening.lift("e6")
    evening.wait(2)
    evening.place(piece, "e6")
    evening.wait()
    opened = evening.table.referee.open_attack
    assert opened
    assert (opened.source, opened.target) == (square("e5"), square("e6"))
    assert not complaints(evening)


def test_an_early_hand_over_its_target_is_over_when_its_turn_comes() -> None:
    """Blue's e7 is over e6 before Red has moved. Blue releases it later, and looks at pieces."""
    evening = TableDriver.begun()
    blue = evening.lift("e7")
    evening.wait(0.4)
    hover(evening, blue, "e6", 0.16)
    evening.wait(1)
    evening.move("a4", "a5", settle=2.5)
    evening.place(blue, "e6")
    evening.wait(0.3)
    looked = evening.lift("h1")
    evening.wait(1.2)
    evening.place(looked, "h1")
    evening.wait()
    assert in_force(evening) == ["a4-a5", "e7-e6"]
    assert not complaints(evening)


def test_an_answer_confirms_no_turn_whose_piece_is_up_again() -> None:
    """e5 was over f5 before both fighters were lifted; e6 is then dropped beside its square."""
    evening = clash()
    red = evening.lift("e5")
    evening.wait(0.3)
    hover(evening, red, "f5", 0.12)
    evening.wait(0.4)
    blue = evening.lift("e6")
    evening.wait(0.7)
    assert isinstance(evening.table.state, AttackOpen)
    evening.place(blue, "f6")
    evening.wait()
    assert in_force(evening)[-1] == "e5xe6"


class TestATap:
    """e5 is held over e6 for a moment, and put back."""

    @pytest.mark.parametrize("other", ["c2", "h3"])
    def test_it_is_offered_while_another_piece_is_looked_at(self, other: str) -> None:
        evening = clash()
        looked = evening.lift(other)
        evening.wait(0.5)
        piece = evening.lift("e5")
        evening.wait(0.5)
        evening.board.lift(square("e6"))
        evening.place(piece, "e6")
        evening.wait(0.1)
        evening.board.lift(square("e6"))
        evening.stand(BLUE, square("e6"))
        evening.show()
        evening.wait(0.3)
        evening.place(looked, other)
        evening.wait(0.4)
        evening.place(piece, "e5")
        evening.wait()
        assert "e5xe6" in evening.told(AttackSuggested)[-1].attacks


class TestLooksAndCombats:
    def test_a_loser_laid_aside_is_no_turn_of_the_piece_that_is_looked_at(self) -> None:
        """Red lifts f4 to look at it, and puts its loser on f5 before Blue's winner is set down."""
        evening = clash()
        red, blue = evening.lift("e5"), evening.lift("e6")
        evening.wait(0.5)
        evening.declare(RED, Rank.CAPTAIN)
        evening.declare(BLUE, Rank.MAJOR)
        evening.wait(0.5)
        looked = evening.lift("f4")
        evening.wait(0.3)
        evening.place(red, "f5")
        evening.wait(0.6)
        evening.place(blue, "e6")
        evening.wait(0.7)
        assert evening.table.referee.to_move is BLUE
        evening.place(looked, "f4")
        evening.wait(1)
        evening.lift("f5")
        evening.play("a7-a6")
        assert in_force(evening)[-1] == "a7-a6"
        assert not complaints(evening)

    def test_a_look_beside_a_shoved_piece_disturbs_nobody(self) -> None:
        """The attacker has pushed e6 to f6 and is on e6 itself."""
        evening = clash()
        piece = evening.lift("e5")
        evening.wait(0.5)
        evening.board.place(evening.board.lift(square("e6")), square("f6"))
        evening.board.place(piece, square("e6"))
        evening.show()
        evening.wait(1)
        assert evening.table.referee.phase is Phase.ATTACK
        looked = evening.lift("k10")
        evening.wait(2)
        evening.place(looked, "k10")
        evening.wait()
        assert not complaints(evening)


def test_magnets_that_pass_an_edge_do_not_hide_what_is_played() -> None:
    """A magnetic box is next to k5.

    While it is there, pieces are looked at, and then e5 attacks e6.
    """
    evening = clash()
    for where in ("a1", "b3", "h3", "a1", "b3", "h3", "a1", "b3"):
        looked = evening.lift(where)
        evening.wait(0.4)
        evening.stand(BLUE, square("k5"))
        evening.show()
        evening.wait(0.1)
        evening.lift("k5")
        evening.wait(0.4)
        evening.place(looked, where)
        evening.wait(1.6)
    evening.lift("h2")
    evening.wait(0.3)
    piece = evening.lift("e5")
    evening.wait(0.4)
    evening.lift("e6")
    evening.place(piece, "e6")
    evening.wait()
    assert in_force(evening)[-1] == "e5xe6"
    assert not complaints(evening)
    assert evening.board.at(square("h2")) is None


def test_what_is_over_is_forgotten_when_all_stands_as_it_should() -> None:
    evening = TableDriver.begun()
    for where in cycle(("a1", "b3", "h3", "d2")):
        evening.place(evening.lift(where), where)
        evening.wait(0.3)
        if evening.now > 20:
            break
    evening.wait()
    (explanation,) = evening.table.explanations
    assert not explanation.hypothesis.carries
    assert not explanation.hypothesis.penalty


def test_an_answer_confirms_a_slide_that_a_sleeve_may_have_made() -> None:
    """Red slides e4 while a2 is lifted to be looked at, then puts a2 back, and Blue answers."""
    evening = TableDriver.begun()
    looked = evening.lift("c3")
    evening.wait(0.5)
    slide(evening, "e4", "e5")
    evening.wait(0.3)
    evening.place(looked, "c3")
    evening.wait(0.3)
    evening.move("a7", "a6")
    assert in_force(evening) == ["e4-e5", "a7-a6"]
    assert not complaints(evening)


def test_a_move_that_stands_undone_after_a_disturbance_is_asked_about() -> None:
    """e5 fell over with two others, and all are put back to where they were before the move."""
    evening = TableDriver.begun()
    evening.play("e4-e5")
    evening.board.lift(square("e5"))
    for each in ("c2", "d2"):
        evening.board.place(evening.board.lift(square(each)), square(f"{each[0]}6"))
    evening.show()
    evening.wait(1.5)
    assert evening.told(BoardDiffers)
    for each in ("c2", "d2"):
        evening.board.place(evening.board.lift(square(f"{each[0]}6")), square(each))
        evening.show()
        evening.wait(0.5)
    evening.stand(RED, square("e4"))
    evening.wait()
    assert evening.told(ChooseExplanation)[-1].courses == ("taken-back",)
    assert TakeBack() not in evening.actions


def test_a_piece_that_was_held_for_long_is_asked_about_not_attacked() -> None:
    """The piece may be on top of another one, which no sensor detects; Blue looks at e6."""
    evening = clash()
    evening.lift("e5")
    evening.wait(3)
    looked = evening.lift("e6")
    evening.wait(0.8)
    evening.place(looked, "e6")
    evening.wait()
    assert evening.table.referee.phase is Phase.PLAY
    evening.lift("e6")
    evening.wait()
    assert evening.told(ConfirmAttack)


def test_a_move_left_over_after_a_bump_counts() -> None:
    """Ten pieces fall while Red moves e4-e5; all but the moved piece are put back."""
    evening = TableDriver.begun()
    knocked = ["b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "k1", "k2"]
    for each in knocked:
        evening.board.lift(square(each))
    evening.show()
    evening.wait(1)
    evening.board.place(evening.board.lift(square("e4")), square("e5"))
    for each in knocked:
        evening.stand(RED, square(each))
        evening.show()
        evening.wait(0.3)
    evening.wait()
    assert in_force(evening) == ["e4-e5"]
    evening.play("a7-a6")


def test_who_is_moved_during_a_combat_of_others_was_put_back() -> None:
    """a2 and b3 are lifted, and one is set on a5.

    Then the other is put back, and e6 is attacked.
    """
    evening = clash()
    looked, moved = evening.lift("b4"), evening.lift("a4")
    evening.wait(0.4)
    evening.place(moved, "a5")
    evening.wait(0.2)
    blue = evening.lift("e6")
    evening.wait(0.4)
    evening.lift("e5")
    evening.place(blue, "e5")
    evening.wait(0.2)
    evening.place(looked, "b4")
    evening.wait()
    assert in_force(evening)[-2:] == ["a4-a5", "e6xe5"]


class TestATurnIsNotOver:
    """The piece was over a square for a moment, and is in the hand again before the answer."""

    def test_whose_target_is_shoved_aside(self) -> None:
        """e5 was over f5; then Red shoves e6 to e7 and sets e5 down on e6."""
        evening = clash()
        red = evening.lift("e5")
        evening.wait(1)
        hover(evening, red, "f5", 0.2)
        evening.wait(0.38)
        blue = evening.lift("e6")
        evening.place(blue, "e7")
        evening.place(red, "e6")
        evening.wait(1)
        opened = evening.table.referee.open_attack
        assert opened
        assert (opened.source, opened.target) == (square("e5"), square("e6"))

    def test_when_both_hands_hover(self) -> None:
        """Both pieces hover over another square of their column, then return to the one before."""
        evening = TableDriver.begun()
        red = evening.lift("e4")
        evening.wait(0.2)
        hover(evening, red, "e6", 0.14)
        blue = evening.lift("b7")
        evening.wait(0.22)
        hover(evening, blue, "b6", 0.2)
        evening.wait(0.12)
        evening.place(red, "e5")
        evening.wait(1.2)
        evening.place(blue, "b6")
        evening.wait()
        assert in_force(evening) == ["e4-e5", "b7-b6"]
        assert not complaints(evening)

    def test_when_the_answer_was_lifted_early(self) -> None:
        """Blue's b7 hovers over b6 repeatedly; Red finally goes from f5 to e6."""
        evening = TableDriver.begun()
        evening.play("e4-e5 a7-a6")
        blue = evening.lift("b7")
        evening.wait(1)
        red = evening.lift("e5")
        evening.wait(0.3)
        hover(evening, red, "f5", 0.18)
        for pause in (0.16, 0.26, 0.3):
            evening.wait(pause)
            hover(evening, blue, "b6", 0.04)
        evening.wait(0.2)
        evening.place(red, "f5")
        evening.wait(0.78)
        evening.lift("f5")
        evening.wait(0.56)
        evening.place(red, "e6")
        evening.wait(0.04)
        evening.place(blue, "b6")
        evening.wait()
        assert in_force(evening)[-2:] == ["e5-e6", "b7-b6"]
        assert not complaints(evening)

    @pytest.mark.parametrize("pause", [0.45, 0.7, 0.95])
    def test_when_a_run_goes_on_while_the_other_side_holds_a_piece(self, pause: float) -> None:
        evening = TableDriver.begun()
        slide(evening, "a4", "a5")
        evening.wait(0.2)
        blue = evening.lift("b7")
        evening.wait(pause)
        slide(evening, "a5", "a6")
        evening.wait(1.8)
        evening.place(blue, "b6")
        evening.wait()
        assert in_force(evening) == ["a4-a6", "b7-b6"]
        assert not complaints(evening)

    def test_when_it_is_put_back_on_the_square_where_it_was_seen(self) -> None:
        """Before that the piece was over an illegal square; after it, the piece attacks."""
        evening = clash()
        red = evening.lift("e5")
        evening.wait(1)
        hover(evening, red, "f5", 0.2)
        evening.wait(0.1)
        hover(evening, red, "k6", 0.22)
        evening.wait(1)
        evening.place(red, "f5")
        evening.wait(0.7)
        evening.lift("f5")
        evening.wait(0.5)
        evening.lift("a7")
        evening.wait(0.1)
        evening.lift("e6")
        evening.place(red, "e6")
        evening.wait(1)
        opened = evening.table.referee.open_attack
        assert opened
        assert (opened.source, opened.target) == (square("e5"), square("e6"))


def test_a_scout_that_stops_before_its_target_is_asked_about_while_another_is_looked_at() -> None:
    """The scout may still attack a7 or be attacked by it; a red piece was on a6 for a moment."""
    evening = TableDriver.begun()
    red = evening.lift("a4")
    evening.wait(3)
    looked = evening.lift("d1")
    evening.wait(0.6)
    evening.place(red, "a6")
    evening.wait(0.4)
    evening.lift("a7")
    evening.wait(0.7)
    evening.lift("a6")
    evening.wait(0.7)
    evening.place(looked, "d1")
    evening.wait()
    assert evening.told(ChooseAttacker)


def test_a_hand_that_passes_over_a_tipped_piece_does_not_attack_it() -> None:
    evening = clash()
    red = evening.lift("e5")
    evening.wait(1)
    blue = evening.lift("e6")
    evening.wait(0.06)
    hover(evening, red, "e6", 0.2)
    evening.place(blue, "e6")
    evening.wait(0.3)
    evening.place(red, "f5")
    evening.wait()
    assert not evening.told(AttackOpened)
    assert in_force(evening)[-1] == "e5-f5"


@pytest.mark.parametrize(
    ("moves", "stands", "ended"), [("e4-e5", "e6", "e4-e6"), ("e4-e5 a7-a6 e5-f5", "e6", "e5-e6")]
)
def test_a_move_that_ended_elsewhere_during_a_bump_is_asked_about(
    moves: str, stands: str, ended: str
) -> None:
    """Red's piece moved on while ten pieces fell. They are put back, and the moved piece stays."""
    evening = TableDriver.begun()
    evening.play(moves)
    knocked = ["b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "k1", "k2"]
    evening.board.place(evening.board.lift(square(moves[-2:])), square(stands))
    for each in knocked:
        evening.board.lift(square(each))
    evening.show()
    evening.wait(1)
    for each in knocked:
        evening.stand(RED, square(each))
        evening.show()
        evening.wait(0.3)
    evening.wait()
    assert evening.told(ChooseExplanation)[-1].courses == (ended,)
    evening.submit(ExplanationChosen(evening.now, 0))
    assert in_force(evening)[-1] == ended


def test_without_colours_a_piece_on_a_wrong_square_is_no_turn_after_a_bump() -> None:
    evening = TableDriver.begun(BoardKind.PRESENCE)
    evening.play("e4-e5")
    knocked = ["b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "k1", "k2"]
    for each in knocked:
        evening.board.lift(square(each))
    for source, target in ("a7", "a6"), ("e5", "e4"):
        evening.board.place(evening.board.lift(square(source)), square(target))
    evening.show()
    evening.wait(1)
    for each in knocked:
        evening.stand(RED, square(each))
        evening.show()
        evening.wait(0.3)
    evening.wait()
    assert in_force(evening) == ["e4-e5"]


def test_without_colours_the_piece_set_down_last_may_be_one_of_two_that_fight() -> None:
    """Red's e5 has attacked e6, which its owner lifted first, while Blue looks at f5."""
    evening = TableDriver.begun(BoardKind.PRESENCE)
    evening.play("e4-e5 f7-f6 a4-a5 f6-f5 a5-a6 e7-e6")
    evening.forget()
    evening.lift("e6")
    evening.wait(2)
    red = evening.lift("e5")
    evening.wait(0.5)
    looked = evening.lift("f5")
    evening.wait(0.2)
    evening.place(red, "e6")
    evening.wait(0.7)
    assert not evening.told(AttackOpened)
    evening.place(looked, "f5")
    evening.wait()


def test_a_first_turn_that_is_explained_anew_does_not_stop_the_table() -> None:
    """Both turns may still be amended when the first one turns out to have been a push."""
    evening = TableDriver.begun()
    red = evening.lift("e4")
    evening.wait(0.2)
    evening.place(red, "e5")
    evening.wait(0.14)
    evening.move("a7", "a6", settle=0.14)
    turns = evening.table._turns
    assert len(turns._ruled) == 2
    turns._ruled[0] = replace(turns._ruled[0], may_be_pushed=True)
    evening.wait()
    assert in_force(evening) == ["e4-e5", "a7-a6"]
    evening.play("e5-e6")
