"""Load test for a hall with many tables: latency, memory, and consistency after processes are
killed.

    python -m tests.integration.hall.load --tables 500 --pages 50 --seconds 120
    python -m tests.integration.hall.load --tables 50 --kills 20 --halls 2
    python -m tests.integration.hall.load --tables 50 --kills 20 --sqlite

The test uses real Mosquitto and PostgreSQL servers, one or two halls in separate processes, and one
open arbiters' page per hall. At the end, every journal is compared with the database of the halls.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from queue import Empty
from typing import Any, TypeAlias

from companion.hall.server.hall_folder import BrokerListener, make_hall, read_hall
from companion.hall.server.store import DatabaseError, Store
from tests.companion.hall.saved_tables import items_of
from tests.integration.hall.crowd import TableItems, play
from tests.integration.hall.page import OpenPages, Page
from tests.integration.hall.services import Broker, Postgres, free_port, listens, wait_until

Stop: TypeAlias = Callable[[], dict[str, TableItems]]
A_CROWD = 72
"""Number of tables per process. Each table opens a dozen files, and `select` accepts at most 1,024
files."""
DRAIN_SECONDS = 300


class HallProgram:
    """Process that runs ``boomboard hall serve``."""

    def __init__(
        self,
        folder: Path,
        database: str,
        port: int,
        tournament: Path | None = None,
        name: str = "hall",
    ) -> None:
        self._command = [
            *(sys.executable, "-m", "companion", "hall", "serve", str(folder), "--as", name),
            *("--database", database, "--listen", f"127.0.0.1:{port}"),
            *(("--tournament", str(tournament)) if tournament else ()),
        ]
        self._log = folder / f"{name}.log"
        self._port = port
        self.start()

    def start(self) -> None:
        """Start the hall and wait until it accepts connections."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        wait_until(lambda: listens(self._port))

    def kill(self) -> None:
        """Kill the hall with SIGKILL, as in a power cut."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    def processes(self) -> list[int]:
        return [self.pid]


@dataclass
class Used:
    cpu_seconds: float
    megabytes: float


def used(processes: list[int]) -> Used:
    seconds = megabytes = 0.0
    for each in processes:
        with suppress(OSError):
            stat = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            seconds += (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
            status = Path(f"/proc/{each}/smaps_rollup").read_text()
            megabytes += int(status.partition("Pss:")[2].split()[0]) / 1024
    return Used(seconds, megabytes)


@contextmanager
def crowd(folder: Path, tables: list[str], between: float) -> Iterator[Stop]:
    """Run the tables. Yield a function that stops the tables, and returns for each table when its
    items were stored and when the hall confirmed them."""
    hall = read_hall(folder)
    context = multiprocessing.get_context("spawn")
    stopping, leaving, results = context.Event(), context.Event(), context.Queue()
    files = [hall.table_file(table) for table in tables]
    crowds = -(-len(files) // A_CROWD)
    processes = [
        context.Process(
            target=play, args=(files[part::crowds], folder, between, stopping, leaving, results)
        )
        for part in range(crowds)
    ]
    for process in processes:
        process.start()

    def stop() -> dict[str, Any]:
        stopping.set()
        kept: dict[str, TableItems] = {}
        for _ in processes:
            kept |= results.get(timeout=120)
        return kept

    try:
        yield stop
    finally:
        stopping.set()
        leaving.set()
        with suppress(Empty):
            while True:
                results.get(timeout=0.1)
        for process in processes:
            process.join(60)
            process.kill()


def compare(folder: Path, tables: list[str], database: str) -> int:
    """Wait until the hall has all items, or until the time limit expires. Return the number of
    games that still differ."""
    journals = {table: items_of(folder / table / "games.sqlite") for table in tables}
    end = time.monotonic() + DRAIN_SECONDS
    wrong = -1
    while wrong and time.monotonic() < end:
        try:
            with closing(Store(database)) as store:
                wrong = sum(
                    [each.body for each in store.items(table, game)] != items
                    for table, games in journals.items()
                    for game, items in games.items()
                )
                wrong += sum(set(store.games(table)) != set(journals[table]) for table in tables)
        except DatabaseError:
            wrong = -1
        time.sleep(0.5)
    return wrong


def too_old(kept: dict[str, TableItems], page: Page) -> int:
    """Count how often a page claimed to be up to date although it lacked an item that the hall
    already had."""
    found = 0
    for table, view in kept.items():
        shown, confirmed = page.received_at.get(table, []), view.confirmed
        for received_at, confirms in page.pulses:
            before = bisect_left(confirmed, (confirms,))
            latest = bisect_right(shown, received_at, key=itemgetter(2))
            state = shown[latest - 1][:2] if latest else ("", 0)
            found += before > 0 and state < confirmed[before - 1][1:]
    return found


def latencies(kept: dict[str, Any], page: Page) -> list[float]:
    """Return the seconds from when each item reached the disk until the page showed it."""
    found = []
    for table, items in kept.items():
        shown = page.received_at.get(table, [])
        place = 0
        for (game, number), at in sorted(items.items(), key=lambda each: each[1]):
            while place < len(shown) and (
                shown[place][2] < at or (shown[place][0], shown[place][1]) < (game, number)
            ):
                place += 1
            if place < len(shown):
                found.append(shown[place][2] - at)
    return sorted(found)


def run(
    tables: int,
    seconds: float,
    between: float,
    kills: int = 0,
    pages: int = 1,
    halls: int = 1,
    *,
    sqlite: bool = False,
) -> dict[str, Any]:
    """Run the test with `pages` open pages on the first hall. Return the results."""
    names = [f"table-{number}" for number in range(1, tables + 1)]
    programs = ["hall", *(f"hall-{number}" for number in range(2, halls + 1))]
    with tempfile.TemporaryDirectory(prefix="hall-load-", dir="/dev/shm") as name:
        folder = Path(name)
        listener = BrokerListener("127.0.0.1", free_port())
        (code,) = make_hall(folder, listener, names, programs, ["Anna"]).values()
        broker = Broker(folder, listener.port)
        postgres = None if sqlite else Postgres()
        database = postgres.address if postgres else str(folder / "hall.sqlite")
        ports = {program: free_port() for program in programs}
        served = [HallProgram(folder, database, ports[each], name=each) for each in programs]
        opened = [Page(port, code) for port in ports.values()]
        page, further = opened[0], OpenPages(ports["hall"], code, pages - 1)
        try:
            with crowd(folder, names, between) as stop:
                wait_until(lambda: all(len(each.received_at) == tables for each in opened), 300)
                if kills:
                    trouble([broker, *([postgres] if postgres else []), *served], kills)
                    view = stop()
                    wrong = compare(folder, names, database)
                    return {
                        "tables": tables,
                        "halls": halls,
                        "kills and freezes of each": kills,
                        "items": sum(len(each.kept_at) for each in view.values()),
                        "games that differ": wrong,
                        "heartbeats": [len(each.pulses) for each in opened],
                        "states older than reported": [too_old(view, each) for each in opened],
                    }
                groups = {
                    "hall": [each.pid for each in served],
                    "broker": [broker.pid],
                    "postgresql": postgres.processes() if postgres else [],
                }
                time.sleep(seconds / 10)
                begun, before = time.monotonic(), {each: used(groups[each]) for each in groups}
                time.sleep(seconds)
                ended, open_pages = time.monotonic(), further.count
                after = {each: used(groups[each]) for each in groups}
                kept = {table: view.kept_at for table, view in stop().items()}
                wrong = compare(folder, names, database)
                time.sleep(1)
        finally:
            for each in opened:
                each.stopping.set()
            for hall in served:
                hall.kill()
            for each in opened:
                each.stop()
            broker.kill()
            if postgres:
                postgres.remove()
    window = {
        table: {item: at for item, at in items.items() if begun < at < ended - 1}
        for table, items in kept.items()
    }
    rulings = sum(map(len, window.values()))
    took = latencies(window, page)
    return {
        "tables": tables,
        "halls": halls,
        "pages": halls + open_pages,
        "rulings per second": round(rulings / (ended - begun), 1),
        "p50 ms": round(1000 * took[len(took) // 2]),
        "p99 ms": round(1000 * took[int(len(took) * 0.99)]),
        "longest ms": round(1000 * took[-1]),
        "never shown": rulings - len(took),
        "games that differ": wrong,
        "megabytes": {each: round(after[each].megabytes) for each in after},
        "CPU ms per ruling": {
            each: round(1000 * (after[each].cpu_seconds - before[each].cpu_seconds) / rulings, 2)
            for each in after
        },
        "system load": os.getloadavg()[0],
    }


def trouble(services: list[Any], times: int) -> None:
    """Kill each service `times` times, and freeze it equally often, in random order."""
    dice = random.Random(times)
    order = [(each, kills) for each in services for kills in (True, False) for _ in range(times)]
    dice.shuffle(order)
    for each, kills in order:
        if kills:
            each.kill()
            time.sleep(dice.uniform(0.0, 1.5))
            each.start()
        else:
            frozen = each.processes()
            send(frozen, signal.SIGSTOP)
            time.sleep(dice.uniform(0.0, 3.0))
            send(frozen, signal.SIGCONT)
        time.sleep(dice.uniform(0.2, 2.0))


def send(processes: list[int], number: int) -> None:
    """Send a signal to processes, some of which may already have exited."""
    for each in processes:
        with suppress(ProcessLookupError):
            os.kill(each, number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--between", type=float, default=5.0, help="seconds from ruling to ruling")
    parser.add_argument(
        "--kills", type=int, default=0, help="how often each part is killed and frozen"
    )
    parser.add_argument("--halls", type=int, default=1, help="number of halls with one database")
    parser.add_argument("--sqlite", action="store_true", help="use SQLite (with one hall only)")
    options = parser.parse_args()
    print(json.dumps(run(**vars(options)), indent=2))


if __name__ == "__main__":
    main()
