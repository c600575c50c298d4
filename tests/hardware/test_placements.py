"""Tests that the firmware detects pieces that are set down off centre."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from hardware.emulator.board import EmulatedBoard
from hardware.emulator.layout import Layout
from hardware.emulator.physics import BEFORE, USUAL
from hardware.magnetics.found_file import BEFORE as CHOSEN_BEFORE
from hardware.magnetics.found_file import CHOSEN
from tests.campaigns import RARE, Campaign
from tests.hardware.placing import Hands, Placed, placed_alone, placed_in_armies

NARROW = Layout(pitch_mm=35)
PIECES = Campaign("placements", part=150, whole=10_000)
"""Minimum number of pieces per spread and layout."""
SPREADS = Campaign("placements", part=2, whole=12)
"""Number of cases to run."""
CASES = [
    (layout, place) for layout in (USUAL, NARROW) for place in (placed_alone, placed_in_armies)
]
MOST_UNSEEN = {2: 0.0025, 3: 0.02, 4: 0.07}
"""Maximum fraction of pieces not detected, keyed by spread in millimetres."""
MOST_HELD = 0.001
"""If a piece is lifted from among eight pieces of the other army, on squares of 35 mm, the board
may still show it in at most this fraction of cases. On such squares, the crosstalk from eight
neighbours nearly reaches the threshold.
"""
LUCK = 3
"""Number of standard deviations by which a sample may exceed the limit."""
Place = Callable[[EmulatedBoard, Hands, float, int], Placed]


@SPREADS
@pytest.mark.parametrize(
    ("spread", "layout", "place"),
    SPREADS.among([(spread, *case) for spread in (3, 4, 2) for case in CASES]),
)
def test_off_centre_placements(
    firmware_elf: Path,
    layout: Layout,
    place: Place,
    spread: int,
    record_property: Callable[[str, object], None],
) -> None:
    hands = Hands(layout, CHOSEN.counts, seed=spread)
    with EmulatedBoard(firmware_elf, hands.field) as board:
        board.power_on()
        hands.calibrate(board)
        placed = place(board, hands, spread, PIECES.size)
    record_property("placed", asdict(placed))
    share = MOST_UNSEEN[spread]
    luck = LUCK * (share * (1 - share) / placed.pieces) ** 0.5
    assert placed.share_unseen <= share + luck, placed
    assert (placed.wrong_squares, placed.wrong_colours) == (0, 0), placed
    assert placed.not_let_go <= (MOST_HELD * placed.lifted if layout is NARROW else 0), placed


@RARE
def test_earlier_magnets_lose_more(firmware_elf: Path) -> None:
    """The earlier design has larger magnets, closer to the sensors. With the same thresholds, more
    pieces go undetected."""
    missed = []
    for layout, counts in ((BEFORE, CHOSEN_BEFORE.counts), (USUAL, CHOSEN.counts)):
        hands = Hands(layout, counts, seed=1)
        with EmulatedBoard(firmware_elf, hands.field) as board:
            board.power_on()
            hands.calibrate(board)
            missed.append(placed_in_armies(board, hands, 4, 400).share_unseen)
    assert missed[0] > 0.12, "the earlier magnets"
    assert missed[1] < 0.1, "the current magnets"
