"""Long tests. Ordinary test runs include a part of each; ``make campaign`` runs them in full.

A campaign is a test that could run indefinitely, with more games, more boards, or power cuts at
more moments. It defines two sizes: one for ordinary runs, and its full size. Both run the same code
with the same seeds. The command accepts the name of a campaign:

    make campaign                          all campaigns
    make campaign NAME=power-cuts          one campaign
    make campaign NAME=power-cuts TIMES=10 ten times the full size of one campaign

``make heavy``, and therefore continuous integration, runs 10 % of each campaign. A test whose size
in ordinary runs is 0 is slow: ``make test`` skips it, and ``make heavy`` runs at least one of its
cases (so a test with a full size of 1 runs in full).
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import pytest

CAMPAIGNS: Final = {
    "power-cuts": "power cuts and hangs during calibration of the firmware",
    "resets": "firmware that hangs, is reset or is unplugged at any moment",
    "boards": "squares, boards, drift and noise, as read by the firmware",
    "placements": "pieces that are set down off centre, as read by the firmware",
    "places": "pieces between squares, located from the firmware's field readings",
    "drifting": "a four-hour game in which all sensors drift with temperature",
    "sensor-faults": "shorted, open or dying sensors, interference, and a failing power supply",
    "hovering": "trembling hands that hold pieces over their squares, as read by the firmware",
    "load": "firmware under a higher load than in any game",
    "plies": "20,000 random plies with two referees; “make plies” plays a million",
    "chases": "recorded and generated chases, checked by a second referee",
    "scouts": "37,000 random scout moves under each form of the two-squares rule",
    "whole-games": "the sample game, played to the end in every way there is",
    "stories": "reviews of 1,000 random games and all recorded ones, checked by a second reader",
    "texts": "100,000 random positions of all editions and phases, converted to text and back",
    "damaged-texts": "a million damaged position texts: rejected with the place, or read",
    "random-games": "random games, on their score sheets and pages",
    "anything": "arbitrary inputs to the table, in any order",
    "any-hands": "hands at the table that answer early, stop on the way, or put back in any order",
    "random-frames": "100,000 random frames at the table: no exception; a million with TIMES=10",
    "secrecy": "2,000 pairs of games that differ in privately declared ranks",
    "pads-secrecy": "2,000 pairs of games that differ in what Red declares or seals: pad output",
    "pixels": "200 pairs of attacks that differ in declared ranks: every public image",
    "declaration-times": "response times to 100,000 declarations, rank by rank",
    "walks": "1,000 walks by hand and by command, each ended at the board; 10,000 with TIMES=10",
    "sabotages": "one line of the program is altered for each claim, and a test notices",
    "disk-faults": "every disk operation: killed, interrupted, refused, or without power",
    "sealed-games": "300 games with sealed armies, and dishonest ones, checked by a second reader",
    "programs": "two or three processes that want the same games and are killed at random moments",
    "many-games": "10,000 games in one process, whose memory stops growing; 100,000 with TIMES=10",
    "flipped-bytes": "a flipped byte in the games file: detected, or harmless",
    "readers": "files, lines, cables and networks with arbitrary contents: read or rejected",
    "damaged-frames": "a million frames damaged on the cable: none becomes an action",
    "soak": "ten minutes of games in which everything goes wrong: every invariant holds",
    "soak-frames": "such games with and without repeated frames: the results are the same",
    "hands": "simulated people who play by hand over the sensors of the emulated board",
    "guest": "ten minutes of hostile guests at the phones' web server and at a hall",
    "hall-trouble": "halls, their broker and their database, killed and frozen 60 times each",
    "double-taps": "double taps anywhere on any screen",
    "random-touches": "solo play with random touches and drags: the game remains legal",
    "late-taps": "taps where a different screen has just appeared by itself",
    "looks": "colours, sizes and real windows, for which one check per run is enough",
    "variants": "more languages, sides and values for tests whose first case is an ordinary one",
    "rare-screens": "screens, dialogs and choices that few games need, and rare faults",
    "languages": "every screen in every language and size: no text cut off or too small",
    "large-letters": "every screen in every language with large text: nothing cut off",
    "drags": "solo play in which every piece is dragged to every square: only legal moves count",
    "alone": "solo games by touch against every level of the computer, with all armies",
    "blanks": "games against an army of blanks, with clumsy hands and proof of the seals",
    "loose-contacts": "a square that flickers with every frame for a minute: the screen is still",
    "opponent": "computer opponent: 200 games of each level against the one below, and others",
    "camera-stills": "rendered positions with ten piece sets, read by a camera",
    "camera-plies": "2,000 plies of rendered games, from images to rulings",
    "real-time": "the emulated board in real time, for a minute",
}
"""All campaigns, each with a description."""

TIMES: Final = float(os.environ.get("BOOMBOARD_CAMPAIGN", "0"))
"""Factor by which the full size is multiplied, possibly a fraction. 0 selects the size for ordinary
runs."""

T = TypeVar("T")
Test = TypeVar("Test", bound=Callable[..., None])


def slow_after_first(name: str, cases: Iterable[Any]) -> list[Any]:
    """Return the parameters of a test. All cases except the first are marked as slow.

    The slow cases belong to the campaign `name`. ``make heavy`` runs all of them.
    """
    assert name in CAMPAIGNS, f"{name} is not a campaign"
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
        assert self.name in CAMPAIGNS, f"{self.name} is not a campaign"
        assert 0 <= self.part < self.whole

    @property
    def size(self) -> int:
        """Number of cases in this run."""
        return max(self.part, 1, round(TIMES * self.whole))

    def among(self, items: Sequence[T]) -> list[T]:
        """Return evenly spaced items, starting with the first one."""
        count = min(self.size, len(items))
        return [items[n * len(items) // count] for n in range(count)]

    def __call__(self, test: Test) -> Test:
        """Mark the test with the campaign's name. Also mark it as slow if ordinary runs skip it."""
        marked: Test = pytest.mark.campaign(name=self.name)(test)
        return marked if self.part else pytest.mark.slow(marked)


RARE: Final = Campaign("rare-screens", 0, 1)
"""Marks a long test of a rare case, which runs only in ``make heavy``."""


def main(*names: str) -> int:
    """Return 0 if a campaign exists for every name. Otherwise, print the list of campaigns and
    return 2."""
    unknown = [name for name in names if name not in CAMPAIGNS]
    if unknown:
        known = "\n".join(f"  {name:14} {about}" for name, about in CAMPAIGNS.items())
        sys.stderr.write(f"There is no campaign {unknown[0]!r}; there are:\n{known}\n")
    return 2 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
