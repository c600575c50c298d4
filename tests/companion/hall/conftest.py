"""Fixtures for the tests of a hall."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.hall.server.hall_folder import BrokerListener, Hall, make_hall, read_hall
from companion.hall.server.store import Store


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of an empty database."""
    return str(tmp_path / "hall.sqlite")


@pytest.fixture
def open_store(database: str) -> Iterator[Callable[[], Store]]:
    """Opens the same database as often as a test needs, as separate programs would."""
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
def codes(folder: Path) -> dict[str, str]:
    listening = BrokerListener("127.0.0.1", 1883)
    return dict(make_hall(folder, listening, ["table-1", "table-2"], ["hall"], ["Anna", "Bert"]))


@pytest.fixture
def hall(folder: Path, codes: dict[str, str]) -> Hall:
    return read_hall(folder)
