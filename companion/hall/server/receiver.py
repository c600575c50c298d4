"""From the broker into the database: messages are stored, and then confirmed to their table.

The broker's thread only puts incoming messages into a queue; one thread empties it, many messages
at a time. While the database is unavailable it retries; messages that overflow the queue are
dropped, because tables send unconfirmed items again.
"""

import logging
import threading
from queue import Empty, Full, Queue
from typing import Final

from nacl.signing import SigningKey

from companion.hall.protocol.broker import Broker
from companion.hall.protocol.feed_item import read_item
from companion.hall.protocol.messages import (
    ANSWERS,
    ITEMS,
    ORDERS,
    PRESENCE,
    RECEIVED,
    Answer,
    Order,
    Received,
    Told,
    read_answer,
    read_presence,
    read_told,
    read_topic,
    sign_order,
    topic,
    write_received,
)
from companion.hall.protocol.mqtt import Connection
from companion.hall.server.store import DatabaseError, NewItem, Store
from companion.hall.server.tables import Tables

log = logging.getLogger(__name__)

MOST_WAITING: Final = 50_000
"""Maximum number of messages in the queue."""
MOST_AT_ONCE: Final = 500
"""Maximum number of messages stored in one transaction."""
RETRY_SECONDS: Final = 1.0
LASTS_SECONDS: Final = 20
"""Expiry of an order in seconds; one that reaches its table later would meet a changed game."""


class Receiver:
    """Subscribes to all tables, stores their messages, and sends them orders."""

    def __init__(self, broker: Broker, database: str, key: SigningKey, tables: Tables) -> None:
        """Prepare the receiver; `start` begins."""
        self._database, self._key, self._tables = database, key, tables
        self._queue: Queue[tuple[str, Told | Answer | bool] | None] = Queue(MOST_WAITING)
        self._closing = threading.Event()
        heard = tuple(topic("+", what) for what in (ITEMS, PRESENCE, ANSWERS))
        self._connection = Connection(broker, heard, self._connected, self._hear)
        self._thread = threading.Thread(target=self._run, name="receiver", daemon=True)
        self.trouble: str | None = None
        """The database error that keeps messages from being stored at present, or None."""

    @property
    def hears(self) -> bool:
        """Whether the broker is connected."""
        return self._connection.is_there

    def start(self) -> None:
        """Start, in the background."""
        self._thread.start()
        self._connection.start()

    def close(self) -> None:
        self._connection.stop()
        self._closing.set()
        self._thread.join()

    def order(self, order: Order) -> None:
        payload = sign_order(order, self._key)
        self._connection.tell(topic(order.table, ORDERS), payload, expires=LASTS_SECONDS)

    # -- in the connection's thread

    def _connected(self, is_there: bool) -> None:
        if is_there:
            self._put(None)

    def _hear(self, about: str, payload: bytes) -> None:
        try:
            table, what = read_topic(about)
            match what:
                case "items":
                    self._put((table, read_told(payload)))
                case "presence":
                    self._put((table, read_presence(payload)))
                case "answers":
                    self._put((table, read_answer(payload)))
        except ValueError as error:
            log.warning("something that nobody understands has come to %s: %s", about, error)

    def _put(self, heard: tuple[str, Told | Answer | bool] | None) -> None:
        try:
            self._queue.put_nowait(heard)
        except Full:
            log.warning("too much waits for the database; the tables will send it again")

    # -- in its own thread

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                store = Store(self._database)
            except DatabaseError as error:
                self._wait(error)
                continue
            try:
                self._show_all(store)
                while not self._closing.is_set():
                    self._take(store, self._next())
            except DatabaseError as error:
                self._wait(error)
            finally:
                store.close()

    def _wait(self, error: DatabaseError) -> None:
        if self.trouble is None:
            log.error("the database cannot be used: %s", error)
        self.trouble = str(error)
        self._closing.wait(RETRY_SECONDS)

    def _next(self) -> list[tuple[str, Told | Answer | bool] | None]:
        """Return the queued messages, after a short wait for the first."""
        found: list[tuple[str, Told | Answer | bool] | None] = []
        try:
            found.append(self._queue.get(timeout=0.2))
            while len(found) < MOST_AT_ONCE:
                found.append(self._queue.get_nowait())
        except Empty:
            pass
        return found

    def _take(self, store: Store, heard: list[tuple[str, Told | Answer | bool] | None]) -> None:
        told = [(table, what) for table, what in filter(None, heard) if isinstance(what, Told)]
        if told:
            self._keep(store, told)
        for each in heard:
            match each:
                case None:
                    self._show_all(store)
                case table, bool() as is_here:
                    self._tables.set_presence(table, is_here=is_here)
                    if is_here:
                        self._confirm(table, Received(store.lengths(table), is_all=True))
                case table, Answer(number, taken):
                    store.answer(table, number, taken=taken)
                    self._tables.touch(table)
        self.trouble = None

    def _keep(self, store: Store, told: list[tuple[str, Told]]) -> None:
        lengths = store.add(
            NewItem(table, what.game, what.item.number, what.text) for table, what in told
        )
        for table, what in told:
            if what.item.number <= lengths[table, what.game]:
                self._tables.show(table, what.game, what.item)
        for table in {table for table, _ in told}:
            games = {game: length for (place, game), length in lengths.items() if place == table}
            self._confirm(table, Received(games, is_all=False))

    def _confirm(self, table: str, received: Received) -> None:
        self._connection.tell(topic(table, RECEIVED), write_received(received))

    def _show_all(self, store: Store) -> None:
        """Load the state of every table from the database: another hall may have stored it."""
        for place in store.places():
            latest = store.latest(place)
            if latest:
                game, began, last = latest
                self._tables.show(place, game, read_item(began))
                self._tables.show(place, game, read_item(last))
        self.trouble = None
