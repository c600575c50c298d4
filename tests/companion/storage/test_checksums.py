"""Changed and missing rows of a game are detected."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.inputs import Pause, Resume
from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal import Journal
from engine.game.clocks import NO_CLOCK
from engine.rules.editions import DEFAULT
from tests.companion.storage.journals import CLOCK, OPENING


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """Journal of two games with the same actions. The second game is in progress."""
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        for _ in range(2):
            game = journal.begin(DEFAULT, 1, NO_CLOCK)
            journal.append(game, 1.0, OPENING, None, CLOCK, notes=[Pause(), Resume()], plies=3)
        yield journal


ROWS = [
    "DELETE FROM {} WHERE game = 2 AND number = (SELECT max(number) FROM {} WHERE game = 2)",
    "DELETE FROM {} WHERE game = 2 AND number = 1",
    "DELETE FROM {} WHERE game = 2",
    "UPDATE {} SET number = number + 1 WHERE game = 2 AND number = (SELECT max(number) FROM {})",
    "UPDATE {} SET at = at + 1 WHERE game = 2 AND number = 2",
    "UPDATE {} SET clock = '' WHERE game = 2 AND number = 2",
    # Replaces the row's checksum with that of the same row in another game.
    "UPDATE {0} SET checksum = (SELECT o.checksum FROM {0} o WHERE o.game = 1 AND o.number = 2)"
    " WHERE game = 2 AND number = 2",
]
STATEMENTS = [
    *[row.format("action", "action") for row in ROWS],
    *[row.format("note", "note") for row in ROWS],
    "UPDATE action SET action = replace(action, 'captain', 'marshal') WHERE game = 2",
    "UPDATE note SET after = 1 WHERE game = 2 AND number = 1",
    *[
        f"UPDATE game SET {column} = {value} WHERE id = 2"
        for column, value in [
            ("begun", "'2020-01-01'"),
            ("origin", "'boarf'"),
            ("edition", "replace(edition, '1', '2')"),
            ("seed", "2"),
            ("memory", "'{}'"),
            ("clock", "NULL"),
            ("outcome", "'time'"),
            ("plies", "2"),
            ("actions", "(SELECT actions FROM game WHERE id = 1)"),
        ]
    ],
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_altered_game_is_detected(journal: Journal, statement: str) -> None:
    assert journal.unfinished()
    before = journal.file.connection.total_changes
    journal.file.connection.execute(statement)
    assert journal.file.connection.total_changes > before
    with pytest.raises(StorageError) as raised:
        journal.unfinished()
    assert raised.value.kind is StorageErrorKind.GAME
    assert journal.transcript(1).entries, "the other game is intact"
