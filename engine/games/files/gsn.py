"""The .gsn files of the Gravon archive (records.md): plain text, one move per line."""

import re
from collections.abc import Iterator
from dataclasses import replace
from reprlib import repr as short  # a hostile file may contain millions of characters anywhere
from typing import Final

from engine.games.files.gravon import read_field, read_move, read_result
from engine.games.files.lines import Lines
from engine.games.record import GameKind, Record, RecordedMove
from engine.play.rulings import GameOver

SIGNATURE: Final = "#X38FA11"
"""First characters of the first line; a version follows."""
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
    """Read a .gsn file; RecordError if it is damaged or something else.

    The rescues of Ultimate Lightning are skipped like chat, because they are written like it; the
    public converter of these files does the same. The record of such a game may therefore lack
    moves.
    """
    lines = Lines(data)
    head = lines.due(SIGNATURE)
    if not head.startswith(SIGNATURE):
        raise lines.fail(f"there is no {SIGNATURE}, so it is not a Gravon .gsn record")
    kind, unknown_kind = _read_kind(lines)
    version = _VERSION.search(head)
    if version and version[1] not in _VERSIONS:
        known = " and ".join(_VERSIONS)
        raise lines.fail(f"this is Stratego-Notation {short(version[1])}; only {known} are known")
    field = lines.due("the setup")
    if field == _END:
        raise lines.fail("the game ended before the armies were set up")
    setup = read_field(field, lines.number)
    moves = tuple(_read_moves(lines))
    players, result = _read_ending(lines)
    for line in lines:
        raise lines.fail(f"the record has ended, but here is {short(line)}")
    return replace(
        setup,
        moves=moves,
        result=result,
        kind=kind,
        unknown_kind=unknown_kind,
        players=players,
    )


def _read_kind(lines: Lines) -> tuple[GameKind | None, str]:
    """Read the game kind, or return the line itself for an unknown number."""
    line = lines.due("the type of the game")
    found = _TYPE.fullmatch(line)
    if not found:
        raise lines.fail(f"the type of the game is due here, but this is {short(line)}")
    return _KINDS.get(found[1]), "" if found[1] in _KINDS else line


def _read_moves(lines: Lines) -> Iterator[RecordedMove]:
    number = 1
    while (line := lines.due(_END)) != _END:
        # A colon in the third place is chat or a rescue, even where it looks like a move. Row 10 is
        # a colon too, but the source has it in the second place and the target in the fifth: A:-A9.
        if line[2:3] == ":":
            continue
        if len(line) != _MOVE_LENGTH:
            raise lines.fail(f"move {number} is due here, but this is {short(line)}")
        yield read_move(number, line[:2], line[-2:], lines.number)
        number += 1


def _read_ending(lines: Lines) -> tuple[tuple[str, str] | None, GameOver]:
    """Read the players and the result, `A vs B result E winner W`.

    The names may contain any of these words. Names are omitted where the split is ambiguous.
    """
    line = lines.due("the result")
    names, _, ending = line.rpartition(" result ")
    kind, told, winner = ending.partition(" winner ")
    red, versus, blue = names.partition(" vs ")
    if not versus or not told:
        raise lines.fail(f"the result is due here, but this is {short(line)}")
    open_to_doubt = names.rpartition(" vs ") != (red, versus, blue)
    players = None if open_to_doubt else (red, blue)
    return players, read_result(kind, winner, lines.number, red=0)
