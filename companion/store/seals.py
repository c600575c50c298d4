"""Seals: checksums that detect corruption of the rows of the journal.

A disk can lose or flip bits silently, and SQLite does not verify what it reads. So each row ends
with a checksum of its columns. Those of the actions and of the notes of a game also include the
seal of the row before, and the row of the game contains the latest of both: a row that is missing,
duplicated or out of order breaks the chain. A seal protects against damage, not against tampering:
a person who can write the file can compute seals.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

BEGINNING: Final = ""
"""The predecessor of the first seal."""
_BYTES: Final = 8
"""Size of a seal: one case of damage in 2⁶⁴ would go unnoticed."""


class BrokenSealError(ValueError):
    """A row has changed since it was written. The message names the row, without its contents."""


def seal(*columns: Any) -> str:
    """Return the checksum of the columns of a row."""
    # It is the same in every version of Python, and three times as fast as JSON.
    return hashlib.blake2b(ascii(columns).encode(), digest_size=_BYTES).hexdigest()


def check_row(what: str, row: Sequence[Any]) -> None:
    """Check the seal of a single row; its seal is the last column."""
    if seal(*row[:-1]) != row[-1]:
        raise BrokenSealError(f"{what} is damaged")


def check_chain(what: str, game: int, rows: Iterable[Sequence[Any]], head: str) -> None:
    """Check that the rows of a game are undamaged, in order and complete.

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
