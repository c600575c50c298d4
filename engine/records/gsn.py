"""The .gsn files of the Gravon archive (RULES §11): plain text, a move a line."""

import re
from collections.abc import Iterator
from dataclasses import replace
from reprlib import repr as short  # a hostile file may write millions of characters anywhere
from typing import Final

from engine.record import Record, RecordedMove
from engine.records.gravon import read_field, read_move, read_result
from engine.records.lines import Lines
from engine.rulings import GameOver

SIGNATURE: Final = "#X38FA11"
"""What the first line begins with; a version follows."""
_TYPE: Final = re.compile(r"type [0-9]{1,3}")
_END: Final = "END"
_MOVE_LENGTH: Final = 5


def read_gsn(data: bytes) -> Record:
    """Read a .gsn file; RecordError if it is damaged or something else."""
    lines = Lines(data)
    if not lines.due(SIGNATURE).startswith(SIGNATURE):
        raise lines.fail(f"there is no {SIGNATURE}, so it is not a Gravon .gsn record")
    kind = lines.due("the type of the game")
    if not _TYPE.fullmatch(kind):
        raise lines.fail(f"the type of the game is due here, but this is {short(kind)}")
    field = lines.due("the setup")
    if field == _END:
        raise lines.fail("the game ended before the armies were set up")
    setup = read_field(field, lines.number)
    moves = tuple(_read_moves(lines))
    result = _read_result(lines)
    for line in lines:
        raise lines.fail(f"the record has ended, but here is {short(line)}")
    return replace(setup, moves=moves, result=result)


def _read_moves(lines: Lines) -> Iterator[RecordedMove]:
    """Read as far as the end of the game."""
    number = 1
    while (line := lines.due(_END)) != _END:
        # A colon in the third place is chat, even where it looks like a move. Row 10 is a colon
        # too, but that of the source comes second and that of the target fifth: A:-A9, A9-A:.
        if line[2:3] == ":":
            continue
        if len(line) != _MOVE_LENGTH:
            raise lines.fail(f"move {number} is due here, but this is {short(line)}")
        yield read_move(number, line[:2], line[-2:], lines.number)
        number += 1


def _read_result(lines: Lines) -> GameOver:
    """Read `A vs B result E winner W`; the names may hold any of these words."""
    line = lines.due("the result")
    players, _, ending = line.rpartition(" result ")
    kind, told, winner = ending.partition(" winner ")
    if " vs " not in players or not told:
        raise lines.fail(f"the result is due here, but this is {short(line)}")
    return read_result(kind, winner, lines.number, red=0)
