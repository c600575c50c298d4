"""What the tests of kept games share: a journal, opened as by programs of their own."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.store.journal import Journal
from tests.companion.store.journals import Open


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "games.sqlite"


@pytest.fixture
def open_journal(path: Path) -> Iterator[Open]:
    """Open the same file as often as a test likes, each time as a program of its own would."""
    with ExitStack() as opened:
        yield lambda origin="board": opened.enter_context(closing(Journal(path, origin)))
