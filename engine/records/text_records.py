"""Text records (docs/records.md): Gravon's .gsn files, and the chase games of Ataraxos.

Both are read line by line; error messages cite the line number.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from reprlib import repr as short  # a hostile file may contain millions of characters anywhere
from typing import Final

from engine.board.geometry import SQUARES, WIDTH, Square
from engine.game.rulings import GameOver
from engine.records.gravon import EMPTY, read_field, read_move, read_result
from engine.records.record import GameKind, Record, RecordedMove, RecordError

# Not str.splitlines, which also splits at characters that people may have typed in a chat.
_LINE_END: Final = re.compile(r"\r\n?|\n")


class LineReader(Iterator[str]):
    """The non-blank lines in order, without trailing white space.

    Bytes that are not UTF-8 can only occur in names and chat; elsewhere the replacement character
    is rejected.
    """

    def __init__(self, data: bytes) -> None:
        """Take a whole file."""
        text = data.decode("utf-8-sig", "replace")
        self.number = 1
        """Number of the last line read, counted from 1."""
        self._numbered = enumerate(_LINE_END.split(text), start=1)

    def __next__(self) -> str:
        for number, line in self._numbered:
            if line.strip():
                self.number = number
                return line.rstrip()
        raise StopIteration

    def peek(self, what: str) -> str:
        """Return the next line, which the format requires."""
        line = next(self, None)
        if line is None:
            raise self.error(f"expected {what}, but the file ends here")
        return line

    def error(self, message: str) -> RecordError:
        """Return an error that cites the last line read."""
        return RecordError(message, self.number)


SIGNATURE: Final = "#X38FA11"
"""First characters of the first line, followed by a version."""
_VERSION: Final = re.compile(r"Stratego-Notation (\S+)")
_VERSIONS: Final = ("v1", "v2")
_TYPE: Final = re.compile(r"type ([0-9]{1,3})")
_KINDS: Final = {
    "0": GameKind.CLASSIC,
    "1": GameKind.BARRAGE,
    "2": GameKind.CLASSIC_FREE,
    "3": GameKind.ULTIMATE_LIGHTNING,
}
"""Game kinds by number; no number is known for `duell`."""
_END: Final = "END"
_MOVE_LENGTH: Final = 5


def read_gsn(data: bytes) -> Record:
    """Read a .gsn file; RecordError if it is damaged or of another format.

    The rescues of Ultimate Lightning are skipped like chat, because they are written like chat. The
    public converter of these files skips them too. The record of such a game may therefore lack
    moves.
    """
    lines = LineReader(data)
    head = lines.peek(SIGNATURE)
    if not head.startswith(SIGNATURE):
        raise lines.error(f"there is no {SIGNATURE}, so it is not a Gravon .gsn record")
    kind, unknown_kind = _read_kind(lines)
    version = _VERSION.search(head)
    if version and version[1] not in _VERSIONS:
        known = " and ".join(_VERSIONS)
        raise lines.error(f"this is Stratego-Notation {short(version[1])}; only {known} are known")
    field = lines.peek("the setup")
    if field == _END:
        raise lines.error("the game ended before the armies were set up")
    setup = read_field(field, lines.number)
    moves = tuple(_read_moves(lines))
    players, result = _read_ending(lines)
    for line in lines:
        raise lines.error(f"expected the end of the file, found {short(line)}")
    return replace(
        setup,
        moves=moves,
        result=result,
        kind=kind,
        unknown_kind=unknown_kind,
        players=players,
    )


def _read_kind(lines: LineReader) -> tuple[GameKind | None, str]:
    """Read the game kind, or return the line itself for an unknown number."""
    line = lines.peek("the type of the game")
    found = _TYPE.fullmatch(line)
    if not found:
        raise lines.error(f"expected the type of the game, found {short(line)}")
    return _KINDS.get(found[1]), "" if found[1] in _KINDS else line


def _read_moves(lines: LineReader) -> Iterator[RecordedMove]:
    number = 1
    while (line := lines.peek(_END)) != _END:
        # A colon in the third place is chat or a rescue, even where it looks like a move. Row 10 is
        # a colon too, but the source has it in the second place and the target in the fifth: A:-A9.
        if line[2:3] == ":":
            continue
        if len(line) != _MOVE_LENGTH:
            raise lines.error(f"expected move {number}, found {short(line)}")
        yield read_move(number, line[:2], line[-2:], lines.number)
        number += 1


def _read_ending(lines: LineReader) -> tuple[tuple[str, str] | None, GameOver]:
    """Read the players and the result, `A vs B result E winner W`.

    The names may contain any of these words. Names are omitted where the split is ambiguous.
    """
    line = lines.peek("the result")
    names, _, ending = line.rpartition(" result ")
    kind, separator, winner = ending.partition(" winner ")
    red, versus, blue = names.partition(" vs ")
    if not versus or not separator:
        raise lines.error(f"expected the result, found {short(line)}")
    open_to_doubt = names.rpartition(" vs ") != (red, versus, blue)
    players = None if open_to_doubt else (red, blue)
    return players, read_result(kind, winner, lines.number, red=0)


_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_SQUARES: Final = len(SQUARES)
_VERTICAL: Final = _SQUARES * (WIDTH - 1)
"""Number of possible targets in a column; a row has the same number."""


def read_chase(data: bytes) -> Record:
    """Read a chase game as the Ataraxos test suite writes it: a board, then action numbers.

    These games test the more-squares rule and end without a result. RecordError if the file is
    damaged or of another format.
    """
    lines = LineReader(data)
    board = lines.peek("the board").replace(EMPTY.lower(), EMPTY)
    setup = read_field(board, lines.number)
    moves = tuple(_read_action(ply, text, lines) for ply, text in enumerate(lines))
    return replace(setup, moves=moves)


def _read_action(ply: int, text: str, lines: LineReader) -> RecordedMove:
    if not _NUMBER.fullmatch(text) or int(text) >= 2 * _VERTICAL:
        raise lines.error(
            f"move {ply + 1} must be a number from 0 to {2 * _VERTICAL - 1}; found {short(text)}"
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
