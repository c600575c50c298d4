"""Live updates of open pages via server-sent events.

All changes to a table since the last update are combined into one update, so a slow page does not
fall behind. Each state is rendered once per language and shared by all pages. The tables are
checked once per second.
"""

import asyncio
import json
import math
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NotRequired, TypeAlias, TypedDict

from companion.hall.server.tables import Tables, TableStatus, Urgency
from companion.speech.i18n import Language
from companion.web.streams import StreamPool

MOST_OPEN: Final = 64
"""Maximum number of open streams."""
LOOK_SECONDS: Final = 1.0
"""Seconds between checks for clocks that reach their last minute, and for new failure messages."""
GATHER_SECONDS: Final = 0.05
"""Time in seconds for which changes are collected after an update. When each change was sent
immediately, a hall with 500 tables and 50 pages spent most of its CPU time on sending."""
OPEN_PER_SESSION: Final = 8
"""Maximum number of open streams per arbiter session."""
PULSE_SECONDS: Final = 5.0
"""Interval between heartbeats, in seconds. A page that has missed two heartbeats is considered out
of date."""


class PageUpdate(TypedDict):
    """An update of an arbiter's page. `tools.page_types` generates its TypeScript type."""

    parts: NotRequired[dict[str, str]]
    """HTML of the changed elements, keyed by element ID."""
    main: NotRequired[str]
    """HTML of a single table's page."""


class Pulse(TypedDict):
    """A heartbeat of the hall."""

    at: float
    """Time on the hall's monotonic clock, in seconds."""
    complete_until: float
    """Time on the hall's monotonic clock. Unless `problem` contains a failure message, all items
    that any hall stored before this time have been sent."""
    problem: str
    """HTML of the failure messages."""


Render: TypeAlias = Callable[[TableStatus], Awaitable[PageUpdate]]


class _Page:
    """An open page, which shows one table, or all tables if `name` is None."""

    def __init__(self, name: str | None, language: Language) -> None:
        self.name, self.language = name, language
        self.changed: dict[str, None] = {}
        self.awake = asyncio.Event()

    def note(self, table: str) -> None:
        if self.name in (None, table):
            self.changed[table] = None
            self.awake.set()


@dataclass(frozen=True)
class _Rendered:
    """A table's state, and the task that renders the event for it."""

    table: TableStatus
    state: tuple[Urgency, bool]
    """The part of the state that changes with time alone."""
    event: asyncio.Task[str]


class Streams:
    """The open event streams, all on the same event loop."""

    def __init__(self, tables: Tables, problem: Callable[[Language], str]) -> None:
        """Follow `tables`; `problem` returns the failure messages in a language, as HTML."""
        self._tables, self._problem = tables, problem
        self.pool = StreamPool(MOST_OPEN, OPEN_PER_SESSION)
        self._problems: dict[str, str] = {}
        """The current failure messages, keyed by language."""
        self._pages: list[_Page] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._shown: dict[str, tuple[Urgency, bool]] = {}
        self._looked_at = -math.inf
        self._rendered: dict[tuple[str, bool, str], _Rendered] = {}
        tables.listen(self._take_change)

    async def follow(
        self,
        name: str | None,
        language: Language,
        render: Render,
        is_valid: Callable[[], bool],
    ) -> AsyncGenerator[str]:
        """Yield heartbeats, and an event whenever a table changes.

        If `name` is None, all tables are followed. `render` renders a table in `language`. The
        stream ends within `LOOK_SECONDS` once `is_valid` returns False.
        """
        self._loop, page = asyncio.get_running_loop(), _Page(name, language)
        self._pages.append(page)
        self._note_all(page)
        pulse_at, problem = -math.inf, ""
        try:
            while is_valid():
                now, until = time.monotonic(), self._tables.complete_until
                self._look(now)
                # Give the event loop a chance to register the changes that other threads reported
                # before `now` and `until` were read.
                await asyncio.sleep(0)
                changed, page.changed = list(page.changed), {}
                page.awake.clear()
                tables = filter(None, map(self._tables.get, changed))
                events = [await self._render(table, page, render) for table in tables]
                if now - pulse_at >= PULSE_SECONDS or self._problem_for(language) != problem:
                    pulse_at, problem = now, self._problem_for(language)
                    pulse = Pulse(
                        at=_rounded_down(now),
                        complete_until=_rounded_down(until),
                        problem=problem,
                    )
                    events.append(_event(pulse, "pulse"))
                if events:
                    yield "".join(events)
                    await asyncio.sleep(GATHER_SECONDS)
                if not page.changed:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(page.awake.wait(), LOOK_SECONDS)
        finally:
            self._pages.remove(page)

    async def _render(self, table: TableStatus, page: _Page, render: Render) -> str:
        """Return an event with a table's state, rendered by the first page that needs it."""
        key = table.name, page.name is None, page.language.code
        state = _state(table, time.monotonic())
        known = self._rendered.get(key)
        if not known or known.table is not table or known.state != state:

            async def make() -> str:
                return _event(await render(table))

            known = _Rendered(table, state, asyncio.create_task(make()))
            self._rendered[key] = known
        # Closing one page must not cancel the rendering for the other pages.
        return await asyncio.shield(known.event)

    def _take_change(self, table: str) -> None:
        """Pass a change to the event loop. Called from any thread."""
        if self._loop and self._pages:
            with suppress(RuntimeError):  # the loop has just been closed
                self._loop.call_soon_threadsafe(self._note, table)

    def _note(self, name: str) -> None:
        table = self._tables.get(name)
        if table:
            self._shown[name] = _state(table, time.monotonic())
        for page in self._pages:
            page.note(name)

    def _note_all(self, page: _Page) -> None:
        for table in self._tables.all():
            page.note(table.name)

    def _problem_for(self, language: Language) -> str:
        if language.code not in self._problems:
            self._problems[language.code] = self._problem(language)
        return self._problems[language.code]

    def _look(self, now: float) -> None:
        """Register new failure messages, and changes caused by the passage of time alone."""
        if now - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = now
        for table in self._tables.all():
            if self._shown.get(table.name) != _state(table, now):
                self._note(table.name)
        before, self._problems = self._problems, {}
        if any(
            before.get(page.language.code) != self._problem_for(page.language)
            for page in self._pages
        ):
            # While the database was unavailable, pages were rendered without the history of their
            # table.
            self._rendered.clear()
            for page in self._pages:
                self._note_all(page)


def _state(table: TableStatus, now: float) -> tuple[Urgency, bool]:
    """Return the table's urgency, and whether it is online: both change with time alone."""
    return table.urgency(now), table.is_here(now)


def _event(data: PageUpdate | Pulse, kind: str = "message") -> str:
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


def _rounded_down(seconds: float) -> float:
    """Round a time down to milliseconds. Rounding up would confirm changes that came later."""
    return math.floor(seconds * 1000) / 1000
