"""The board in real time: a real link on a real pseudo-terminal, as inputs for the table."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from companion.devices.live_board import LiveBoard
from companion.table.inputs import BoardFound, BoardLost, BoardSeen, Input
from engine.sides import Side
from firmware_bridge.image import Image
from firmware_bridge.link import TroubleKind
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.port import VirtualPort
from firmware_bridge.wire import BoardKind


def poll_until(board: LiveBoard, wanted: Callable[[list[Input]], object]) -> list[Input]:
    """Gather what comes in until something is in it."""
    came = Event()
    note = board._note

    def note_and_wake(*told: object) -> None:
        note(*told)  # type: ignore[arg-type]
        came.set()

    board._link._on_event = note_and_wake
    found = board.poll()
    while not wanted(found):
        came.wait()
        came.clear()
        found += board.poll()
    return found


def kinds(found: list[Input]) -> list[type[Input]]:
    return [type(each) for each in found]


def test_a_simulated_board_is_found_and_seen() -> None:
    virtual = VirtualBoard()
    virtual.stand(Side.RED, 34)
    with LiveBoard(simulated=virtual) as board:
        found = poll_until(board, lambda found: BoardSeen in kinds(found))
        assert board.trouble is None
    assert isinstance(found[0], BoardFound)
    assert found[0].sees_colours
    assert isinstance(found[1], BoardSeen)
    assert found[1].image == Image(red=1 << 34)
    assert found[0].at <= found[1].at


def test_a_board_of_presence_sensors_says_so() -> None:
    with LiveBoard(simulated=VirtualBoard(BoardKind.PRESENCE)) as board:
        [first, *_] = poll_until(board, bool)
    assert isinstance(first, BoardFound)
    assert not first.sees_colours


def test_the_same_image_comes_only_once() -> None:
    virtual = VirtualBoard()
    with LiveBoard(simulated=virtual) as board:
        found = poll_until(board, lambda found: BoardSeen in kinds(found))
        virtual.stand(Side.BLUE, 99)
        found += poll_until(board, lambda found: BoardSeen in kinds(found))
    images = [each.image for each in found if isinstance(each, BoardSeen)]
    assert images == [Image(), Image(blue=1 << 99)]


def test_no_board_is_a_trouble_but_none_was_lost(tmp_path: Path) -> None:
    with LiveBoard(str(tmp_path / "none")) as board:
        poll_until(board, lambda _: board.trouble)
        assert board.trouble
        assert board.trouble.kind is TroubleKind.NO_SUCH_PORT
        assert board.poll() == []


def test_lost_and_found_again(tmp_path: Path) -> None:
    with VirtualPort(VirtualBoard(), tmp_path) as port:
        port.run()
        with LiveBoard(str(port.path)) as board:
            poll_until(board, lambda found: BoardSeen in kinds(found))
            port.unplug()
            lost = poll_until(board, lambda found: BoardLost in kinds(found))
            assert kinds(lost) == [BoardLost]
            assert board.trouble
            assert board.trouble.kind is TroubleKind.UNPLUGGED
            port.replug()
            again = poll_until(board, lambda found: BoardSeen in kinds(found))
            assert kinds(again) == [BoardFound, BoardSeen]
            assert board.trouble is None


@pytest.mark.parametrize("simulated", [True, False])
def test_only_a_simulated_board_has_pieces_to_move(simulated: bool, tmp_path: Path) -> None:
    virtual = VirtualBoard() if simulated else None
    port = None if simulated else str(tmp_path / "none")
    with LiveBoard(port, simulated=virtual) as board:
        assert board.virtual is virtual
