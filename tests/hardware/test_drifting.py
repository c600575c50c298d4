"""Tests for a game in which the sensors drift. Every square must be read correctly."""

from pathlib import Path

from tests.campaigns import RARE, Campaign
from tests.hardware.drifting import DRIFTS, WHOLE, play

PLIES = Campaign("drifting", part=0, whole=52)
"""Number of plies to play. A campaign plays a quarter of the game, because drift is fastest in the
first hour."""


@PLIES
def test_squares_are_correct_during_drift(firmware_elf: Path) -> None:
    result = play(firmware_elf, DRIFTS[0], min(PLIES.size, WHOLE))
    assert result.frames > 0
    placed = result.placed
    assert (placed.unseen, placed.wrong_squares, placed.wrong_colours) == (0, 0, 0), result
    assert result.drifted == 0, "drift that is compensated is not a fault"


@RARE
def test_fast_drift_is_misread(firmware_elf: Path) -> None:
    """The drift is too fast for the firmware to track. This shows that the previous test can
    fail."""
    result = play(firmware_elf, 4 * DRIFTS[0], plies=6, pace=400)
    assert result.placed.wrong_squares > 0
