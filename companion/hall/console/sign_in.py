"""Sign-in of arbiters, and their browser sessions, which survive a restart of the hall.

Each arbiter has a code, and the rate of attempts is limited per address. There is no limit for all
addresses together, because a stranger who tries codes could use it up and lock out the arbiters.
Instead, attempts are checked one at a time, which takes about 12 ms each, and addresses with fewer
recent attempts go first. At that rate, guessing the code of one of ten arbiters takes thirty years
on average, even from many addresses. A browser that has signed in before has a cookie and its own
limit, so a stranger's attempts from the same address do not affect it.
"""

import asyncio
import bisect
import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from companion.hall.server.hall_folder import hash_code
from companion.storage.atomic_file import write_atomically
from companion.web.security import Rate, RateLimiter

log = logging.getLogger(__name__)

NAME: Final = "sessions.json"
SHIFT_SECONDS: Final = 12 * 3600.0
"""Lifetime of a session, in seconds. After that, the arbiter has to sign in again."""
MOST_SHIFTS: Final = 200


class Sessions:
    """Session file in the hall's folder, shared by all of the hall's processes. Thread-safe.

    The file contains only a hash of each token, so a copy of the file does not grant access. If the
    file cannot be written, sessions last until the process ends.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        """Use the session file in `folder`; `clock` returns the seconds since 1970."""
        self._path, self._clock = folder / NAME, clock
        self._lock = threading.Lock()
        self._read_from: tuple[int, int] | None = None
        self._sessions: dict[str, tuple[str, float]] = {}
        """Owner and expiry time of each session, keyed by the hash of its token."""

    def begin(self, owner: str) -> str:
        token, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._read()
            current = {key: each for key, each in self._sessions.items() if self._lasts(each[1])}
            while len(current) >= MOST_SHIFTS:
                del current[next(iter(current))]
            self._sessions = {**current, _hash(token): (owner, now + SHIFT_SECONDS)}
            self._write()
        return token

    def owner(self, token: str) -> str | None:
        """Return the owner of a session, or None if the token is invalid."""
        with self._lock:
            self._read()
            owner, until = self._sessions.get(_hash(token), ("", 0.0))
        return owner if self._lasts(until) else None

    def end(self, token: str) -> None:
        with self._lock:
            self._read()
            if self._sessions.pop(_hash(token), None):
                self._write()

    def _lasts(self, until: float) -> bool:
        # The computer's clock may have been set back. Even then, a session must end within one
        # lifetime from now.
        return 0 < until - self._clock() <= SHIFT_SECONDS

    def _read(self) -> None:
        """Reload the file if it has been replaced."""
        try:
            stat = self._path.stat()
            found = stat.st_ino, stat.st_mtime_ns
            if found == self._read_from:
                return
            plain = json.loads(self._path.read_text(encoding="utf-8"))
            self._sessions = {
                str(key): (str(owner), float(until)) for key, (owner, until) in plain.items()
            }
            self._read_from = found
        except (OSError, ValueError, TypeError, AttributeError):
            return  # there is no usable file; the next sign-in writes one

    def _write(self) -> None:
        try:
            write_atomically(self._path, json.dumps(self._sessions))
        except OSError as error:
            log.warning("the sessions of the arbiters cannot be saved: %s", error)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


TRIES: Final = Rate(burst=5, a_second=5 / 60)
"""Rate limit for sign-in attempts from one address, or from one known browser."""
MOST_WAITING: Final = 64
"""Maximum number of attempts waiting to be checked."""


class TooManyTriesError(Exception):
    """There were too many sign-in attempts. The rate limit resets after one minute."""


class Arbiters:
    """The arbiters of a hall and their browser sessions."""

    def __init__(
        self,
        codes: Callable[[], Mapping[str, str]],
        salt: str,
        clock: Callable[[], float],
        sessions: Sessions,
    ) -> None:
        """Prepare to admit arbiters. `clock` returns the time in seconds.

        `codes` returns the arbiters' names, keyed by the hashes of their codes. A session becomes
        invalid once the code with which it began is no longer among them.
        """
        self._codes, self._salt, self._sessions = codes, salt, sessions
        self._tries = RateLimiter(TRIES, clock)
        self._queue = SignInQueue()
        # Each thread retains the memory that it used for hashing, so all hashing is done in one
        # thread.
        self._hashing = ThreadPoolExecutor(1, "sign-in")

    async def sign_in(self, code: str, address: str, browser: str = "") -> str | None:
        """Return a session token, or None for a wrong code.

        `browser` is the cookie value from `known_browser`, if this browser has signed in before.
        Raise TooManyTriesError if the rate limit is exceeded.
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
        """Return the name of the arbiter who owns a session, or None if the token is invalid."""
        return self._codes().get(self._sessions.owner(token) or "")

    def sign_out(self, token: str) -> None:
        self._sessions.end(token)

    def known_browser(self) -> str:
        """Return a cookie value for a browser that has signed in."""
        number = secrets.token_hex(16)
        return number + self._signature(number)

    def _is_known(self, browser: str) -> bool:
        # compare_digest refuses a str with other characters than ASCII.
        signature = self._signature(browser[:32])
        return hmac.compare_digest(signature.encode(), browser[32:].encode())

    def _signature(self, number: str) -> str:
        return hmac.digest(self._salt.encode(), number.encode(), hashlib.sha256).hex()


class SignInQueue:
    """A queue for slow checks, which run one at a time."""

    def __init__(self) -> None:
        self._is_busy = False
        self._count = 0
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, tries: float) -> AsyncIterator[None]:
        """Wait until a check may run. Checks with fewer recent `tries` go first.

        If the queue is full, TooManyTriesError is raised for the check with the most tries.
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
                self._next()  # the check was cancelled after its turn had come
            raise

    def _next(self) -> None:
        """Start the next check that has not been cancelled."""
        self._is_busy = False
        while self._waiting and not self._is_busy:
            turn = self._waiting.pop(0)[2]
            if not turn.done():
                turn.set_result(None)
                self._is_busy = True
