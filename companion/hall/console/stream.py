"""What has changed, told to the pages that are open: server-sent events.

A page is told of a table at most once for all that has changed since it was told last, so a slow
one is never far behind and nothing piles up.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Final

from companion.hall.server.tables import TableNow, Tables, Urgency

MOST_OPEN: Final = 64
"""So many pages can be open at once."""
LOOK_SECONDS: Final = 1.0
"""So often it is looked whether a clock has come to its last minute."""
ALIVE_SECONDS: Final = 15.0
"""So often a page hears something even if nothing happens."""


class Streams:
    """The pages that are open."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._open = 0

    @property
    def are_too_many(self) -> bool:
        """Whether as many pages are open as there may be."""
        return self._open >= MOST_OPEN

    async def follow(
        self, name: str | None, tell: Callable[[TableNow], Awaitable[Mapping[str, object]]]
    ) -> AsyncIterator[str]:
        """Give an event whenever a table changes, or any of them; `tell` writes what is new."""
        self._open += 1
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
            while True:
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
            self._open -= 1

    def _urgencies(self, name: str | None, now: float, shown: dict[str, Urgency]) -> list[str]:
        """Return the tables of which something else is urgent than was shown, and note it."""
        tables = self._tables.all() if name is None else filter(None, [self._tables.get(name)])
        found = []
        for table in tables:
            urgency = table.urgency(now)
            if shown.get(table.name) is not urgency:
                shown[table.name] = urgency
                found.append(table.name)
        return found
