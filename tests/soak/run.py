"""Runs one session from a seed, until its end or the first violation."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from companion.recorder.recorder import TraceObserver
from tests.soak.fault_scheduler import FaultScheduler
from tests.soak.faulty_disk import Disk
from tests.soak.invariant_monitor import InvariantMonitor
from tests.soak.invariants import BrokenInvariantError, Invariant
from tests.soak.rig import SimulatedRig
from tests.soak.simulated_players import RandomPlayers

RUN_MS: Final = 3_600_000
"""Duration of a session in simulated time, in milliseconds."""
_MEMORY: Final = Path("/dev/shm")
"""A fast file system in memory."""


@dataclass(frozen=True)
class Failure:
    """Violation of a guarantee, with the seed and step that reproduce it."""

    seed: int
    step: int
    invariant: str
    seen: str

    def __str__(self) -> str:
        return f"seed {self.seed}, step {self.step}: {self.invariant}: {self.seen}"


@dataclass(frozen=True)
class Result:
    seed: int
    seconds: float
    """Elapsed simulated time in seconds."""
    steps: int
    """Total number of inputs across all tables."""
    games: int
    plies: int
    plugs: int
    """Number of times that the computer has lost power."""
    failure: Failure | None


def run(seed: int, recorder: TraceObserver | None = None, lasts_ms: int = RUN_MS) -> Result:
    """Run the session with this seed. If there is a recorder, it stores the games."""
    observer = InvariantMonitor(Random(f"{seed} witness"), recorder)
    failure: Failure | None = None
    with _folder() as folder:
        disk = Disk(folder / "games.sqlite", Random(f"{seed} disk"))
        rig = SimulatedRig(disk, Random(f"{seed} house"), observer)
        observer.watch(rig)
        dice = Random(f"{seed} troubles")
        faults = FaultScheduler(rig, dice, observer.look_on, observer.switch_language)
        players = RandomPlayers(rig, faults, seed)
        try:
            while rig.ms < lasts_ms:
                players.act()
        except BrokenInvariantError as broken:
            failure = Failure(seed, observer.steps, broken.invariant.value, broken.seen)
        except Exception as error:  # noqa: BLE001 (whatever it is, it must not be)
            where = traceback.extract_tb(error.__traceback__)[-1]
            seen = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
            failure = Failure(seed, observer.steps, Invariant.GOES_ON.value, seen)
        finally:
            observer.leave()
            rig.close()
            disk.close()
    played = players.games, players.plies, rig.plugs
    return Result(seed, rig.ms / 1000, observer.steps, *played, failure)


@contextmanager
def _folder() -> Iterator[Path]:
    """Create a folder for a session's games, in memory if possible."""
    with TemporaryDirectory(
        prefix="boomboard-", dir=_MEMORY if _MEMORY.is_dir() else None
    ) as folder:
        yield Path(folder)
