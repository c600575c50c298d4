"""A table's connection to its hall: a thread that reads the journal and talks to the broker.

The program that plays makes two calls to it, and neither waits: `inputs` returns the orders that
arrived since the last call, and `close` ends the thread.
"""

import logging
import sqlite3
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from nacl.signing import VerifyKey

from companion.hall.mqtt import Connection
from companion.hall.orders import ForgedOrderError, Order, read_order
from companion.hall.publisher.hall_file import HallFile
from companion.hall.publisher.outbox import Outbox
from companion.hall.publisher.remembered import Remembered
from companion.hall.words import (
    ANSWERS,
    ITEMS,
    ORDERS,
    PRESENCE,
    RECEIVED,
    Answer,
    Received,
    read_received,
    topic,
    write_answer,
    write_presence,
    write_told,
)
from companion.store.follower import Follower
from companion.table import Table
from companion.table.inputs import Input
from companion.table.process.malformed import MalformedLineError
from companion.table.process.said_words import read_said

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.05
"""Interval between checks whether the journal has grown, in seconds; a check costs some
microseconds."""
BUSY_SECONDS: Final = 0.5
"""Delay before the file is tried again when another process has locked it, in seconds; that process
has priority."""
ASK_SECONDS: Final = 3.0
"""Interval between queries to a hall that has not reported what it has, in seconds."""


class HallLine:
    """Publishes the games of a table to a hall until it is closed."""

    def __init__(self, hall: HallFile, games: Path, origin: str) -> None:
        """Follow the games of an origin in a file that need not exist yet."""
        self._hall, self._path, self._origin = hall, games, origin
        self._table = hall.table
        self._key = VerifyKey(bytes.fromhex(hall.signed_by))
        self._heard: SimpleQueue[Received | Order | bool] = SimpleQueue()
        self._orders: SimpleQueue[Order] = SimpleQueue()
        self._outbox: Outbox | None = None
        self._follower: Follower | None = None
        self._remembered: Remembered | None = None
        self._asked_at = 0.0
        self._is_connected = False
        self._closing = threading.Event()
        self._connection = Connection(
            hall.broker,
            (topic(self._table, RECEIVED), topic(self._table, ORDERS)),
            self._heard.put,
            self._hear,
            will=(topic(self._table, PRESENCE), write_presence(is_here=False)),
        )
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def start(self) -> None:
        """Start, in the background."""
        self._connection.start()
        self._thread.start()

    def close(self) -> None:
        """Report to the hall that the table goes offline, and stop."""
        self._closing.set()
        self._thread.join()
        if self._connection.is_there:
            self._connection.tell(
                topic(self._table, PRESENCE), write_presence(is_here=False), retain=True
            )
        self._connection.stop()

    def inputs(self, at: float, game: int | None, table: Table) -> list[Input]:
        """Return the arbiters' orders since the last call that are for the present game.

        `at` is the time on the table's clock. Orders for other games are dropped.
        """
        found = []
        while not self._orders.empty():
            order = self._orders.get()
            if order.game.rpartition("/")[2] != str(game):
                continue
            try:
                found.append(read_said(at, order.act, table))
            except MalformedLineError as error:
                log.warning("an arbiter has ordered what nobody understands: %s", error)
        return found

    # -- in the connection's thread

    def _hear(self, about: str, payload: bytes) -> None:
        try:
            if about.endswith(RECEIVED):
                self._heard.put(read_received(payload))
            else:
                self._heard.put(read_order(payload, self._key, self._table))
        except ForgedOrderError as error:
            log.warning("%s", error)
        except ValueError:
            log.warning("the hall has said something that nobody understands")

    # -- in its own thread

    def _run(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            try:
                self._work()
            except sqlite3.OperationalError as error:
                log.debug("the games are being opened: %s", error)
                self._closing.wait(BUSY_SECONDS)
            except (sqlite3.Error, OSError) as error:
                log.warning("the games cannot be told to the hall just now: %s", error)
                self._closing.wait(ASK_SECONDS)
        if self._follower:
            self._follower.close()

    def _work(self) -> None:
        outbox = self._opened()
        if outbox is None or self._follower is None:
            return
        if self._follower.has_grown():
            outbox.read()
        while not self._heard.empty():
            self._take(self._heard.get(), outbox)
        if not self._is_connected:
            return
        if outbox.waits_for_hall and time.monotonic() - self._asked_at > ASK_SECONDS:
            self._ask()
        for key, text in outbox.due():
            self._connection.tell(topic(self._table, ITEMS), write_told(key, text))

    def _opened(self) -> Outbox | None:
        """Open the games once the file exists; reopen them if the file was replaced."""
        if self._follower and not self._follower.is_current:
            self._follower.close()
            self._follower = self._outbox = None
        if self._outbox is None and self._path.exists():
            self._outbox = self._open(Follower(self._path, self._origin))
        return self._outbox

    def _open(self, follower: Follower) -> Outbox:
        try:
            unfinished = follower.unfinished()
            first = unfinished if unfinished is not None else follower.next_number()
            path = self._path.with_name(f"hall-{self._hall.hall}.json")
            self._remembered = Remembered(path, first)
        except BaseException:
            follower.close()
            raise
        self._follower = follower
        return Outbox(follower, self._remembered.first, time.monotonic)

    def _take(self, heard: Received | Order | bool, outbox: Outbox) -> None:
        match heard:
            case bool():
                self._is_connected = heard
                if heard:
                    outbox.connect()
                    self._ask()
            case Received():
                outbox.confirm(heard)
            case Order():
                self._take_order(heard, outbox)

    def _ask(self) -> None:
        """Report that the table is online; the hall replies with what it has."""
        self._asked_at = time.monotonic()
        presence = write_presence(is_here=True)
        self._connection.tell(topic(self._table, PRESENCE), presence, retain=True)

    def _take_order(self, order: Order, outbox: Outbox) -> None:
        """Forward an order once, if it is for the present game."""
        assert self._remembered
        if not self._remembered.take_order(order.number):
            return
        taken = order.game == outbox.latest
        if taken:
            self._orders.put(order)
        self._connection.tell(
            topic(self._table, ANSWERS), write_answer(Answer(order.number, taken))
        )
