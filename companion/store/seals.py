"""Seals: by them a row of the journal tells whether it is as it was written.

A disk loses and turns bits without a word, and SQLite believes what it reads. So each row ends with
a sum over all that stands in it. Those of the actions and of the notes of a game also take in the
seal of the row before, and the row of the game holds the latest of both: what is missing, doubled
or out of its order breaks the chain. A seal guards against damage and against nobody: whoever can
write the file can seal it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

BEGINNING: Final = ""
"""What stands for the seal before the first."""
_BYTES: Final = 8
"""Of damage, one case in 2⁶⁴ would go unnoticed."""


class BrokenSealError(ValueError):
    """A row is not as it was written. The message names the row, and nothing that stands in it."""


def seal(*columns: Any) -> str:
    """Return the sum over the columns of a row."""
    # The same in every version of Python, and three times as fast as JSON.
    return hashlib.blake2b(ascii(columns).encode(), digest_size=_BYTES).hexdigest()


def check_row(what: str, row: Sequence[Any]) -> None:
    """See whether a row is whole that stands alone; its seal is the last column."""
    if seal(*row[:-1]) != row[-1]:
        raise BrokenSealError(f"{what} is damaged")


def check_chain(what: str, game: int, rows: Iterable[Sequence[Any]], head: str) -> None:
    """See whether the rows of a game are whole, in order and all there.

    Each begins with its number, counted from 1, and ends with its seal; `head` is the latest seal.
    """
    before, number = BEGINNING, 0
    for number, row in enumerate(rows, start=1):
        *columns, kept = row
        if columns[0] != number or seal(before, game, *columns) != kept:
            raise BrokenSealError(f"{what} {number} of game {game} is damaged or missing")
        before = kept
    if before != head:
        raise BrokenSealError(f"{what} {number + 1} of game {game} is missing")
