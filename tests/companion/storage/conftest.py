import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.storage.journal import Journal
from tests.companion.storage.journals import Open


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "games.sqlite"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """Folder in memory if possible, because a disk would be ten times slower."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else tmp_path) as name:
        yield Path(name)


@pytest.fixture
def open_journal(path: Path) -> Iterator[Open]:
    """Function that opens the journal file once more, as a separate process would."""
    with ExitStack() as opened:
        yield lambda origin="board": opened.enter_context(closing(Journal(path, origin)))
