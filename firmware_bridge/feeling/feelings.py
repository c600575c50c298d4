"""What a board tells of what it feels, collected until it says where a piece stands.

As long as nothing is looked for, what is felt is kept to compare with. When something is looked
for, what has been felt the same for a while is compared with that. A hand that moves makes every
round different: while it does, nothing is found.
"""

from collections import deque
from collections.abc import Iterable
from math import hypot
from statistics import fmean
from typing import Final, TypeAlias

from engine.sides import Side
from engine.squares import WIDTH, Square, squares_in
from firmware_bridge.feeling.beyond import Feeling, beyond, pitch_of
from firmware_bridge.feeling.place import Place, find
from firmware_bridge.image import Image
from firmware_bridge.wire import FELT_BANDS, FELT_PIECE, FELT_SQUARES, NOT_FELT, Felt

ROUNDS: Final = 12
"""So many rounds have to be felt the same before a place is told."""
KNOWN_ROUNDS: Final = 2
"""So many are enough to know what is felt as long as nothing is looked for."""
STEADY: Final = 0.03
"""By so much of a piece what a sensor feels may differ between these rounds, noise and all."""
ANEW: Final = 6
"""After so many further rounds they are judged anew: it takes some time to do so."""
SAME: Final = 0.12
"""A place no further from the one that was told, in squares, is still that one."""
ROOM: Final = 0.4
"""So near to a piece that is seen, in squares, no other one can stand."""
Places: TypeAlias = dict[Side, Place]
_Round: TypeAlias = dict[Square, float]


class Feelings:
    """What one board feels."""

    def __init__(self) -> None:
        """Begin without knowing anything."""
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget all: the board is another one, or begins anew."""
        self.places: Places = {}
        """Where a piece of a side stands that no square sees, as told last."""
        self._seeks = False
        self._image = Image()
        self._round: _Round = {}
        self._next_band = 0
        self._rounds: deque[_Round] = deque(maxlen=ROUNDS)
        self._before: Feeling | None = None
        self._pitch: float | None = None
        self._fresh = 0
        """So many rounds have come since they were judged."""

    def seek(self, *, seeks: bool) -> None:
        """Look for a piece that no square sees, or cease to."""
        if seeks == self._seeks:
            return
        self._seeks = seeks
        self._rounds.clear()
        self.places = {}

    def take(self, felt: Felt, image: Image) -> bool:
        """Take what is felt while a board shows an image; say whether other places are told now."""
        if image != self._image:
            self._image = image
            self._rounds.clear()
            self._next_band = FELT_BANDS  # a round that began before is none
        if felt.band == 0:
            self._round, self._next_band = {}, 0
        if felt.band != self._next_band:
            return False
        first = FELT_SQUARES * felt.band
        for square, share in enumerate(felt.shares, first):
            if share != NOT_FELT:
                self._round[square] = share / FELT_PIECE
        self._next_band += 1
        return self._next_band == FELT_BANDS and self._take_round()

    def _take_round(self) -> bool:
        self._rounds.append(self._round)
        self._fresh += 1
        if not self._seeks:
            if len(self._rounds) >= KNOWN_ROUNDS:
                self._before, self._pitch = self._feeling, None
            return False
        if len(self._rounds) < ROUNDS or not _is_steady(self._rounds, self._image):
            return False
        if self._fresh < ANEW:
            return False
        self._fresh = 0
        found = self._find(self._feeling)
        if _are_same(found, self.places):
            return False
        self.places = found
        return True

    @property
    def _feeling(self) -> Feeling:
        return Feeling(self._image, _mean(self._rounds), len(self._rounds))

    def _find(self, now: Feeling) -> Places:
        if self._pitch is None:
            self._pitch = pitch_of(self._before or now)
        around = beyond(now, self._before, self._pitch)
        found = ((side, find(around, side, self._pitch)) for side in Side)
        return {side: each for side, each in found if each and _has_room(each, self._image)}


def _shared(rounds: Iterable[_Round]) -> list[Square]:
    """Return the squares that every round tells of."""
    return sorted(set.intersection(*(set(each) for each in rounds)))


def _mean(rounds: Iterable[_Round]) -> dict[Square, float]:
    every = list(rounds)
    return {square: fmean(each[square] for each in every) for square in _shared(every)}


def _is_steady(rounds: Iterable[_Round], image: Image) -> bool:
    every = list(rounds)
    return all(
        max(each[square] for each in every) - min(each[square] for each in every) <= STEADY
        for square in _shared(every)
        if not image.occupied >> square & 1
    )


def _are_same(some: Places, others: Places) -> bool:
    return some.keys() == others.keys() and all(
        hypot(one.column - others[side].column, one.row - others[side].row) <= SAME
        for side, one in some.items()
    )


def _has_room(place: Place, image: Image) -> bool:
    return all(
        hypot(place.column - square % WIDTH, place.row - square // WIDTH) >= ROOM
        for square in squares_in(image.occupied)
    )
