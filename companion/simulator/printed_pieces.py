"""What is printed on the pieces of the simulated board, kept with the game that they play.

A real piece has its rank printed on it, and a pulled plug changes nothing about that. A simulated
one would come back with another rank than the player had given it, so it is kept in a file that
nobody but its owner may read, until the game is over or thrown away.
"""

import json
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.simulator.dealing import Dealt
from companion.store.whole_file import write_whole
from engine.ranks import SYMBOLS
from engine.squares import SquareSet, name, squares_in
from firmware_bridge.virtual.board import VirtualBoard

FILE: Final = "printed.json"


class PrintedPieces:
    """The file of the games at the simulated board that are not over."""

    def __init__(self, games: Path) -> None:
        """Name the file; it stands beside that of the games."""
        self._path = games.with_name(FILE)

    def keep(self, game: int, board: VirtualBoard, placed: SquareSet) -> None:
        """Keep what is printed on the pieces with which both sides begin, on these squares.

        If that fails, the game is taken up with ranks that are dealt anew.
        """
        standing = {name(each): board.at(each) for each in squares_in(placed)}
        printed = {where: piece.label for where, piece in standing.items() if piece}
        with suppress(OSError):
            write_whole(self._path, json.dumps({**self._read(), str(game): printed}))

    def of(self, game: int | None, placed: SquareSet) -> Dealt | None:
        """What is printed on these pieces of a game; None unless all of it is known."""
        try:
            printed = self._read()[str(game)]
            return {each: SYMBOLS[printed[name(each)]] for each in squares_in(placed)}
        except (LookupError, TypeError):
            return None

    def forget(self, game: int) -> None:
        """Throw away what is kept of a game."""
        self.forget_all_but({int(each) for each in self._read() if each.isdecimal()} - {game})

    def forget_all_but(self, games: Collection[int]) -> None:
        """Throw away what is kept of any other games than these."""
        kept = self._read()
        left = {each: kept[each] for each in map(str, games) if each in kept}
        with suppress(OSError):
            if not left:
                self._path.unlink(missing_ok=True)
            elif left != kept:
                write_whole(self._path, json.dumps(left))

    def _read(self) -> dict[str, Any]:
        """What stands in the file; nothing if it is damaged."""
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return kept if isinstance(kept, dict) else {}
