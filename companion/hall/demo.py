"""A demonstration hall on one computer, where simulated people play in real time.

`RehearsalTable` is one table, and `rehearse` runs the hall with its broker. “boomboard hall
rehearse” starts the demonstration.
"""

import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from companion.core.game_context import Step
from companion.core.inputs import CommandInput, Input, Pause, Resume
from companion.hall.console.console import WebServerOptions, serve
from companion.hall.publisher.hall_file import HallFile
from companion.hall.publisher.uplink import HallUplink
from companion.hall.server.hall_folder import BROKER, BrokerListener, Hall, make_hall, read_hall
from companion.session.session import Session
from companion.simulator.random_games import RandomGame
from companion.simulator.side_actions import SIDE_ACTIONS
from companion.simulator.simulated_match import Profile
from companion.simulator.simulated_match import SimulatedPlayers as Hands
from companion.simulator.simulation import BoardRig
from companion.storage.game_rows import PlayerNames
from companion.storage.journal import Journal
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import EDITIONS
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort

ORIGIN: Final = "rehearsal"
_EDITION: Final = EDITIONS["isf"]
_NAMES: Final = ("Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ida", "Jan", "Kim")
STEP_MS: Final = 200
"""Longest step of simulated time, in milliseconds. Each step takes just as long in real time."""


class RehearsalTable:
    """A simulated table that plays one game after another at human speed, in its own thread."""

    def __init__(self, hall: HallFile, folder: Path, seed: int) -> None:
        self._games = folder / hall.table / "games.sqlite"
        self._line = HallUplink(hall, self._games, ORIGIN)
        self._seed = seed
        self.stopping = threading.Event()
        self._thread = threading.Thread(target=self._play, name=hall.table, daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._line.start()

    def stop(self) -> None:
        """Stop, leaving the game unfinished."""
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
        """Play to the end, or until an arbiter's decision changes the course of the game."""
        red, blue = random.Random(seed).sample(_NAMES, 2)
        game = RandomGame(_EDITION, seed)
        control = TIME_CONTROLS["bronstein"]
        session = Session.begin(journal, _EDITION, seed, control, PlayerNames(red, blue))
        pieces = SimulatedBoard()
        with _PacedBoard(
            session, pieces, SimulatedPort(pieces), self._line, self.stopping
        ) as board:
            Hands(board, game, seed, Profile.HESITANT, SIDE_ACTIONS).play()


class _Stopped(Exception):  # noqa: N818 (not an error)
    """Raised to end the simulated game when the demonstration stops."""


class _PacedBoard(BoardRig):
    """A simulated board that runs in real time and carries out arbiters' orders."""

    def __init__(
        self,
        session: Session,
        board: SimulatedBoard,
        port: SimulatedPort,
        line: HallUplink,
        stopping: threading.Event,
    ) -> None:
        self._line, self._stopping = line, stopping
        self._is_held = False
        super().__init__(session, board, port)

    def pass_time(self, milliseconds: int) -> None:
        """Advance the time and carry out orders. Wait while an arbiter has paused the game."""
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

        def submit(given: Input) -> Step:
            step = self.session.handle(given)
            if isinstance(given, CommandInput) and isinstance(given.what, Pause | Resume):
                self._is_held = table.is_paused
            return step

        self._line.carry_out(self.now, self.session.number, table, submit)


ARBITER: Final = "Anna"
_SYSTEM: Final = "/usr/sbin:/usr/local/sbin:/usr/bin"
"""Search path for Mosquitto, which Debian installs outside an ordinary user's PATH."""
_BROKER_SECONDS: Final = 10.0


class NoBrokerError(Exception):
    """Mosquitto is missing or has failed to start. The message gives the reason."""


def rehearse(tables: int, options: WebServerOptions, show_code: Callable[[str], None]) -> None:
    """Run a temporary hall with `tables` tables; `show_code` receives the arbiter's code.

    Raise NoBrokerError if no broker can be started.
    """
    with tempfile.TemporaryDirectory(prefix="boomboard-hall-") as name:
        folder = Path(name)
        names = [f"table-{number}" for number in range(1, tables + 1)]
        listening = BrokerListener("127.0.0.1", _free_port())
        codes = make_hall(folder, listening, names, ["hall"], [ARBITER])
        hall = read_hall(folder)
        with _broker(folder, listening), _tables(hall, folder):
            show_code(codes[ARBITER])
            serve(folder, hall, "hall", str(folder / "hall.sqlite"), options)


@contextmanager
def _tables(hall: Hall, folder: Path) -> Iterator[None]:
    seated = [
        RehearsalTable(hall.table_file(name), folder, seed)
        for seed, name in enumerate(hall.tables, start=1)
    ]
    for table in seated:
        table.start()
    try:
        yield
    finally:
        for table in seated:
            table.stopping.set()
        for table in seated:
            table.stop()


@contextmanager
def _broker(folder: Path, listening: BrokerListener) -> Iterator[None]:
    program = shutil.which("mosquitto", path=_SYSTEM) or shutil.which("mosquitto")
    if program is None:
        raise NoBrokerError("Mosquitto is not installed; “make hall” installs it.")
    configuration = folder / BROKER
    if os.geteuid() == 0:
        # Otherwise, Mosquitto would switch to a user that cannot read these files.
        with configuration.open("a", encoding="utf-8") as file:
            file.write("user root\n")
    log = folder / "mosquitto.log"
    with log.open("wb") as written:
        process = subprocess.Popen(  # noqa: S603 (the system's program, our own file)
            [program, "-c", str(configuration)], stdout=written, stderr=written
        )
    try:
        end = time.monotonic() + _BROKER_SECONDS
        while not _listens(listening.port):
            if process.poll() is not None or time.monotonic() > end:
                raise NoBrokerError(f"Mosquitto has failed to start: {log.read_text()[-300:]}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0
