"""The ranks that are printed on the pieces of the simulated board, kept beside the games.

A real piece has its rank printed on it, and a pulled plug changes nothing about that. A simulated
one would come back with another rank than the player had given it. After the game the ranks make
its record complete, so they stay until the game is deleted. Only the owner can read the file.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.store.whole_file import write_whole
from engine.legality.board import Piece
from engine.ranks import SYMBOLS, Rank
from engine.squares import SquareSet, name, square, squares_in

FILE: Final = "printed.json"


class PrintedPieces:
    """The file of all games at the simulated board."""

    def __init__(self, games: Path) -> None:
        """Use the file beside that of the games."""
        self._path = games.with_name(FILE)

    def keep(self, game: int, ranks: Mapping[Piece, Rank], begun: str) -> None:
        """Keep the ranks of the pieces with which both sides begin.

        `begun` tells the game from one of the same number in another file of games. If writing
        fails, the game is taken up with ranks that are dealt again.
        """
        printed = {name(piece): rank.symbol for piece, rank in sorted(ranks.items())}
        self._write({**self._read(), str(game): {"begun": begun, "printed": printed}})

    def of(self, game: int, placed: SquareSet, begun: str) -> dict[Piece, Rank] | None:
        """The ranks of these pieces of a game that began at that time; None unless all are known.

        Another file of games may have had a game of the same number with the same setup.
        """
        known = self.all_of(game, begun)
        if any(piece not in known for piece in squares_in(placed)):
            return None
        return {piece: known[piece] for piece in squares_in(placed)}

    def all_of(self, game: int, begun: str) -> dict[Piece, Rank]:
        """The ranks of all pieces of a game that began at that time, as far as they are kept."""
        kept = self._read().get(str(game))
        is_it = isinstance(kept, dict) and kept.get("begun") == begun
        return self._ranks(kept) if is_it else {}

    def forget(self, game: int) -> None:
        """Delete the ranks of a game."""
        kept = self._read()
        if kept.pop(str(game), None) is not None:
            self._write(kept)

    def _write(self, games: Mapping[str, Any]) -> None:
        with suppress(OSError):
            write_whole(self._path, json.dumps({"games": games}))

    def _read(self) -> dict[str, Any]:
        """The games in the file; none if it is damaged."""
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))["games"]
        except (OSError, ValueError, RecursionError, LookupError, TypeError):
            return {}
        return kept if isinstance(kept, dict) else {}

    @staticmethod
    def _ranks(kept: Any) -> dict[Piece, Rank]:
        """Read the ranks of a game; none if they are damaged."""
        try:
            return {square(at): SYMBOLS[symbol] for at, symbol in kept["printed"].items()}
        except (LookupError, TypeError, ValueError, AttributeError):
            return {}
