"""Stores messages from the broker in the database, and confirms them to the tables.

The MQTT thread only puts incoming messages into a queue. Another thread empties the queue, many
messages at a time, and retries while the database is unavailable. Messages may be dropped if the
queue is full or the database is unavailable, because tables send unconfirmed items again. Items
that another hall has confirmed are read from the database.
"""

import logging
import threading
import time
from queue import Empty, Full, Queue
from typing import Final, TypeAlias

from nacl.signing import SigningKey

from companion.hall.protocol import messages
from companion.hall.protocol.broker import Broker
from companion.hall.protocol.feed import Item, read_item
from companion.hall.protocol.mqtt import MqttConnection
from companion.hall.server.store import DatabaseError, GameArrival, NewItem, Store
from companion.hall.server.tables import URGENT, Attended, Tables, TableStatus, reason_of

log = logging.getLogger(__name__)

MOST_WAITING: Final = 50_000
"""Maximum number of messages in the queue."""
MOST_AT_ONCE: Final = 500
"""Maximum number of messages stored in one transaction."""
MOST_SEARCHED: Final = 100
"""Maximum number of items to search for the time at which a game began to need an arbiter
urgently."""
RETRY_SECONDS: Final = 1.0
CATCH_UP_SECONDS: Final = 1.0
"""Interval between checks for items that another hall has stored, in seconds. With 500 tables of
ten games each, a check took 1 ms of the hall's CPU time and 7 ms of PostgreSQL's. With SQLite, it
took 2 ms."""
STUCK_SECONDS: Final = 5.0
"""Time in seconds after which an unresponsive database is considered unusable. Equal to the
interval between a page's heartbeats."""
KEEPALIVE: Final = 4
"""MQTT keep-alive of the hall, in seconds. A broker that stops answering is noticed within twice
this interval, before pages are marked as out of date."""
LASTS_SECONDS: Final = 20
"""Time in seconds after which an order expires, because the game may have changed by then."""

_Heard: TypeAlias = tuple[str, messages.ItemMessage | messages.OrderReply | messages.TablePresence]
"""A table's name, and a message from that table."""


class HallReceiver:
    """Subscribes to all tables, stores their messages, and sends orders to the tables."""

    def __init__(self, broker: Broker, database: str, key: SigningKey, tables: Tables) -> None:
        """Create the receiver. It connects only when `start` is called."""
        self._database, self._key, self._tables = database, key, tables
        self._queue: Queue[_Heard] = Queue(MOST_WAITING)
        self._closing = threading.Event()
        heard = tuple(
            messages.topic("+", what)
            for what in (messages.ITEMS, messages.PRESENCE, messages.ANSWERS)
        )
        self._connection = MqttConnection(
            broker, heard, lambda _: None, self._hear, keepalive=KEEPALIVE
        )
        self._thread = threading.Thread(target=self._run, name="receiver", daemon=True)
        self.error: str | None = "not opened yet"
        """The database error that currently prevents messages from being stored, or None."""
        self._busy_since: float | None = None
        """Monotonic time at which the thread began to wait for the database, or None."""

    @property
    def is_broker_connected(self) -> bool:
        return self._connection.is_there

    @property
    def is_stuck(self) -> bool:
        """Whether the database has been unresponsive for some time without reporting an error."""
        since = self._busy_since
        return since is not None and time.monotonic() - since > STUCK_SECONDS

    def start(self) -> None:
        self._thread.start()
        self._connection.start()

    def close(self) -> None:
        self._connection.stop()
        self._closing.set()
        self._thread.join()

    def order(self, order: messages.Order) -> None:
        payload = messages.sign_order(order, self._key)
        self._connection.publish(
            messages.topic(order.table, messages.ORDERS), payload, expires=LASTS_SECONDS
        )

    # -- called in the connection's thread

    def _hear(self, about: str, payload: bytes) -> None:
        try:
            table, what = messages.read_topic(about)
            match what:
                case "items":
                    self._put((table, messages.read_item_message(payload)))
                case "presence":
                    self._take_presence(table, messages.read_presence(payload))
                case "answers":
                    self._put((table, messages.read_answer(payload)))
        except ValueError as error:
            log.warning("malformed message on %s: %s", about, error)

    def _take_presence(self, table: str, presence: messages.TablePresence) -> None:
        # Presence does not depend on the database, so it bypasses the queue.
        now = time.time()
        ahead = None if presence.clock is None else presence.clock - now
        self._tables.set_presence(table, is_here=presence.is_here, clock_ahead=ahead)
        if presence.is_here and presence.clock is None:
            self._put((table, presence))

    def _put(self, heard: _Heard) -> None:
        try:
            self._queue.put_nowait(heard)
        except Full:
            log.warning("the queue of the database is full; the tables will send this again")

    # -- run in this object's own thread

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                store = Store(self._database)
            except DatabaseError as error:
                self._wait(error)
                continue
            try:
                while not self._closing.is_set():
                    self._busy_since = time.monotonic()
                    if self._busy_since - self._tables.complete_until > CATCH_UP_SECONDS:
                        catch_up(store, self._tables)
                        self.error = None
                    self._busy_since = None
                    heard = self._next()
                    self._busy_since = time.monotonic()
                    self._take(store, heard)
            except DatabaseError as error:
                self._wait(error)
            finally:
                store.close()

    def _wait(self, error: DatabaseError) -> None:
        self._busy_since = None
        if self.error != str(error):
            log.error("the database cannot be used: %s", error)
        self.error = str(error)
        self._closing.wait(RETRY_SECONDS)

    def _next(self) -> list[_Heard]:
        """Wait briefly for the first message, and return all queued messages."""
        found: list[_Heard] = []
        try:
            found.append(self._queue.get(timeout=0.2))
            while len(found) < MOST_AT_ONCE:
                found.append(self._queue.get_nowait())
        except Empty:
            pass
        return found

    def _take(self, store: Store, heard: list[_Heard]) -> None:
        items = [(table, what) for table, what in heard if isinstance(what, messages.ItemMessage)]
        if items:
            self._keep(store, items)
        for table, what in heard:
            match what:
                case messages.TablePresence():
                    for receipt in messages.receipts(store.lengths(table)):
                        self._confirm(table, receipt)
                case messages.OrderReply(number, taken):
                    store.answer(table, number, taken=taken)
                    self._tables.touch(table)
        self.error = None

    def _keep(self, store: Store, items: list[tuple[str, messages.ItemMessage]]) -> None:
        lengths = store.add(
            NewItem(table, what.game, what.item.number, what.text) for table, what in items
        )
        for table, what in items:
            if what.item.number <= lengths[table, what.game]:
                self._tables.show(
                    table, what.game, what.item, self._arrival(store, table, what.game)
                )
        for table in {table for table, _ in items}:
            games = {game: length for (place, game), length in lengths.items() if place == table}
            self._confirm(table, messages.Receipt(games))

    def _arrival(self, store: Store, table: str, game: str) -> GameArrival:
        shown = self._tables.get(table)
        return shown.arrival if shown and shown.game == game else store.arrival(table, game)

    def _confirm(self, table: str, received: messages.Receipt) -> None:
        self._connection.publish(
            messages.topic(table, messages.RECEIVED), messages.write_received(received)
        )


def catch_up(store: Store, tables: Tables) -> None:
    """Show the items that `tables` lacks because another hall or program has stored them."""
    begun = time.monotonic()
    for place, stored in store.latest_numbers().items():
        shown = tables.get(place) or TableStatus(place)
        if shown.item is None or (shown.game, shown.item.number) != (stored.game, stored.item):
            _show_latest(store, tables, place)
        if stored.act and (not shown.attended or shown.attended.at < stored.act / 1000):
            latest = store.acts(place, stored.game)[-1]
            tables.attend(place, stored.game, Attended(latest.author, latest.at))
    tables.complete_until = begun


def _show_latest(store: Store, tables: Tables, place: str) -> None:
    """Show the last item of a table's latest game, and the players from its first item."""
    latest = store.latest(place)
    if latest:
        game, began, last = latest
        arrival = store.arrival(place, game)
        since = _since(store, place, game, read_item(last))
        age = max(0.0, time.time() - store.items(place, game, 1)[-1].came)
        tables.show(place, game, read_item(began), arrival, since)
        tables.show(place, game, read_item(last), arrival, since, age)


def _since(store: Store, place: str, game: str, last: Item) -> float:
    """Return the time at which the game began to need an arbiter for the reason in `last`."""
    since, reason = 0.0, reason_of(last)
    most = MOST_SEARCHED if reason in URGENT else 1
    for stored in reversed(store.items(place, game, most)):
        if reason_of(read_item(stored.body)) is not reason:
            break
        since = stored.came
    return since
