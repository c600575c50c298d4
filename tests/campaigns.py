"""Long tests. An ordinary run includes part of each; ``make campaign`` runs them in full.

A campaign is a test that could run indefinitely, with more games, more boards, or power cuts at
more moments. It defines its size in an ordinary run and its full size; both run the same code with
the same seeds. The command accepts the name of a campaign:

    make campaign                          all campaigns
    make campaign NAME=power-cuts          one campaign
    make campaign NAME=power-cuts TIMES=10 ten times the full size of one campaign

``make heavy``, and therefore continuous integration, runs 10 % of each campaign. A test whose size
in an ordinary run is 0 is slow: ``make test`` skips it, and ``make heavy`` runs at least one of its
cases (so a test with a full size of 1 runs in full).
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import pytest

NAMES: Final = {
    "power-cuts": "power cuts and hangs while the firmware is calibrated",
    "resets": "the firmware hangs, is reset and is unplugged at any moment",
    "boards": "squares, boards, drift and noise, as the firmware sees them",
    "placements": "pieces that hands set down beside the middle, as the firmware sees them",
    "places": "pieces that stand between squares, found from what the firmware feels",
    "drifting": "a game of four hours in which all sensors wander with warmth",
    "sensor-faults": "sensors that are shorted, open or die, disturbances, and a failing supply",
    "hovering": "hands that tremble and hold pieces above their squares, as the firmware sees them",
    "load": "the firmware with more to do than in any game",
    "plies": "20,000 random plies before two referees; “make plies” plays a million",
    "chases": "the recorded chases, and chases that are made up, before a second referee",
    "scouts": "37,000 random moves of scouts by each form of the two-squares rule",
    "whole-games": "the sample game, played to its end in every way there is",
    "stories": "reviews of 1,000 random games and all recorded ones, read by a second reader",
    "texts": "100,000 random positions of all editions and phases, through their text and back",
    "damaged-texts": "a million damaged texts of positions: refused with the place, or read",
    "random-games": "made-up games, on their score sheets and pages",
    "anything": "any inputs in any order, at the table",
    "any-hands": "hands that answer early, stop on the way, put back in any order, at the table",
    "random-frames": "100,000 random frames at the table: no exception; a million with TIMES=10",
    "secrecy": "2,000 pairs of games that differ in ranks that were declared in private",
    "pads-secrecy": "2,000 pairs of games that differ in what Red tells or seals: what pads get",
    "pixels": "200 pairs of attacks that differ in declared ranks: every public picture",
    "declaration-times": "how long the answer to 100,000 declarations takes, rank by rank",
    "walks": "1,000 walks of hands and words, each ended at the board; 10,000 with TIMES=10",
    "sabotages": "a line of the program is spoiled, for each claim, and a test notices",
    "disk-faults": "every operation of the disk: killed, half-way, refused, without power",
    "sealed-games": "300 games with sealed armies, and dishonest ones, before a second reader",
    "programs": "two or three programs want the same games, and are killed, at random moments",
    "many-games": "10,000 games in one program: it grows no more; 100,000 with TIMES=10",
    "flipped-bytes": "a byte turns in the file of the games: noticed, or harmless",
    "readers": "files, lines, cables and networks with anything in them: read or refused",
    "damaged-frames": "frames that the cable damages, a million of them: none becomes an action",
    "soak": "ten minutes of games in which everything goes wrong: every invariant holds",
    "soak-frames": "such games with and without repeated frames: the result is the same",
    "hands": "people play by hand over the sensors of the emulated board",
    "guest": "ten minutes of hostile guests at the phones' web server and at a hall",
    "hall-trouble": "halls, their broker and their database are killed and frozen 60 times each",
    "double-taps": "something is tapped twice, anywhere on any screen",
    "random-touches": "alone, a hand touches and drags anything: the game remains legal",
    "late-taps": "something is tapped where another screen has just come by itself",
    "looks": "colours, sizes and real windows, for which one check per run is enough",
    "variants": "further languages, sides and values of tests whose first case is ordinary",
    "rare-screens": "screens and dialogs that few games open: sealing, calibration, flashing",
    "languages": "every screen in every language and size: nothing cut off, nothing too small",
    "large-letters": "every screen in every language with large letters: nothing cut off",
    "drags": "alone, every piece is dragged to every square: only legal moves count",
    "alone": "games by touch against every level of the computer, on all armies",
    "blanks": "games against an army of blanks, with clumsy hands, and the proof of its seals",
    "loose-contacts": "a square comes and goes with every frame for a minute: the screen is still",
    "opponent": "the computer opponent: 200 games of each level against the one below, and others",
    "camera-stills": "rendered positions of ten sets, read through a camera",
    "camera-plies": "2,000 plies of rendered games, from pictures to rulings",
    "real-time": "the emulated board in real time, for a minute",
}
"""All campaigns, with descriptions."""

TIMES: Final = float(os.environ.get("BOOMBOARD_CAMPAIGN", "0"))
"""Size relative to the full campaign, possibly a fraction. 0 selects the size in an ordinary
run."""

T = TypeVar("T")
Test = TypeVar("Test", bound=Callable[..., None])


def slow_after_first(name: str, cases: Iterable[Any]) -> list[Any]:
    """Return parameters for a test, with all cases except the first marked as slow.

    The slow cases belong to the campaign `name`. ``make heavy`` runs all of them.
    """
    assert name in NAMES, f"{name} is not a campaign"
    marks = (pytest.mark.campaign(name=name), pytest.mark.slow)
    first, *others = ((case if isinstance(case, tuple) else (case,)) for case in cases)
    return [pytest.param(*first), *(pytest.param(*each, marks=marks) for each in others)]


@dataclass(frozen=True)
class Campaign:
    """Decorator that marks a test as part of a campaign of the given size."""

    name: str
    part: int
    whole: int

    def __post_init__(self) -> None:
        assert self.name in NAMES, f"{self.name} is not a campaign"
        assert 0 <= self.part < self.whole

    @property
    def size(self) -> int:
        """Number of cases in this run."""
        return max(self.part, 1, round(TIMES * self.whole))

    def among(self, items: Sequence[T]) -> list[T]:
        """Return evenly spaced items, starting with the first."""
        count = min(self.size, len(items))
        return [items[n * len(items) // count] for n in range(count)]

    def __call__(self, test: Test) -> Test:
        """Mark the test with the campaign's name and, if ordinary runs skip it, as slow."""
        marked: Test = pytest.mark.campaign(name=self.name)(test)
        return marked if self.part else pytest.mark.slow(marked)


RARE: Final = Campaign("rare-screens", 0, 1)
"""Marks a long test of a rare case, which runs only in ``make heavy``."""


def main(*names: str) -> int:
    """Return 0 if all names are campaigns. Otherwise, list the campaigns and return 2."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        known = "\n".join(f"  {name:14} {about}" for name, about in NAMES.items())
        sys.stderr.write(f"There is no campaign {unknown[0]!r}; there are:\n{known}\n")
    return 2 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
