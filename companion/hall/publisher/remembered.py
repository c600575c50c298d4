"""Persistent state of a table about its hall: first published game and last order."""

import json
from pathlib import Path

from companion.store.whole_file import write_whole


class Remembered:
    """A small file beside the games, one for each hall."""

    def __init__(self, path: Path, next_game: int) -> None:
        """Read the file, or create it with the next game; OSError if it cannot be written.

        Games played before a hall was configured are not published to it.
        """
        self._path = path
        try:
            plain = json.loads(path.read_text(encoding="utf-8"))
            self.first, self.order = int(plain["first"]), int(plain["order"])
        except (FileNotFoundError, KeyError, TypeError, ValueError):
            self.first, self.order = next_game, 0
            self._write()
        if self.first > next_game:  # the games were quarantined, and a new file created
            self.first = next_game
            self._write()

    def take_order(self, number: int) -> bool:
        """Record an order's number; False if it is not above all before, that is, a replay."""
        if number <= self.order:
            return False
        self.order = number
        self._write()
        return True

    def _write(self) -> None:
        write_whole(self._path, json.dumps({"first": self.first, "order": self.order}))
