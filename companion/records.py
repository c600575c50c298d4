"""Recorded games as files, and the sample game that comes with the program."""

from contextlib import AbstractContextManager
from importlib import resources
from pathlib import Path
from typing import Final

from engine import transcript
from engine.record import Record, RecordError
from engine.records import read
from engine.transcript import Transcript, TranscriptError

LARGEST: Final = 4 * 2**20
"""Bytes. The longest games of the Gravon archive have a hundredth of that."""


def read_game(path: Path) -> Record | Transcript:
    """Read a game; RecordError, with a sentence for people, whatever is wrong with it."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise RecordError(f"the file cannot be opened ({error.strerror})") from error
    if len(data) > LARGEST:
        raise RecordError(f"the file is larger than {LARGEST // 2**20} MB, so it is no game")
    return read(data)


def read_record(path: Path) -> Record:
    """Read a game with every rank, of moves and attacks alone; RecordError if it is no such."""
    return as_record(read_game(path))


def as_record(game: Record | Transcript) -> Record:
    """Return a game as a record; RecordError if a rank is missing, or it holds more than moves."""
    try:
        return game if isinstance(game, Record) else transcript.as_record(game)
    except TranscriptError as error:
        raise RecordError(str(error)) from error


def sample_game() -> AbstractContextManager[Path]:
    """The file of the sample game: 206 moves between two people, from the public Gravon archive."""
    return resources.as_file(resources.files("companion") / "samples" / "classic-2004.xml")
