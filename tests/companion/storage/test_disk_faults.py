"""After a failure of any disk operation, all announced actions are saved, and play continues.

For each rulebook, save a game with real SQLite and record its file operations. Kill the process or
cut the power before and during each operation. Also make each operation fail, as on a faulty or
full disk.
"""

import sqlite3
from contextlib import closing, suppress
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Final

import pytest

from companion.storage.errors import StorageError
from companion.storage.journal import Journal
from engine.game.actions import Action
from engine.rules.editions import EDITIONS
from tests.campaigns import TIMES, Campaign
from tests.companion.storage.faulty_disk import FaultyDisk, Operation, mediums
from tests.companion.storage.saved_play import SavedPlay
from tests.soak.block_device import BlockDevice

DISK: Final = Campaign("disk-faults", part=40, whole=10**6)
"""Number of file operations of each game at which a fault is tried. The whole campaign tries every
operation.
"""
DOINGS: Final = 40 if TIMES else 6
CUTS: Final = 2
"""Number of power cuts during each operation. Each cut leaves different data on the disk."""
COMMITTED: Final = 8
"""Maximum number of file operations until a save is committed."""
LATER: Final = 9
"""Number of file operations from the commit until the log has been copied to the main file."""
REFUSED: Final = {
    "EIO on writing": sqlite3.SQLITE_IOERR_WRITE,
    "ENOSPC": sqlite3.SQLITE_FULL,
}
EDITION: Final = pytest.mark.parametrize("name", EDITIONS)


def played(folder: Path, name: str) -> tuple[list[Operation], list[Action]]:
    disk = FaultyDisk()
    with closing(disk.open(folder / "games.sqlite")) as journal:
        play = SavedPlay(journal, EDITIONS[name], 1)
        disk.look = lambda: (play.announced, len(play.session.table.referee.actions))
        for given in play.inputs(DOINGS):
            play.give(given)
        operations = list(disk.operations)
        actions = list(play.session.table.referee.actions)
        assert len(actions) >= DOINGS // 2
        return operations, actions


def check_left(
    folder: Path, left: dict[Path, bytes], operation: Operation, actions: list[Action]
) -> None:
    """Check that the remaining files are intact and writable, and contain all announced actions."""
    for each in folder.iterdir():
        each.unlink()
    for path, content in left.items():
        (folder / path.name).write_bytes(content)
    with closing(Journal(folder / "games.sqlite")) as journal:
        journal.file.check()
        games = journal.games()
        unfinished = journal.unfinished()
        found = list(unfinished.beginning.actions) if unfinished else []
        if games and games[-1].is_over:
            found = [each.action for each in journal.transcript(games[-1].number).entries]
        assert operation.announced <= len(found) <= operation.accepted
        assert found == actions[: len(found)]
        journal.file.probe()


@DISK
@EDITION
def test_kill_or_power_cut_in_any_operation(name: str, memory: Path) -> None:
    operations, actions = played(memory, name)
    chosen = set(map(id, DISK.among(operations)))
    for number, (operation, medium) in enumerate(mediums(operations)):
        if id(operation) not in chosen:
            continue
        try:
            check_left(memory, medium.all_of_it(), operation, actions)
            if operation.half:
                check_left(memory, _after(medium, operation.half), operation, actions)
            dice = Random(f"{name} {number}")
            pending = deepcopy(medium)
            (operation.half or operation.do)(pending) if dice.random() < 0.5 else None
            for _ in range(CUTS):
                check_left(memory, pending.after_a_cut(dice), operation, actions)
        except BaseException as error:
            error.add_note(f"operation {number} of {len(operations)}")
            raise


def _after(medium: BlockDevice, change: object) -> dict[Path, bytes]:
    assert callable(change)
    changed = deepcopy(medium)
    change(changed)
    return changed.all_of_it()


@DISK
@EDITION
@pytest.mark.parametrize("code", REFUSED)
@pytest.mark.parametrize("lasts", [False, True])
def test_refused_operations_are_retried(name: str, code: str, lasts: bool, memory: Path) -> None:
    disk = FaultyDisk()
    refused = 0
    with closing(disk.open(memory / "games.sqlite")) as journal:
        play = SavedPlay(journal, EDITIONS[name], 1)
        for given in play.inputs(DOINGS):
            # An error after the commit is not reported. The next attempt is a new save.
            announced, number = play.announced, COMMITTED + refused % LATER if refused % 2 else 1
            disk.refuse(number, REFUSED[code], lasts=lasts)
            play.give(given)
            while play.session.error:
                assert play.announced == announced, "nothing is announced before it is saved"
                refused += 1
                number += 1
                disk.refuse(number, REFUSED[code], lasts=lasts)
                with suppress(StorageError):
                    play.session.retry_save()
            if disk.has_refused:
                refused += 1
                disk.refuse(None)
                assert kept(memory) == list(play.session.table.referee.actions)
    assert refused > 5 * DOINGS
    assert kept(memory) == list(play.session.table.referee.actions)


def kept(folder: Path) -> list[Action]:
    """Return the actions on disk, as another process would read them."""
    with closing(Journal(folder / "games.sqlite")) as journal:
        journal.file.check()
        games = journal.games()
        if not games:
            return []
        return [each.action for each in journal.transcript(games[-1].number).entries]
