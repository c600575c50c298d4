"""The hall's database, in PostgreSQL or SQLite.

Each item is stored only once, and only after its predecessor. The database itself enforces both
rules for all writers. A stored game is therefore always a prefix of the game in the journal, and a
table needs only the length of this prefix to resume sending.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from companion.hall.protocol.messages import Order

_ANY_NUMBER: Final = 0x426F6F6D
"""Key of the advisory lock for creating a PostgreSQL schema: “Boom” in ASCII."""
_VERSION: Final = 3
"""Version of the database schema."""
_TABLES: Final = (
    "CREATE TABLE place (name TEXT PRIMARY KEY)",
    """CREATE TABLE game (
    place TEXT NOT NULL,
    game TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    came BIGINT NOT NULL,
    PRIMARY KEY (place, game),
    UNIQUE (place, ordinal)
)""",
    """CREATE TABLE item (
    place TEXT NOT NULL,
    game TEXT NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    came BIGINT NOT NULL,
    PRIMARY KEY (place, game, number)
)""",
    """CREATE TABLE act (
    place TEXT NOT NULL,
    number BIGINT NOT NULL,
    game TEXT NOT NULL,
    author TEXT NOT NULL,
    said TEXT NOT NULL,
    taken INTEGER,
    PRIMARY KEY (place, number)
)""",
)
_COLUMNS: Final = {
    "game": "place, game, ordinal, came",
    "item": "place, game, number, body, came",
    "act": "place, number, game, author, said, taken",
}
"""Columns of each database table. A `place` is a table of the hall, at which games are played."""
StoredRow: TypeAlias = tuple[str, list[Any]]
"""Name of a database table, and the values in one of its rows."""
_ADD_GAME: Final = (
    "INSERT INTO game (place, game, ordinal, came)"
    " SELECT CAST(? AS TEXT), CAST(? AS TEXT), coalesce(max(ordinal), 0) + 1, CAST(? AS BIGINT)"
    " FROM game WHERE place = ? ON CONFLICT DO NOTHING"
)
# If two halls give the same ordinal to different games, only one of the games is stored. The first
# item of the other game is then rejected, so its table sends the item again.
_ADD_ITEM: Final = (
    "INSERT INTO item (place, game, number, body, came)"
    " SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS TEXT),"
    " CAST(? AS BIGINT)"
    " WHERE (CAST(? AS INTEGER) = 1"
    " AND EXISTS (SELECT 1 FROM game WHERE place = ? AND game = ?))"
    " OR EXISTS (SELECT 1 FROM item WHERE place = ? AND game = ? AND number = ?)"
    " ON CONFLICT DO NOTHING"
)


class DatabaseError(Exception):
    """A database operation failed. The message usually comes from the driver."""


def is_postgresql(address: str) -> bool:
    """Whether a database's address is a PostgreSQL URL. Any other address is a file path."""
    return address.startswith(("postgresql://", "postgres://"))


class DatabaseConnection(Protocol):
    """Common interface of PostgreSQL and SQLite connections."""

    def commit(self) -> None: ...

    def rollback(self) -> None:
        """Roll back the transaction."""

    def close(self) -> None: ...

    def cursor(self) -> Any: ...


@dataclass(frozen=True)
class GameArrival:
    """Arrival of a game at the hall. It does not depend on the table's clock."""

    order: int
    """Position among the table's games, which arrive in journal order."""
    at: float
    """Time on the hall's clock, in seconds since 1970."""


FIRST: Final = GameArrival(1, 0.0)


@dataclass(frozen=True)
class NewItem:
    """An item received from a table, to be stored."""

    place: str
    game: str
    number: int
    body: str


@dataclass(frozen=True)
class LatestNumbers:
    """Sequence numbers of the last item and the last decision in a table's current game."""

    game: str
    item: int
    act: int
    """Sequence number of the last decision about the game, or 0 before the first one."""


@dataclass(frozen=True)
class StoredItem:
    """A stored item with the time at which it was stored."""

    body: str
    came: float
    """Time at which the item was stored, in seconds since 1970."""


@dataclass(frozen=True)
class Act:
    """An arbiter's decision."""

    number: int
    game: str
    author: str
    content: Mapping[str, Any]
    taken: bool | None
    """Whether the decision has taken effect at the table. None until the table replies."""

    @property
    def at(self) -> float:
        """Time of the decision, in seconds since 1970. Its number is derived from this time."""
        return self.number / 1000


class Store:
    """A database connection for use by one thread. Any call can raise DatabaseError."""

    def __init__(self, address: str) -> None:
        """Connect and create the schema; `address` is ``postgresql://…`` or a file path."""
        self._is_postgresql = is_postgresql(address)
        self._errors: tuple[type[Exception], ...] = (sqlite3.Error,)
        self._connection = self._connect(address)
        try:
            self._create_schema()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        with suppress(*self._errors):
            self._connection.close()

    def add(self, items: Iterable[NewItem]) -> dict[tuple[str, str], int]:
        """Append items to the stored games, and return the games' new lengths.

        An item is ignored unless it directly follows the last stored item of its game. When the
        method returns, the items are on disk. The result gives the number of stored items, keyed by
        table and game.
        """
        # All halls use the same order, because two halls could deadlock otherwise.
        ordered = sorted(items, key=lambda each: (each.place, each.game, each.number))
        with self._transaction() as cursor:
            places = sorted({(item.place,) for item in ordered})
            self._many(cursor, "INSERT INTO place VALUES (?) ON CONFLICT DO NOTHING", places)
            now = time.time_ns() // 1_000_000
            for place, game in {
                (item.place, item.game): None for item in ordered if item.number == 1
            }:
                self._run(cursor, _ADD_GAME, (place, game, now, place))
            self._many(cursor, _ADD_ITEM, [_columns(item, now) for item in ordered])
            lengths = {}
            for place, game in sorted({(item.place, item.game) for item in ordered}):
                query = "SELECT coalesce(max(number), 0) FROM item WHERE place = ? AND game = ?"
                ((lengths[place, game],),) = self._ask(cursor, query, (place, game))
        return lengths

    def lengths(self, place: str) -> dict[str, int]:
        """Return the number of stored items in each game at a table."""
        query = "SELECT game, max(number) FROM item WHERE place = ? GROUP BY game"
        with self._transaction() as cursor:
            return dict(self._ask(cursor, query, (place,)))

    def latest_numbers(self) -> dict[str, LatestNumbers]:
        """For each table's current game, return the numbers of the last item and last decision."""
        # A subquery reads only the end of an index.
        query = (
            "SELECT place, game,"
            " (SELECT max(number) FROM item WHERE place = game.place AND game = game.game),"
            " (SELECT coalesce(max(number), 0) FROM act"
            " WHERE place = game.place AND game = game.game)"
            " FROM game JOIN (SELECT place, max(ordinal) AS ordinal FROM game GROUP BY place)"
            " AS latest USING (place, ordinal) ORDER BY place"
        )
        with self._transaction() as cursor:
            return {place: LatestNumbers(*found) for place, *found in self._ask(cursor, query)}

    def arrival(self, place: str, game: str) -> GameArrival:
        query = "SELECT ordinal, came FROM game WHERE place = ? AND game = ?"
        with self._transaction() as cursor:
            ((ordinal, came),) = self._ask(cursor, query, (place, game))
        return GameArrival(ordinal, came / 1000)

    def latest(self, place: str) -> tuple[str, str, str] | None:
        """Return the key, the first item and the last item of a table's latest game.

        Return None if no game of the table has been stored.
        """
        query = (
            "SELECT game, body FROM item JOIN game USING (place, game) WHERE place = ?"
            " ORDER BY ordinal DESC, number DESC LIMIT 1"
        )
        first = "SELECT body FROM item WHERE place = ? AND game = ? AND number = 1"
        with self._transaction() as cursor:
            for game, last in self._ask(cursor, query, (place,)):
                ((began,),) = self._ask(cursor, first, (place, game))
                return game, began, last
        return None

    def items(self, place: str, game: str, most: int | None = None) -> list[StoredItem]:
        """Return a game's items in order, or only the latest `most` items."""
        query = "SELECT body, came FROM item WHERE place = ? AND game = ? ORDER BY number DESC"
        limited = f"{query} LIMIT {int(most)}" if most is not None else query
        with self._transaction() as cursor:
            rows = self._ask(cursor, limited, (place, game))
        return [StoredItem(body, came / 1000) for body, came in reversed(rows)]

    def games(self, place: str) -> list[str]:
        """Return the keys of a table's games, in journal order."""
        query = "SELECT game FROM game WHERE place = ? ORDER BY ordinal"
        with self._transaction() as cursor:
            return [game for (game,) in self._ask(cursor, query, (place,))]

    def record(self, place: str, game: str, author: str, content: Mapping[str, Any]) -> Order:
        """Record a decision. Return it as an order, with a new highest number for its table."""
        written = json.dumps(dict(content), sort_keys=True)
        # The number is derived from the clock. A plain counter would restart at a low number if the
        # database were lost.
        query = (
            "INSERT INTO act SELECT CAST(? AS TEXT),"
            " CASE WHEN max(number) >= ? THEN max(number) + 1 ELSE ? END,"
            " CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), NULL FROM act WHERE place = ?"
            " RETURNING number"
        )
        now = time.time_ns() // 1_000_000
        with self._transaction() as cursor:
            columns = (place, now, now, game, author, written, place)
            ((number,),) = self._ask(cursor, query, columns)
        return Order(place, game, int(number), author, content)

    def answer(self, place: str, number: int, *, taken: bool) -> None:
        """Record whether an order took effect at a table."""
        with self._transaction() as cursor:
            query = "UPDATE act SET taken = ? WHERE place = ? AND number = ?"
            self._run(cursor, query, (int(taken), place, number))

    def acts(self, place: str, game: str) -> list[Act]:
        """Return the decisions about a game, earliest first."""
        query = (
            "SELECT number, game, author, said, taken FROM act"
            " WHERE place = ? AND game = ? ORDER BY number"
        )
        with self._transaction() as cursor:
            return [
                Act(
                    number,
                    about,
                    author,
                    json.loads(content),
                    None if taken is None else bool(taken),
                )
                for number, about, author, content, taken in self._ask(cursor, query, (place, game))
            ]

    # -- backup

    def rows(self) -> Iterator[StoredRow]:
        """Yield all rows of the database, read from a single snapshot, for `load`."""
        with self._transaction() as cursor:
            # In both database systems, all queries of the transaction read the same snapshot after
            # this statement.
            self._run(
                cursor,
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
                if self._is_postgresql
                else "BEGIN",
            )
            places = [name for (name,) in self._ask(cursor, "SELECT name FROM place ORDER BY name")]
            for place in places:
                yield "place", [place]
                for table, columns in _COLUMNS.items():
                    query = f"SELECT {columns} FROM {table} WHERE place = ? ORDER BY {columns}"  # noqa: S608
                    for row in self._ask(cursor, query, (place,)):
                        yield table, list(row)

    def load(self, rows: Iterable[StoredRow]) -> None:
        """Store the rows of a backup in an empty database.

        Raise DatabaseError, without changing anything, if the database is not empty.
        """
        with self._transaction() as cursor:
            if self._ask(cursor, "SELECT name FROM place LIMIT 1"):
                raise DatabaseError("the database is not empty")
            for table, group in groupby(rows, itemgetter(0)):
                columns = {"place": "name", **_COLUMNS}.get(table)
                if columns is None:
                    raise DatabaseError(f"expected the name of a table, found {table!r}")
                marks = ", ".join("?" * (columns.count(",") + 1))
                query = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608
                self._many(cursor, query, [row for _, row in group])

    # -- the two database systems

    def _connect(self, address: str) -> DatabaseConnection:
        if not self._is_postgresql:
            try:
                connection = sqlite3.connect(address, timeout=10, check_same_thread=False)
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.Error as error:
                raise DatabaseError(str(error)) from error
            return connection
        try:
            import psycopg  # noqa: PLC0415 (in the extra “hall”)
        except ImportError as error:
            raise DatabaseError("install “boomboard[hall]” for PostgreSQL") from error
        self._errors = (psycopg.Error,)
        try:
            return psycopg.connect(address, connect_timeout=5)
        except psycopg.Error as error:
            raise DatabaseError(str(error).strip()) from error

    def _create_schema(self) -> None:
        """Create the tables. A lock keeps other programs from creating them at the same time."""
        with self._transaction() as cursor:
            if self._is_postgresql:
                self._run(cursor, "SELECT pg_advisory_xact_lock(?)", (_ANY_NUMBER,))
            else:
                self._run(cursor, "BEGIN IMMEDIATE")
            self._run(cursor, "CREATE TABLE IF NOT EXISTS schema_version (number INTEGER NOT NULL)")
            found = [number for (number,) in self._ask(cursor, "SELECT number FROM schema_version")]
            if found == [_VERSION]:
                return
            if found:
                raise DatabaseError(
                    f"expected schema version {_VERSION}, found {max(found)}; update this "
                    "Boomboard, or choose another database"
                )
            for statement in _TABLES:
                self._run(cursor, statement)
            self._run(cursor, "INSERT INTO schema_version VALUES (?)", (_VERSION,))

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._connection, self._errors)

    def _written(self, statement: str) -> str:
        return statement.replace("?", "%s") if self._is_postgresql else statement

    def _run(self, cursor: Any, statement: str, values: Sequence[object] = ()) -> None:
        cursor.execute(self._written(statement), values)

    def _many(self, cursor: Any, statement: str, rows: Sequence[Sequence[object]]) -> None:
        cursor.executemany(self._written(statement), rows)

    def _ask(
        self, cursor: Any, statement: str, values: Sequence[object] = ()
    ) -> list[tuple[Any, ...]]:
        self._run(cursor, statement, values)
        return list(cursor.fetchall())


class _Transaction:
    """Context manager for a transaction. Converts the driver's errors into DatabaseError."""

    def __init__(self, connection: DatabaseConnection, errors: tuple[type[Exception], ...]) -> None:
        self._connection, self._errors = connection, errors

    def __enter__(self) -> Any:
        try:
            return self._connection.cursor()
        except self._errors as error:
            raise DatabaseError(str(error).strip()) from error

    def __exit__(self, _: object, raised: BaseException | None, __: object) -> None:
        try:
            if raised is None:
                self._connection.commit()
                return
            with suppress(*self._errors):
                self._connection.rollback()
        except self._errors as error:
            raise DatabaseError(str(error).strip()) from error
        if isinstance(raised, self._errors):
            raise DatabaseError(str(raised).strip()) from raised


def _columns(item: NewItem, now: int) -> tuple[object, ...]:
    game = item.place, item.game
    return *game, item.number, item.body, now, item.number, *game, *game, item.number - 1


# The pages share one connection, which is protected by a lock and reopened after a failure.

T = TypeVar("T")


class StoreProxy:
    """Thread-safe access to the database for the pages."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._store: Store | None = None

    def ask(self, question: Callable[[Store], T]) -> T:
        """Run a query, and retry it on a new connection if it fails.

        Raise DatabaseError if the query also fails on the new connection.
        """
        with self._lock:
            if self._store:
                try:
                    return question(self._store)
                except DatabaseError:
                    self._store.close()
                    self._store = None
            self._store = Store(self._address)
            return question(self._store)

    def close(self) -> None:
        with self._lock:
            if self._store:
                self._store.close()
                self._store = None
