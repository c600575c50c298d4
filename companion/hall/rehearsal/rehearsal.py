"""A complete hall on one computer: broker, web server and tables, until it is stopped."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.hall.rehearsal.table import RehearsalTable
from companion.hall.serve import Door, serve
from companion.hall.server.hall_folder import BROKER, Hall, Listening, make_hall, read_hall

ARBITER: Final = "Anna"
_SYSTEM: Final = "/usr/sbin:/usr/local/sbin:/usr/bin"
"""Search path for Mosquitto: Debian installs it outside an ordinary user's PATH."""
_BROKER_SECONDS: Final = 10.0


class NoBrokerError(Exception):
    """Mosquitto is missing or does not start; the message gives the reason."""


def rehearse(tables: int, door: Door, tell: Callable[[str], None]) -> None:
    """Run a temporary hall with this number of tables; `tell` gets the arbiter's code.

    NoBrokerError if no broker can be started.
    """
    with tempfile.TemporaryDirectory(prefix="boomboard-hall-") as name:
        folder = Path(name)
        names = [f"table-{number}" for number in range(1, tables + 1)]
        listening = Listening("127.0.0.1", _free_port())
        codes = make_hall(folder, listening, names, ["hall"], [ARBITER])
        hall = read_hall(folder)
        with _broker(folder, listening), _tables(hall, folder):
            tell(codes[ARBITER])
            serve(hall, "hall", str(folder / "hall.sqlite"), door)


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
def _broker(folder: Path, listening: Listening) -> Iterator[None]:
    program = shutil.which("mosquitto", path=_SYSTEM) or shutil.which("mosquitto")
    if program is None:
        raise NoBrokerError("Mosquitto is not installed; “make hall” installs it.")
    configuration = folder / BROKER
    if os.geteuid() == 0:
        # Otherwise Mosquitto would drop to a user who may not read these files.
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
                raise NoBrokerError(f"Mosquitto does not start: {log.read_text()[-300:]}")
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
