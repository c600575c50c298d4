"""A person makes the computer's moves on the board."""

import pytest

from companion.core.events import BoardDiffers, CleanupRequired, MoveDue, Restored, TurnBegan
from companion.core.inputs import MoveDecided, Pause, Resume
from companion.core.state import MovePending, Restoring, ToMove, WrongMove
from companion.recorder.input_codec import encode_input, read_given, write_secret
from engine.board.geometry import Side, set_of, square
from engine.game.actions import Move
from engine.game.rulings import Moved
from firmware_bridge.image import Image
from tests.companion.core.table_driver import TableDriver

RED, BLUE = Side
DECIDED = ("a7", "a6")


def decided(source: str = "a7", target: str = "a6") -> TableDriver:
    """Return a game in which Red has moved and the computer has chosen Blue's move."""
    driver = TableDriver().begun()
    driver.play("e4-e5")
    driver.forget()
    driver.submit(MoveDecided(driver.now, square(source), square(target)))
    return driver


def test_decided_move_counts_at_once() -> None:
    driver = decided()
    assert driver.emitted(Moved)
    assert driver.emitted(MoveDue) == [MoveDue(BLUE, *map(square, DECIDED))]
    assert driver.actions[-1] == Move(*DECIDED)
    state = driver.table.state
    assert isinstance(state, MovePending)
    assert (state.difference.surplus, state.difference.missing) == (1 << 60, 1 << 50)
    assert state.is_plain


def test_the_turn_begins_when_the_board_shows_the_move() -> None:
    driver = decided()
    driver.wait(30)
    assert not driver.emitted(TurnBegan)
    assert not driver.emitted(CleanupRequired), "the screen already shows the move"
    driver.move(*DECIDED)
    assert driver.table.state == ToMove()
    assert driver.emitted(TurnBegan) == [TurnBegan(RED)]
    assert not driver.emitted(Restored)
    driver.play("e5-e6")


def test_piece_on_a_wrong_square_is_guided_back() -> None:
    driver = decided()
    piece = driver.lift("a7")
    driver.place(piece, "b6")
    driver.wait()
    state = driver.table.state
    assert isinstance(state, MovePending)
    assert not state.is_plain
    assert state.difference.surplus == set_of([square("b6")])
    assert driver.emitted(CleanupRequired)
    driver.move("b6", "a6")
    assert driver.table.state == ToMove()
    assert driver.table.view.plies == 2


def test_wrong_piece_is_guided_back() -> None:
    driver = decided()
    driver.move("b7", "b6")
    assert isinstance(driver.table.state, MovePending)
    driver.move(*DECIDED)
    assert isinstance(driver.table.state, WrongMove)
    driver.move("b6", "b7")
    assert driver.table.state == ToMove()
    assert driver.table.view.plies == 2


def test_the_next_turn_may_begin_early() -> None:
    driver = decided()
    mine = driver.lift("e5")
    blank = driver.lift("a7")
    driver.place(blank, "a6")
    driver.wait()
    driver.place(mine, "e6")
    driver.wait()
    assert driver.table.view.plies == 3
    assert not driver.emitted(BoardDiffers)


@pytest.mark.parametrize(
    ("source", "target"), [("a7", "a7"), ("a7", "b5"), ("a6", "a5"), ("e5", "e6"), ("k10", "k9")]
)
def test_illegal_decided_move_is_refused(source: str, target: str) -> None:
    driver = decided(source, target)
    assert driver.table.view.plies == 1
    assert driver.table.state == ToMove()


def test_no_decided_move_on_a_wrong_or_paused_board() -> None:
    driver = TableDriver().begun()
    driver.play("e4-e5")
    driver.command(Pause())
    driver.lift("b7")
    driver.wait()
    driver.submit(MoveDecided(driver.now, *map(square, DECIDED)))
    driver.command(Resume())
    assert driver.table.view.plies == 1
    driver.submit(MoveDecided(driver.now, *map(square, DECIDED)))
    assert driver.table.view.plies == 1, "the board must be restored first"


def test_take_back_ends_the_decided_move() -> None:
    driver = decided()
    driver.take_back()
    driver.wait()
    assert driver.table.view.plies == 1
    assert isinstance(driver.table.state, ToMove | Restoring)
    driver.wait()
    assert driver.table.state == ToMove()


def test_decided_move_survives_a_power_cut() -> None:
    driver = decided()
    assert driver.table.saved.move_pending
    again = driver.replugged()
    assert isinstance(again.table.state, MovePending)
    assert again.table.state.move == Move(*DECIDED)
    again.wait()
    assert isinstance(again.table.state, MovePending)
    again.move(*DECIDED)
    assert not again.table.saved.move_pending


def test_decided_move_in_a_trace() -> None:
    given = MoveDecided(1.5, *map(square, DECIDED))
    public = encode_input(given, Image())
    assert write_secret(given) == {}
    assert read_given(public, Image(), {}) == given
