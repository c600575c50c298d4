"""A list of ten thousand games costs no more than their rows: no game is played again for it."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.store.journal import Journal
from companion.store.layouts import seal_all
from tests.companion.store.test_kept_games import WHOLE, keep

MANY = 300
_NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})"
_SAME = (
    "begun, origin, edition, seed, time_control, players, memory, clock, outcome, winner, plies,"
    " actions, notes, seal"
)


def test_games_are_listed_without_being_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal(tmp_path / "games.sqlite")) as journal:
        number = keep(journal, *WHOLE)
        journal.fill_in(number, 3, journal.transcript(number).outcome)
        insert = f"{_NUMBERS} INSERT INTO game SELECT n.i, {_SAME} FROM game, n"
        journal.file.connection.execute(insert)
        seal_all(journal.file.connection)
        # Their actions are not even there.
    assert main(["games", "list", "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + MANY
    assert all(line.endswith("Blue wins (resignation)") for line in lines[1:])
