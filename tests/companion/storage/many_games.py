"""Play many short games in one process, and print the resources in use.

Usage: ``python -m tests.companion.storage.many_games FOLDER 1000``

In each game, both sides set up, two pieces move, and Blue resigns. After every 1 % of the games,
the process prints the number of games so far, its memory in KB, and the number of its open files
and threads.
"""

import gc
import json
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from companion.core.inputs import CommandInput, Ready
from companion.session.game_host import GameHost
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side, square, squares_in
from engine.game.actions import Resign
from engine.game.game_state import Phase
from engine.rules.editions import DEFAULT
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.wire import STATE_INTERVAL_MS
from tests.soak.board_source import Cable, DirectBoard

_FRAME = STATE_INTERVAL_MS / 1000
_MOST_FRAMES = 500
_MOVES = (("e4", "e5"), ("e7", "e6"))


class Program:
    """The application without its window, with a board on which both armies are set up."""

    def __init__(self, journals: JournalProvider) -> None:
        self.now = 0.0
        self.board = SimulatedBoard()
        self.source = DirectBoard(self.board, Cable(Random(0)), lambda: self.now)
        dice = Random(0)
        self.host = GameHost(journals, self.source, lambda: self.now, lambda: dice.getrandbits(32))
        for side in Side:
            for each in squares_in(side.home):
                self.board.stand(side, each)

    def wait_for(self, phase: Phase, plies: int = 0) -> None:
        """Run frames until the game reaches the given phase and number of plies."""
        for _ in range(_MOST_FRAMES):
            table = self.host.table
            assert table
            if table.view.phase is phase and table.view.plies == plies:
                return
            self.frame()
        raise AssertionError(f"the game did not reach phase {phase} and ply {plies}")

    def frame(self) -> None:
        self.now += _FRAME
        self.source.tick()
        self.host.poll()

    def play(self) -> None:
        """Play until Blue resigns, leave the game, and put the pieces back."""
        self.host.begin(DEFAULT)
        table = self.host.table
        assert table
        while not table.setup.red == table.setup.blue == 40:
            self.frame()
        for side in Side:
            self.host.submit(CommandInput(self.now, Ready(side)))
        self.wait_for(Phase.PLAY)
        for plies, (source, target) in enumerate(_MOVES, 1):
            self._carry(source, target)
            self.wait_for(Phase.PLAY, plies)
        self.host.submit(CommandInput(self.now, Resign(Side.BLUE)))
        self.wait_for(Phase.OVER, len(_MOVES))
        self.host.leave()
        for source, target in _MOVES:
            self._carry(target, source)

    def _carry(self, source: str, target: str) -> None:
        piece = self.board.lift(square(source))
        self.frame()
        self.board.place(piece, square(target))


def main(folder: Path, games: int) -> None:
    with closing(journals_in(folder)) as journals:
        program = Program(journals)
        for number in range(1, games + 1):
            program.play()
            if number % max(1, games // 100) == 0:
                gc.collect()
                sys.stdout.write(json.dumps(_taken(number)) + "\n")


def journals_in(folder: Path) -> JournalProvider:
    """Return a store for games. Its SQLite cache is so small that a few games fill it."""

    def connect(path: Path, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = sqlite3.connect(path, **options)
        connection.execute("PRAGMA cache_size = -64")
        return connection

    return JournalProvider(folder / "games.sqlite", connect=connect)


def open_files() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def _taken(games: int) -> dict[str, int]:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (memory,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    threads = threading.active_count()
    return {"games": games, "memory_kb": int(memory), "handles": open_files(), "threads": threads}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
