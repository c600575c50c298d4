import pytest

from companion.diagnostics.board_monitor import BoardMonitor, Sensor
from engine.board.geometry import square
from firmware_bridge.board_hardware import CHANNEL_OF, WIRINGS
from firmware_bridge.image import Image, Sensed
from firmware_bridge.link import Connected, LinkError, LinkErrorKind, MessageReceived
from firmware_bridge.wire import Fault, FaultCode, Geometry, State
from tests.companion.diagnostics import boards

BY_HAND = WIRINGS[Geometry.BY_HAND]

A1, E4, E5, E7 = map(square, ("a1", "e4", "e5", "e7"))


def test_sensor_strengths() -> None:
    sensors = boards.watched().sensors()
    assert sensors[E4] == Sensor(Sensed.RED, 800, 100, 0)
    assert sensors[E5] == Sensor(Sensed.EMPTY, 500, 0, 0)
    assert sensors[E7] == Sensor(Sensed.BLUE, 200, -100, 0)
    assert len(sensors) == 100


def test_switch_strengths() -> None:
    sensors = boards.watched(boards.PRESENCE, Image(unknown=1 << E4)).sensors()
    assert sensors[E4] == Sensor(Sensed.UNKNOWN, 0, -100, 0)
    assert sensors[E5] == Sensor(Sensed.EMPTY, 1023, 0, 0)


def test_resting_level_from_empty_squares() -> None:
    watch = boards.watched(image=boards.ARMIES)
    boards.pass_readings(
        watch, [reading + 12 for reading in boards.readings_of(boards.ARMIES)], boards.NOW
    )
    assert watch.sensors()[E5].strength == 0
    full = boards.watched(image=Image(red=(1 << 100) - 1))
    assert full.sensors()[E5].strength == 96, (
        "without an empty square, the middle of the range is used"
    )


def test_noise_excludes_moved_pieces() -> None:
    watch = boards.watched()
    readings = boards.readings_of(boards.ARMIES)
    readings[E4] = 811
    boards.pass_readings(watch, readings, boards.NOW)
    assert watch.sensors()[E4].noise == 11
    lifted = Image(boards.ARMIES.red & ~(1 << E4), boards.ARMIES.blue)
    watch.take(MessageReceived(State(2020, lifted)), boards.NOW)
    boards.pass_readings(watch, boards.readings_of(lifted), boards.NOW)
    assert watch.sensors()[E4] == Sensor(Sensed.EMPTY, 500, 0, 0)
    for _ in range(16):
        boards.pass_readings(watch, boards.readings_of(lifted), boards.NOW)
    assert watch.sensors()[A1].noise == 0


def test_recent_frame_rate() -> None:
    watch = boards.watched()
    assert watch.frame_rate() == pytest.approx(50)
    for frame in range(1, 101):
        watch.take(MessageReceived(State(frame, boards.ARMIES)), boards.NOW + frame / 25)
    assert watch.frame_rate() == pytest.approx(25)


def test_unrepeated_fault_expires() -> None:
    watch = boards.watched()
    fault = Fault(FaultCode.DRIFT, E5, 560)
    watch.take(MessageReceived(fault), 1.0)
    assert watch.faults(FaultCode.DRIFT, 2.0) == [fault]
    assert watch.faults(FaultCode.STUCK_CHANNEL, 2.0) == []
    assert watch.faults(FaultCode.DRIFT, 20.0) == []


def test_unplugging_is_no_spontaneous_restart() -> None:
    watch = boards.watched()
    watch.take(LinkError(LinkErrorKind.UNPLUGGED, "/dev/ttyUSB0", ""), boards.NOW)
    watch.take(Connected("/dev/ttyUSB1", boards.HELLO), boards.NOW)
    assert (watch.restarts, watch.port) == (0, "/dev/ttyUSB1")
    watch.take(Connected("/dev/ttyUSB1", boards.HELLO), boards.NOW)
    assert watch.restarts == 1


def test_recognition_of_tiles_is_no_restart() -> None:
    watch = boards.watched()
    watch.take(Connected("/dev/ttyUSB0", boards.TILES), boards.NOW)
    assert (watch.restarts, watch.sensors(), watch.unread) == (0, {}, set(range(8)))


def test_empty_monitor() -> None:
    watch = BoardMonitor(Connected("/dev/ttyUSB0", boards.HELLO))
    assert watch.sensors() == {}
    assert watch.frame_rate() is None
    watch.take(MessageReceived(State(20, boards.ARMIES)), 0.0)
    assert watch.frame_rate() is None


def test_wiring_of_a_square() -> None:
    for n in range(100):
        multiplexer, channel = BY_HAND.place(n)
        assert 16 * multiplexer + channel == CHANNEL_OF[n]
        assert 0 <= channel < 16
