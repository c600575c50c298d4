"""Chase games as the Ataraxos test suite writes them (records.md): a board, then action numbers.

They are written to test the more-squares rule and end without a result.
"""

import re
from dataclasses import replace
from reprlib import repr as short  # a hostile file may contain millions of characters anywhere
from typing import Final

from engine.games.files.gravon import EMPTY, read_field
from engine.games.files.lines import Lines
from engine.games.record import Record, RecordedMove
from engine.squares import SQUARES, WIDTH, Square

_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_SQUARES: Final = len(SQUARES)
_VERTICAL: Final = _SQUARES * (WIDTH - 1)
"""Number of actions along a column; there are as many along a row."""


def read_chase(data: bytes) -> Record:
    """Read a chase game; RecordError if it is damaged or something else."""
    lines = Lines(data)
    board = lines.due("the board").replace(EMPTY.lower(), EMPTY)
    setup = read_field(board, lines.number)
    moves = tuple(_read_action(ply, text, lines) for ply, text in enumerate(lines))
    return replace(setup, moves=moves)


def _read_action(ply: int, text: str, lines: Lines) -> RecordedMove:
    if not _NUMBER.fullmatch(text) or int(text) >= 2 * _VERTICAL:
        raise lines.fail(
            f"move {ply + 1} is written {short(text)}, "
            f"which is no number from 0 to {2 * _VERTICAL - 1}"
        )
    source, target = _ends(int(text))
    if ply % 2:  # Blue sees the board rotated
        source, target = _SQUARES - 1 - source, _SQUARES - 1 - target
    return RecordedMove(source, target)


def _ends(action: int) -> tuple[Square, Square]:
    """Return source and target; the target index skips the row or column of the source."""
    code, source = divmod(action % _VERTICAL, _SQUARES)
    row, column = divmod(source, WIDTH)
    if action < _VERTICAL:
        row = code + (code >= row)
    else:
        column = code + (code >= column)
    return source, WIDTH * row + column
