"""A table's connection to its hall: a thread that reads the journal and talks to the broker.

The process that runs the game calls two methods, neither of which waits for the hall: `carry_out`
submits the orders that have arrived since the last call, and `close` ends the thread.
"""

import json
import logging
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from nacl.signing import VerifyKey

from companion.codec import MalformedError
from companion.core.game_context import Step
from companion.core.inputs import CommandInput, Input, TimePassed
from companion.core.table import Table
from companion.hall.protocol import messages
from companion.hall.protocol.feed import Feed, write_item
from companion.hall.protocol.mqtt import MqttConnection
from companion.hall.publisher.hall_file import HallFile
from companion.jsonl.requests import read_command
from companion.storage.atomic_file import write_atomically
from companion.storage.journal_tail import GameRows, GameStarted, JournalTail
from engine.board import OutOfPhaseError

# Unconfirmed items are kept only in memory, because they can be recreated from the journal. Items
# are sent in order, and only a limited number may be unconfirmed at a time. If no confirmation
# arrives, sending restarts at the first unconfirmed item. The hall recognises duplicates by their
# sequence numbers.

log = logging.getLogger(__name__)

AHEAD: Final = 64
"""Maximum number of items per game that have been sent but not yet confirmed."""
PATIENCE: Final = 2.0
"""Items are sent again after this many seconds without a confirmation."""


@dataclass
class _Game:
    begun: GameStarted
    rows: GameRows
    feed: Feed
    items: list[str] = field(default_factory=list)
    received: int = 0
    sent: int = 0
    is_complete: bool = False
    """Whether the game has no further items or can no longer be read."""
    is_reported: bool = False
    """Whether the hall has reported, on this connection, which items of the game it has."""

    @property
    def key(self) -> str:
        return messages.game_key(self.begun.at, self.begun.game)

    def send(self) -> list[str]:
        """Return the items to send now, and mark them as sent."""
        until = min(len(self.items), self.received + AHEAD)
        sent, self.sent = self.sent, max(self.sent, until)
        return self.items[sent:until]


class Outbox:
    """The unconfirmed items of one table's games."""

    def __init__(self, follower: JournalTail, first: int, clock: Callable[[], float]) -> None:
        """Follow the games whose number is `first` or higher; `clock` returns seconds."""
        self._follower = follower
        self._first = first
        self._clock = clock
        self._games: dict[str, _Game] = {}
        self._confirmed_at = clock()
        self._covered: list[messages.KeyRange] = []
        """Ranges of games for which the hall has reported its items on this connection."""

    @property
    def waits_for_hall(self) -> bool:
        """Whether the hall has not yet reported, for some of the games, which items it has."""
        return not self._covered or not all(game.is_reported for game in self._games.values())

    @property
    def latest(self) -> str:
        """Key of the latest game, or empty if no game has been read."""
        return max(self._games, key=lambda key: self._games[key].begun.game, default="")

    def read(self) -> None:
        """Read all rows written since the last call.

        Raise sqlite3.Error if the rows cannot be read.
        """
        known = {game.begun.game for game in self._games.values()}
        for begun in self._follower.games(self._first):
            if begun.game not in known:
                game = _Game(begun, self._follower.rows(begun.game), Feed(begun))
                game.is_reported = any(game.key in each for each in self._covered)
                game.items.append(write_item(game.feed.begin()))
                self._games[game.key] = game
        latest = self.latest
        for game in self._games.values():
            if not game.is_complete:
                self._read_on(game)
                if game.key != latest:  # a game does not change after the next one has started
                    game.is_complete = True

    def _read_on(self, game: _Game) -> None:
        try:
            game.items.extend(write_item(game.feed.take(row)) for row in game.rows.new())
        except (OutOfPhaseError, ValueError) as error:
            log.error("game %s is no longer reported to the hall: %s", game.key, error)
            game.is_complete = True

    def connect(self) -> None:
        """Begin a new connection, on which the hall must first report its items."""
        self._covered = []
        for game in self._games.values():
            game.is_reported = False

    def confirm(self, received: messages.Receipt) -> None:
        """Record the items that the hall has confirmed."""
        self._confirmed_at = self._clock()
        covers = received.covers
        if covers and covers not in self._covered:
            self._covered.append(covers)
        for key, game in self._games.items():
            if covers and key in covers:
                game.is_reported = True
                game.received = game.sent = min(received.games.get(key, 0), len(game.items))
            elif key in received.games:
                game.received = max(game.received, min(received.games[key], len(game.items)))
                game.sent = max(game.sent, game.received)

    def due(self) -> list[tuple[str, str]]:
        """Return the items to send now, each with the key of its game.

        A game is sent only after the hall has confirmed the first item of every earlier game. The
        hall therefore receives the games in journal order, whatever their start times are.
        """
        now, games = self._clock(), [game for game in self._begun() if game.is_reported]
        if all(game.sent == game.received for game in games):
            self._confirmed_at = now  # the timeout starts when the first items are sent
        elif now - self._confirmed_at > PATIENCE:
            self._confirmed_at = now
            for game in games:
                game.sent = game.received
        return [(game.key, text) for game in games for text in game.send()]

    def _begun(self) -> Iterator[_Game]:
        """Yield the games up to and including the first one without a confirmed item."""
        for game in self._games.values():
            yield game
            if not game.received:
                return

    def items(self) -> dict[str, Sequence[str]]:
        """Return the items of all games read so far, keyed by game."""
        return {key: tuple(game.items) for key, game in self._games.items()}


class Remembered:
    """A small file for each hall that stores the first published game and the last order number."""

    def __init__(self, path: Path, next_game: int) -> None:
        """Read the file, or create it with `next_game` as the first published game.

        Games played before the hall was configured are not published to it. Raise OSError if the
        file cannot be written.
        """
        self._path = path
        try:
            plain = json.loads(path.read_text(encoding="utf-8"))
            self.first, self.order = int(plain["first"]), int(plain["order"])
        except (FileNotFoundError, KeyError, TypeError, ValueError):
            self.first, self.order = next_game, 0
            self._write()
        if self.first > next_game:  # a new games file has replaced a quarantined one
            self.first = next_game
            self._write()

    def take_order(self, number: int) -> bool:
        """Record the number of an order.

        Return False if the order is a replay: its number is not higher than the last one.
        """
        if number <= self.order:
            return False
        self.order = number
        self._write()
        return True

    def _write(self) -> None:
        write_atomically(self._path, json.dumps({"first": self.first, "order": self.order}))


LOOK_SECONDS: Final = 0.05
"""Interval between checks for new journal rows, in seconds. A check takes a few microseconds."""
BUSY_SECONDS: Final = 0.5
"""Delay, in seconds, before retrying when another process has locked the file. The other process
takes precedence."""
ASK_SECONDS: Final = 3.0
"""Interval between queries to a hall that has not reported its items, in seconds."""


class HallUplink:
    """Publishes the games of a table to a hall until it is closed."""

    def __init__(self, hall: HallFile, games: Path, origin: str) -> None:
        """Follow the games of `origin` in the file `games`, which may not exist yet."""
        self._hall, self._path, self._origin = hall, games, origin
        self._table = hall.table
        self._key = VerifyKey(bytes.fromhex(hall.signed_by))
        self._heard: SimpleQueue[messages.Receipt | messages.Order | messages.OrderReply | bool] = (
            SimpleQueue()
        )
        self._orders: SimpleQueue[messages.Order] = SimpleQueue()
        self._outbox: Outbox | None = None
        self._follower: JournalTail | None = None
        self._remembered: Remembered | None = None
        self._asked_at = self._renewed_at = -math.inf
        self._is_connected = False
        self._must_read = False
        """Whether the file has grown since the last successful read."""
        self._closing = threading.Event()
        self._connection = MqttConnection(
            hall.broker,
            (
                messages.topic(self._table, messages.RECEIVED),
                messages.topic(self._table, messages.ORDERS),
            ),
            self._heard.put,
            self._hear,
            will=(
                messages.topic(self._table, messages.PRESENCE),
                messages.write_presence(messages.TablePresence(is_here=False)),
            ),
        )
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def start(self) -> None:
        """Connect and publish in the background."""
        self._connection.start()
        self._thread.start()

    def close(self) -> None:
        """Report that the table is going offline, and stop."""
        self._closing.set()
        self._thread.join()
        if self._connection.is_there:
            self._report(messages.TablePresence(is_here=False), retain=True)
        self._connection.stop()

    def carry_out(
        self, at: float, game: int | None, table: Table, submit: Callable[[Input], Step | None]
    ) -> None:
        """Submit the orders that have arrived since the last call, and report which took effect.

        `at` is the time on the table's clock. Orders for games other than `game` are rejected. No
        reply is sent for an order that `submit` could not save.
        """
        while not self._orders.empty():
            order = self._orders.get()
            given: Input = TimePassed(at)
            if order.game.rpartition("/")[2] == str(game):
                try:
                    given = read_command(at, order.act, table)
                except MalformedError as error:
                    log.warning("an arbiter's order is malformed: %s", error)
            step = submit(given)
            if step:
                self._heard.put(messages.OrderReply(order.number, _has_effect(given, step)))

    # -- called in the connection's thread

    def _hear(self, about: str, payload: bytes) -> None:
        try:
            if about.endswith(messages.RECEIVED):
                self._heard.put(messages.read_received(payload))
            else:
                self._heard.put(messages.read_order(payload, self._key, self._table))
        except messages.ForgedOrderError as error:
            log.warning("%s", error)
        except ValueError:
            log.warning("malformed message from the hall")

    # -- run in this object's own thread

    def _run(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            try:
                self._work()
            except sqlite3.OperationalError as error:
                log.debug("the file of the games is busy: %s", error)
                self._closing.wait(BUSY_SECONDS)
            except (sqlite3.Error, OSError) as error:
                log.warning("the games cannot be reported to the hall for now: %s", error)
                self._closing.wait(ASK_SECONDS)
        if self._follower:
            self._follower.close()

    def _work(self) -> None:
        outbox = self._opened()
        if outbox is None or self._follower is None:
            return
        self._must_read |= self._follower.has_grown()
        if self._must_read:
            outbox.read()
            self._must_read = False
        while not self._heard.empty():
            self._take(self._heard.get(), outbox)
        if not self._is_connected:
            return
        if outbox.waits_for_hall and time.monotonic() - self._asked_at > ASK_SECONDS:
            self._ask()
        if time.monotonic() - self._renewed_at > messages.RENEWAL_SECONDS:
            self._renew()
        for key, text in outbox.due():
            self._connection.publish(
                messages.topic(self._table, messages.ITEMS), messages.write_item_message(key, text)
            )

    def _opened(self) -> Outbox | None:
        """Return the outbox, reopened if the games file has been replaced.

        Return None if the file does not exist.
        """
        if self._follower and not self._follower.is_current:
            self._follower.close()
            self._follower = self._outbox = None
        if self._outbox is None and self._path.exists():
            self._outbox = self._open(JournalTail(self._path, self._origin))
        return self._outbox

    def _open(self, follower: JournalTail) -> Outbox:
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

    def _take(
        self, heard: messages.Receipt | messages.Order | messages.OrderReply | bool, outbox: Outbox
    ) -> None:
        match heard:
            case bool():
                self._is_connected = heard
                if heard:
                    outbox.connect()
                    self._ask()
                    self._renew()
            case messages.Receipt():
                outbox.confirm(heard)
            case messages.Order():
                self._take_order(heard, outbox)
            case messages.OrderReply():
                self._answer(heard)

    def _ask(self) -> None:
        """Report that the table is online. The hall replies with the number of items it has."""
        self._asked_at = time.monotonic()
        self._report(messages.TablePresence(is_here=True), retain=True)

    def _renew(self) -> None:
        """Renew the lease, and report the table's clock reading."""
        self._renewed_at = time.monotonic()
        self._report(messages.TablePresence(is_here=True, clock=round(time.time(), 2)))

    def _report(self, presence: messages.TablePresence, *, retain: bool = False) -> None:
        self._connection.publish(
            messages.topic(self._table, messages.PRESENCE),
            messages.write_presence(presence),
            retain=retain,
        )

    def _take_order(self, order: messages.Order, outbox: Outbox) -> None:
        """Queue an order for the current game, or reject one for another game. Ignore replays."""
        assert self._remembered
        if not self._remembered.take_order(order.number):
            return
        if order.game == outbox.latest:
            self._orders.put(order)
        else:
            self._answer(messages.OrderReply(order.number, taken=False))

    def _answer(self, reply: messages.OrderReply) -> None:
        self._connection.publish(
            messages.topic(self._table, messages.ANSWERS), messages.write_answer(reply)
        )


def _has_effect(given: Input, step: Step) -> bool:
    """Whether an input is a command that the table accepted as an action or as an event."""
    return isinstance(given, CommandInput) and given.what in (*step.actions, *step.events)
