"""Collection of a board's field readings until they show where a piece is.

While no piece is missing, readings are kept as a reference. While one is missing, readings that
have been steady for a while are compared with the reference. A moving hand makes every round
different, so nothing is found while a hand moves.
"""

from collections import deque
from collections.abc import Iterable
from math import hypot
from statistics import fmean
from typing import Final, TypeAlias

from engine.board.geometry import WIDTH, Side, Square, squares_in
from firmware_bridge.image import Image
from firmware_bridge.localization.localize import PieceLocation, locate
from firmware_bridge.localization.residuals import AveragedReadings, residuals, square_pitch
from firmware_bridge.wire import FELT_BANDS, FELT_PIECE, FELT_SQUARES, NOT_FELT, FieldReadings

ROUNDS: Final = 12
"""Number of steady rounds that are required before a place is reported."""
KNOWN_ROUNDS: Final = 2
"""Number of steady rounds that are sufficient for the reference while no piece is missing."""
STEADY_CHANGE: Final = 0.03
"""Maximum change of a reading between two steady rounds, noise included, as a fraction of a
piece."""
RECOMPUTE_ROUNDS: Final = 6
"""Number of further rounds after which the place is computed again. The computation is slow."""
SAME_PLACE: Final = 0.12
"""Distance up to which a place counts as the previously reported one, in squares."""
MIN_DISTANCE: Final = 0.4
"""Minimum distance between a place and a detected piece, in squares."""
Places: TypeAlias = dict[Side, PieceLocation]
_Round: TypeAlias = dict[Square, float]


class FieldSampler:
    """Field readings of one board."""

    def __init__(self) -> None:
        """Begin without any reading."""
        self.reset()

    def reset(self) -> None:
        """Discard all readings: the board was replaced or restarted."""
        self.places: Places = {}
        """By side, the last reported place of a piece that no square detects."""
        self._seeks = False
        self._image = Image()
        self._round: _Round = {}
        self._next_band = 0
        self._rounds: deque[_Round] = deque(maxlen=ROUNDS)
        self._before: AveragedReadings | None = None
        self._pitch: float | None = None
        self._fresh = 0
        """Number of rounds since the last computation."""

    def set_searching(self, *, seeks: bool) -> None:
        """Start or stop searching for a piece that no square detects."""
        if seeks == self._seeks:
            return
        self._seeks = seeks
        self._rounds.clear()
        self.places = {}

    def add(self, readings: FieldReadings, image: Image) -> bool:
        """Add readings taken with an image; return whether the reported places changed."""
        if image != self._image:
            self._image = image
            self._rounds.clear()
            self._next_band = FELT_BANDS  # discards a round that began earlier
        if readings.band == 0:
            self._round, self._next_band = {}, 0
        if readings.band != self._next_band:
            return False
        first = FELT_SQUARES * readings.band
        for square, share in enumerate(readings.shares, first):
            if share != NOT_FELT:
                self._round[square] = share / FELT_PIECE
        self._next_band += 1
        return self._next_band == FELT_BANDS and self._take_round()

    def _take_round(self) -> bool:
        self._rounds.append(self._round)
        self._fresh += 1
        if not self._seeks:
            if len(self._rounds) >= KNOWN_ROUNDS:
                self._before, self._pitch = self._average, None
            return False
        if len(self._rounds) < ROUNDS or not _is_steady(self._rounds, self._image):
            return False
        if self._fresh < RECOMPUTE_ROUNDS:
            return False
        self._fresh = 0
        found = self._find(self._average)
        if _are_same(found, self.places):
            return False
        self.places = found
        return True

    @property
    def _average(self) -> AveragedReadings:
        return AveragedReadings(self._image, _mean(self._rounds), len(self._rounds))

    def _find(self, now: AveragedReadings) -> Places:
        if self._pitch is None:
            self._pitch = square_pitch(self._before or now)
        around = residuals(now, self._before, self._pitch)
        found = ((side, locate(around, side, self._pitch)) for side in Side)
        return {side: each for side, each in found if each and _has_room(each, self._image)}


def _shared(rounds: Iterable[_Round]) -> list[Square]:
    """Return the squares that are contained in every round."""
    return sorted(set.intersection(*(set(each) for each in rounds)))


def _mean(rounds: Iterable[_Round]) -> dict[Square, float]:
    every = list(rounds)
    return {square: fmean(each[square] for each in every) for square in _shared(every)}


def _is_steady(rounds: Iterable[_Round], image: Image) -> bool:
    every = list(rounds)
    return all(
        max(each[square] for each in every) - min(each[square] for each in every) <= STEADY_CHANGE
        for square in _shared(every)
        if not image.occupied >> square & 1
    )


def _are_same(some: Places, others: Places) -> bool:
    return some.keys() == others.keys() and all(
        hypot(one.column - others[side].column, one.row - others[side].row) <= SAME_PLACE
        for side, one in some.items()
    )


def _has_room(place: PieceLocation, image: Image) -> bool:
    return all(
        hypot(place.column - square % WIDTH, place.row - square // WIDTH) >= MIN_DISTANCE
        for square in squares_in(image.occupied)
    )
