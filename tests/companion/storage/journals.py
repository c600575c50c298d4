"""Modify the rows of a journal."""

import sqlite3
from collections.abc import Callable

from companion.storage import journal_file
from companion.storage.game_rows import FIRST_PREDECESSOR, row_checksum
from companion.storage.journal import Journal
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.clocks import ClockState

OPENING: list[actions.Action] = [
    actions.PlaceArmies(Side.RED.home, Side.BLUE.home),
    actions.Move(square("e4"), square("e5")),
    actions.Move(square("e7"), square("e6")),
    actions.Attack(square("e5"), square("e6")),
    actions.Declare(Secret(Side.RED, Rank.CAPTAIN)),
]


CLOCK = ClockState()


Open = Callable[..., Journal]


def spoil(journal: Journal, statement: str) -> None:
    """Change rows and update their checksums."""
    journal.file.connection.execute(statement)
    update_all_checksums(journal.file.connection)


def update_all_checksums(connection: sqlite3.Connection) -> None:
    """Write valid checksums for all rows."""
    for (game,) in connection.execute("SELECT id FROM game").fetchall():
        for table, columns in (
            ("action", journal_file.ACTION_COLUMNS),
            ("note", journal_file.NOTE_COLUMNS),
        ):
            head = _update_checksum_chain(connection, table, columns, game)
            connection.execute(f"UPDATE game SET {table}s = ? WHERE id = ?", (head, game))
        journal_file.update_game_checksum(connection, game)
    connection.execute(
        "UPDATE ledger SET games = (SELECT count(*) FROM game),"
        " next = max(next, 1 + (SELECT coalesce(max(id), 0) FROM game))"
    )
    journal_file.update_ledger_checksum(connection)


def _update_checksum_chain(
    connection: sqlite3.Connection, table: str, columns: str, game: int
) -> str:
    before = FIRST_PREDECESSOR
    query = f"SELECT {columns} FROM {table} WHERE game = ? ORDER BY number"
    for row in connection.execute(query, (game,)).fetchall():
        before = row_checksum(before, game, *row)
        connection.execute(
            f"UPDATE {table} SET checksum = ? WHERE game = ? AND number = ?",
            (before, game, row[0]),
        )
    return before
