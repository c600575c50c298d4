"""Live updates of open pages by server-sent events.

All changes of a table since the last update are combined into one update. So a slow page never
falls far behind, and no backlog builds up.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, NotRequired, TypeAlias, TypedDict

from companion.hall.server.tables import TableNow, Tables, Urgency
from companion.web.streams import StreamPool

MOST_OPEN: Final = 64
"""Maximum number of open streams."""
LOOK_SECONDS: Final = 1.0
"""Interval between checks whether a clock has reached its last minute, in seconds."""
ALIVE_SECONDS: Final = 15.0
"""Interval between keep-alive comments to a page without updates, in seconds."""
OPEN_PER_SESSION: Final = 8
"""Maximum number of open streams of one arbiter's session."""


class PageUpdate(TypedDict):
    """An update of an arbiter's page. `tools.page_types` generates its TypeScript type."""

    problem: str
    """HTML of the failure messages."""
    parts: NotRequired[dict[str, str]]
    """HTML of changed elements, by id."""
    main: NotRequired[str]
    """HTML of the page of one table."""


Tell: TypeAlias = Callable[[TableNow], Awaitable[PageUpdate]]
"""Renders the current state of a table as an update."""


class Streams:
    """The open event streams."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.pool = StreamPool(MOST_OPEN, OPEN_PER_SESSION)

    async def follow(
        self, name: str | None, tell: Tell, is_valid: Callable[[], bool]
    ) -> AsyncGenerator[str]:
        """Yield an event whenever the named table, or any table, changes; `tell` renders it.

        The stream ends within `LOOK_SECONDS` once `is_valid` returns False.
        """
        changed: dict[str, None] = {}
        awake, loop = asyncio.Event(), asyncio.get_running_loop()

        def note(table: str) -> None:
            if name in (None, table):
                loop.call_soon_threadsafe(wake, table)

        def wake(table: str) -> None:
            changed[table] = None
            awake.set()

        leave = self._tables.listen(note)
        shown: dict[str, Urgency] = {}
        told_at = time.monotonic()
        try:
            while is_valid():
                now = time.monotonic()
                for table in self._urgencies(name, now, shown):
                    changed[table] = None
                told, changed = list(changed), {}
                for each in told:
                    table_now = self._tables.get(each)
                    if table_now:
                        data = await tell(table_now)
                        yield f"data: {json.dumps(data)}\n\n"
                        told_at = now
                if now - told_at > ALIVE_SECONDS:
                    told_at = now
                    yield ": alive\n\n"
                if not changed:
                    awake.clear()
                    try:
                        await asyncio.wait_for(awake.wait(), LOOK_SECONDS)
                    except TimeoutError:
                        continue
        finally:
            leave()

    def _urgencies(self, name: str | None, now: float, shown: dict[str, Urgency]) -> list[str]:
        """Return the tables whose urgency differs from `shown`, and update `shown`."""
        tables = self._tables.all() if name is None else filter(None, [self._tables.get(name)])
        found = []
        for table in tables:
            urgency = table.urgency(now)
            if shown.get(table.name) is not urgency:
                shown[table.name] = urgency
                found.append(table.name)
        return found
