"""Tests that sensor faults are reported and no square is reported wrongly."""

from pathlib import Path

import pytest

from firmware_bridge.wire import Geometry
from tests.campaigns import Campaign, slow_after_first
from tests.hardware import sensor_faults
from tests.hardware.cable_faults import TROUBLES
from tests.hardware.one_cable import try_trouble

REPORTED_WITHIN_MS = 100
HUM_REPORTED_WITHIN_MS = 1200
"""Maximum time until an open wire with hum is reported, in milliseconds. Some open wires are found
only by the check of all wires, which takes a second."""
SEEN_WITHIN_MS = 300
"""Maximum time from setting a piece down until it is shown, in milliseconds."""
MOVES = 4
"""Number of moves on each intact board."""
SQUARES = Campaign("sensor-faults", part=1, whole=100)
ON_TILES = Campaign("sensor-faults", part=2, whole=len(sensor_faults.SENSORS))
BOARDS = Campaign("sensor-faults", part=1, whole=12)
INTACT = Campaign("sensor-faults", part=0, whole=12)
TROUBLED = Campaign("sensor-faults", part=1, whole=len(TROUBLES))
CABLES = Campaign("sensor-faults", part=0, whole=12)
ANNOUNCED_WITHIN_MS = 3500
"""Maximum time until a fault is announced, in milliseconds. A fault has to last for 1.2 s before it
is announced, and the supply voltage is measured only once per second."""
SECONDS = Campaign("sensor-faults", part=2, whole=10)


@pytest.fixture(scope="module")
def eeprom(firmware_elf: Path) -> bytes:
    """Return the EEPROM contents of a calibrated board with worst-case parts."""
    return sensor_faults.calibrated(firmware_elf)


@pytest.fixture(scope="module")
def eeprom_of_tiles(firmware_elf: Path) -> bytes:
    """Return the EEPROM contents of a calibrated, tiled board with worst-case parts."""
    return sensor_faults.calibrated(firmware_elf, Geometry.TILES)


@SQUARES
@pytest.mark.parametrize("name", slow_after_first("sensor-faults", sensor_faults.SENSORS))
def test_failing_sensor_is_reported_soon(firmware_elf: Path, eeprom: bytes, name: str) -> None:
    figures = sensor_faults.try_sensor(firmware_elf, eeprom, name, SQUARES.size)
    assert (figures.wrong_squares, figures.wrong_colours, figures.unreported) == (0, 0, 0)
    assert max(figures.reported_ms) <= (
        HUM_REPORTED_WITHIN_MS if "hum" in name else REPORTED_WITHIN_MS
    )


@SQUARES
@pytest.mark.parametrize("name", ON_TILES.among([*sensor_faults.SENSORS]))
def test_failing_sensor_on_tiles(firmware_elf: Path, eeprom_of_tiles: bytes, name: str) -> None:
    on = Geometry.TILES
    figures = sensor_faults.try_sensor(
        firmware_elf, eeprom_of_tiles, name, SQUARES.size, geometry=on
    )
    assert (figures.wrong_squares, figures.wrong_colours, figures.unreported) == (0, 0, 0)
    assert max(figures.reported_ms) <= (
        HUM_REPORTED_WITHIN_MS if "hum" in name else REPORTED_WITHIN_MS
    )


@BOARDS
@pytest.mark.parametrize("name", slow_after_first("sensor-faults", sensor_faults.SURROUNDINGS))
def test_external_disturbances(firmware_elf: Path, eeprom: bytes, name: str) -> None:
    figures = sensor_faults.try_surroundings(
        firmware_elf, eeprom, name, BOARDS.size, min(10, SECONDS.size)
    )
    assert figures.frames > 0
    assert (figures.wrong_squares, figures.wrong_colours, figures.false_alarms) == (0, 0, 0)


@INTACT
@pytest.mark.parametrize("geometry", Geometry)
def test_hands_raise_no_alarm(
    firmware_elf: Path, request: pytest.FixtureRequest, geometry: Geometry
) -> None:
    name = "eeprom_of_tiles" if geometry is Geometry.TILES else "eeprom"
    hovered = sensor_faults.try_hands(
        firmware_elf, request.getfixturevalue(name), INTACT.size, MOVES, geometry=geometry
    )
    assert hovered.moves == MOVES * INTACT.size
    assert (hovered.false_faults, max(hovered.late_ms) <= SEEN_WITHIN_MS) == (0, True), hovered


@BOARDS
def test_spikes_on_tiles(firmware_elf: Path, eeprom_of_tiles: bytes) -> None:
    """On tiles, the same spikes affect different inputs."""
    spikes = next(iter(sensor_faults.SURROUNDINGS))
    seconds, on = min(10, SECONDS.size), Geometry.TILES
    figures = sensor_faults.try_surroundings(
        firmware_elf, eeprom_of_tiles, spikes, BOARDS.size, seconds, geometry=on
    )
    assert figures.frames > 0
    assert (figures.wrong_squares, figures.wrong_colours, figures.false_alarms) == (0, 0, 0)


@CABLES
@pytest.mark.parametrize("name", TROUBLED.among([*TROUBLES]))
def test_moves_while_the_supply_fails(
    firmware_elf: Path, eeprom_of_tiles: bytes, name: str
) -> None:
    """Each fault is so severe that, without special handling in the firmware, every board would
    report wrong squares."""
    figures = try_trouble(firmware_elf, eeprom_of_tiles, name, CABLES.size)
    assert min(figures.bites, default=1) > 0
    assert (figures.unseen, figures.wrong_colours) == (0, 0)
    assert (figures.false_faults, figures.falsely_announced, figures.missed) == (0, 0, 0)
    assert max(figures.announced_ms, default=0) <= ANNOUNCED_WITHIN_MS
