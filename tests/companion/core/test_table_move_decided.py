"""A move by the program for its own side, which a person makes on the board."""

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
    """Red has moved, and the program has decided on a move for Blue."""
    evening = TableDriver().begun()
    evening.play("e4-e5")
    evening.forget()
    evening.submit(MoveDecided(evening.now, square(source), square(target)))
    return evening


def test_the_move_counts_at_once() -> None:
    evening = decided()
    assert evening.told(Moved)
    assert evening.told(MoveDue) == [MoveDue(BLUE, *map(square, DECIDED))]
    assert evening.actions[-1] == Move(*DECIDED)
    state = evening.table.state
    assert isinstance(state, MovePending)
    assert (state.difference.surplus, state.difference.missing) == (1 << 60, 1 << 50)
    assert state.is_plain


def test_the_turn_begins_when_the_board_shows_the_move() -> None:
    evening = decided()
    evening.wait(30)
    assert not evening.told(TurnBegan)
    assert not evening.told(CleanupRequired), "the screen shows it already"
    evening.move(*DECIDED)
    assert evening.table.state == ToMove()
    assert evening.told(TurnBegan) == [TurnBegan(RED)]
    assert not evening.told(Restored)
    evening.play("e5-e6")


def test_a_piece_on_another_square_is_guided_back() -> None:
    evening = decided()
    piece = evening.lift("a7")
    evening.place(piece, "b6")
    evening.wait()
    state = evening.table.state
    assert isinstance(state, MovePending)
    assert not state.is_plain
    assert state.difference.surplus == set_of([square("b6")])
    assert evening.told(CleanupRequired)
    evening.move("b6", "a6")
    assert evening.table.state == ToMove()
    assert evening.table.view.plies == 2


def test_another_piece_is_guided_back() -> None:
    evening = decided()
    evening.move("b7", "b6")
    assert isinstance(evening.table.state, MovePending)
    evening.move(*DECIDED)
    assert isinstance(evening.table.state, WrongMove)
    evening.move("b6", "b7")
    assert evening.table.state == ToMove()
    assert evening.table.view.plies == 2


def test_the_next_turn_may_begin_early() -> None:
    evening = decided()
    mine = evening.lift("e5")
    blank = evening.lift("a7")
    evening.place(blank, "a6")
    evening.wait()
    evening.place(mine, "e6")
    evening.wait()
    assert evening.table.view.plies == 3
    assert not evening.told(BoardDiffers)


@pytest.mark.parametrize(
    ("source", "target"), [("a7", "a7"), ("a7", "b5"), ("a6", "a5"), ("e5", "e6"), ("k10", "k9")]
)
def test_what_the_rules_forbid_is_not_done(source: str, target: str) -> None:
    evening = decided(source, target)
    assert evening.table.view.plies == 1
    assert evening.table.state == ToMove()


def test_nothing_is_decided_while_the_board_differs_or_the_game_is_paused() -> None:
    evening = TableDriver().begun()
    evening.play("e4-e5")
    evening.say(Pause())
    evening.lift("b7")
    evening.wait()
    evening.submit(MoveDecided(evening.now, *map(square, DECIDED)))
    evening.say(Resume())
    assert evening.table.view.plies == 1
    evening.submit(MoveDecided(evening.now, *map(square, DECIDED)))
    assert evening.table.view.plies == 1, "the board has to be restored first"


def test_a_take_back_ends_it() -> None:
    evening = decided()
    evening.take_back()
    evening.wait()
    assert evening.table.view.plies == 1
    assert isinstance(evening.table.state, ToMove | Restoring)
    evening.wait()
    assert evening.table.state == ToMove()


def test_a_power_cut_keeps_it() -> None:
    evening = decided()
    assert evening.table.saved.move_pending
    again = evening.replugged()
    assert isinstance(again.table.state, MovePending)
    assert again.table.state.move == Move(*DECIDED)
    again.wait()
    assert isinstance(again.table.state, MovePending)
    again.move(*DECIDED)
    assert not again.table.saved.move_pending


def test_a_trace_reads_it_back() -> None:
    given = MoveDecided(1.5, *map(square, DECIDED))
    public = encode_input(given, Image())
    assert write_secret(given) == {}
    assert read_given(public, Image(), {}) == given
