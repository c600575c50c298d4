"""Phone with faults: it loses and duplicates requests, sleeps, and reloads the page."""

import random
from collections import Counter
from contextlib import suppress
from typing import Final

from playwright.sync_api import BrowserContext, Error, Route

FAILURES: Final = ("lost", "answer lost", "doubled")
AMONG: Final = 10
"""Number of requests in each random sequence. Every fault occurs once per sequence."""


class FailingPhone:
    def __init__(self, context: BrowserContext, seed: int) -> None:
        self.page = context.new_page()
        self.done: Counter[str] = Counter()
        """Number of events (faults and requests), by type."""
        self.sent: list[bytes] = []
        self._chance = random.Random(seed)
        self._dealt: list[str] = []
        self._is_asleep = False
        self._life = context.new_cdp_session(self.page)
        for path in ("join", "say", "listen"):
            self.page.route(f"**/{path}", self._handle)

    def sleep(self) -> None:
        """Switch the screen off. This freezes scripts and disconnects the network."""
        self.done["sleeps"] += 1
        self._is_asleep = True
        self.page.context.set_offline(True)
        self._life.send("Page.setWebLifecycleState", {"state": "frozen"})

    def wake(self) -> None:
        self._is_asleep = False
        self._life.send("Page.setWebLifecycleState", {"state": "active"})
        self.page.context.set_offline(False)

    def reload(self) -> None:
        self.done["reloads"] += 1
        self.page.reload()

    def _handle(self, route: Route) -> None:
        with suppress(Error):  # a reloaded page needs no reply to its earlier requests
            self._fail(route)

    def _fail(self, route: Route) -> None:
        if body := route.request.post_data_buffer:
            self.sent.append(body)
        if self._is_asleep:
            route.abort()
            return
        self.done["requests"] += 1
        what = self._deal()
        if what and route.request.url.endswith("/listen"):
            # The reply to this request never ends, so only the loss of the request is simulated.
            what = "lost"
        if not what:
            route.continue_()
            return
        self.done[what] += 1
        if what == "lost":
            route.abort()
            return
        answer = route.fetch()
        if what == "answer lost":
            route.abort()
        else:
            route.fetch()
            route.fulfill(response=answer)

    def _deal(self) -> str:
        """Return the fault for the next request, or an empty string."""
        if not self._dealt:
            self._dealt = [*FAILURES, *[""] * (AMONG - len(FAILURES))]
            self._chance.shuffle(self._dealt)
        return self._dealt.pop()
