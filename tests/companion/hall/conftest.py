from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.hall.console.console import POLICY, Console
from companion.hall.protocol.feed import read_item
from companion.hall.server.hall_folder import BrokerListener, Hall, make_hall, read_hall
from companion.hall.server.receiver import HallReceiver
from companion.hall.server.store import NewItem, Store, StoreProxy
from companion.hall.server.tables import Tables
from companion.hall.tournament.pages import routes
from companion.web.server import ServerConfig
from tests.companion.hall.hall_pages import Browser, Pages
from tests.companion.hall.saved_tables import SavedTable, items_of
from tests.companion.web.site import serving


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Path of an empty database."""
    return str(tmp_path / "hall.sqlite")


@pytest.fixture
def open_store(database: str) -> Iterator[Callable[[], Store]]:
    """Function that opens a new connection to the database, as a separate process would."""
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


@pytest.fixture
def pages(folder: Path, hall: Hall, database: str, tmp_path: Path) -> Iterator[Pages]:
    """Pages of a hall with a game at table-1. The broker is offline."""
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(6)
    ((game, items),) = items_of(table.path).items()
    table.journal.close()
    tables, library, store = Tables(), StoreProxy(database), Store(database)
    store.add(NewItem("table-1", game, number, text) for number, text in enumerate(items, start=1))
    for text in items:
        tables.show("table-1", game, read_item(text))
    tables.set_presence("table-1", is_here=True)
    receiver = HallReceiver(hall.broker("hall"), database, hall.key, tables)
    receiver.error = None
    public = routes(tmp_path / "cup.jsonl", lambda: "14:30")
    console = Console(folder, hall, tables, receiver, library)
    application = console.application(public)
    config = ServerConfig(application, POLICY, members=console.members, host="127.0.0.1", port=0)
    with serving(config) as port:
        yield Pages(tables, Browser(port), store, game, receiver)
    store.close()
    library.close()
