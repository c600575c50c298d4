"""Listing ten thousand games reads their rows without replaying the games."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.storage.journal import Journal
from companion.storage.journal_file import update_game_checksum, update_ledger_checksum
from tests.companion.storage.test_saved_games import WHOLE, keep

MANY = 300
_NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})"
_SAME = (
    "begun, origin, edition, seed, time_control, players, memory, clock, outcome, winner, plies,"
    " actions, notes, checksum"
)


def test_listing_does_not_replay_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        keep(journal, *WHOLE)
        insert = f"{_NUMBERS} INSERT INTO game SELECT n.i, {_SAME} FROM game, n"
        connection = journal.file.connection
        connection.execute(insert)
        for number in range(2, MANY + 1):
            update_game_checksum(connection, number)
        connection.execute("UPDATE ledger SET games = ?1, next = ?1 + 1", (MANY,))
        update_ledger_checksum(connection)
        # Reading actions would fail, because these rows contain none.
    assert main(["games", "list", "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + MANY
    assert all(line.endswith("Blue wins (resignation)") for line in lines[1:])


def test_listing_imports_little(tmp_path: Path) -> None:
    """Importing the table or the wire protocol would take longer than listing the games does."""
    program = "import sys; from companion.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    arguments = ["games", "list", "--data", str(tmp_path)]
    result = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, check=True
    )
    loaded = set(result.stdout.decode().split())
    assert "companion.storage.journal" in loaded
    assert not loaded & {
        *("companion.core.table", "companion.reports.score_sheet", "babel", "xml.sax"),
        *("firmware_bridge.wire.frames", "firmware_bridge.simulated_board.board"),
    }
