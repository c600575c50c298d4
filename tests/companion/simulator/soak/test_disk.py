"""The disk of a simulated evening: what is saved is saved whole or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.simulator.soak.disk import Disk, DiskFault, PlugPulledError
from companion.store.journal import Journal
from companion.store.storage_trouble import StorageError, StorageTrouble
from engine.play.clocks import NO_CLOCK
from engine.rulebook.editions import DEFAULT
from tests.companion.store.journals import CLOCK, OPENING

MOST = 40
"""More places than there are in one saving."""


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path / "games.sqlite")


@pytest.fixture
def journal(disk: Disk) -> Iterator[Journal]:
    journal = Journal(disk.path, connect=disk.connect)
    journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0.0, OPENING[:1], None, CLOCK)
    yield journal
    journal.close()


def kept(disk: Disk) -> int:
    """How many actions another run of the program finds."""
    journal = Journal(disk.path)
    journal.check()
    found = journal.unfinished()
    journal.close()
    return len(found.beginning.actions) if found else 0


def test_the_plug_is_pulled_at_every_place(tmp_path: Path) -> None:
    found = []
    for places in range(1, MOST):
        disk = Disk(tmp_path / f"games-{places}.sqlite")
        journal = Journal(disk.path, connect=disk.connect)
        journal.append(journal.begin(DEFAULT, 1, NO_CLOCK), 0.0, OPENING[:1], None, CLOCK)
        disk.pull_plug_after(places)
        try:
            journal.append(1, 1.0, OPENING[1:3], None, CLOCK)
        except PlugPulledError:
            journal.close()
            disk.power_up()
            found.append(kept(disk))
        else:
            journal.close()
    assert found == sorted(found), "once it is saved it stays"
    assert set(found) == {1, 3}, "all of it, or nothing"
    assert len(found) < MOST - 1, "it was saved in fewer places"


@pytest.mark.parametrize(
    ("fault", "trouble"),
    [
        (DiskFault.FULL, StorageTrouble.FULL),
        (DiskFault.READ_ONLY, StorageTrouble.FORBIDDEN),
        (DiskFault.IO_ERROR, StorageTrouble.OTHER),
        (DiskFault.BUSY, StorageTrouble.LOCKED),
    ],
)
def test_it_fails_as_disks_do(
    disk: Disk, journal: Journal, fault: DiskFault, trouble: StorageTrouble
) -> None:
    disk.fault = fault
    with pytest.raises(StorageError) as raised:
        journal.append(1, 1.0, OPENING[1:2], None, CLOCK)
    assert raised.value.trouble is trouble
    disk.fault = None
    journal.append(1, 1.0, OPENING[1:2], None, CLOCK)
    assert kept(disk) == 2
