"""The tournament file. Each line is an event, and several processes can append events.

The file is written atomically, so after a power cut it contains either the old or the new content.
Writers hold a lock, so concurrent appends are never lost.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.hall.tournament.events import (
    RecordedEvent,
    TournamentError,
    read_line,
    write_line,
)
from companion.hall.tournament.tournament import Tournament, after, begin, fold
from companion.storage.atomic_file import write_atomically

LARGEST: Final = 20_000_000
"""Maximum size of a tournament file, in bytes."""


class TournamentFileError(TournamentError):
    """The file is unusable. The message names the file, the line and the error."""


@dataclass(frozen=True)
class SavedTournament:
    """The events of a stored tournament, and the state computed from them."""

    events: tuple[RecordedEvent, ...]
    tournament: Tournament


def read(path: Path) -> SavedTournament:
    """Read a file.

    Raise TournamentFileError if the file cannot be read or is not a tournament.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise TournamentFileError(f"{path} is too large for a tournament.")
        text = path.read_bytes().decode().removesuffix("\n")
    except FileNotFoundError as error:
        raise TournamentFileError(
            f"{path} does not exist; begin a tournament with “boomboard tournament new”."
        ) from error
    except OSError as error:
        raise TournamentFileError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise TournamentFileError(f"{path} is not text, so it is not a tournament.") from error
    # A reason can contain U+2028 and other line separators, at which str.splitlines would split.
    return _read_lines(path, text.split("\n") if text else [])


def create(path: Path, events: Sequence[RecordedEvent]) -> Tournament:
    """Create a file with these events. Raise TournamentFileError if the file already exists."""
    first, *others = (noted.event for noted in events)
    tournament = fold(begin(first), others)
    with _locked(path):
        if path.exists():
            raise TournamentFileError(f"{path} already exists; choose another file with --file.")
        _write(path, events)
    return tournament


def add(path: Path, decide: Callable[[Tournament], Sequence[RecordedEvent]]) -> Tournament:
    """Append all events that `decide` returns for the current state, or none of them.

    Raises:
        TournamentFileError: the file cannot be read or written.
        TournamentError: an event is invalid.
    """
    with _locked(path):
        kept = read(path)
        tournament, added = kept.tournament, decide(kept.tournament)
        for noted in added:
            tournament = after(tournament, noted.event)
        _write(path, (*kept.events, *added))
    return tournament


def _read_lines(path: Path, lines: Sequence[str]) -> SavedTournament:
    tournament: Tournament | None = None
    events = []
    for number, line in enumerate(lines, start=1):
        try:
            noted = read_line(line)
            event = noted.event
            tournament = begin(event) if tournament is None else after(tournament, event)
        except TournamentError as error:
            raise TournamentFileError(f"{path}, line {number}: {error}") from error
        events.append(noted)
    if tournament is None:
        raise TournamentFileError(f"{path} is empty, so it is not a tournament.")
    return SavedTournament(tuple(events), tournament)


def _write(path: Path, events: Sequence[RecordedEvent]) -> None:
    try:
        write_atomically(path, "".join(f"{write_line(noted)}\n" for noted in events))
    except OSError as error:
        raise TournamentFileError(
            f"{path} cannot be written ({error.strerror}); nothing has changed."
        ) from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait for the lock on the file, and hold the lock within this context."""
    try:
        file = os.open(
            path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
    except OSError as error:
        raise TournamentFileError(f"{path} cannot be written ({error.strerror}).") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
