"""Fixtures for a hall with its broker and database."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from companion.hall.server.hall_folder import BrokerListener, make_hall
from companion.hall.server.store import Store
from tests.integration.hall.services import Broker, Postgres, free_port


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture
def database(postgres: Postgres) -> str:
    """Return the URL of an empty database."""
    with psycopg.connect(postgres.address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres.address


@pytest.fixture
def open_store(database: str) -> Iterator[Callable[[], Store]]:
    """Return a function that opens a separate connection to the database."""
    opened: list[Store] = []

    def open_one() -> Store:
        opened.append(Store(database))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "hall"


@pytest.fixture
def broker(folder: Path) -> Iterator[Broker]:
    """Run Mosquitto for a hall with two tables."""
    port = free_port()
    make_hall(folder, BrokerListener("127.0.0.1", port), ["table-1", "table-2"], ["hall"], ["Anna"])
    started = Broker(folder, port)
    yield started
    started.kill()
