"""Tests for the simulated disk: a save is complete or has no effect."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal import Journal
from engine.game.clocks import NO_CLOCK
from engine.rules.editions import DEFAULT
from tests.companion.storage.journals import CLOCK, OPENING
from tests.soak.faulty_disk import Disk, DiskFault, PlugPulledError

MOST = 40
"""More operations than a save ever needs."""
SEEDS = 8


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with closing(Disk(tmp_path / "games.sqlite", Random(1))) as disk:
        yield disk


@pytest.fixture
def journal(disk: Disk) -> Iterator[Journal]:
    with closing(begun(disk)) as journal:
        yield journal


def begun(disk: Disk) -> Journal:
    journal = Journal(disk.path, connect=disk.connect)
    journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0.0, OPENING[:1], None, CLOCK)
    return journal


def kept(disk: Disk) -> int:
    """Return the number of actions that the restarted program finds."""
    journal = Journal(disk.path)
    journal.file.check()
    found = journal.unfinished()
    journal.close()
    return len(found.beginning.actions) if found else 0


def left_after(folder: Path, places: int, seed: int) -> int | None:
    """Return the number of actions left after a power cut during a save.

    The power is cut at operation number `places`. Return None if the save has fewer operations.
    """
    with closing(Disk(folder / f"{places}-{seed}.sqlite", Random(seed))) as disk:
        with closing(begun(disk)) as journal:
            disk.pull_plug_after(places)
            try:
                journal.append(1, 1.0, OPENING[1:3], None, CLOCK)
            except PlugPulledError:
                pass
            else:
                return None
        disk.power_up()
        return kept(disk)


def test_power_cut_at_every_write(tmp_path: Path) -> None:
    """A save survives once it has been synced."""
    found = [
        {left_after(tmp_path, places, seed) for seed in range(SEEDS)} for places in range(1, MOST)
    ]
    assert found[0] == {1}
    assert {1, 3} in found, "unsynced data may or may not be there"
    first = found.index({3})
    assert {*map(frozenset, found[first:])} == {frozenset({3}), frozenset({None})}


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (DiskFault.FULL, StorageErrorKind.FULL),
        (DiskFault.READ_ONLY, StorageErrorKind.FORBIDDEN),
        (DiskFault.IO_ERROR, StorageErrorKind.FAILING),
        (DiskFault.BUSY, StorageErrorKind.LOCKED),
    ],
)
def test_disk_failures(
    disk: Disk, journal: Journal, fault: DiskFault, kind: StorageErrorKind
) -> None:
    disk.fault = fault
    with pytest.raises(StorageError) as raised:
        journal.append(1, 1.0, OPENING[1:2], None, CLOCK)
    assert raised.value.kind is kind
    disk.fault = None
    journal.append(1, 1.0, OPENING[1:2], None, CLOCK)
    assert kept(disk) == 2


def test_slow_disk_delays_saving(disk: Disk, journal: Journal) -> None:
    waited: list[tuple[int, int]] = []
    disk.slow_ms, disk.wait = 2_500, lambda ms: waited.append((ms, kept(disk)))
    journal.append(1, 1.0, OPENING[1:2], None, CLOCK)
    assert waited == [(2_500, 1)]
    assert kept(disk) == 2


def test_process_stops_at_a_power_cut(disk: Disk, journal: Journal) -> None:
    disk.pull_plug()
    with pytest.raises(PlugPulledError):
        journal.append(1, 1.0, OPENING[1:2], None, CLOCK)
    with pytest.raises(PlugPulledError):
        journal.games()
