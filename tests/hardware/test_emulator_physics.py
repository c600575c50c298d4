"""What magnets do to sensors, against the figures that the board was designed with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.sides import Side
from engine.squares import SQUARES, square
from hardware.emulator.board import LIFTED, SET_DOWN
from hardware.emulator.physics import (
    CROWDING,
    NORTH,
    SOUTH,
    WORST_CROWDING,
    Field,
    Magnet,
    Sensor,
    Spread,
    magnet_of,
)

E4, E5, F4, F5 = map(square, ("e4", "e5", "f4", "f5"))


def test_red_reads_about_800_blue_about_200_and_nothing_about_500() -> None:
    field = Field()
    field.magnets = {E4: magnet_of(Side.RED), F5: magnet_of(Side.BLUE)}
    assert field.reading(E4) == pytest.approx(812, abs=5)
    assert field.reading(F5) == pytest.approx(212, abs=5)
    assert field.reading(0) == 512


@pytest.mark.parametrize("crowding", [CROWDING, WORST_CROWDING])
@pytest.mark.parametrize("magnet", [NORTH, SOUTH])
def test_a_surrounded_empty_square_leans_to_the_other_colour(
    crowding: float, magnet: Magnet
) -> None:
    field = Field(crowding=crowding)
    field.magnets = {n: magnet for n in SQUARES if n != E4}
    leaning = (field.reading(E4) - 512) / 300
    assert leaning == pytest.approx(-crowding if magnet is NORTH else crowding)


def test_a_diagonal_neighbour_weighs_less_than_one_beside() -> None:
    field = Field()
    field.magnets = {E4: NORTH}
    beside, diagonal = 512 - field.reading(E5), 512 - field.reading(F5)
    assert beside == pytest.approx(512 - field.reading(F4))
    assert beside == pytest.approx(diagonal * 2**1.5)
    assert field.reading(square("e6")) == 512


@given(st.floats(0, 100), st.floats(0.1, 100))
def test_the_higher_the_weaker(height: float, more: float) -> None:
    low, high = NORTH.at_height(height), NORTH.at_height(height + more)
    assert 0 < high.field < low.field <= 1


def test_a_weak_magnet_gives_a_share_of_the_usual_field() -> None:
    assert Magnet(north_up=False, strength=0.3).field == pytest.approx(-0.3)


def test_a_hand_ends_where_it_should() -> None:
    assert NORTH.at_height(LIFTED[-1]).field < 0.02
    assert NORTH.at_height(SET_DOWN[0]).field < 0.1
    assert SET_DOWN[-1] == 0
    assert max(SET_DOWN[25:]) > 2  # it bounces


@given(st.integers(0, 2**32))
def test_parts_differ_within_their_spread_and_are_the_same_for_the_same_seed(seed: int) -> None:
    sensors = Spread(offset=15, sensitivity=0.05).sensors(seed)
    assert sensors == Spread(offset=15, sensitivity=0.05).sensors(seed)
    assert len(set(sensors)) == len(SQUARES)
    assert all(abs(each.offset) <= 15 and abs(each.sensitivity - 1) <= 0.05 for each in sensors)


def test_drift_moves_all_readings_and_none_leaves_the_scale() -> None:
    field = Field(drift=40)
    field.sensors[E5] = Sensor(sensitivity=2)
    field.magnets = {E4: NORTH, E5: NORTH}
    assert field.reading(0) == 552
    assert field.reading(E4) > 840
    assert field.reading(E5) == 1023


def test_a_broken_sensor_puts_out_the_same_whatever_stands_on_it() -> None:
    field = Field(broken={E4: 3.0})
    field.magnets = {E4: NORTH}
    assert field.reading(E4) == 3
