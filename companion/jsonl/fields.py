"""A board as 100 characters: row 10 first, each row from a to k, the lakes like any square."""

from typing import Any, Final

from engine.board.geometry import SQUARES, WIDTH, Side
from firmware_bridge.image import Image, Sensed

# The error for a malformed line.


class MalformedLineError(ValueError):
    """One plain sentence that names the field and its allowed values.

    It never repeats the input: a rank with a typing error in it is still a secret.
    """


_TOKENS: Final = frozenset(sensed.value for sensed in Sensed)
_BITS: Final = {
    sensed: str.maketrans({token: "1" if token == sensed.value else "0" for token in _TOKENS})
    for sensed in Sensed
}
"""Translation tables from the text to the digits of a set of squares, by what is sensed."""
_ALLOWED: Final = '"board" is a text of 100 characters, each one of ". r b ?", row 10 first'


def read_board(text: object) -> Image:
    """Parse the text of an image."""
    if not isinstance(text, str) or len(text) != len(SQUARES) or not _TOKENS.issuperset(text):
        raise MalformedLineError(f"{_ALLOWED}.")
    digits = _turned(text)
    red, blue, unknown = (
        int(digits.translate(_BITS[sensed]), 2)
        for sensed in (Sensed.RED, Sensed.BLUE, Sensed.UNKNOWN)
    )
    return Image(red, blue, unknown)


def write_board(image: Image) -> str:
    """Return an image as text."""
    return _turned("".join(image.at(square).value for square in reversed(SQUARES)))


def _turned(text: str) -> str:
    """Reverse every row: the digits of a set begin with k10, the text with a10."""
    return "".join(text[start : start + WIDTH][::-1] for start in range(0, len(text), WIDTH))


# A side as plain data, or null for no side, or for both.


def write_side_or_null(side: Side | None) -> str | None:
    """Return a side as plain data."""
    return side.value if side else None


def read_side_or_null(plain: Any) -> Side | None:
    """Parse the output of `write_side_or_null`; ValueError if it is malformed."""
    return None if plain is None else Side(plain)
