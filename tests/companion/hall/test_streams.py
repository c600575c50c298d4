"""Updates to open pages: changes, heartbeats and failures."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Final

import pytest

from companion.core.inputs import CallArbiter
from companion.hall.console import sse
from companion.hall.console.sse import PageUpdate, Streams
from companion.hall.protocol.feed import read_item, write_item
from companion.hall.server import tables as server_tables
from companion.hall.server.receiver import STUCK_SECONDS, catch_up
from companion.hall.server.store import NewItem, Store
from companion.hall.server.tables import Attended, Tables, TableStatus
from companion.speech.i18n import Language
from tests.companion.hall.hall_pages import Pages, following
from tests.companion.hall.saved_tables import SavedTable, items_of

LANGUAGES: Final = (Language("en"), Language("de"))


def test_open_page_gets_changes(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Anna"])
    with following(pages.browser) as heard:
        assert "card-table-1" in next(heard)[1]["parts"]
        assert next(heard)[0] == "pulse"
        pages.tables.set_presence("table-1", is_here=False)
        kind, update = next(heard)
        assert kind == "message"
        assert "The table is no longer there" in update["parts"]["card-table-1"]


def test_open_page_gets_expired_leases(
    pages: Pages, codes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "LOOK_SECONDS", 0.01)
    pages.browser.sign_in(codes["Anna"])
    with following(pages.browser) as heard:
        cards = (update["parts"]["card-table-1"] for _, update in heard if "parts" in update)
        assert "The table is no longer there" not in next(cards)
        monkeypatch.setattr(server_tables, "LEASE_SECONDS", 0.01)
        pages.tables.set_presence("table-1", is_here=True)
        assert "The table is no longer there" in next(cards)


def test_open_page_gets_expired_leases_of_urgent_tables(
    pages: Pages, codes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The urgency does not change, but the actions are no longer available."""
    monkeypatch.setattr(sse, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(sse, "PULSE_SECONDS", 0.0)
    shown = pages.tables.get("table-1")
    assert shown
    assert shown.item
    call = replace(shown.item, number=shown.item.number + 1, call=CallArbiter(None))
    pages.tables.show("table-1", pages.game, call)
    pages.browser.sign_in(codes["Anna"])
    with following(pages.browser, "/stream/table-1") as heard:
        assert 'value="answer-call"' in next(heard)[1]["main"]
        monkeypatch.setattr(server_tables, "LEASE_SECONDS", 0.01)
        pages.tables.set_presence("table-1", is_here=True)
        shown_pages = (update.get("main") for _, update in islice(heard, 60))
        assert any(page and 'value="answer-call"' not in page for page in shown_pages)


def test_open_page_gets_heartbeats(
    pages: Pages, codes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "PULSE_SECONDS", 0.0)
    monkeypatch.setattr(sse, "LOOK_SECONDS", 0.01)
    pages.browser.sign_in(codes["Anna"])
    before = time.monotonic()
    with following(pages.browser) as heard:
        pulses = [update for kind, update in islice(heard, 9) if kind == "pulse"]
    times = [pulse["at"] for pulse in pulses]
    assert len(times) >= 8
    assert times == sorted(times)
    assert before - 0.1 <= times[0] <= times[-1] <= time.monotonic() + 0.1


def test_open_page_gets_failures(
    pages: Pages, codes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "LOOK_SECONDS", 0.01)
    pages.browser.sign_in(codes["Anna"])
    with following(pages.browser, "/stream/table-1") as heard:
        pulses = (update["problem"] for kind, update in heard if kind == "pulse")
        assert "The database" not in next(pulses)
        pages.receiver.error = "the disk is full"
        assert "The database cannot be used." in next(pulses)
        pages.receiver.error = None
        assert "The database" not in next(pulses)
        pages.receiver._busy_since = time.monotonic() - STUCK_SECONDS - 1
        assert "The database cannot be used." in next(pulses)


def test_state_is_rendered_once() -> None:
    tables, rendered = Tables(), Counter[str]()
    for name in ("table-1", "table-2"):
        tables.touch(name)

    async def render(table: TableStatus) -> PageUpdate:
        rendered[table.name] += 1
        await asyncio.sleep(0)
        return {"parts": {table.name: str(table.is_here(time.monotonic()))}}

    async def run() -> None:
        streams = Streams(tables, lambda language: "")
        pages = [
            streams.follow(None, language, render, lambda: True)
            for language in LANGUAGES
            for _ in range(20)
        ]

        async def update(page: AsyncGenerator[str]) -> str:
            """Return the next update's events, without the heartbeat."""
            while "parts" not in (events := await anext(page)):
                pass
            return events.partition("event: pulse")[0]

        shown = await asyncio.gather(*map(update, pages))
        assert rendered == {"table-1": 2, "table-2": 2}
        assert all(each == shown[0] for each in shown)
        tables.set_presence("table-2", is_here=True)
        await asyncio.gather(*map(update, pages))
        assert rendered == {"table-1": 2, "table-2": 4}
        for page in pages:
            await page.aclose()

    asyncio.run(run())


def test_a_heartbeat_follows_every_earlier_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread reports a change just before the third heartbeat."""
    monkeypatch.setattr(sse, "PULSE_SECONDS", 0.0)
    monkeypatch.setattr(sse, "LOOK_SECONDS", 0.01)
    tables = Tables()
    tables.touch("table-1")
    looks = count(1)

    async def render(table: TableStatus) -> PageUpdate:
        return {"main": str(table.is_here(time.monotonic()))}

    def is_valid() -> bool:
        if next(looks) == 3:
            tables.set_presence("table-1", is_here=True)
            tables.complete_until = 1.5
        return True

    async def run() -> list[str]:
        page = Streams(tables, lambda language: "").follow(None, LANGUAGES[0], render, is_valid)
        return [await anext(page) for _ in range(3)]

    _, second, third = asyncio.run(run())
    assert "True" not in second
    assert '"complete_until": 0.0' in second
    assert third.index("True") < third.index("event: pulse")
    assert '"complete_until": 1.5' in third


def test_hall_shows_what_another_hall_stored(
    open_store: Callable[[], Store], tmp_path: Path
) -> None:
    store, other, tables = open_store(), open_store(), Tables()
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(6)
    ((game, items),) = items_of(table.path).items()
    table.journal.close()
    for number, text in enumerate(items, start=1):
        other.add([NewItem("table-1", game, number, text)])
        before = time.monotonic()
        catch_up(store, tables)
        shown = tables.get("table-1")
        assert shown
        assert shown.item
        assert (shown.game, shown.item.number, shown.attended) == (game, number, None)
        assert tables.complete_until >= before
    order = other.record("table-1", game, "Anna", {"what": "attend"})
    catch_up(store, tables)
    shown = tables.get("table-1")
    assert shown
    assert shown.attended == Attended("Anna", order.number / 1000)


def test_clocks_have_run_while_the_hall_was_off(
    open_store: Callable[[], Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, tables = open_store(), Tables()
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(6)
    ((game, items),) = items_of(table.path).items()
    table.journal.close()
    last = replace(read_item(items[-1]), running=("red",), left={"red": 700.0, "blue": 720.0})
    texts = [*items[:-1], write_item(last)]
    store.add([NewItem("table-1", game, n, text) for n, text in enumerate(texts, start=1)])
    later = time.time() + 60
    monkeypatch.setattr(time, "time", lambda: later)
    catch_up(store, tables)
    shown = tables.get("table-1")
    assert shown
    assert shown.left("red", time.monotonic()) == pytest.approx(640, abs=5)
    assert shown.left("blue", time.monotonic()) == 720
