"""The magnetic design of the built board satisfies the limits and is the search result."""

import pytest

from firmware_bridge.simulated_board.sensors import off_from
from firmware_bridge.thresholds import ON_PER_CENT, PULL
from firmware_bridge.wire import BoardKind
from hardware.emulator.layout import Layout
from hardware.emulator.physics import WORST_CROWDING, crowding_of
from hardware.magnetics.design import PITCHES
from hardware.magnetics.disc import HOLDS, push_of_army
from hardware.magnetics.found_file import BEFORE, CHOSEN
from hardware.magnetics.placements import SPREADS, unseen
from hardware.magnetics.search import GAPS, SOLD, Found, best, found_with


@pytest.fixture(scope="module")
def found() -> Found:
    """The search result for the chosen magnet at the chosen gap."""
    found = found_with(CHOSEN.disc, CHOSEN.gap)
    assert found
    return found


def test_it_is_found_again(found: Found) -> None:
    assert (CHOSEN.disc.width, CHOSEN.disc.height) in SOLD
    assert CHOSEN.gap in GAPS
    assert found.design == CHOSEN
    assert found.is_good


def test_what_lies_beside_it_is_not_better(found: Found) -> None:
    beside = [found_with(CHOSEN.disc, CHOSEN.gap + step) for step in (-0.5, 0.5)]
    assert best([found, *(each for each in beside if each)]) is found


def test_the_firmware_goes_by_its_thresholds() -> None:
    assert ON_PER_CENT[BoardKind.COLOURS] == 100 * CHOSEN.on
    assert off_from(100) / 100 == pytest.approx(CHOSEN.off / CHOSEN.on, abs=0.01)
    assert PULL[BoardKind.COLOURS] == pytest.approx(CHOSEN.counts, abs=10)


def test_pieces_are_seen_that_stand_beside_the_middle() -> None:
    assert unseen(CHOSEN, 3) <= 0.02
    assert unseen(CHOSEN, 4) <= 0.07
    for pitch in PITCHES:
        assert unseen(CHOSEN, 3, pitch) <= 0.02
        assert unseen(CHOSEN, 4, pitch) <= 0.07


def test_before_a_third_of_them_was_not() -> None:
    assert [round(100 * unseen(BEFORE, spread)) for spread in SPREADS] == pytest.approx(
        [2.5, 19, 36], abs=2
    )


def test_an_army_stands_still() -> None:
    assert push_of_army(CHOSEN.disc, 35) < HOLDS / 2 < push_of_army(BEFORE.disc, 35)


@pytest.mark.parametrize("pitch", PITCHES)
def test_between_two_squares_there_are_never_two_pieces_and_no_wrong_colour(pitch: float) -> None:
    assert CHOSEN.reach(CHOSEN.off) < pitch / 2
    steps = (pitch * n / 100 for n in range(300))
    lowest = min(CHOSEN.disc.felt(x, 0, CHOSEN.gap) for x in steps)
    assert 0 < -lowest / CHOSEN.disc.on_axis(CHOSEN.gap) < CHOSEN.off / 4


def test_the_worst_crowding_of_the_emulator_is_that_of_the_narrow_board() -> None:
    assert CHOSEN.crowding(35) == pytest.approx(WORST_CROWDING, abs=0.005)
    assert crowding_of(Layout(pitch_mm=35)) > CHOSEN.crowding(35), "no army fills a board"
