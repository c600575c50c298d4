"""Disk damage is detected or harmless, and the damaged file stays unchanged."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from companion.core.inputs import Pause, Resume
from companion.session.session import Session
from companion.storage.errors import JournalError, StorageError, StorageErrorKind
from companion.storage.game_rows import GameSummary
from companion.storage.journal import Journal, SavedGame
from companion.storage.journal_file import WRITE_VERSION
from companion.storage.journal_provider import JournalProvider
from engine.game.clocks import TIME_CONTROLS, ClockState
from engine.rules.editions import DEFAULT
from tests.campaigns import Campaign
from tests.companion.core.table_driver import TableDriver
from tests.companion.storage.journals import OPENING
from tests.companion.storage.test_saved_games import WHOLE, keep

T = TypeVar("T")
flips = Campaign("flipped-bytes", part=100, whole=10_000)
losses = Campaign("flipped-bytes", part=15, whole=500)
BLOCK = 512
"""Number of bytes that a disk writes atomically."""


@dataclass(frozen=True)
class ReadBack:
    """Everything that was read from a file, keyed by game. Damaged parts are None."""

    games: list[GameSummary]
    transcripts: list[object]
    clocks: list[object]
    notes: list[object]
    unfinished: SavedGame | None


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games file after a power cut: one game is finished, one deleted, and one in progress."""
    path = tmp_path_factory.mktemp("kept") / "games.sqlite"
    with closing(Journal(path)) as journal:
        keep(journal, *WHOLE)
        keep(journal, *WHOLE)
        journal.delete(2)
        driver = TableDriver.begun(control=TIME_CONTROLS["bronstein"])
        session = Session.begin(journal, DEFAULT, driver.seed, TIME_CONTROLS["bronstein"])
        driver.move("e4", "e5")
        driver.command(Pause())
        driver.command(Resume())
        driver.wait(12)
        for given in driver.inputs:
            session.handle(given)
        assert journal.notes(3)
        assert not Path(f"{path}-wal").stat().st_size, (
            "all data is in the main file, not in the log"
        )
        return Path(shutil.copy(path, path.with_name("cut-off.sqlite")))


def turned(data: bytes, seed: int) -> bytes:
    """Flip one to eight bits of a random byte."""
    chance = random.Random(seed)
    at = chance.randrange(len(data))
    changed = bytearray(data)
    changed[at] ^= chance.randrange(1, 256)
    return bytes(changed)


def two_turned(data: bytes, seed: int) -> bytes:
    return turned(turned(data, seed), -1 - seed)


def lost(data: bytes, seed: int) -> bytes:
    """Overwrite a block with zeros."""
    at = random.Random(seed).randrange(len(data)) // BLOCK * BLOCK
    return data[:at] + bytes(BLOCK) + data[at + BLOCK :]


def swapped(data: bytes, seed: int) -> bytes:
    """Replace one block with a copy of another."""
    chance = random.Random(seed)
    at, of = (chance.randrange(len(data)) // BLOCK * BLOCK for _ in range(2))
    return data[:at] + data[of : of + BLOCK] + data[at + BLOCK :]


def cut(data: bytes, seed: int) -> bytes:
    return data[: random.Random(seed).randrange(len(data))]


LOSSES: dict[str, Callable[[bytes, int], bytes]] = {
    "two bytes": two_turned,
    "a block of zeros": lost,
    "a block of another place": swapped,
    "the end of the file": cut,
}


def read_all(journal: Journal) -> ReadBack:
    games = journal.games()
    read_games = [read(journal, game.number) for game in games]
    transcripts, clocks, notes = map(list, zip(*read_games, strict=True))
    return ReadBack(games, transcripts, clocks, notes, journal.unfinished())


def read(journal: Journal, number: int) -> tuple[object, object, object]:
    """Return a game's transcript, clocks and notes, with None for each damaged part."""
    return (
        _or_none(journal.transcript, number),
        _or_none(journal.clocks, number),
        _or_none(journal.notes, number),
    )


def _or_none(read: Callable[[int], T], number: int) -> T | None:
    try:
        return read(number)
    except JournalError:
        return None


def outcome(folder: Path, data: bytes, before: ReadBack) -> str:
    """Open a damaged file as the application does. Return where the damage was detected.

    Fail an assertion if harmful damage is not detected.
    """
    path = folder / "games.sqlite"
    for each in folder.iterdir():
        each.unlink()
    path.write_bytes(data)
    with closing(JournalProvider(path)) as journals:
        journal = journals.journal()
        noticed = "file" if journals.quarantined else "harmless"
        errors: list[StorageErrorKind] = []
        try:
            kept = journal.unfinished()
        except StorageError as error:
            errors.append(error.kind)
            noticed = "game"
        else:
            assert kept == (None if journals.quarantined else before.unfinished)
        assert set(errors) <= {StorageErrorKind.GAME}
        if journals.quarantined:
            assert journals.quarantined.path.read_bytes() == data, (
                "the quarantined file is unchanged"
            )
        else:
            noticed = compare(journal, before, noticed)
        # Whatever damage was found, a new game can be begun and saved.
        number = journal.begin(DEFAULT, 1, TIME_CONTROLS["none"])
        journal.append(number, 0.0, OPENING, None, ClockState())
    with closing(Journal(path)) as again:
        found = again.unfinished()
        assert found
        assert list(found.beginning.actions) == OPENING
    return noticed


def compare(journal: Journal, before: ReadBack, noticed: str) -> str:
    """Check that each game is unchanged or reported as damaged.

    Return "game" if a damaged game was found, otherwise `noticed`.
    """
    for summary, was in zip(journal.games(), before.games, strict=True):
        if summary != was:
            assert summary.is_damaged
            noticed = "game"
    for number, game in enumerate(before.games):
        found = read(journal, game.number)
        kept = before.transcripts[number], before.clocks[number], before.notes[number]
        assert all(one in (None, other) for one, other in zip(found, kept, strict=True))
        noticed = "game" if None in found else noticed
    return noticed


@flips
def test_flipped_bytes_are_detected_or_harmless(file: Path, memory: Path) -> None:
    data = file.read_bytes()
    with closing(Journal(file)) as journal:
        before = read_all(journal)
    assert before.unfinished
    count = {"file": 0, "game": 0, "harmless": 0}
    for seed in range(flips.size):
        try:
            count[outcome(memory, turned(data, seed), before)] += 1
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
    assert count["file"]
    assert count["game"]


@losses
@pytest.mark.parametrize("how", LOSSES)
def test_other_disk_damage_is_detected_or_harmless(file: Path, memory: Path, how: str) -> None:
    data = file.read_bytes()
    with closing(Journal(file)) as journal:
        before = read_all(journal)
    for seed in range(losses.size):
        try:
            outcome(memory, LOSSES[how](data, seed), before)
        except BaseException as error:
            error.add_note(f"{how}, seed {seed}")
            raise


@pytest.mark.parametrize("number", [4, 5, 45, 2**62])
def test_flipped_game_number_hides_no_later_game(
    file: Path, memory: Path, tmp_path: Path, number: int
) -> None:
    """The damaged game number is that of the next game, or higher."""
    with closing(Journal(file)) as journal:
        before = read_all(journal)
    path = Path(shutil.copy(file, tmp_path / "renumbered.sqlite"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE game SET id = ? WHERE id = 3", (number,))
        connection.commit()
    assert outcome(memory, path.read_bytes(), before) == "game"


def test_read_only_format_is_quarantined(file: Path, memory: Path) -> None:
    """SQLite never writes to a file that has one of these write versions."""
    with closing(Journal(file)) as journal:
        before = read_all(journal)
    data = bytearray(file.read_bytes())
    for version in (3, 255):
        data[WRITE_VERSION] = version
        assert outcome(memory, bytes(data), before) == "file"


@pytest.mark.parametrize("how", [turned, two_turned])
def test_damage_is_undetected_without_checksums(
    file: Path,
    memory: Path,
    monkeypatch: pytest.MonkeyPatch,
    how: Callable[[bytes, int], bytes],
) -> None:
    """Without row checksums, some damage is expected to remain undetected."""
    data = file.read_bytes()
    with closing(Journal(file)) as journal:
        before = read_all(journal)
    monkeypatch.setattr("companion.storage.game_rows.verify_chain", lambda *_: None)
    monkeypatch.setattr("companion.storage.game_rows.verify_row", lambda *_: None)
    missed = 0
    for seed in range(flips.part):
        try:
            outcome(memory, how(data, seed), before)
        except AssertionError:
            missed += 1
    assert missed
