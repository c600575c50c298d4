"""The ranks printed on the simulated board's pieces, saved beside the games file.

Unlike a real piece, a simulated piece would lose its rank in a power cut, so the ranks are saved.
After the game, the ranks complete its record. They are kept until the game is deleted. Only the
owner of the file can read it.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from companion.codec import Form, MalformedError, fields_of, from_plain, to_plain
from companion.storage.atomic_file import write_atomically
from engine.board.board import Piece
from engine.board.geometry import SquareSet, squares_in
from engine.board.ranks import SYMBOLS, Rank

FILE: Final = "printed.json"
_Symbol: TypeAlias = Annotated[
    Rank, Form("the symbol of a rank", "ranks", SYMBOLS.__getitem__, lambda rank: rank.symbol)
]
_GAMES: Final = fields_of(games=Mapping[str, Any])


@dataclass(frozen=True)
class _Printed:
    begun: str
    printed: Mapping[Piece, _Symbol]


class PrintedPieces:
    """The file with the printed ranks of all games on the simulated board."""

    def __init__(self, games: Path) -> None:
        """`games` is the path of the games file, beside which the ranks are saved."""
        self._path = games.with_name(FILE)

    def keep(self, game: int, ranks: Mapping[Piece, Rank], begun: str) -> None:
        """Save the ranks of all pieces at the start of a game.

        Another games file may contain a game with the same number. `begun` distinguishes the two. A
        write failure is ignored: if the game is resumed, its ranks are dealt anew.
        """
        printed = to_plain(_Printed(begun, dict(sorted(ranks.items()))))
        self._write({**self._read(), str(game): printed})

    def of(self, game: int, placed: SquareSet, begun: str) -> dict[Piece, Rank] | None:
        """Return the ranks of these pieces, or None if one of them is not known.

        The game must have started at `begun`, because another file of games may contain a game with
        the same number and setup.
        """
        known = self.all_of(game, begun)
        if any(piece not in known for piece in squares_in(placed)):
            return None
        return {piece: known[piece] for piece in squares_in(placed)}

    def all_of(self, game: int, begun: str) -> dict[Piece, Rank]:
        """Return all saved ranks of the game that started at `begun`."""
        try:
            kept: _Printed = from_plain(self._read().get(str(game)), _Printed)
        except MalformedError:
            return {}
        return dict(kept.printed) if kept.begun == begun else {}

    def forget(self, game: int) -> None:
        kept = self._read()
        if kept.pop(str(game), None) is not None:
            self._write(kept)

    def _write(self, games: Mapping[str, Any]) -> None:
        with suppress(OSError):
            write_atomically(self._path, json.dumps({"games": games}))

    def _read(self) -> dict[str, Any]:
        """Return the games in the file. Empty if the file is missing or damaged."""
        try:
            text = json.loads(self._path.read_text(encoding="utf-8"))
            return dict(from_plain(text, _GAMES).games)
        except (OSError, ValueError, RecursionError):
            return {}
