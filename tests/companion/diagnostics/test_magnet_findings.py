"""Findings when both armies are set up, so that every reading is known."""

import random
from dataclasses import replace

import pytest

from companion.diagnostics.board_monitor import BoardMonitor
from companion.diagnostics.inspection import findings
from companion.diagnostics.report import Finding
from engine.board.geometry import SQUARES, Side, set_of, square
from firmware_bridge.image import Image
from firmware_bridge.link import MessageReceived, Statistics
from firmware_bridge.wire import Fault, FaultCode, Hello, State
from tests.companion.diagnostics import boards

UNCALIBRATED = replace(boards.HELLO, calibration=0)
SWITCHED = Image(unknown=boards.ARMIES.occupied)


def found(watch: BoardMonitor) -> list[Finding]:
    texts = findings(watch, Statistics(), boards.NOW, armies=True)
    return [finding for finding in texts if finding.about != "calibration"]


def about(watch: BoardMonitor) -> list[tuple[str, int]]:
    return [(finding.about, finding.squares) for finding in found(watch)]


@pytest.mark.parametrize("hello", [boards.HELLO, UNCALIBRATED])
def test_complete_armies(hello: Hello) -> None:
    assert found(boards.watched(hello)) == []
    assert found(boards.watched(boards.PRESENCE, SWITCHED)) == []


@pytest.mark.parametrize("seed", range(20))
def test_part_tolerances(seed: int) -> None:
    """On an uncalibrated board, weak sensors cause no findings, whatever the image shows."""
    dice = random.Random(seed)
    watch = boards.watched(UNCALIBRATED)
    readings = [500 + (reading - 500) * 180 // 300 for reading in boards.readings_of(boards.ARMIES)]
    readings = [each + dice.randint(-15, 15) + dice.randint(-12, 12) for each in readings]
    watch.take(MessageReceived(State(3000, Image())), boards.NOW)
    for _ in range(16):
        boards.pass_readings(watch, readings, boards.NOW)
    assert found(watch) == []


@pytest.mark.parametrize("hello", [boards.HELLO, UNCALIBRATED])
@pytest.mark.parametrize(
    ("where", "reading", "what"),
    [
        ("e4", 512, "unfelt"),
        ("e7", 488, "unfelt"),
        ("e4", 200, "flipped"),
        ("e7", 800, "flipped"),
        ("e4", 590, "weak"),
        ("e7", 410, "weak"),
        ("e5", 800, "strange"),
        ("c6", 200, "strange"),
        ("e4", 0, "stuck"),
    ],
)
def test_finding_per_square(hello: Hello, where: str, reading: int, what: str) -> None:
    # An uncalibrated board may miss a weak magnet, so only raw readings count.
    bit = boards.squares(where)
    image = Image(boards.ARMIES.red & ~bit, boards.ARMIES.blue & ~bit)
    watch = boards.watched(hello, image, {where: reading})
    watch.take(MessageReceived(Fault(FaultCode.DRIFT, square(where), reading)), boards.NOW)
    [one] = found(watch)
    assert (one.about, one.squares) == (what, bit)
    assert where in one.text


def test_drifting_sensor_between_the_armies() -> None:
    watch = boards.watched()
    watch.take(MessageReceived(Fault(FaultCode.DRIFT, square("e5"), 545)), boards.NOW)
    assert about(watch) == [("off-rest", boards.squares("e5"))]


def test_no_missing_magnets_without_armies() -> None:
    watch = boards.watched(
        image=Image(boards.ARMIES.red & ~boards.squares("e4"), boards.ARMIES.blue),
        reads={"e4": 512},
    )
    assert findings(watch, Statistics(), boards.NOW) == []


def test_stuck_switches() -> None:
    image = Image(unknown=SWITCHED.unknown & ~boards.squares("d8") | boards.squares("e5"))
    watch = boards.watched(boards.PRESENCE, image)
    assert about(watch) == [("unfelt", boards.squares("d8")), ("strange", boards.squares("e5"))]


def test_missing_armies_are_one_finding() -> None:
    [empty] = found(boards.watched(image=Image()))
    assert (empty.about, empty.squares) == ("unfelt", boards.ARMIES.occupied)
    assert "on 80 squares" in empty.text
    half = Image(red=Side.RED.home)
    [missing] = found(boards.watched(image=half))
    assert (missing.about, missing.squares) == ("unfelt", Side.BLUE.home)


def test_rotated_board_is_one_finding() -> None:
    [turned] = found(boards.watched(image=Image(red=Side.BLUE.home, blue=Side.RED.home)))
    assert (turned.about, turned.squares) == ("flipped", boards.ARMIES.occupied)
    assert "The colours are swapped" in turned.text


def test_worst_finding_first() -> None:
    watch = boards.watched(reads={"a1": 590, "b1": 200, "c1": 500, "d1": 0, "e5": 800})
    assert [finding.about for finding in found(watch)] == [
        *("stuck", "unfelt", "flipped", "weak", "strange"),
    ]


def test_dead_multiplexer_is_one_finding() -> None:
    behind = set_of(n for n in SQUARES if n in range(30) and n % 10 < 5)
    readings = {"abcdefghik"[n % 10] + str(n // 10 + 1): 0 for n in SQUARES if behind >> n & 1}
    assert about(boards.watched(reads=readings)) == [("multiplexer", behind)]
