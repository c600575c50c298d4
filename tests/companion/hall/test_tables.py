"""Tests for the order in which tables need an arbiter's attention."""

import math
import time
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.inputs import CallArbiter
from companion.hall.console.pages import happened
from companion.hall.protocol.feed import Item, Stands, read_item
from companion.hall.protocol.messages import LEASE_SECONDS
from companion.hall.server.store import GameArrival
from companion.hall.server.tables import ORDER, Tables, TableStatus, Urgency
from tests.companion.hall.saved_tables import SavedTable, items_of

GAME = "2026-01-02 18:30:00/1"


@pytest.fixture
def item(tmp_path: Path) -> Item:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(2)
    table.journal.close()
    return [read_item(text) for text in next(iter(items_of(table.path).values()))][-1]


def urgency(item: Item | None, *, is_here: bool = True, now: float = 0.0) -> Urgency:
    return TableStatus(
        "table-1", lease_until_monotonic=math.inf if is_here else 0, game=GAME, item=item
    ).urgency(now)


def test_obstacles_are_shown(item: Item) -> None:
    assert urgency(None) is Urgency.WAITS
    assert urgency(item) is Urgency.PLAYS
    assert urgency(replace(item, stands=Stands.VIOLATION), is_here=False) is Urgency.VIOLATION
    assert urgency(replace(item, stands=Stands.DISTURBED), is_here=False) is Urgency.GONE
    assert urgency(replace(item, stands=Stands.DISTURBED)) is Urgency.DISTURBED
    assert urgency(replace(item, outcome={"event": "game-over"}), is_here=False) is Urgency.OVER


def test_calls_come_first(item: Item) -> None:
    called = replace(item, call=CallArbiter(None))
    assert urgency(called) is Urgency.CALLED
    assert urgency(replace(called, stands=Stands.DISPUTE)) is Urgency.CALLED
    assert urgency(called, is_here=False) is Urgency.CALLED
    assert urgency(replace(called, outcome={"event": "game-over"})) is Urgency.CALLED
    assert min(Urgency, key=ORDER.__getitem__) is Urgency.CALLED


def test_last_minute_is_shown(item: Item) -> None:
    runs = replace(item, left={"red": 90.0, "blue": 10.0}, running=("red",))
    assert urgency(runs, now=29) is Urgency.PLAYS
    assert urgency(runs, now=31) is Urgency.HURRY


def test_expired_lease_is_a_lost_table(item: Item) -> None:
    tables, before = Tables(), time.time()
    tables.show("table-1", GAME, item)
    tables.set_presence("table-1", is_here=True)
    table, now = tables.get("table-1"), time.monotonic()
    assert table
    assert table.urgency(now + LEASE_SECONDS - 1) is Urgency.PLAYS
    assert table.urgency(now + LEASE_SECONDS) is Urgency.GONE
    assert before <= (table.urgent_since(now + LEASE_SECONDS) or 0) <= time.time()


def test_renewed_lease_is_no_change(item: Item) -> None:
    tables, changed = Tables(), list[str]()
    tables.show("table-1", GAME, item)
    tables.listen(changed.append)
    for _ in range(3):
        tables.set_presence("table-1", is_here=True, clock_ahead=0.3)
    assert changed == ["table-1"]
    tables.set_presence("table-1", is_here=False)
    assert changed == ["table-1"] * 2


@pytest.mark.parametrize(
    ("measured", "error"),
    [
        ((), 0),
        ((-120.0,), -120),
        ((300.0, 299.0), 299),
        ((-15.0, 0.2), 0),  # the first message was delayed
        ((-120.0, -119.0, 0.1), 0),  # the clock was corrected
        ((2.0, 3.0), 0),
    ],
)
def test_clock_error_is_known(measured: tuple[float, ...], error: float) -> None:
    tables = Tables()
    tables.touch("table-1")
    for ahead in measured:
        tables.set_presence("table-1", is_here=True, clock_ahead=ahead)
    table = tables.get("table-1")
    assert table
    assert table.clock_error == error


def test_urgent_state_has_a_start_time(item: Item) -> None:
    tables = Tables()
    tables.set_presence("table-1", is_here=True)
    tables.show("table-1", GAME, item, since=100)
    for number, stands in enumerate((Stands.DISPUTE, Stands.DISPUTE, Stands.VIOLATION), start=1):
        shown = replace(item, number=item.number + number, stands=stands)
        tables.show("table-1", GAME, shown, since=100 + 10 * number)
        table = tables.get("table-1")
        assert table
        assert table.urgent_since(time.monotonic()) == {1: 110, 2: 110, 3: 130}[number]
    tables.show("table-1", GAME, replace(item, number=item.number + 9))
    table = tables.get("table-1")
    assert table
    assert table.urgent_since(time.monotonic()) is None


def test_longest_waiting_comes_first(item: Item) -> None:
    tables = Tables()
    for name, since in (("table-1", 300), ("table-2", 100), ("table-3", 200)):
        tables.set_presence(name, is_here=True)
        tables.show(name, GAME, replace(item, stands=Stands.DISPUTE), since=since)
    assert [each.name for each in tables.all()] == ["table-2", "table-3", "table-1"]


def test_order_of_tables(item: Item) -> None:
    tables = Tables()
    for name in ("table-10", "table-9", "table-2"):
        tables.set_presence(name, is_here=True)
        tables.show(name, GAME, item)
    tables.show("table-10", GAME, replace(item, number=99, stands=Stands.DISPUTE))
    assert [each.name for each in tables.all()] == ["table-10", "table-2", "table-9"]


def test_late_item_does_not_replace_a_newer_one(item: Item) -> None:
    tables = Tables()
    tables.show("table-1", GAME, item, GameArrival(2, 0))
    tables.show("table-1", GAME, replace(item, number=item.number - 1), GameArrival(2, 0))
    tables.show("table-1", "2027-01-01 00:00:00/9", replace(item, number=99), GameArrival(1, 0))
    shown = tables.get("table-1")
    assert shown
    assert (shown.game, shown.item) == (GAME, item)


def test_table_with_a_clock_set_back(item: Item) -> None:
    tables = Tables()
    tables.show("table-1", GAME, item, GameArrival(1, 0))
    tables.show("table-1", "1970-01-01 00:00:09/2", replace(item, number=1), GameArrival(2, 0))
    shown = tables.get("table-1")
    assert shown
    assert shown.game == "1970-01-01 00:00:09/2"


def test_late_item_happened_earlier(item: Item) -> None:
    """The table is offline from 10 s to 60 s, and its clock is 1,000 s ahead of the hall's."""
    given = [(1005, 5), (1012, 60), (1050, 60), (1065, 65), (1200, 200)]
    dated = happened([(replace(item, at=at), came) for at, came in given])
    assert [at for _, at in dated] == [5, 12, 50, 65, 200]


def test_stopped_table_clock_changes_no_time(item: Item) -> None:
    given = [(50, 5), (0, 10), (0, 10)]
    dated = happened([(replace(item, at=at), came) for at, came in given])
    assert [at for _, at in dated] == [5, 10, 10]
