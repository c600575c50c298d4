"""A turn is recognized even if other pieces are looked at, pushed or knocked over."""

from itertools import cycle
from typing import Final

import pytest

from companion.core import events
from companion.core.events import BoardDiffers, Restored
from companion.core.inputs import ExplanationChosen, PiecesAwaited
from companion.core.state import Disturbed, ToMove, WrongMove
from companion.recorder.input_codec import encode_input, read_given
from engine.board.geometry import Side, set_of, square
from engine.board.ranks import Rank
from engine.game.actions import TakeBack
from engine.game.game_state import Phase
from engine.game.rulings import AttackOpened
from firmware_bridge.image import Image
from firmware_bridge.wire import BoardKind
from tests.companion.core.gestures import complaints, in_force, slide
from tests.companion.core.table_driver import TableDriver, clash

RED, BLUE = Side.RED, Side.BLUE
KNOCKED: Final = ("b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "k1", "k2")
"""Red pieces that a bump knocks over."""


def knock_over(driver: TableDriver) -> None:
    """Lift all pieces in `KNOCKED` at once. The test itself must show the image."""
    for each in KNOCKED:
        driver.board.lift(square(each))


def put_back(driver: TableDriver) -> None:
    """Put the pieces in `KNOCKED` back, one after the other."""
    for each in KNOCKED:
        driver.stand(RED, square(each))
        driver.show()
        driver.wait(0.3)


class TestLooksAndCombats:
    def test_laid_aside_loser_is_no_turn(self) -> None:
        """Red lifts f4 and puts the loser on f5 before Blue's winner is set down."""
        driver = clash()
        red, blue = driver.lift("e5"), driver.lift("e6")
        driver.wait(0.5)
        driver.declare(RED, Rank.CAPTAIN)
        driver.declare(BLUE, Rank.MAJOR)
        driver.wait(0.5)
        looked = driver.lift("f4")
        driver.wait(0.3)
        driver.place(red, "f5")
        driver.wait(0.6)
        driver.place(blue, "e6")
        driver.wait(0.7)
        assert driver.table.referee.to_move is BLUE
        driver.place(looked, "f4")
        driver.wait(1)
        driver.lift("f5")
        driver.play("a7-a6")
        assert in_force(driver)[-1] == "a7-a6"
        assert not complaints(driver)

    def test_look_beside_a_pushed_piece(self) -> None:
        """The attacker from e5 has pushed the piece on e6 to f6, and stands on e6."""
        driver = clash()
        piece = driver.lift("e5")
        driver.wait(0.5)
        driver.board.place(driver.board.lift(square("e6")), square("f6"))
        driver.board.place(piece, square("e6"))
        driver.show()
        driver.wait(1)
        assert driver.table.referee.phase is Phase.ATTACK
        looked = driver.lift("k10")
        driver.wait(2)
        driver.place(looked, "k10")
        driver.wait()
        assert not complaints(driver)


def test_magnets_at_the_edge_hide_nothing() -> None:
    """Whenever a player looks at a piece, a magnetic box makes k5 flicker.

    Later, e5 attacks e6 while h2 is lifted.
    """
    driver = clash()
    for where in ("a1", "b3", "h3", "a1", "b3", "h3", "a1", "b3"):
        looked = driver.lift(where)
        driver.wait(0.4)
        driver.stand(BLUE, square("k5"))
        driver.show()
        driver.wait(0.1)
        driver.lift("k5")
        driver.wait(0.4)
        driver.place(looked, where)
        driver.wait(1.6)
    driver.lift("h2")
    driver.wait(0.3)
    piece = driver.lift("e5")
    driver.wait(0.4)
    driver.lift("e6")
    driver.place(piece, "e6")
    driver.wait()
    assert in_force(driver)[-1] == "e5xe6"
    assert not complaints(driver)
    assert driver.board.at(square("h2")) is None


def test_old_changes_are_forgotten_on_a_correct_board() -> None:
    driver = TableDriver.begun()
    for where in cycle(("a1", "b3", "h3", "d2")):
        driver.place(driver.lift(where), where)
        driver.wait(0.3)
        if driver.now > 20:
            break
    driver.wait()
    (explanation,) = driver.table.explanations
    assert not explanation.hypothesis.carries
    assert not explanation.hypothesis.penalty


def test_reply_confirms_a_possible_slide() -> None:
    """Red slides e4 while looking at c3, then puts c3 back, and Blue replies."""
    driver = TableDriver.begun()
    looked = driver.lift("c3")
    driver.wait(0.5)
    slide(driver, "e4", "e5")
    driver.wait(0.3)
    driver.place(looked, "c3")
    driver.wait(0.3)
    driver.move("a7", "a6")
    assert in_force(driver) == ["e4-e5", "a7-a6"]
    assert not complaints(driver)


def test_move_undone_by_a_disturbance_is_asked_about() -> None:
    """Red's move e4-e5 is followed by a bump. The moved piece is put back on e4."""
    driver = TableDriver.begun()
    driver.play("e4-e5")
    driver.board.lift(square("e5"))
    for each in ("c2", "d2"):
        driver.board.place(driver.board.lift(square(each)), square(f"{each[0]}6"))
    driver.show()
    driver.wait(1.5)
    assert driver.emitted(events.BoardDiffers)
    for each in ("c2", "d2"):
        driver.board.place(driver.board.lift(square(f"{each[0]}6")), square(each))
        driver.show()
        driver.wait(0.5)
    driver.stand(RED, square("e4"))
    driver.wait()
    assert driver.emitted(events.ChooseExplanation)[-1].courses == ("taken-back",)
    assert TakeBack() not in driver.actions


def test_move_after_a_bump_counts() -> None:
    """Ten pieces fall over during Red's move e4-e5 and are put back."""
    driver = TableDriver.begun()
    knock_over(driver)
    driver.show()
    driver.wait(1)
    driver.board.place(driver.board.lift(square("e4")), square("e5"))
    put_back(driver)
    driver.wait()
    assert in_force(driver) == ["e4-e5"]
    driver.play("a7-a6")


def test_piece_moved_during_a_combat_is_put_back() -> None:
    """a4 and b4 are lifted, and a4 is set down on a5. Then e6 attacks e5, and b4 is put back."""
    driver = clash()
    looked, moved = driver.lift("b4"), driver.lift("a4")
    driver.wait(0.4)
    driver.place(moved, "a5")
    driver.wait(0.2)
    blue = driver.lift("e6")
    driver.wait(0.4)
    driver.lift("e5")
    driver.place(blue, "e5")
    driver.wait(0.2)
    driver.place(looked, "b4")
    driver.wait()
    assert in_force(driver)[-2:] == ["a4-a5", "e6xe5"]


def test_scout_before_its_target_during_a_look() -> None:
    """A red piece has been detected on a6. It may be a scout that attacks a7 or is attacked."""
    driver = TableDriver.begun()
    red = driver.lift("a4")
    driver.wait(3)
    looked = driver.lift("d1")
    driver.wait(0.6)
    driver.place(red, "a6")
    driver.wait(0.4)
    driver.lift("a7")
    driver.wait(0.7)
    driver.lift("a6")
    driver.wait(0.7)
    driver.place(looked, "d1")
    driver.wait()
    assert driver.emitted(events.ChooseAttacker)


@pytest.mark.parametrize(
    ("moves", "stands", "ended"), [("e4-e5", "e6", "e4-e6"), ("e4-e5 a7-a6 e5-f5", "e6", "e5-e6")]
)
def test_move_ended_during_a_bump_is_asked_about(moves: str, stands: str, ended: str) -> None:
    """Red continues its move while ten pieces fall over. Only these ten pieces are put back."""
    driver = TableDriver.begun()
    driver.play(moves)
    driver.board.place(driver.board.lift(square(moves[-2:])), square(stands))
    knock_over(driver)
    driver.show()
    driver.wait(1)
    put_back(driver)
    driver.wait()
    assert driver.emitted(events.ChooseExplanation)[-1].courses == (ended,)
    driver.submit(ExplanationChosen(driver.now, 0))
    assert in_force(driver)[-1] == ended


def test_wrong_square_after_a_bump_without_colours() -> None:
    driver = TableDriver.begun(BoardKind.PRESENCE)
    driver.play("e4-e5")
    knock_over(driver)
    for source, target in ("a7", "a6"), ("e5", "e4"):
        driver.board.place(driver.board.lift(square(source)), square(target))
    driver.show()
    driver.wait(1)
    put_back(driver)
    driver.wait()
    assert in_force(driver) == ["e4-e5"]


def test_last_placed_piece_may_be_a_fighter_without_colours() -> None:
    """Blue lifts e6, and Red's e5 attacks it. Meanwhile, Blue looks at f5."""
    driver = TableDriver.begun(BoardKind.PRESENCE)
    driver.play("e4-e5 f7-f6 a4-a5 f6-f5 a5-a6 e7-e6")
    driver.forget()
    driver.lift("e6")
    driver.wait(2)
    red = driver.lift("e5")
    driver.wait(0.5)
    looked = driver.lift("f5")
    driver.wait(0.2)
    driver.place(red, "e6")
    driver.wait(0.7)
    assert not driver.emitted(AttackOpened)
    driver.place(looked, "f5")
    driver.wait()


def test_awaited_piece_is_guided_back() -> None:
    """A lifted piece is a disturbance only while the game waits for it."""
    driver = TableDriver().begun()
    missing = set_of([square("b1")])
    piece = driver.lift("b1")
    driver.wait(60)
    assert isinstance(driver.table.state, ToMove)
    driver.submit(PiecesAwaited(driver.now, missing))
    driver.wait()
    assert isinstance(driver.table.state, Disturbed)
    assert driver.table.state.difference.missing == missing
    assert len(driver.emitted(BoardDiffers)) == 1
    driver.submit(PiecesAwaited(driver.now, 0))
    driver.wait()
    assert isinstance(driver.table.state, ToMove), "the piece is in a hand again"
    driver.submit(PiecesAwaited(driver.now, missing))
    driver.place(piece, "b1")
    driver.wait()
    assert driver.table.state == ToMove()
    assert driver.emitted(Restored)
    driver.play("e4-e5")


def test_awaited_piece_does_not_hide_a_violation() -> None:
    driver = TableDriver().begun()
    driver.lift("b1")
    driver.submit(PiecesAwaited(driver.now, set_of([square("b1")])))
    driver.submit(PiecesAwaited(driver.now, 0))
    driver.move("e4", "f5")
    assert isinstance(driver.table.state, WrongMove)
    driver.submit(PiecesAwaited(driver.now, set_of([square("b1")])))
    driver.wait()
    assert isinstance(driver.table.state, WrongMove)


def test_awaited_pieces_in_a_trace() -> None:
    given = PiecesAwaited(1.5, set_of([square("b1"), square("c1")]))
    public = encode_input(given, Image())
    assert public["awaits"] == ["b1", "c1"]
    assert read_given(public, Image(), {}) == given
