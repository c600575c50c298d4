"""Tests for a board on a real pseudo-terminal with the real link."""

from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from companion.core import inputs
from companion.devices.live_board import MEMORY, LiveBoard
from engine.board.geometry import Side
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, LinkErrorKind, MessageReceived, reader
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import BoardKind, Hello, ResetCause, State
from tests.campaigns import RARE
from tests.timeouts import LONG


def poll_until(
    board: LiveBoard, wanted: Callable[[list[inputs.Input]], object]
) -> list[inputs.Input]:
    """Poll a board until its inputs satisfy `wanted`. Return the inputs."""
    came = Event()
    enqueue = board._enqueue

    def enqueue_and_wake(*events: object) -> None:
        enqueue(*events)  # type: ignore[arg-type]
        came.set()

    board._link._on_event = enqueue_and_wake
    found = board.poll()
    while not wanted(found):
        came.wait()
        came.clear()
        found += board.poll()
    return found


def kinds(found: list[inputs.Input]) -> list[type[inputs.Input]]:
    return [type(each) for each in found]


def test_simulated_board_is_found() -> None:
    simulated_board = SimulatedBoard()
    simulated_board.stand(Side.RED, 34)
    with LiveBoard(simulated=simulated_board) as board:
        found = poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
        assert board.error is None
    assert isinstance(found[0], inputs.BoardFound)
    assert found[0].sees_colours
    assert isinstance(found[1], inputs.BoardSeen)
    assert found[1].image == Image(red=1 << 34)
    assert found[0].at <= found[1].at


def test_presence_board_is_reported() -> None:
    with LiveBoard(simulated=SimulatedBoard(BoardKind.PRESENCE)) as board:
        [first, *_] = poll_until(board, bool)
    assert isinstance(first, inputs.BoardFound)
    assert not first.sees_colours


def frames(found: list[inputs.Input]) -> list[inputs.BoardSeen]:
    return [each for each in found if isinstance(each, inputs.BoardSeen)]


def test_change_time_between_two_frames() -> None:
    simulated_board = SimulatedBoard()
    with LiveBoard(simulated=simulated_board) as board:
        poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
        simulated_board.stand(Side.BLUE, 99, magnet=0.19)
        found = poll_until(board, lambda found: sum(each.faint > 0 for each in frames(found)) > 5)
    timed = [each for each in frames(found) if each.moments]
    assert [each.image for each in timed] == [Image(blue=1 << 99)]
    [(where, moment)] = timed[0].moments
    assert where == 99
    assert timed[0].at - 0.02 <= moment <= timed[0].at
    assert {each.faint for each in frames(found) if each.image.blue} == {1 << 99}


def test_delayed_frame_gets_its_time(tmp_path: Path) -> None:
    now = 100.0
    with LiveBoard(str(tmp_path / "none"), clock=lambda: now) as board:
        board._link.stop()
        board.poll()
        for at_ms, heard in [(20, 100.0), (40, 100.02), (60, 100.31), (80, 100.32), (100, 100.33)]:
            now = heard
            board._enqueue(MessageReceived(State(at_ms, Image())))
        found = frames(board.poll())
    assert [each.at for each in found] == pytest.approx([100.0, 100.02, 100.04, 100.06, 100.08])


def test_missing_board_is_an_error(tmp_path: Path) -> None:
    with LiveBoard(str(tmp_path / "none")) as board:
        poll_until(board, lambda _: board.error)
        assert board.error
        assert board.error.kind is LinkErrorKind.NO_SUCH_PORT
        assert board.poll() == []


def test_board_port_is_remembered(tmp_path: Path) -> None:
    memory = tmp_path / MEMORY
    with SimulatedPort(SimulatedBoard(), tmp_path) as one, SimulatedPort(SimulatedBoard()) as two:
        one.run()
        two.run()
        first, second = str(one.path), str(two.path)
        for ports in ([first, second], [second, first]):
            with LiveBoard(memory=memory, find=partial(list, ports)) as board:
                poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
                assert board.connected
                assert (board.connected.port, board.connected.others) == (first, (second,))
            assert memory.read_text(encoding="utf-8") == f"{first}\n"


def test_lost_and_found_again(tmp_path: Path) -> None:
    with SimulatedPort(SimulatedBoard(), tmp_path) as port:
        port.run()
        with LiveBoard(str(port.path)) as board:
            poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
            port.unplug()
            lost = poll_until(board, lambda found: inputs.BoardLost in kinds(found))
            assert [each for each in kinds(lost) if each is not inputs.BoardSeen] == [
                inputs.BoardLost
            ]
            assert board.error
            assert board.error.kind is LinkErrorKind.UNPLUGGED
            port.replug()
            again = poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
            assert kinds(again)[:2] == [inputs.BoardFound, inputs.BoardSeen]
            assert board.error is None


def test_silent_simulated_board_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    # On this clock, more than a day passes between two reads.
    busy = SimpleNamespace(monotonic=partial(next, count(step=2 * LONG)))
    monkeypatch.setattr(reader, "time", busy)
    with LiveBoard(simulated=SimulatedBoard()) as board:
        found = poll_until(board, lambda came: len(frames(came)) >= 20 or board.error)
        assert inputs.BoardLost not in kinds(found)
        assert board.error is None


@RARE
def test_unplugged_simulated_board() -> None:
    with LiveBoard(simulated=SimulatedBoard()) as board:
        poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
        assert board.simulated_port
        board.simulated_port.unplug()
        poll_until(board, lambda found: inputs.BoardLost in kinds(found))
        assert board.error
        assert board.error.kind is LinkErrorKind.UNPLUGGED
        board.simulated_port.replug()
        poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
        assert board.error is None


@pytest.mark.parametrize("simulated", [True, False])
def test_only_a_simulated_board_has_hands(simulated: bool, tmp_path: Path) -> None:
    simulated_board = SimulatedBoard() if simulated else None
    port = None if simulated else str(tmp_path / "none")
    with LiveBoard(port, simulated=simulated_board) as board:
        assert board.simulated is simulated_board


def test_wait_ends_with_a_change() -> None:
    simulated_board = SimulatedBoard()
    with LiveBoard(simulated=simulated_board) as board:
        poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
        simulated_board.stand(Side.RED, 34)
        seen: list[inputs.Input] = []
        while not any(isinstance(each, inputs.BoardSeen) and each.image.red for each in seen):
            board.wait(LONG)
            seen += board.poll()


def test_wait_continues_without_a_change() -> None:
    with LiveBoard(simulated=SimulatedBoard()) as board:
        poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
        received: list[inputs.Input] = []
        while len(received) < 10:
            assert not board._wake_up.is_there
            received += board.poll()
        assert {type(each) for each in received} == {inputs.BoardSeen}


def test_board_faults_reach_the_table() -> None:
    simulated_board = SimulatedBoard()
    simulated_board.set_stuck(34, 0)
    simulated_board.supply_mv = 4600
    with LiveBoard(simulated=simulated_board) as board:
        found = poll_until(board, lambda found: kinds(found).count(inputs.BoardFaultReported) >= 4)
    squares = {each.square for each in found if isinstance(each, inputs.BoardFaultReported)}
    assert squares == {34, None}


@RARE
def test_drift_is_no_fault_in_a_game() -> None:
    """A square whose sensor has drifted is still read correctly."""
    simulated_board = SimulatedBoard()
    simulated_board.set_drift(34, 50)
    simulated_board.set_stuck(35, 1023)
    with LiveBoard(simulated=simulated_board) as board:
        found = poll_until(board, lambda found: kinds(found).count(inputs.BoardFaultReported) >= 2)
    assert {each.square for each in found if isinstance(each, inputs.BoardFaultReported)} == {35}


def test_flood_of_hello_is_one_board(tmp_path: Path) -> None:
    """HELLO messages arrive at one megabyte per second.

    Reporting every message would block the table.
    """
    hello = Hello((0, 1, 0), BoardKind.COLOURS, ResetCause.POWER_ON, 0)
    with LiveBoard(str(tmp_path / "none")) as board:
        board._link.stop()
        board.poll()
        for _ in range(50_000):
            board._enqueue(Connected("port", hello))
        board._enqueue(MessageReceived(State(0, Image(1, 0))))
        board._enqueue(Connected("port", hello))
        found = board.poll()
    assert kinds(found) == [inputs.BoardFound, inputs.BoardSeen, inputs.BoardFound], (
        "the board is found again only after a state"
    )


def test_piece_between_squares_is_located() -> None:
    """The clock runs so fast that the board is queried continuously."""
    simulated_board, now = SimulatedBoard(), count()
    piece = simulated_board.stand(Side.RED, 34)
    with LiveBoard(simulated=simulated_board, clock=lambda: 10.0 * next(now)) as board:
        poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
        seeks = False

        def feels(found: list[inputs.Input]) -> bool:
            board.set_field_polling(seeks=seeks)
            return inputs.PieceLocated in kinds(found) or (not seeks and len(frames(found)) > 20)

        assert inputs.PieceLocated not in kinds(poll_until(board, feels))
        simulated_board.lift(34)
        simulated_board.astray = piece.side, 4.3, 5.0
        seeks = True
        found = poll_until(board, feels)
    [felt] = [each for each in found if isinstance(each, inputs.PieceLocated)]
    assert felt.blue is None
    assert felt.red
    assert (felt.red.column, felt.red.row) == pytest.approx((4.3, 5.0), abs=0.1)


@pytest.mark.parametrize("simulated_board", [SimulatedBoard(BoardKind.PRESENCE), SimulatedBoard()])
def test_boards_without_field_readings(simulated_board: SimulatedBoard) -> None:
    simulated_board.erase()
    with LiveBoard(simulated=simulated_board) as board:
        poll_until(board, lambda found: inputs.BoardSeen in kinds(found))
        assert not board._inputs.can_feel
