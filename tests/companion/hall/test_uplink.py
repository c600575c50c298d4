"""Messages between a table and its hall, over a simulated connection."""

import logging
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue

import pytest
from nacl.signing import SigningKey

from companion.core.inputs import CommandInput, Input, Pause
from companion.core.table import Table
from companion.hall.protocol.broker import Broker
from companion.hall.protocol.messages import (
    RENEWAL_SECONDS,
    KeyRange,
    Order,
    OrderReply,
    Receipt,
    TablePresence,
    read_answer,
    read_item_message,
    read_presence,
    sign_order,
    topic,
    write_received,
)
from companion.hall.publisher import uplink
from companion.hall.publisher.hall_file import HallFile
from companion.hall.publisher.uplink import ASK_SECONDS, HallUplink
from engine.board.geometry import Side
from engine.game.actions import Resign
from engine.rules.editions import DEFAULT
from tests.companion.hall.saved_tables import SavedTable, items_of

KEY = SigningKey(bytes(32))
BROKER = Broker("mqtts://hall.example", "table-1", "secret")
FILE = HallFile("table-1", BROKER, bytes(KEY.verify_key).hex())
TIME_OF_DAY = 1_800_000_000.25
ONLINE = "boomboard/tables/table-1/presence", TablePresence(is_here=True), True
LEASE = "boomboard/tables/table-1/presence", TablePresence(True, clock=TIME_OF_DAY), False
OFFLINE = "boomboard/tables/table-1/presence", TablePresence(is_here=False), True
NOTHING_YET = Receipt({}, KeyRange("", ""))

READERS: dict[str, Callable[[bytes], object]] = {
    "items": read_item_message,
    "presence": read_presence,
    "answers": read_answer,
}


@dataclass
class SimulatedConnection:
    """Connection to a broker that forwards every message immediately."""

    broker: Broker
    topics: tuple[str, ...]
    connected: Callable[[bool], None]
    hear: Callable[[str, bytes], None]
    will: tuple[str, bytes]
    is_there: bool = False
    is_started: bool = False
    sent: SimpleQueue[tuple[str, object, bool]] = field(default_factory=SimpleQueue)

    def start(self) -> None:
        self.is_started = True

    def stop(self) -> None:
        self.is_started = False

    def set(self, *, is_there: bool) -> None:
        self.is_there = is_there
        self.connected(is_there)

    def publish(self, about: str, payload: bytes, *, retain: bool = False) -> None:
        self.sent.put((about, READERS[about.rpartition("/")[2]](payload), retain))


@dataclass
class HallClock:
    now: float = 1000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return TIME_OF_DAY + 0.001


@dataclass
class Publisher:
    """Uplink driven by the test."""

    path: Path
    clock: HallClock

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.line = HallUplink(FILE, self.path, "board")
        connection = self.line._connection
        assert isinstance(connection, SimulatedConnection)
        self.connection: SimulatedConnection = connection

    def step(self, seconds: float = 0.0) -> list[tuple[str, object, bool]]:
        """Advance time and run one step of the uplink. Return the messages sent."""
        self.clock.now += seconds
        self.line._work()
        sent = self.connection.sent
        return [sent.get() for _ in range(sent.qsize())]

    def items(self, seconds: float = 0.0) -> list[tuple[str, str]]:
        """Run one step. Return the game key and the text of each item sent."""
        items = [(about, what) for about, what, _ in self.step(seconds) if about.endswith("items")]
        assert {about for about, _ in items} <= {topic("table-1", "items")}
        return [(each.game, each.text) for _, each in items]  # type: ignore[attr-defined]

    def connect(self, receipt: Receipt = NOTHING_YET) -> None:
        """Connect to the broker, and receive the hall's confirmation of the stored items."""
        self.connection.set(is_there=True)
        assert self.step() == [ONLINE, LEASE]
        self.receive(receipt)

    def receive(self, receipt: Receipt) -> None:
        self.connection.hear(topic("table-1", "received"), write_received(receipt))

    def order(self, order: Order, key: SigningKey = KEY) -> list[object]:
        """Receive an order. Return the messages sent and the inputs for the table."""
        self.connection.hear(topic("table-1", "orders"), sign_order(order, key))
        sent: list[object] = [*self.step()]
        table = Table(DEFAULT, 1)
        number = int(order.game.rpartition("/")[2])

        def submit(given: Input) -> None:
            sent.append(given.what if isinstance(given, CommandInput) else given)

        self.line.carry_out(1.0, number, table, submit)
        return sent

    def quit(self) -> None:
        """Stop without a final message, as in a power cut."""
        if self.line._follower and not self.line._closing.is_set():
            self.line._follower.close()


def published(path: Path) -> list[tuple[str, str]]:
    return [(game, text) for game, texts in items_of(path).items() for text in texts]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HallClock:
    clock = HallClock()
    monkeypatch.setattr(uplink, "time", clock)
    monkeypatch.setattr(uplink, "MqttConnection", SimulatedConnection)
    return clock


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SavedTable]:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(3)
    yield table
    table.journal.close()


@pytest.fixture
def publisher(table: SavedTable, clock: HallClock) -> Iterator[Publisher]:
    publisher = Publisher(table.path, clock)
    yield publisher
    publisher.quit()


def test_topics_and_will(publisher: Publisher) -> None:
    assert publisher.connection.broker == BROKER
    assert publisher.connection.topics == (
        "boomboard/tables/table-1/received",
        "boomboard/tables/table-1/orders",
    )
    about, payload = publisher.connection.will
    assert (about, read_presence(payload), True) == OFFLINE


def test_items_are_sent_after_the_hall_has_reported(
    publisher: Publisher, table: SavedTable
) -> None:
    assert publisher.step() == []
    publisher.connect()
    assert publisher.items() == published(table.path)
    table.play(1)
    assert publisher.items() == published(table.path)[-1:]
    assert publisher.items() == []


def test_items_that_the_hall_has_are_not_sent(publisher: Publisher, table: SavedTable) -> None:
    ((game, texts),) = items_of(table.path).items()
    publisher.connect(Receipt({game: 2}, KeyRange("", "")))
    assert publisher.items() == [(game, text) for text in texts[2:]]


def test_hall_is_asked_until_it_reports(publisher: Publisher) -> None:
    publisher.connection.set(is_there=True)
    assert publisher.step() == [ONLINE, LEASE]
    assert [publisher.step(each) for each in (ASK_SECONDS, 0.1, ASK_SECONDS, 0.1)] == [
        [],
        [ONLINE],
        [],
        [ONLINE],
    ]
    publisher.receive(NOTHING_YET)
    assert publisher.items()
    assert ONLINE not in publisher.step(ASK_SECONDS + 0.1)


def test_lease_is_renewed(publisher: Publisher) -> None:
    publisher.connect()
    publisher.receive(Receipt({game: 99 for game, _ in publisher.items()}))
    assert [publisher.step(each) for each in (RENEWAL_SECONDS, 0.1, RENEWAL_SECONDS, 0.1)] == [
        [],
        [LEASE],
        [],
        [LEASE],
    ]


def test_nothing_is_sent_while_disconnected(publisher: Publisher, table: SavedTable) -> None:
    publisher.connect()
    (game, _), *_ = publisher.items()
    publisher.connection.set(is_there=False)
    table.play(2)
    assert publisher.step(2 * RENEWAL_SECONDS) == []
    publisher.connect(Receipt({game: 1}, KeyRange("", "")))
    assert publisher.items() == published(table.path)[1:]


def test_order_reaches_the_table_once(publisher: Publisher, table: SavedTable) -> None:
    publisher.connect()
    (game, _), *_ = publisher.items()
    order = Order("table-1", game, 5, "Anna", {"what": "pause"})
    assert publisher.order(order) == [Pause()]
    assert publisher.order(order) == []
    publisher.quit()
    publisher.start()
    publisher.connect()
    publisher.step()
    assert publisher.order(order) == []
    assert publisher.order(replace(order, number=6)) == [Pause()]


@pytest.mark.parametrize("altered", ["key", "table", "text"])
def test_forged_order_is_ignored(
    altered: str, publisher: Publisher, caplog: pytest.LogCaptureFixture
) -> None:
    publisher.connect()
    (game, _), *_ = publisher.items()
    order = Order("table-1", game, 5, "Anna", {"what": "pause"})
    if altered == "key":
        assert publisher.order(order, SigningKey.generate()) == []
    elif altered == "table":
        assert publisher.order(replace(order, table="table-2")) == []
    else:
        publisher.connection.hear(topic("table-1", "orders"), b"{}")
    (message,) = caplog.messages
    assert message.startswith(("an order was rejected", "table-1 has received an order"))
    assert publisher.order(order) == [Pause()]


def test_order_for_an_earlier_game_is_refused(publisher: Publisher, table: SavedTable) -> None:
    publisher.connect()
    (game, _), *_ = publisher.items()
    table.begin()
    publisher.step()
    order = Order("table-1", game, 5, "Anna", {"what": "pause"})
    refused = "boomboard/tables/table-1/answers", OrderReply(5, taken=False), False
    assert publisher.order(order) == [refused]


def test_answer_of_the_table_is_sent(publisher: Publisher) -> None:
    publisher.connect()
    publisher.items()
    publisher.line._heard.put(OrderReply(5, taken=True))
    answer = "boomboard/tables/table-1/answers", OrderReply(5, taken=True), False
    assert publisher.step() == [answer]


def test_malformed_confirmation_is_ignored(
    publisher: Publisher, table: SavedTable, caplog: pytest.LogCaptureFixture
) -> None:
    publisher.connection.set(is_there=True)
    publisher.step()
    publisher.connection.hear(topic("table-1", "received"), b"[]")
    assert caplog.messages == ["malformed message from the hall"]
    assert publisher.step() == []
    publisher.receive(NOTHING_YET)
    assert publisher.items() == published(table.path)


def test_rows_are_sent_after_a_failed_read(
    publisher: Publisher, table: SavedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    publisher.connect()
    publisher.items()
    before = published(table.path)
    table.play(1)

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(uplink.Outbox, "read", fail)
        with pytest.raises(sqlite3.OperationalError):
            publisher.step()
    assert publisher.items() == published(table.path)[len(before) :] != []


def test_games_may_begin_after_the_connection(tmp_path: Path, clock: HallClock) -> None:
    publisher = Publisher(tmp_path / "games.sqlite", clock)
    publisher.connection.set(is_there=True)
    publisher.receive(NOTHING_YET)
    assert publisher.step() == []
    table = SavedTable(publisher.path)
    assert publisher.items() == published(table.path)
    publisher.quit()
    table.journal.close()


def test_replaced_file_is_opened_again(publisher: Publisher, table: SavedTable) -> None:
    publisher.connect()
    publisher.items()
    table.journal.close()
    table.path.rename(table.path.with_suffix(".damaged"))
    other = SavedTable(table.path, seed=7)
    publisher.step()
    publisher.connect()
    assert publisher.items() == published(table.path)
    other.journal.close()


def test_only_an_unfinished_game_is_sent_to_a_new_hall(table: SavedTable, clock: HallClock) -> None:
    for _ in range(2):
        table.begin()
    *_, (latest, texts) = items_of(table.path).items()
    publisher = Publisher(table.path, clock)
    publisher.connect()
    assert publisher.items() == [(latest, text) for text in texts]
    publisher.quit()
    table.begin()
    publisher.start()
    publisher.connect(Receipt({latest: len(texts)}, KeyRange("", "")))
    assert {game for game, _ in publisher.items()} == {[*items_of(table.path)][-1]}
    publisher.quit()
    assert (table.path.parent / f"hall-{FILE.hall}.json").exists()


def test_finished_games_are_not_sent_to_a_new_hall(table: SavedTable, clock: HallClock) -> None:
    table._keep(Resign(Side.RED))
    publisher = Publisher(table.path, clock)
    publisher.connect()
    assert publisher.items() == []
    table.begin()
    assert {game for game, _ in publisher.items()} == {[*items_of(table.path)][-1]}
    publisher.quit()


def test_unreadable_orders_file_closes_the_journal(table: SavedTable, clock: HallClock) -> None:
    (table.path.parent / f"hall-{FILE.hall}.json").mkdir()
    publisher = Publisher(table.path, clock)
    with pytest.raises(IsADirectoryError):
        publisher.step()
    assert publisher.line._follower is None


class TestThread:
    def test_table_goes_offline_when_closed(self, publisher: Publisher) -> None:
        line, connection = publisher.line, publisher.connection
        assert (line._thread.name, line._thread.daemon) == ("hall", True)
        line.start()
        assert connection.is_started
        connection.set(is_there=True)
        assert [connection.sent.get(timeout=60) for _ in range(2)] == [ONLINE, LEASE]
        line.close()
        assert connection.sent.get(timeout=60) == OFFLINE
        assert not connection.is_started
        assert not line._thread.is_alive()

    def test_disconnected_table_sends_nothing_when_closed(self, publisher: Publisher) -> None:
        publisher.line.start()
        publisher.line.close()
        assert publisher.connection.sent.empty()
        assert not publisher.connection.is_started

    @pytest.mark.parametrize(
        ("content", "level", "message"),
        [
            (
                b"damaged" * 1000,
                logging.WARNING,
                "the games cannot be reported to the hall for now: file is not a database",
            ),
            (b"", logging.DEBUG, "the file of the games is busy: no such table: game"),
        ],
    )
    def test_unreadable_games_are_read_again(
        self,
        content: bytes,
        level: int,
        message: str,
        tmp_path: Path,
        clock: HallClock,
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path = tmp_path / "games.sqlite"
        path.write_bytes(content)
        for name in ("LOOK_SECONDS", "BUSY_SECONDS", "ASK_SECONDS"):
            monkeypatch.setattr(uplink, name, 0.001)
        caplog.set_level(logging.DEBUG, uplink.log.name)
        records: SimpleQueue[logging.LogRecord] = SimpleQueue()
        handler = QueueHandler(records)
        uplink.log.addHandler(handler)
        line = Publisher(path, clock).line
        line.start()
        for _ in range(2):
            record = records.get(timeout=60)
            assert (record.levelno, record.getMessage()) == (level, message)
        line.close()
        uplink.log.removeHandler(handler)
