"""Each board fault leads to the right finding. A good board leads to none."""

import random
from dataclasses import replace

import pytest

from companion.diagnostics.board_monitor import BoardMonitor
from companion.diagnostics.inspection import findings
from companion.diagnostics.report import Finding
from engine.board.geometry import ALL, SQUARES, SquareSet, set_of, square
from firmware_bridge import wire
from firmware_bridge.board_hardware import WIRINGS
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, MessageReceived, Statistics
from hardware.pcb.tile_map import PLACES, square_at
from tests.companion.diagnostics.boards import (
    ARMIES,
    HELLO,
    NOW,
    PRESENCE,
    TILES,
    pass_readings,
    readings_of,
    squares,
    watched,
)

BY_HAND = WIRINGS[wire.Geometry.BY_HAND]


def found(watch: BoardMonitor, statistics: Statistics | None = None) -> list[Finding]:
    return findings(watch, statistics or Statistics(bad_frames=1), NOW)


def about(watch: BoardMonitor) -> list[tuple[str, SquareSet]]:
    return [(finding.about, finding.squares) for finding in found(watch)]


@pytest.mark.parametrize("image", [ARMIES, Image()])
@pytest.mark.parametrize("hello", [HELLO, PRESENCE])
def test_good_board(hello: wire.Hello, image: Image) -> None:
    if hello is PRESENCE:
        image = Image(unknown=image.occupied)
    assert found(watched(hello, image)) == []


@pytest.mark.parametrize("seed", range(20))
def test_part_tolerances_are_no_finding(seed: int) -> None:
    dice = random.Random(seed)
    watch = watched()
    spread = [dice.randint(-15, 15) + dice.randint(-20, 20) for _ in SQUARES]
    for _ in range(16):
        noise = [dice.randint(-3, 3) for _ in SQUARES]
        readings = map(sum, zip(readings_of(ARMIES), spread, noise, strict=True))
        pass_readings(watch, list(readings), NOW)
    assert [each for each in found(watch) if each.about != "noise"] == []


@pytest.mark.parametrize(
    ("hello", "expected"),
    [
        (replace(HELLO, calibration=0), "calibration"),
        (replace(HELLO, reset_cause=wire.ResetCause.WATCHDOG), "watchdog"),
        (replace(HELLO, reset_cause=wire.ResetCause.BROWN_OUT), "brown-out"),
    ],
)
def test_findings_from_hello(hello: wire.Hello, expected: str) -> None:
    assert about(watched(hello)) == [(expected, 0)]


def test_power_on_is_no_brown_out() -> None:
    coming = wire.ResetCause.POWER_ON | wire.ResetCause.BROWN_OUT
    assert found(watched(replace(HELLO, reset_cause=coming))) == []


def test_spontaneous_restart() -> None:
    watch = watched()
    watch.take(Connected("/dev/ttyUSB0", HELLO), 0.0)
    for frame in range(101):
        watch.take(MessageReceived(wire.State(20 * frame, ARMIES)), frame / 50)
    assert about(watch) == [("restarts", 0)]


def test_low_supply() -> None:
    [low] = found(watched(supply_mv=4650))
    assert low.about == "supply"
    assert "4.65 V" in low.text
    watch = watched()
    watch.take(MessageReceived(wire.Fault(wire.FaultCode.LOW_SUPPLY, None, 4590)), NOW)
    assert "4.59 V" in found(watch)[0].text


@pytest.mark.parametrize(
    ("statistics", "lines"),
    [
        (Statistics(bad_frames=1), 0),
        (Statistics(bad_frames=2), 1),
        (Statistics(lost=1), 1),
    ],
)
def test_bad_line(statistics: Statistics, lines: int) -> None:
    assert [each.about for each in found(watched(), statistics)] == ["line"] * lines


@pytest.mark.parametrize("frames_a_second", [45, 60])
def test_unusual_frame_rate(frames_a_second: int) -> None:
    watch = BoardMonitor(Connected("/dev/ttyUSB0", HELLO))
    for frame in range(4 * frames_a_second):
        watch.take(MessageReceived(wire.State(20 * frame, ARMIES)), frame / frames_a_second)
    pass_readings(watch, readings_of(ARMIES), NOW)
    [rate] = found(watch)
    assert rate.about == "frame-rate"
    expected = f"{frames_a_second}.0 complete frames per second arrive instead of 50.0."
    assert rate.text.startswith(expected)


def test_a_camera_needs_no_calibration_and_no_firmware() -> None:
    camera = replace(HELLO, firmware=wire.CAMERA_FIRMWARE, calibration=0)
    watch = BoardMonitor(Connected("/tmp/board", camera))
    for frame in range(180):
        watch.take(MessageReceived(wire.State(20 * frame, ARMIES)), frame / 45)
    pass_readings(watch, readings_of(ARMIES), NOW)
    assert found(watch) == []


@pytest.mark.parametrize(("late_by", "found_late"), [(0.19, []), (0.23, ["frame-rate"])])
@pytest.mark.parametrize("frames", [30, 150])
def test_late_frames_are_no_finding(frames: int, late_by: float, found_late: list[str]) -> None:
    watch = BoardMonitor(Connected("/dev/ttyUSB0", HELLO))
    for frame in range(frames):
        watch.take(
            MessageReceived(wire.State(20 * frame, ARMIES)),
            frame / 50 + late_by * (frame == frames - 1),
        )
    pass_readings(watch, readings_of(ARMIES), NOW)
    assert [each.about for each in found(watch)] == found_late


def test_board_without_readings() -> None:
    watch = BoardMonitor(Connected("/dev/ttyUSB0", HELLO))
    assert about(watch) == [("frame-rate", 0), ("readings", ALL)]


def test_board_with_partial_readings() -> None:
    watch = BoardMonitor(Connected("/dev/ttyUSB0", HELLO))
    for frame in range(101):
        watch.take(MessageReceived(wire.State(20 * frame, Image())), frame / 50)
    for n in (0, 1, 2, 4, 5):
        watch.take(MessageReceived(wire.Raw(n, (500,) * 16)), NOW)
    [unread] = found(watch)
    assert "readings of multiplexers 3, 6" in unread.text
    assert unread.squares == set_of(n for n in SQUARES if BY_HAND.place(n)[0] in (3, 6))


@pytest.mark.parametrize("reading", [0, 8, 1015, 1023])
def test_dead_sensor(reading: int) -> None:
    image = Image(ARMIES.red | squares("c5"), ARMIES.blue)
    [stuck] = found(watched(image=image, reads={"c5": reading}))
    assert (stuck.about, stuck.squares) == ("stuck", squares("c5"))
    multiplexer, channel = BY_HAND.place(square("c5"))
    assert stuck.text.startswith(
        f"c5 (multiplexer {multiplexer}, input {channel}) always reads {reading}"
    )
    assert "is dead" in stuck.text


def test_stuck_sensor() -> None:
    watch = watched()
    watch.take(MessageReceived(wire.Fault(wire.FaultCode.STUCK_CHANNEL, square("e4"), 512)), NOW)
    assert about(watch) == [("stuck", squares("e4"))]


def test_switch_at_a_rail_is_not_stuck() -> None:
    watch = watched(PRESENCE, Image(unknown=ARMIES.occupied))
    assert found(watch) == []


def test_multiplexer_is_named_once() -> None:
    behind = [n for n in SQUARES if BY_HAND.place(n)[0] == 3]
    watch = watched()
    for n in behind:
        watch.take(MessageReceived(wire.Fault(wire.FaultCode.STUCK_CHANNEL, n, 0)), NOW)
    assert about(watch) == [("multiplexer", set_of(behind))]
    assert found(watch)[0].text.startswith("Multiplexer 3: ")


def test_drifted_sensor_or_weak_magnet() -> None:
    assert about(watched(reads={"e5": 565})) == [("off-rest", squares("e5"))]
    watch = watched(reads={"e5": 550})
    assert found(watch) == []
    watch.take(MessageReceived(wire.Fault(wire.FaultCode.DRIFT, square("e5"), 550)), NOW)
    assert about(watch) == [("off-rest", squares("e5"))]


def test_warm_board_is_one_finding() -> None:
    empty = [n for n in SQUARES if not ARMIES.occupied >> n & 1]
    watch = watched()
    for n in empty[1:9]:
        watch.take(MessageReceived(wire.Fault(wire.FaultCode.DRIFT, n, 545)), NOW)
    assert len(found(watch)) == 8
    watch.take(MessageReceived(wire.Fault(wire.FaultCode.DRIFT, empty[0], 545)), NOW)
    [warm] = found(watch)
    assert (warm.about, warm.squares) == ("off-rest", set_of(empty[:9]))
    assert warm.text.startswith("9 empty squares read differently from when they were calibrated.")


def test_weak_magnet() -> None:
    [weak] = found(watched(reads={"e4": 650, "e7": 310}))
    assert (weak.about, weak.squares) == ("weak", squares("e4"))
    assert "50 % instead of 100 %" in weak.text


def test_three_pieces_are_too_few() -> None:
    image = Image(red=squares("a1", "b1", "c1"))
    assert found(watched(image=image, reads={"a1": 650})) == []


def test_loose_supply_wire_is_one_finding() -> None:
    watch = watched()
    pass_readings(watch, [reading + 45 for reading in readings_of(ARMIES)], NOW)
    [loose] = found(watch)
    assert (loose.about, loose.squares) == ("noise", set_of(SQUARES))
    assert loose.text.startswith("The readings of 100 sensors fluctuate.")


def test_loose_wire() -> None:
    watch = watched()
    readings = readings_of(ARMIES)
    readings[square("e4")] += 45
    pass_readings(watch, readings, NOW)
    assert about(watch) == [("noise", squares("e4"))]


def stuck(*multiplexers: int) -> BoardMonitor:
    """Return a monitor for a tiled board on which these multiplexers are stuck."""
    watch = watched(TILES)
    for n in SQUARES:
        if WIRINGS[wire.Geometry.TILES].place(n)[0] in multiplexers:
            watch.take(MessageReceived(wire.Fault(wire.FaultCode.STUCK_CHANNEL, n, 0)), NOW)
    return watch


def test_tile_connector_of_a_square() -> None:
    wiring = WIRINGS[wire.Geometry.TILES]
    for plug in range(4):
        for place in PLACES:
            multiplexer, _ = wiring.place(square_at(plug, place))
            assert wiring.plug(multiplexer) == plug + 1


def test_good_tiles() -> None:
    assert findings(watched(TILES), Statistics(), NOW, armies=True) == []


def test_flipped_magnet_on_tiles() -> None:
    (flipped,) = findings(watched(TILES, reads={"a7": 200}), Statistics(), NOW, armies=True)
    assert (flipped.about, flipped.squares) == ("flipped", squares("a7"))


def test_tile_of_a_dead_sensor() -> None:
    watch = watched(TILES)
    watch.take(MessageReceived(wire.Fault(wire.FaultCode.STUCK_CHANNEL, square("g8"), 512)), NOW)
    watch.take(MessageReceived(wire.Fault(wire.FaultCode.OPEN_WIRE, square("a1"), 0)), NOW)
    watch.take(MessageReceived(wire.Fault(wire.FaultCode.NO_GROUND, None, 5)), NOW)
    ground, unconnected, stuck = findings(watch, Statistics(), NOW)
    assert ground.text.startswith("On the tile on plug 3, an input is not grounded")
    assert unconnected.text.startswith("a1 (tile on plug 1) is not connected. Unplug the board")
    assert stuck.text.startswith("g8 (tile on plug 4) always reads")
    assert stuck.text.endswith("replace the sensor.")


def test_half_and_whole_tile_faults() -> None:
    (half,) = findings(stuck(3), Statistics(), NOW)
    assert half.text.startswith("Half of the sensors of the tile on plug 2 are stuck.")
    (whole,) = findings(stuck(4, 5), Statistics(), NOW)
    assert whole.text.startswith("All sensors of the tile on plug 3 are stuck.")
    assert whole.squares == set_of(square_at(2, place) for place in PLACES)
