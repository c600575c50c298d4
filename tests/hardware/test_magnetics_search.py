"""Tests that the magnetic design meets the requirements and is the result of the search."""

import pytest

from firmware_bridge.board_hardware import ON_PER_CENT, PULL
from firmware_bridge.simulated_board.sensors import off_from
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
    found = found_with(CHOSEN.disc, CHOSEN.gap)
    assert found
    return found


def test_search_finds_the_design(found: Found) -> None:
    assert (CHOSEN.disc.width, CHOSEN.disc.height) in SOLD
    assert CHOSEN.gap in GAPS
    assert found.design == CHOSEN
    assert found.is_good


def test_neighbouring_designs_are_not_better(found: Found) -> None:
    beside = [found_with(CHOSEN.disc, CHOSEN.gap + step) for step in (-0.5, 0.5)]
    assert best([found, *(each for each in beside if each)]) is found


def test_firmware_thresholds_match_the_search() -> None:
    assert ON_PER_CENT[BoardKind.COLOURS] == 100 * CHOSEN.on
    assert off_from(100) / 100 == pytest.approx(CHOSEN.off / CHOSEN.on, abs=0.01)
    assert PULL[BoardKind.COLOURS] == pytest.approx(CHOSEN.counts, abs=10)


def test_off_centre_pieces_are_detected() -> None:
    assert unseen(CHOSEN, 3) <= 0.02
    assert unseen(CHOSEN, 4) <= 0.07
    for pitch in PITCHES:
        assert unseen(CHOSEN, 3, pitch) <= 0.02
        assert unseen(CHOSEN, 4, pitch) <= 0.07


def test_earlier_design_missed_a_third() -> None:
    assert [round(100 * unseen(BEFORE, spread)) for spread in SPREADS] == pytest.approx(
        [2.5, 19, 36], abs=2
    )


def test_pieces_do_not_slide() -> None:
    assert push_of_army(CHOSEN.disc, 35) < HOLDS / 2 < push_of_army(BEFORE.disc, 35)


@pytest.mark.parametrize("pitch", PITCHES)
def test_piece_between_squares_is_never_two_or_wrong(pitch: float) -> None:
    assert CHOSEN.reach(CHOSEN.off) < pitch / 2
    steps = (pitch * n / 100 for n in range(300))
    lowest = min(CHOSEN.disc.felt(x, 0, CHOSEN.gap) for x in steps)
    assert 0 < -lowest / CHOSEN.disc.on_axis(CHOSEN.gap) < CHOSEN.off / 4


def test_worst_case_crowding() -> None:
    assert CHOSEN.crowding(35) == pytest.approx(WORST_CROWDING, abs=0.005)
    assert crowding_of(Layout(pitch_mm=35)) > CHOSEN.crowding(35), (
        "a full board is worse than any position"
    )
