"""A hall's database holds each item once and in order, with increasing action numbers.

`tests/integration/hall` runs the same tests against PostgreSQL.
"""

import threading
import time
from collections.abc import Callable
from contextlib import closing

import pytest

from companion.hall.server.store import DatabaseError, LatestNumbers, NewItem, Store

Open = Callable[[], Store]
GAME = "2026-01-02 18:30:00/1"
LATER = "2026-01-02 19:30:00/2"


def item(number: int, body: str = "", place: str = "table-1", game: str = GAME) -> NewItem:
    return NewItem(place, game, number, body or f"item {number}")


def bodies(store: Store, place: str, game: str) -> list[str]:
    return [each.body for each in store.items(place, game)]


def test_items_have_their_arrival_time(open_store: Open) -> None:
    store, before = open_store(), time.time()
    store.add([item(1)])
    store.add([item(1), item(2)])
    first, second = (each.came for each in store.items("table-1", GAME))
    assert before - 0.001 <= first <= second <= time.time()


def test_items_are_stored_once_in_order(open_store: Open) -> None:
    store = open_store()
    assert store.add([item(1), item(2)]) == {("table-1", GAME): 2}
    assert store.add([item(2, "something else"), item(3)]) == {("table-1", GAME): 3}
    assert bodies(store, "table-1", GAME) == ["item 1", "item 2", "item 3"]
    assert [each.body for each in store.items("table-1", GAME, 2)] == ["item 2", "item 3"]


def test_item_out_of_sequence_is_refused(open_store: Open) -> None:
    store = open_store()
    assert store.add([item(2), item(3)]) == {("table-1", GAME): 0}
    assert store.add([item(3), item(2), item(1)]) == {("table-1", GAME): 3}
    assert store.add([item(5)]) == {("table-1", GAME): 3}


def test_items_are_separate_per_table_and_game(open_store: Open) -> None:
    store = open_store()
    store.add([item(1, "first"), item(1, "other", place="table-2")])
    store.add([item(1, "later", game=LATER)])
    store.add([item(2, "last", game=LATER)])
    assert list(store.latest_numbers()) == ["table-1", "table-2"]
    assert store.lengths("table-1") == {GAME: 1, LATER: 2}
    assert store.games("table-1") == [GAME, LATER]
    assert store.latest("table-1") == (LATER, "later", "last")
    assert store.latest("table-3") is None


def test_games_are_ordered_by_arrival(
    open_store: Open,
) -> None:
    store, before = open_store(), time.time()
    for game in (LATER, GAME):
        store.add([item(1, game=game)])
        store.add([item(2, game=LATER)])
    assert store.games("table-1") == [LATER, GAME]
    assert store.latest("table-1") == (GAME, "item 1", "item 1")
    first, second = store.arrival("table-1", LATER), store.arrival("table-1", GAME)
    assert (first.order, second.order) == (1, 2)
    assert before - 1 < first.at <= second.at < time.time() + 1


def test_latest_numbers_grow_with_items_and_acts(open_store: Open) -> None:
    store, other = open_store(), open_store()
    for game in (LATER, GAME):
        store.add([item(1, game=game)])
    store.add([item(2, game=LATER)])
    assert other.latest_numbers() == {"table-1": LatestNumbers(GAME, 1, 0)}
    act = store.record("table-1", GAME, "Anna", {"what": "attend"})
    store.record("table-1", LATER, "Anna", {"what": "attend"})
    store.add([item(2)])
    assert other.latest_numbers() == {"table-1": LatestNumbers(GAME, 2, act.number)}


def test_store_is_persistent(open_store: Open) -> None:
    open_store().add([item(1)])
    assert open_store().lengths("table-1") == {GAME: 1}


def test_halls_share_a_database(open_store: Open) -> None:
    stores = [open_store() for _ in range(3)]
    items = [item(number, place=f"table-{place}") for place in range(5) for number in range(1, 41)]

    def keep(store: Store) -> None:
        for start in range(0, 40, 8):
            store.add(each for each in items if start < each.number <= start + 8)

    threads = [threading.Thread(target=keep, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for place in range(5):
        kept = bodies(stores[0], f"table-{place}", GAME)
        assert kept == [f"item {number}" for number in range(1, 41)]


def test_act_numbers_increase(open_store: Open) -> None:
    store, other = open_store(), open_store()
    acts = [each.record("table-1", GAME, "Anna", {"what": "pause"}) for each in (store, other) * 5]
    numbers = [act.number for act in acts]
    assert numbers == sorted(set(numbers))
    assert numbers[0] > 1_600_000_000_000, (
        "numbers start at the current time, above all earlier ones"
    )
    store.answer("table-1", numbers[0], taken=True)
    store.answer("table-1", numbers[1], taken=False)
    taken = [act.taken for act in other.acts("table-1", GAME)]
    assert taken[:3] == [True, False, None]
    assert {act.author for act in other.acts("table-1", GAME)} == {"Anna"}


def test_newer_database_is_refused(open_store: Open) -> None:
    store = open_store()
    with store._transaction() as cursor:
        cursor.execute("UPDATE schema_version SET number = 99")
    with pytest.raises(DatabaseError, match="expected schema version 3, found 99"):
        open_store()


def test_failed_query_changes_nothing(open_store: Open) -> None:
    store = open_store()
    broken = NewItem("table-1", GAME, 1, None)  # type: ignore[arg-type]
    with pytest.raises(DatabaseError):
        store.add([item(1, place="table-0"), broken])
    assert store.latest_numbers() == {}


def test_a_backup_of_the_rows_fills_an_empty_database_only(open_store: Open) -> None:
    store = open_store()
    store.add([item(1), item(2), item(1, game=LATER), item(1, place="table-2")])
    store.record("table-1", GAME, "Anna", {"what": "pause"})
    rows = [*store.rows()]
    assert [table for table, _ in rows].count("item") == 4
    with pytest.raises(DatabaseError, match="not empty"):
        store.load(rows)
    with closing(Store(":memory:")) as copy:
        copy.load(rows)
        assert [*copy.rows()] == rows
    with (
        closing(Store(":memory:")) as empty,
        pytest.raises(DatabaseError, match="expected the name of a table, found 'x'"),
    ):
        empty.load([*rows, ("x", [1])])
