"""Sign-in of the arbiters. Each arbiter has a code, and the rate of attempts is limited.

A stranger who tries codes must not keep an arbiter out. So there is no limit for all addresses
together. Attempts are checked one at a time instead, which takes some 12 ms each, and addresses
with fewer recent attempts come first. At that rate, finding the code of one of ten arbiters takes
thirty years on average, whatever the number of addresses. A browser that has signed in before is
known by a cookie and has its own limit, so a stranger behind the same address does not count
against it.
"""

import asyncio
import bisect
import hashlib
import hmac
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final

from companion.hall.console.sessions import Sessions
from companion.hall.server.hall_folder import hash_code
from companion.web.security import Rate, RateLimiter

TRIES: Final = Rate(burst=5, a_second=5 / 60)
"""Rate limit for sign-in attempts from one address, or from one known browser."""
MOST_WAITING: Final = 64
"""Maximum number of attempts that wait to be checked."""


class TooManyTriesError(Exception):
    """The rate limit for codes is exceeded; it resets after one minute."""


class Arbiters:
    """The arbiters of a hall and their browser sessions."""

    def __init__(
        self,
        codes: Callable[[], Mapping[str, str]],
        salt: str,
        clock: Callable[[], float],
        sessions: Sessions,
    ) -> None:
        """Admit arbiters; `clock` returns seconds.

        `codes` returns the arbiters' names by the hashes of their codes. The session of a code
        that it no longer contains is not valid.
        """
        self._codes, self._salt, self._sessions = codes, salt, sessions
        self._tries = RateLimiter(TRIES, clock)
        self._queue = SignInQueue()
        # Each thread keeps the memory in which it has hashed a code, so one thread does it all.
        self._hashing = ThreadPoolExecutor(1, "sign-in")

    async def sign_in(self, code: str, address: str, browser: str = "") -> str | None:
        """Return a session token, or None for a wrong code; TooManyTriesError at the rate limit.

        `browser` is what `known_browser` returned to this browser, if it has signed in before.
        """
        owner = browser if self._is_known(browser) else address
        if not self._tries.allows(owner):
            raise TooManyTriesError
        tries = TRIES.burst - self._tries.left(owner)
        async with self._queue.turn(tries):
            loop = asyncio.get_running_loop()
            hashed = await loop.run_in_executor(self._hashing, hash_code, code, self._salt)
        return self._sessions.begin(hashed) if hashed in self._codes() else None

    def author(self, token: str) -> str | None:
        """Return the arbiter of a session token, or None if the token is not valid."""
        return self._codes().get(self._sessions.owner(token) or "")

    def sign_out(self, token: str) -> None:
        """End the session of a token."""
        self._sessions.end(token)

    def known_browser(self) -> str:
        """Return a value by which a browser that has signed in is recognized from now on."""
        number = secrets.token_hex(16)
        return number + self._signature(number)

    def _is_known(self, browser: str) -> bool:
        return hmac.compare_digest(self._signature(browser[:32]), browser[32:])

    def _signature(self, number: str) -> str:
        return hmac.digest(self._salt.encode(), number.encode(), hashlib.sha256).hex()


class SignInQueue:
    """A queue for slow checks, which run one at a time, on one event loop."""

    def __init__(self) -> None:
        self._is_busy = False
        self._count = 0
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, tries: float) -> AsyncIterator[None]:
        """Wait for the turn of a check; those with fewer recent `tries` come first.

        If the queue is full, the check with the most tries gets a TooManyTriesError.
        """
        if self._is_busy:
            await self._wait(tries)
        self._is_busy = True
        try:
            yield
        finally:
            self._next()

    async def _wait(self, tries: float) -> None:
        self._count += 1
        place = tries, self._count, asyncio.get_running_loop().create_future()
        bisect.insort(self._waiting, place)
        if len(self._waiting) > MOST_WAITING:
            self._waiting.pop()[2].set_exception(TooManyTriesError())
        try:
            await place[2]
        except BaseException:
            if place in self._waiting:
                self._waiting.remove(place)
            elif not place[2].cancelled() and not place[2].exception():
                self._next()  # this check was cancelled when it was its turn
            raise

    def _next(self) -> None:
        """Start the next check that was not cancelled."""
        self._is_busy = False
        while self._waiting and not self._is_busy:
            turn = self._waiting.pop(0)[2]
            if not turn.done():
                turn.set_result(None)
                self._is_busy = True
