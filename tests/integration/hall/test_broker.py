"""Tests for the broker's access rules. A table may publish only under its own name, and obeys only
its own hall."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from companion.core.inputs import CallArbiter, CommandInput, Input, Pause
from companion.core.table import Table
from companion.hall.protocol import messages
from companion.hall.protocol.mqtt import MqttConnection
from companion.hall.publisher.uplink import HallUplink
from companion.hall.server import tables as server_tables
from companion.hall.server.hall_folder import BrokerListener, make_hall, read_hall
from companion.hall.server.receiver import HallReceiver
from companion.hall.server.tables import Tables, Urgency
from companion.session.session import Session
from companion.storage.journal import Journal
from engine.board.geometry import Side
from engine.game.clocks import NO_CLOCK
from engine.rules.editions import DEFAULT
from tests.companion.core.table_driver import TableDriver
from tests.companion.hall.saved_tables import SavedTable, items_of
from tests.integration.hall.services import Broker, free_port, wait_until


class Ear:
    """Connection that records the messages it receives."""

    def __init__(self, folder: Path, user: str, *topics: str, password: str = "") -> None:
        known = read_hall(folder).broker(user)
        self.heard: list[tuple[str, bytes]] = []
        self.connected = threading.Event()
        self.connection = MqttConnection(
            replace(known, password=password or known.password),
            topics,
            lambda is_there: self.connected.set() if is_there else None,
            lambda *heard: self.heard.append(heard),
        )
        self.connection.start()


@contextmanager
def ears(*opened: Ear) -> Iterator[None]:
    for ear in opened:
        assert ear.connected.wait(20)
    yield
    for ear in opened:
        ear.connection.stop()


def test_table_writes_only_below_its_name(broker: Broker, folder: Path) -> None:
    hall = Ear(folder, "hall", messages.topic("+", "items"))
    table = Ear(folder, "table-1")

    def is_heard() -> bool:
        # Subscriptions take effect after a delay.
        table.connection.publish(messages.topic("table-2", "items"), b"forged")
        table.connection.publish(messages.topic("table-1", "items"), b"own")
        return bool(hall.heard)

    with ears(hall, table):
        wait_until(is_heard)
        assert set(hall.heard) == {(messages.topic("table-1", "items"), b"own")}


def test_table_reads_only_its_own_orders(broker: Broker, folder: Path) -> None:
    everything = "boomboard/#", messages.topic("+", "items"), messages.topic("table-2", "orders")
    spy = Ear(folder, "table-1", *everything, messages.topic("table-1", "received"))
    other, hall = Ear(folder, "table-2", messages.topic("table-2", "orders")), Ear(folder, "hall")

    def are_heard() -> bool:
        other.connection.publish(messages.topic("table-2", "items"), b"of the other")
        spy.connection.publish(messages.topic("table-2", "orders"), b"forged")
        hall.connection.publish(messages.topic("table-2", "orders"), b"genuine")
        hall.connection.publish(messages.topic("table-1", "received"), b"for you")
        return bool(other.heard and spy.heard)

    with ears(spy, other, hall):
        wait_until(are_heard)
        assert {payload for _, payload in other.heard} == {b"genuine"}
        assert {payload for _, payload in spy.heard} == {b"for you"}


def test_broker_requires_a_password(broker: Broker, folder: Path) -> None:
    stranger = Ear(folder, "table-1", password="guessed")
    friend = Ear(folder, "table-2")
    with ears(friend):
        assert not stranger.connected.is_set()
    stranger.connection.stop()


def test_table_obeys_its_hall_once(broker: Broker, folder: Path, tmp_path: Path) -> None:
    kept = SavedTable(tmp_path / "games.sqlite")
    hall, tables = read_hall(folder), Tables()
    receiver = HallReceiver(hall.broker("hall"), str(tmp_path / "hall.sqlite"), hall.key, tables)
    receiver.start()
    line = HallUplink(hall.table_file("table-1"), kept.path, "board")
    line.start()
    wait_until(lambda: (now := tables.get("table-1")) and now.item)
    ((game, _),) = items_of(kept.path).items()
    order = messages.Order("table-1", game, 5, "Anna", {"what": "pause"})
    voice = HallReceiver(
        hall.broker("hall"), str(tmp_path / "other.sqlite"), SigningKey.generate(), Tables()
    )
    voice._connection = receiver._connection
    voice.order(order)  # this order is signed with another key
    receiver.order(order)
    again = messages.sign_order(order, hall.key)
    receiver._connection.publish(messages.topic("table-1", "orders"), again)
    receiver.order(replace(order, number=6, game="2020-01-01 00:00:00/1"))
    receiver.order(replace(order, number=7, act={"what": "go-on"}))
    table = Table(DEFAULT, 1)
    received: list[object] = []

    def submit(given: Input) -> None:
        if isinstance(given, CommandInput):
            received.append(given.what)

    def listen() -> bool:
        line.carry_out(1.0, kept.number, table, submit)
        return len(received) == 2

    wait_until(listen)
    assert received[0] == Pause()
    line.close()
    wait_until(lambda: (now := tables.get("table-1")) and not now.is_here(time.monotonic()))
    receiver.close()
    kept.journal.close()


def test_arbiter_call_and_answer(broker: Broker, folder: Path, tmp_path: Path) -> None:
    hall, tables = read_hall(folder), Tables()
    receiver = HallReceiver(hall.broker("hall"), str(tmp_path / "hall.sqlite"), hall.key, tables)
    receiver.start()
    path = tmp_path / "games.sqlite"
    journal = Journal(path)
    line = HallUplink(hall.table_file("table-1"), path, "board")
    line.start()
    driver = TableDriver.begun()
    session = Session.begin(journal, DEFAULT, driver.seed, NO_CLOCK)
    for given in (*driver.inputs, CommandInput(driver.now, CallArbiter(Side.RED))):
        session.handle(given)

    def shown() -> CallArbiter | None:
        now = tables.get("table-1")
        return now.item.call if now and now.item else None

    wait_until(lambda: shown() == CallArbiter(Side.RED))
    now = tables.get("table-1")
    assert now
    receiver.order(messages.Order("table-1", now.game, 5, "Anna", {"what": "answer-call"}))

    def is_answered() -> bool:
        line.carry_out(driver.now, session.number, session.table, session.handle)
        return session.table.arbiter_call.open is None

    wait_until(is_answered)
    wait_until(lambda: shown() is None)
    line.close()
    receiver.close()
    journal.close()


def test_last_will_reports_a_lost_table(broker: Broker, folder: Path, tmp_path: Path) -> None:
    hall, tables = read_hall(folder), Tables()
    receiver = HallReceiver(hall.broker("hall"), str(tmp_path / "hall.sqlite"), hall.key, tables)
    receiver.start()
    kept = SavedTable(tmp_path / "games.sqlite")
    line = HallUplink(hall.table_file("table-1"), kept.path, "board")
    line.start()
    wait_until(lambda: (now := tables.get("table-1")) and now.is_here(time.monotonic()))
    line._connection._client.reconnect_delay_set(100, 100)
    connected = line._connection._client.socket()
    assert isinstance(connected, socket.socket)
    connected.shutdown(socket.SHUT_RDWR)
    wait_until(lambda: (now := tables.get("table-1")) and not now.is_here(time.monotonic()))
    receiver.close()
    line._closing.set()
    line._thread.join()
    line._connection.stop()
    kept.journal.close()


def test_table_lease_expires(
    broker: Broker, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_tables, "LEASE_SECONDS", 2.0)
    monkeypatch.setattr(messages, "RENEWAL_SECONDS", 0.2)
    hall, tables = read_hall(folder), Tables()
    receiver = HallReceiver(hall.broker("hall"), str(tmp_path / "hall.sqlite"), hall.key, tables)
    receiver.start()
    kept = [SavedTable(tmp_path / name / "games.sqlite") for name in ("one", "two")]
    lines = [
        HallUplink(hall.table_file(f"table-{number}"), saved.path, "board")
        for number, saved in enumerate(kept, start=1)
    ]

    def urgencies() -> dict[str, Urgency]:
        return {each.name: each.urgency(time.monotonic()) for each in tables.all()}

    for line in lines:
        line.start()
    wait_until(lambda: [*urgencies().values()] == [Urgency.PLAYS] * 2)
    broker.kill()
    lines[0]._closing.set()
    lines[0]._thread.join()
    lines[0]._connection.stop()
    broker.start()
    # While the broker starts, the lease of table-2 may expire as well, and before that of table-1.
    wait_until(lambda: urgencies() == {"table-1": Urgency.GONE, "table-2": Urgency.PLAYS})
    assert tables.all()[0].name == "table-1"
    lines[1].close()
    receiver.close()
    for saved in kept:
        saved.journal.close()


def test_play_without_a_broker_loses_nothing(folder: Path, tmp_path: Path) -> None:
    port = free_port()
    make_hall(folder, BrokerListener("127.0.0.1", port), ["table-1"], ["hall"], [])
    hall = read_hall(folder)
    kept = SavedTable(tmp_path / "games.sqlite")
    line = HallUplink(hall.table_file("table-1"), kept.path, "board")
    line.start()
    kept.play(20)
    started = Broker(folder, port)
    tables = Tables()
    receiver = HallReceiver(hall.broker("hall"), str(tmp_path / "hall.sqlite"), hall.key, tables)
    receiver.start()
    numbers = [len(items) for items in items_of(kept.path).values()]
    wait_until(
        lambda: (now := tables.get("table-1")) and now.item and now.item.number == numbers[-1]
    )
    line.close()
    receiver.close()
    started.kill()
    kept.journal.close()
