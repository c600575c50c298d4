"""A phone on a bad day: requests get lost or come twice, it sleeps, and its page is loaded anew."""

import random
from collections import Counter
from contextlib import suppress
from typing import Final

from playwright.sync_api import BrowserContext, Error, Route

TROUBLES: Final = ("lost", "answer lost", "doubled")
AMONG: Final = 10
"""Of so many requests each of these befalls one."""


class TroubledPhone:
    """One browser with one page."""

    def __init__(self, context: BrowserContext, seed: int) -> None:
        self.page = context.new_page()
        self.done: Counter[str] = Counter()
        """What has befallen it."""
        self.sent: list[bytes] = []
        """Every body that has left it."""
        self._chance = random.Random(seed)
        self._dealt: list[str] = []
        self._is_asleep = False
        self._life = context.new_cdp_session(self.page)
        for path in ("join", "say", "listen"):
            self.page.route(f"**/{path}", self._handle)

    def sleep(self) -> None:
        """Switch the screen off: nothing runs any more, and nothing comes or goes."""
        self.done["sleeps"] += 1
        self._is_asleep = True
        self.page.context.set_offline(True)
        self._life.send("Page.setWebLifecycleState", {"state": "frozen"})

    def wake(self) -> None:
        """Switch it on again."""
        self._is_asleep = False
        self._life.send("Page.setWebLifecycleState", {"state": "active"})
        self.page.context.set_offline(False)

    def reload(self) -> None:
        """Load the page anew."""
        self.done["reloads"] += 1
        self.page.reload()

    def _handle(self, route: Route) -> None:
        with suppress(Error):  # a page that is loaded anew wants no answer any more
            self._befall(route)

    def _befall(self, route: Route) -> None:
        if body := route.request.post_data_buffer:
            self.sent.append(body)
        if self._is_asleep:
            route.abort()
            return
        self.done["requests"] += 1
        what = self._deal()
        if what and route.request.url.endswith("/listen"):
            what = "lost"  # an answer without end cannot be had twice, or be lost
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
        """Say what befalls the next request, nothing if it is empty."""
        if not self._dealt:
            self._dealt = [*TROUBLES, *[""] * (AMONG - len(TROUBLES))]
            self._chance.shuffle(self._dealt)
        return self._dealt.pop()
