"""The sides are distinguishable even with a colour vision deficiency.

The matrices apply to linear RGB at full severity. Source: G. M. Machado, M. M. Oliveira and L. A.
F. Fernandes, “A Physiologically-based Model for Simulation of Color Vision Deficiency”, IEEE
Transactions on Visualization and Computer Graphics 15 (2009), table 1.
"""

import math
from typing import Final, TypeAlias

import pytest

from companion.ui.drawing import theme
from companion.ui.drawing.theme import Colour
from engine.board.geometry import Side

Three: TypeAlias = tuple[float, float, float]

SIGHTS: Final[dict[str, tuple[Three, Three, Three]]] = {
    "without red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "without green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "without blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Final = (0.95047, 1.0, 1.08883)
"""White point D65 of sRGB (IEC 61966-2-1)."""
PLAINLY: Final = 25.0
"""A difference in CIELAB that is clearly visible. The threshold of visibility is about 2.3."""


def linear(colour: Colour) -> Three:
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in colour[:3]
    )
    return red, green, blue


def times(matrix: tuple[Three, Three, Three], of: Three) -> Three:
    one, two, three = (sum(a * b for a, b in zip(row, of, strict=True)) for row in matrix)
    return one, two, three


def lab(light: Three) -> Three:
    shares = (a / w for a, w in zip(times(XYZ, light), WHITE, strict=True))
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Colour, other: Colour, sight: str) -> float:
    seen = []
    for colour in (one, other):
        red, green, blue = (
            min(1.0, max(0.0, each)) for each in times(SIGHTS[sight], linear(colour))
        )
        seen.append(lab((red, green, blue)))
    return math.dist(*seen)


@pytest.mark.parametrize("sight", SIGHTS)
def test_sides_are_distinguishable(sight: str) -> None:
    assert difference(theme.SIDES[Side.RED], theme.SIDES[Side.BLUE], sight) > PLAINLY


@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("sight", SIGHTS)
def test_buttons_differ_from_sides(
    sight: str, high_contrast: bool, request: pytest.FixtureRequest
) -> None:
    """For buttons, half the colour difference is enough, because buttons also differ in shape."""
    request.addfinalizer(
        lambda: theme.apply_theme(high_contrast=False, large_letters=False, light=False)
    )
    theme.apply_theme(high_contrast=high_contrast, large_letters=False, light=False)
    for side in theme.SIDES.values():
        assert difference(theme.ACCENT, side, sight) > PLAINLY / 2


def test_red_and_green_are_indistinguishable() -> None:
    red, green = (0.8, 0.35, 0.2, 1.0), (0.55, 0.5, 0.1, 1.0)
    assert difference(red, green, "without green") < PLAINLY
