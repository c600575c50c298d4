"""The choice of the table that an arbiter should look at first."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.inputs import CallArbiter
from companion.hall.protocol.feed_item import Item, Stands, read_item
from companion.hall.server.store import GameArrival
from companion.hall.server.tables import ORDER, TableNow, Tables, Urgency
from tests.companion.hall.saved_tables import SavedTable, told_of

GAME = "2026-01-02 18:30:00/1"


@pytest.fixture
def item(tmp_path: Path) -> Item:
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(2)
    table.journal.close()
    return [read_item(text) for text in next(iter(told_of(table.path).values()))][-1]


def urgency(item: Item | None, *, is_here: bool = True, now: float = 0.0) -> Urgency:
    return TableNow("table-1", is_here=is_here, game=GAME, item=item).urgency(now)


def test_what_keeps_a_game_from_going_on_is_told(item: Item) -> None:
    assert urgency(None) is Urgency.WAITS
    assert urgency(item) is Urgency.PLAYS
    assert urgency(replace(item, stands=Stands.VIOLATION), is_here=False) is Urgency.VIOLATION
    assert urgency(replace(item, stands=Stands.DISTURBED), is_here=False) is Urgency.GONE
    assert urgency(replace(item, stands=Stands.DISTURBED)) is Urgency.DISTURBED
    assert urgency(replace(item, outcome={"event": "game-over"}), is_here=False) is Urgency.OVER


def test_who_calls_an_arbiter_comes_first(item: Item) -> None:
    called = replace(item, call=CallArbiter(None))
    assert urgency(called) is Urgency.CALLED
    assert urgency(replace(called, stands=Stands.DISPUTE)) is Urgency.CALLED
    assert urgency(called, is_here=False) is Urgency.CALLED
    assert urgency(replace(called, outcome={"event": "game-over"})) is Urgency.CALLED
    assert min(Urgency, key=ORDER.__getitem__) is Urgency.CALLED


def test_a_clock_that_runs_is_told_in_its_last_minute(item: Item) -> None:
    runs = replace(item, left={"red": 90.0, "blue": 10.0}, running=("red",))
    assert urgency(runs, now=29) is Urgency.PLAYS
    assert urgency(runs, now=31) is Urgency.HURRY


def test_the_most_urgent_come_first_and_the_others_as_people_count(item: Item) -> None:
    tables = Tables()
    for name in ("table-10", "table-9", "table-2"):
        tables.set_presence(name, is_here=True)
        tables.show(name, GAME, item)
    tables.show("table-10", GAME, replace(item, number=99, stands=Stands.DISPUTE))
    assert [each.name for each in tables.all()] == ["table-10", "table-2", "table-9"]


def test_what_comes_late_does_not_take_the_place_of_what_came_after_it(item: Item) -> None:
    tables = Tables()
    tables.show("table-1", GAME, item, GameArrival(2, 0))
    tables.show("table-1", GAME, replace(item, number=item.number - 1), GameArrival(2, 0))
    tables.show("table-1", "2027-01-01 00:00:00/9", replace(item, number=99), GameArrival(1, 0))
    shown = tables.get("table-1")
    assert shown
    assert (shown.game, shown.item) == (GAME, item)


def test_a_table_whose_clock_went_back_shows_its_latest_game(item: Item) -> None:
    tables = Tables()
    tables.show("table-1", GAME, item, GameArrival(1, 0))
    tables.show("table-1", "1970-01-01 00:00:09/2", replace(item, number=1), GameArrival(2, 0))
    shown = tables.get("table-1")
    assert shown
    assert shown.game == "1970-01-01 00:00:09/2"
