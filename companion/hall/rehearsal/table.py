"""A simulated table in a hall: it plays one game after another at a human pace."""

import random
import threading
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.hall.publisher.hall_file import HallFile
from companion.hall.publisher.line import HallLine
from companion.simulator.interludes import INTERLUDES
from companion.simulator.players import Players as Hands
from companion.simulator.players import Profile
from companion.simulator.simulated_games import RandomGame
from companion.simulator.simulation import SimulatedBoard
from companion.store.journal import Journal
from companion.store.players import Players
from companion.store.session import Session
from companion.table.inputs import Said
from companion.table.sayings import GoOn, Pause
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import EDITIONS
from firmware_bridge.simulated_board.board import VirtualBoard
from firmware_bridge.simulated_board.port import VirtualPort

ORIGIN: Final = "rehearsal"
_EDITION: Final = EDITIONS["isf"]
_NAMES: Final = ("Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ida", "Jan", "Kim")
STEP_MS: Final = 200
"""Step of simulated time, in milliseconds; each step takes as long in real time."""


class RehearsalTable:
    """One simulated table with its own thread, until it is stopped."""

    def __init__(self, hall: HallFile, folder: Path, seed: int) -> None:
        self._games = folder / hall.table / "games.sqlite"
        self._line = HallLine(hall, self._games, ORIGIN)
        self._seed = seed
        self.stopping = threading.Event()
        self._thread = threading.Thread(target=self._play, name=hall.table, daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._line.start()

    def stop(self) -> None:
        """Stop and leave the game unfinished."""
        self.stopping.set()
        self._thread.join()
        self._line.close()

    def _play(self) -> None:
        with closing(Journal(self._games, ORIGIN)) as journal:
            for game in range(self._seed, self._seed + 10_000, 100):
                try:
                    self._play_game(journal, game)
                except _Stopped:
                    return

    def _play_game(self, journal: Journal, seed: int) -> None:
        """Play to the end, or until an arbiter's decision diverts the game from the script."""
        red, blue = random.Random(seed).sample(_NAMES, 2)
        game = RandomGame(_EDITION, seed)
        control = TIME_CONTROLS["bronstein"]
        session = Session.begin(journal, _EDITION, seed, control, Players(red, blue))
        pieces = VirtualBoard()
        with _PacedBoard(session, pieces, VirtualPort(pieces), self._line, self.stopping) as board:
            Hands(board, game, seed, Profile.HESITANT, INTERLUDES).play()


class _Stopped(Exception):  # noqa: N818 (nothing is wrong)
    """The demonstration has ended."""


class _PacedBoard(SimulatedBoard):
    """A simulated board in real time that carries out an arbiter's orders."""

    def __init__(
        self,
        session: Session,
        board: VirtualBoard,
        port: VirtualPort,
        line: HallLine,
        stopping: threading.Event,
    ) -> None:
        self._line, self._stopping = line, stopping
        self._is_held = False
        super().__init__(session, board, port)

    def pass_time(self, milliseconds: int) -> None:
        """Advance the time and apply orders. While an arbiter has stopped the game, play waits."""
        while milliseconds or self._is_held:
            step = min(milliseconds, STEP_MS)
            if self._stopping.wait((step or STEP_MS) / 1000):
                raise _Stopped
            self._obey()
            if not self._is_held:
                super().pass_time(step)
                milliseconds -= step

    def _obey(self) -> None:
        table = self.session.table
        for given in self._line.inputs(self.now, self.session.number, table):
            self.session.handle(given)
            if isinstance(given, Said) and isinstance(given.what, Pause | GoOn):
                self._is_held = table.is_paused
