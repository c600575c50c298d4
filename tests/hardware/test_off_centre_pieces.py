"""Tests for locating pieces between squares from the field readings of the real firmware."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.emulator.board import EmulatedBoard
from hardware.emulator.layout import Layout
from hardware.emulator.physics import USUAL
from hardware.magnetics.found_file import CHOSEN
from tests.campaigns import Campaign
from tests.hardware.off_centre import Found, Player
from tests.hardware.placing import Hands

PLACES = Campaign("places", part=1, whole=50)
"""Number of placements per case."""
CASES = Campaign("places", part=1, whole=4)
IN_ONE_POSITION = 4
NARROW = Layout(pitch_mm=35)


def played(elf: Path, layout: Layout, share: float, places: int) -> Found:
    hands = Hands(layout, CHOSEN.counts, seed=7)
    with EmulatedBoard(elf, hands.field) as board:
        board.power_on()
        hands.calibrate(board)
        player = Player(board, seed=round(100 * share))
        for n in range(places):
            if n % IN_ONE_POSITION == 0:
                player.set_up(share)
            player.place()
    return player.results


@PLACES
@pytest.mark.parametrize(
    ("layout", "share"),
    CASES.among([(USUAL, 0.1), (USUAL, 0.35), (NARROW, 0.1), (NARROW, 0.35)]),
)
def test_piece_is_located(
    firmware_elf: Path,
    layout: Layout,
    share: float,
    record_property: Callable[[str, object], None],
) -> None:
    found = played(firmware_elf, layout, share, PLACES.size)
    record_property("found", f"{found}")
    assert found.claimed == 0, found
    assert found.wrong_side == 0, found
    assert found.named >= 0.95 * found.found, found
    assert found.within >= 0.75 * found.found or PLACES.size < 50, found
    assert found.low_claimed <= 0.25 * found.lows + 1, found
    assert found.found >= 0.3 * found.unseen or PLACES.size < 50, found
