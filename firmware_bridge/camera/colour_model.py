"""Colours of the empty board and of the red and blue blocks, in the light at the table.

A pixel is described by its lightness (a logarithm) and two colour ratios. Shading hardly changes
the ratios. Shadows darken a surface by up to half. The distance between a pixel and a surface type
is measured in units of that type's usual spread. The nearest type is chosen if it is clearly nearer
than all other types.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from engine.board.geometry import WIDTH
from firmware_bridge.camera.ground_view import Mask, View, rows_of_view

Traits: TypeAlias = npt.NDArray[np.float32]
"""Lightness and two colour ratios of each pixel, along the last axis."""
Labels: TypeAlias = npt.NDArray[np.uint8]

UNCLEAR: Final = 0
BOARD: Final = 1
RED: Final = 2
BLUE: Final = 3

# The spreads were chosen by judgement and checked with rendered images. They are about twice the
# spread within one face of a block, including the noise and the compression of a webcam.
_LIGHTNESS_SPREAD: Final = 0.14
_COLOUR_SPREAD: Final = 0.09
_DARKEST_SHADOW: Final = 0.8
"""Maximum loss of lightness in a shadow, as a natural logarithm: 0.8 leaves 45 % of the light."""
_BRIGHTER: Final = 0.08
"""A pixel may be lighter than the empty board by this much and still show the same surface."""
_BRIGHT_SPREAD: Final = 0.07
"""Spread of the lightness in excess of `_BRIGHTER`. It has to be small so that white blocks can be
told from a grey board. It can be small because lightness is measured relative to the white paper.
"""
_SHADED_FACE: Final = 0.22
"""Differences in lightness up to this value are ignored, because blocks of the same colour usually
differ that much from each other."""
FARTHEST: Final = 3.2
"""A pixel that is farther than this from every known surface belongs to none of them."""
_DIFFERENT: Final = 2.0
"""A pixel that is farther than this from the empty board shows something else."""
_LEAD: Final = 0.8
"""A surface type is chosen only if it is nearer than any other type by at least this distance."""
_FACES: Final = 4
"""Maximum number of shades in one set: the top, two sides, and the print on them."""
_RAREST_FACE: Final = 0.07
"""A group of similar pixels is a separate shade if it makes up at least this fraction of the pixels
of a set of blocks."""
_ON_BOARD: Final = 0.005
"""A shade of the blocks may make squares unreadable if it also occurs on more than this fraction of
the playing field (half a square). Chosen by judgement, not measurement."""


def traits_of(view: View) -> Traits:
    """Return the traits of the pixels of a normalized view, in which white paper is 1."""
    blue, green, red = view[..., 0], view[..., 1], view[..., 2]
    mean = (blue + green + red) / 3
    # Without the added constants, the noise of dark pixels would look like colour.
    scale = 1 / (mean + 0.08)
    return np.stack(
        [np.log(mean + 0.05), (red - blue) * scale, (green - (red + blue) / 2) * scale], axis=-1
    )


class EmptyBoard:
    """Appearance of the empty board, pixel by pixel."""

    def __init__(self, view: View, colour_spread: float = _COLOUR_SPREAD) -> None:
        self._view = view.copy()
        self._spread = colour_spread
        self._refresh()

    def _refresh(self) -> None:
        # The view may be shifted by a pixel, so each pixel may look like any of its neighbours.
        traits = traits_of(self._view)
        kernel = np.ones((3, 3), np.uint8)
        self._low = cv2.erode(traits, kernel)
        self._high = cv2.dilate(traits, kernel)
        self.traits: Traits = traits

    def follow(self, view: View, squares: Mask, share: float) -> None:
        """Adapt to slow changes in the light.

        The pixels in `squares` are known to show the empty board.
        """
        self._view[squares] += np.float32(share) * (view[squares] - self._view[squares])
        self._refresh()

    def distance(self, traits: Traits) -> npt.NDArray[np.float32]:
        """Return how much each pixel differs from the same pixel of the empty board."""
        over = np.maximum(traits - self._high, self._low - traits)
        over[..., 0] = np.maximum(
            (traits[..., 0] - self._high[..., 0] - _BRIGHTER)
            * np.float32(_LIGHTNESS_SPREAD / _BRIGHT_SPREAD),
            self._low[..., 0] - _DARKEST_SHADOW - traits[..., 0],
        )
        return _length(np.maximum(over, 0), self._spread)


@dataclass(frozen=True)
class BlockColours:
    """Shades of the blocks of one side."""

    shades: npt.NDArray[np.float32]
    """Traits of each shade, one per row."""

    @classmethod
    def learn(cls, traits: Traits) -> "BlockColours":
        """Find the shades that occur in the pixels of many blocks."""
        weights = np.array([1 / _LIGHTNESS_SPREAD / 2, 1 / _COLOUR_SPREAD, 1 / _COLOUR_SPREAD])
        points = np.asarray(traits.reshape(-1, 3) * weights, np.float32)
        cv2.setRNGSeed(1)
        rule = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.01)
        _, members, _ = cv2.kmeans(
            points, _FACES, np.empty((0,), np.int32), rule, 3, cv2.KMEANS_PP_CENTERS
        )
        members = np.asarray(members).ravel()
        shades = [
            np.median(points[members == n], axis=0) / weights
            for n in range(_FACES)
            if np.mean(members == n) >= _RAREST_FACE
        ]
        return cls(np.array(shades, np.float32))

    def likeness(self, board: Traits) -> list[float]:
        """Return, for each shade, the fraction of a board's pixels that match it."""
        return [float(np.mean(self._from(each, board) <= FARTHEST)) for each in self.shades]

    def without(self, number: int) -> "BlockColours":
        """Return a copy without one shade."""
        return BlockColours(np.delete(self.shades, number, axis=0))

    def distance(self, traits: Traits) -> npt.NDArray[np.float32]:
        """Return the distance of each pixel from the nearest shade."""
        distances = np.stack([self._from(shade, traits) for shade in self.shades])
        return np.asarray(distances.min(axis=0), np.float32)

    def _from(self, shade: npt.NDArray[np.float32], traits: Traits) -> npt.NDArray[np.float32]:
        over = np.abs(traits - shade)
        over[..., 0] = np.maximum(over[..., 0] - _SHADED_FACE, 0)
        return _length(over, _COLOUR_SPREAD)


def _length(over: Traits, colour_spread: float) -> npt.NDArray[np.float32]:
    lightness = over[..., 0] / np.float32(_LIGHTNESS_SPREAD)
    first, second = over[..., 1] / colour_spread, over[..., 2] / colour_spread
    return np.asarray(np.sqrt(lightness**2 + first**2 + second**2), np.float32)


def differs(board: EmptyBoard, traits: Traits) -> Mask:
    """Return the pixels that cannot be the empty board, even in shadow."""
    mask: Mask = board.distance(traits) > _DIFFERENT
    return mask


class ColourModel:
    """Colours of the empty board and of both sets."""

    def __init__(self, board: EmptyBoard, red: BlockColours, blue: BlockColours) -> None:
        self.board, self.red, self.blue = board, red, blue

    def without_board_shades(self) -> Iterator["ColourModel"]:
        """Yield models with fewer and fewer of the shades that also occur on the empty board.

        Such a shade usually comes from the picture on the blocks. At least one shade of each side
        remains.
        """
        field = self.board.traits[rows_of_view(0, WIDTH)]
        sides = [self.red, self.blue]
        while True:
            likeness = [
                (share, side, number)
                for side, colours in enumerate(sides)
                for number, share in enumerate(colours.likeness(field))
                if len(colours.shades) > 1
            ]
            worst = max(likeness, default=(0.0, 0, 0))
            if worst[0] < _ON_BOARD:
                return
            sides[worst[1]] = sides[worst[1]].without(worst[2])
            yield ColourModel(self.board, *sides)

    def label(self, traits: Traits) -> Labels:
        """Return the surface type of each pixel, or `UNCLEAR` if no type is clearly nearest."""
        board, red, blue = (kind.distance(traits) for kind in (self.board, self.red, self.blue))
        labels: Labels = np.zeros(board.shape, np.uint8)
        for kind, own, others in (
            (BOARD, board, np.minimum(red, blue)),
            (RED, red, np.minimum(board, blue)),
            (BLUE, blue, np.minimum(board, red)),
        ):
            labels[(own <= FARTHEST) & (others - own >= _LEAD)] = kind
        return labels
