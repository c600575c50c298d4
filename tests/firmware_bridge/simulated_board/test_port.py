import os
import select
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from engine.board.geometry import Side, square, squares_in
from firmware_bridge import wire
from firmware_bridge.board_hardware import CHANNEL_OF
from firmware_bridge.image import Image
from firmware_bridge.simulated_board import port as port_module
from firmware_bridge.simulated_board.board import SimulatedBoard, inject
from firmware_bridge.simulated_board.port import SimulatedPort


class Host:
    """Host that uses plain operating system calls."""

    def __init__(self, path: Path) -> None:
        self.file = os.open(path, os.O_RDWR | os.O_NOCTTY)
        self.decoder = wire.Decoder(wire.FROM_BOARD)
        self.encoder = wire.Encoder()

    def ask(self) -> None:
        self.send(wire.Identify())

    def send(self, command: wire.HostCommand) -> None:
        os.write(self.file, self.encoder.encode(command))

    def read(self, messages: int) -> list[wire.BoardMessage | wire.BadFrame]:
        found: list[wire.BoardMessage | wire.BadFrame] = []
        while len(found) < messages:
            found += self.decoder.receive(os.read(self.file, 4096))
        return found

    def read_frames(self, frames: int) -> bytes:
        found = b""
        while found.count(wire.FRAME_END) < frames:
            found += os.read(self.file, 4096)
        return found

    def has_something_to_read(self) -> bool:
        return bool(select.select([self.file], [], [], 0)[0])

    def close(self) -> None:
        os.close(self.file)


@pytest.fixture
def host(port: SimulatedPort) -> Iterator[Host]:
    host = Host(port.path)
    yield host
    host.close()


def test_identify_is_answered_by_hello(port: SimulatedPort, host: Host) -> None:
    host.ask()
    host.ask()
    assert host.read(2) == [port.hello, port.hello]
    assert host.decoder.lost == 0


def test_hello_names_the_kind_of_board() -> None:
    with SimulatedPort(SimulatedBoard(wire.BoardKind.PRESENCE)) as port:
        assert port.hello.kind is wire.BoardKind.PRESENCE


def test_frame_every_20_ms_in_simulated_time(
    board: SimulatedBoard, port: SimulatedPort, host: Host
) -> None:
    assert port.advance(50) == 2
    board.stand(Side.RED, 0)
    assert port.advance(9) == 0
    assert port.advance(1) == 1
    assert host.read(3) == [
        wire.State(20, Image()),
        wire.State(40, Image()),
        wire.State(60, Image(red=1), ((0, 10),)),
    ]


def test_frames_contain_change_times(
    board: SimulatedBoard, port: SimulatedPort, host: Host
) -> None:
    e4 = board.stand(Side.RED, square("e4"))
    board.stand(Side.BLUE, square("e7"))
    port.advance(103)
    board.lift(square("e4"))
    port.advance(8)
    board.lift(square("e7"))
    port.advance(89)
    board.place(e4, square("e4"))
    port.advance(20)
    changes = {each.at_ms: each.changed for each in host.read(11) if isinstance(each, wire.State)}
    first, second = square("e4"), square("e7")
    assert changes[120] == ((first, 17), (second, 9))
    assert changes[140] == ((first, 37), (second, 29))
    assert changes[160] == ((first, 57), (second, 49))
    assert changes[180] == ((second, 69),)
    assert changes[200] == ()
    assert changes[220] == ((first, 20),)


def test_weak_magnet_is_faint(board: SimulatedBoard, port: SimulatedPort, host: Host) -> None:
    board.stand(Side.RED, square("e4"), magnet=0.19)
    board.stand(Side.BLUE, square("e7"), magnet=0.25)
    board.stand(Side.BLUE, square("k10"), magnet=0.15)
    port.advance(20)
    [state] = host.read(1)
    assert isinstance(state, wire.State)
    assert state.image == Image(red=1 << square("e4"), blue=1 << square("e7"))
    assert state.faint == 1 << square("e4") | 1 << square("k10")


def test_status_and_faults_every_second(
    board: SimulatedBoard, port: SimulatedPort, host: Host
) -> None:
    port.advance(1000)
    inject(board, "low-supply")
    inject(board, "stuck-low:e4")
    port.advance(1000)
    others = [message for message in host.read(104) if not isinstance(message, wire.State)]
    first, second, stuck, low = others
    assert (first, second) == (wire.Status(5000), wire.Status(4600))
    assert isinstance(stuck, wire.Fault)
    assert (stuck.code, stuck.square) == (wire.FaultCode.STUCK_CHANNEL, square("e4"))
    assert low == wire.Fault(wire.FaultCode.LOW_SUPPLY, None, 4600)


def test_raw_readings_by_multiplexer_and_channel(
    board: SimulatedBoard, port: SimulatedPort, host: Host
) -> None:
    board.stand(Side.RED, square("e4"))
    board.stand(Side.BLUE, square("k10"))
    host.send(wire.RequestRaw())
    raws = host.read(7)
    by_channel: list[int] = []
    for n, raw in enumerate(raws):
        assert isinstance(raw, wire.Raw)
        assert raw.multiplexer == n
        by_channel += raw.readings
    assert by_channel[CHANNEL_OF[square("e4")]] > 750
    assert by_channel[CHANNEL_OF[square("k10")]] < 250
    assert 480 < by_channel[CHANNEL_OF[square("a1")]] < 520


def test_learned_calibration_is_in_hello(
    board: SimulatedBoard, port: SimulatedPort, host: Host
) -> None:
    before = port.hello.calibration
    inject(board, "drift:c5")
    host.send(wire.Calibrate(wire.CalibrationStep.EMPTY))
    assert host.read(1) == [
        wire.CalibrationReply(wire.CalibrationStep.EMPTY, {wire.CalibrationResult.DONE: 0})
    ]
    for side in Side:
        for each in squares_in(side.home):
            board.stand(side, each)
    host.send(wire.Calibrate(wire.CalibrationStep.ARMIES))
    host.send(wire.Calibrate(wire.CalibrationStep.SAVE))
    assert host.read(2) == [
        wire.CalibrationReply(wire.CalibrationStep.ARMIES, {wire.CalibrationResult.DONE: 0}),
        wire.CalibrationReply(wire.CalibrationStep.SAVE, {wire.CalibrationResult.DONE: 0}),
    ]
    host.ask()
    assert host.read(1) == [port.hello]
    assert port.hello.calibration not in (0, before)
    port.restart(wire.ResetCause.EXTERNAL)
    assert port.hello.calibration not in (0, before)
    board.erase()
    assert port.hello.calibration == 0


def test_lamps_stay_lit_until_restart(
    board: SimulatedBoard, port: SimulatedPort, host: Host
) -> None:
    host.send(wire.Lamps(1 << square("e4")))
    host.ask()
    assert host.read(1) == [port.hello]
    assert board.lamps == 1 << square("e4")
    port.restart(wire.ResetCause.WATCHDOG)
    assert board.lamps == 0


def test_output_is_deterministic() -> None:
    recordings = []
    for _ in range(2):
        board = SimulatedBoard()
        with SimulatedPort(board) as port:
            host = Host(port.path)
            for n in range(10):
                board.stand(Side.BLUE, n)
                port.advance(30)
            recordings.append(host.read_frames(15))
            assert not host.has_something_to_read()
            host.close()
    assert recordings[0] == recordings[1]


def test_simulated_time_waits_for_a_slow_reader(port: SimulatedPort, host: Host) -> None:
    # Three thousand frames overflow the buffers of any terminal.
    advancing = Thread(target=port.advance, args=(60_000,))
    advancing.start()
    messages = host.read(3000 + 60)
    advancing.join()
    times = [message.at_ms for message in messages if isinstance(message, wire.State)]
    assert times == list(range(20, 60_001, 20))
    assert host.decoder.lost == 0


def test_slow_reader_has_a_timeout(
    port: SimulatedPort, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(port_module, "PATIENCE_SECONDS", 0.02)
    with pytest.raises(TimeoutError, match="no data was read"):
        port.advance(60_000)


def test_no_buffering_without_a_host(port: SimulatedPort) -> None:
    port.advance(60_000)
    host = Host(port.path)
    assert not host.has_something_to_read()
    port.advance(20)
    assert host.read(1) == [wire.State(60_020, Image())]
    host.close()


def test_frames_in_real_time(board: SimulatedBoard, port: SimulatedPort, host: Host) -> None:
    board.stand(Side.RED, 99)
    port.run()
    frames = host.read(5)
    first = frames[0]
    assert isinstance(first, wire.State)
    states = [
        each for each in frames if isinstance(each, wire.State)
    ]  # a slow PC reads several frames
    assert [(each.at_ms, each.image) for each in states] == [
        (first.at_ms + 20 * n, Image(red=1 << 99)) for n in range(len(states))
    ]
    host.ask()
    while port.hello not in host.read(1):
        pass
    with pytest.raises(RuntimeError, match="real time"):
        port.advance(20)
    with pytest.raises(RuntimeError, match="already sending frames"):
        port.run()


def test_unread_frames_are_dropped_in_real_time(port: SimulatedPort, host: Host) -> None:
    port.run()
    for _ in range(3000):
        port.restart(
            wire.ResetCause.EXTERNAL
        )  # sends one frame per call, faster than the port itself does
    while host.has_something_to_read():
        host.decoder.receive(os.read(host.file, 4096))
    assert any(isinstance(message, wire.State) for message in host.read(3))


def test_restart_sends_hello_and_resets_the_sequence(port: SimulatedPort, host: Host) -> None:
    port.advance(100)
    host.read(5)
    port.restart(wire.ResetCause.BROWN_OUT)
    port.advance(20)
    assert host.read(2) == [port.hello, wire.State(20, Image())]
    assert port.hello.reset_cause is wire.ResetCause.BROWN_OUT
    assert host.decoder.lost == 0


def test_unplug_and_replug(port: SimulatedPort, host: Host) -> None:
    port.restart(wire.ResetCause.WATCHDOG)
    host.read(1)
    port.unplug()
    assert not port.path.exists()
    with pytest.raises(OSError, match="Input/output error"):
        host.ask()
    with pytest.raises(RuntimeError, match="not plugged in"):
        port.unplug()
    assert port.advance(1000) == 0

    port.replug()
    with pytest.raises(RuntimeError, match="already plugged in"):
        port.replug()
    again = Host(port.path)
    again.ask()
    assert port.advance(20) == 1
    assert sorted(map(str, again.read(2))) == sorted(
        map(str, [port.hello, wire.State(20, Image())])
    )
    assert port.hello.reset_cause is wire.ResetCause.POWER_ON
    again.close()


def test_port_at_a_given_path(board: SimulatedBoard, tmp_path: Path) -> None:
    with SimulatedPort(board, tmp_path) as port:
        assert port.path.parent == tmp_path
        port.unplug()
    assert list(tmp_path.iterdir()) == []


def test_private_directory_is_removed(board: SimulatedBoard) -> None:
    with SimulatedPort(board) as port:
        pass
    assert not port.path.parent.exists()


@pytest.mark.parametrize(
    ("sent", "errors"),
    [
        (b"AT\r\n\0", [wire.BadFrame(wire.FrameError.BAD_ENCODING, b"AT\r\n")]),
        (b"no end", [wire.BadFrame(wire.FrameError.BAD_ENCODING, b"no end")]),
    ],
)
def test_garbage_from_the_host_is_reported(
    board: SimulatedBoard, sent: bytes, errors: list[wire.BadFrame]
) -> None:
    port = SimulatedPort(board)
    host = Host(port.path)
    os.write(host.file, sent)
    with pytest.raises(wire.LocalProtocolError, match="invalid commands"):
        port.close()
    assert port.errors == errors
    host.close()


def test_board_survives_garbage(board: SimulatedBoard) -> None:
    port = SimulatedPort(board)
    host = Host(port.path)
    os.write(host.file, b"nonsense\0")
    host.ask()
    assert host.read(1) == [port.hello]
    with pytest.raises(wire.LocalProtocolError):
        port.close()
    host.close()
