"""Sensors that flicker: found while the game goes on, and believed more slowly from then on.

A loose contact shows now this, now that, over and over on one square, and while everything else
stands as it should. (Where a piece is in a hand, that may pass over any square; and where one has
just been set down, its hand may still be over it.) Such a square is believed only when it has shown
the same for longer than it has blinked lately. So it goes on being refereed, a little later than
the others, until it has been quiet for a while.
"""

import math
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.squares import Square, squares_in
from firmware_bridge.difference import compare
from firmware_bridge.image import Image, Sensed

BLINKS: Final = 5
"""A sensor that has blinked so often within `LATELY` seconds flickers."""
LATELY: Final = 40.0
"""For so many seconds a blink is remembered."""
LONGEST: Final = 1.6
"""A blink shows something else for at most so many seconds, and then again what was there."""
LOOK: Final = 0.3
"""Shortest time for which a piece is lifted to be looked at, in seconds: a square that showed
nothing for longer has not blinked. No contact is loose for so long but seldom."""
TILTS: Final = 1.0
"""Time before and after a look in which its piece is tilted, in seconds: those are no blinks."""
PLAYED: Final = 5.0
"""For so many seconds after a turn has begun or ended on a square, nothing there is a blink."""
QUIET: Final = 120.0
"""A square that has not blinked for so many seconds is believed at once again."""
SHORTEST_PATIENCE: Final = 1.0
"""Seconds for which a square that flickers has to show the same at least, to be believed."""
MARGIN: Final = 1.25
"""By this factor longer than its longest blink such a square has to show the same."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a square shows, since when, and what it showed before."""

    now: Sensed
    since: float
    before: Sensed


class Flicker:
    """Watches the frames of one board. Time is passed in, in seconds."""

    def __init__(self) -> None:
        """Begin with good sensors."""
        self.due: float | None = None
        """When a square that flickers will be believed, if it goes on showing what it shows."""
        self._patience: dict[Square, float] = {}
        self._blinks: dict[Square, deque[tuple[float, float]]] = defaultdict(deque)
        """When squares have blinked lately, and for how long."""
        self._shown: dict[Square, _Shown] = {}
        """The squares that have changed."""
        self._image: Image | None = None
        self._expected: Image | None = None
        self._played: dict[Square, float] = {}
        """When another piece, or none, was expected on a square than before."""
        self._looked: dict[Square, float] = {}
        """When a piece was put back last after somebody looked at it."""
        self._believed: Image | None = None

    @property
    def squares(self) -> Mapping[Square, float]:
        """The squares that flicker, and for how many seconds each has to show the same."""
        return self._patience

    def forget(self) -> None:
        """Forget the board, as it is seen no more; what is known of its sensors stays."""
        self._image = self._believed = self.due = None
        self._shown.clear()

    def play(self, at: float, expected: Image) -> None:
        """Take note that something was played, after which this is expected."""
        if self._expected is not None:
            for square in squares_in(expected.differing(self._expected)):
                self._played[square] = at
        self._expected = expected

    def see(self, at: float, image: Image, expected: Image) -> Image:
        """Take a frame, and return what of it is believed.

        A square that blinks counts where the others show what is `expected`.
        """
        before, self._image = self._image, image
        if before is None:
            self._believed = image
        elif image != before:
            self._calm_down(at)
            self._note(at, before, image, expected)
        elif self.due is None or at < self.due:
            assert self._believed
            return self._believed
        self._believed = self._believe(at, image)
        return self._believed

    def _calm_down(self, at: float) -> None:
        """Forget that squares have flickered which have been quiet since."""
        for square in [each for each in self._patience if self._blinks[each][-1][0] < at - QUIET]:
            del self._patience[square], self._blinks[square]

    def _note(self, at: float, before: Image, image: Image, expected: Image) -> None:
        """Note what has changed, and which squares have only blinked."""
        known, difference = len(self._patience), compare(image, expected)
        for square in squares_in(before.differing(image)):
            was, now = before.at(square), image.at(square)
            shown = self._shown.get(square)
            others = (difference.missing | difference.surplus) & ~(1 << square)
            is_back = shown is not None and shown.before is now and at - shown.since <= LONGEST
            is_played_on = at - self._played.get(square, -math.inf) <= PLAYED
            if shown and is_back and self._is_look(square, at, shown):
                pass
            elif shown and is_back and not others and not is_played_on:
                self._take_blink(square, at, at - shown.since)
                if square in self._patience and len(self._patience) > known:
                    assert self._believed
                    self._believed = self._believed.patched(1 << square, expected)
            self._shown[square] = _Shown(now, at, was)

    def _is_look(self, square: Square, at: float, shown: _Shown) -> bool:
        """Whether a piece was lifted and put back, or tilted shortly after; not if it flickers."""
        if square in self._patience:
            return False
        if shown.now is Sensed.EMPTY and at - shown.since >= LOOK:
            self._looked[square] = at
            blinks = self._blinks[square]
            while blinks and blinks[-1][0] >= shown.since - TILTS:
                blinks.pop()
        return shown.since - self._looked.get(square, -math.inf) <= TILTS

    def _take_blink(self, square: Square, at: float, lasted: float) -> None:
        blinks = self._blinks[square]
        blinks.append((at, lasted))
        while blinks[0][0] < at - LATELY:
            blinks.popleft()
        if len(blinks) >= BLINKS or square in self._patience:
            longest = max(lasted for _, lasted in blinks)
            patience = max(SHORTEST_PATIENCE, MARGIN * longest)
            self._patience[square] = max(patience, self._patience.get(square, 0.0))

    def _believe(self, at: float, image: Image) -> Image:
        """Replace what squares that flicker have not shown for long enough."""
        self.due = None
        believed = image
        for square, patience in self._patience.items():
            shown = self._shown.get(square)
            if shown is None or at - shown.since >= patience - 1e-9:
                continue
            self.due = min(self.due or shown.since + patience, shown.since + patience)
            assert self._believed
            believed = believed.patched(1 << square, self._believed)
        return believed
