"""Tests that compare the readings caused by magnets with the board's design figures."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import SQUARES, Side, square
from hardware.emulator import physics
from hardware.emulator.board import LIFTED, SET_DOWN
from hardware.emulator.layout import Layout

E4, E5, F4, F5 = map(square, ("e4", "e5", "f4", "f5"))


def test_typical_readings() -> None:
    field = physics.Field()
    field.magnets = {E4: physics.magnet_of(Side.RED), F5: physics.magnet_of(Side.BLUE)}
    assert field.reading(E4) == pytest.approx(812, abs=5)
    assert field.reading(F5) == pytest.approx(212, abs=5)
    assert field.reading(0) == 512


@pytest.mark.parametrize("crowding", [physics.CROWDING, physics.WORST_CROWDING])
@pytest.mark.parametrize("magnet", [physics.NORTH, physics.SOUTH])
def test_surrounded_square_reads_the_opposite(crowding: float, magnet: physics.Magnet) -> None:
    field = physics.Field(crowding=crowding)
    field.magnets = {n: magnet for n in SQUARES if n != E4}
    leaning = (field.reading(E4) - 512) / 300
    assert leaning == pytest.approx(-crowding if magnet is physics.NORTH else crowding)


def test_neighbour_influence_falls_with_distance() -> None:
    field = physics.Field()
    field.magnets = {E4: physics.NORTH}
    squares = map(square, ("e5", "f5", "e6", "e7"))
    beside, diagonal, second, third = (512 - reading for reading in field.readings(squares))
    assert beside == pytest.approx(512 - field.reading(F4))
    assert beside > 2 * diagonal > 4 * second > 8 * third > 0
    assert field.reading(square("e8")) == 512, "at this distance no influence is simulated"


@pytest.mark.parametrize("layout", [physics.USUAL, physics.BEFORE, Layout(pitch_mm=35)])
@pytest.mark.parametrize("tilt", [(0.0, 0.0), (6.0, -3.0)])
@pytest.mark.parametrize("place", [(0.0, 0.0), (4.3, -2.1), (-9.0, 9.0), (17.5, 0.0)])
def test_sensors_read_the_exact_field(
    layout: Layout, tilt: tuple[float, float], place: tuple[float, float]
) -> None:
    field = physics.Field(layout=layout)
    field.magnets = {E5: physics.Magnet(north_up=False, strength=0.9, beside_mm=place, tilt=tilt)}
    pitch, gap = layout.pitch_mm, layout.gap_mm
    for name, right, up in (("e5", 0, 0), ("f5", 1, 0), ("d6", -1, 1), ("e3", 0, -2)):
        x, y = place[0] - pitch * right, place[1] - pitch * up
        felt = -0.9 * layout.disc.felt(x, y, gap, tilt) / layout.disc.on_axis(gap)
        assert field.reading(square(name)) == pytest.approx(512 + 300 * felt, abs=0.3)


def test_piece_between_two_squares() -> None:
    field = physics.Field()
    field.magnets = {E4: physics.NORTH.beside(20, 0)}
    assert field.reading(E4) == pytest.approx(field.reading(F4)) != 512
    field.magnets = {E4: physics.NORTH.beside(0, 20)}
    assert field.reading(E4) == pytest.approx(field.reading(E5)) != 512


def test_moved_magnets_leave_no_residue() -> None:
    field, dice = physics.Field(), random.Random(5)
    for _ in range(200):
        where = dice.choice((E4, E5, F4, F5))
        field.magnets.pop(where, None)
        if dice.random() < 0.7:
            field.magnets[where] = physics.NORTH.beside(dice.gauss(0, 3), 0).at_height(
                dice.random() * 40
            )
        if dice.random() < 0.5:
            field.readings(SQUARES)
    fresh = physics.Field(magnets=dict(field.magnets))
    assert field.readings(SQUARES) == pytest.approx(fresh.readings(SQUARES), abs=1e-9)
    field.layout = fresh.layout = physics.BEFORE
    assert field.readings(SQUARES) == pytest.approx(fresh.readings(SQUARES), abs=1e-9)


@given(st.floats(0, 100), st.floats(0.1, 100))
def test_field_falls_with_height(height: float, more: float) -> None:
    low, high = physics.NORTH.at_height(height), physics.NORTH.at_height(height + more)
    assert 0 < high.field < low.field <= 1


def test_weak_magnet_field() -> None:
    assert physics.Magnet(north_up=False, strength=0.3).field == pytest.approx(-0.3)


def test_hand_movement_ends_at_its_target() -> None:
    assert physics.NORTH.at_height(LIFTED[-1]).field < 0.02
    assert physics.NORTH.at_height(SET_DOWN[0]).field < 0.1
    assert SET_DOWN[-1] == 0
    assert max(SET_DOWN[25:]) > 2  # the piece bounces


@given(st.integers(0, 2**32))
def test_part_tolerances_are_reproducible(seed: int) -> None:
    sensors = physics.Spread(offset=15, sensitivity=0.05).sensors(seed)
    assert sensors == physics.Spread(offset=15, sensitivity=0.05).sensors(seed)
    assert len(set(sensors)) == len(SQUARES)
    assert all(abs(each.offset) <= 15 and abs(each.sensitivity - 1) <= 0.05 for each in sensors)


def test_drift_stays_on_the_scale() -> None:
    field = physics.Field(drift=40)
    field.sensors[E5] = physics.Sensor(sensitivity=2)
    field.magnets = {E4: physics.NORTH, E5: physics.NORTH}
    assert field.reading(0) == 552
    assert field.reading(E4) > 840
    assert field.reading(E5) == 1023


def test_broken_sensor_is_constant() -> None:
    field = physics.Field(broken={E4: 3.0})
    field.magnets = {E4: physics.NORTH}
    assert field.reading(E4) == 3
