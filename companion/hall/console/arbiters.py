"""Sign-in of the arbiters: each has a code; the number of attempts per minute is limited."""

import secrets
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Final

from companion.hall.server.hall_folder import hash_code

TRIES: Final = 5
"""Maximum number of attempts a minute from one address."""
TRIES_OF_ALL: Final = 30
"""Maximum number of attempts a minute from all addresses together: at that rate, finding one of
10¹² codes takes ten thousand years."""
WINDOW_SECONDS: Final = 60.0
SHIFT_SECONDS: Final = 12 * 3600.0
"""Lifetime of a session, in seconds; after it an arbiter signs in again."""
MOST_SHIFTS: Final = 200


class TooManyTriesError(Exception):
    """The rate limit for codes is exceeded; it resets after a minute."""


class Arbiters:
    """The arbiters of a hall and their browser sessions."""

    def __init__(self, codes: Mapping[str, str], salt: str, clock: Callable[[], float]) -> None:
        """Take the arbiters by the hashes of their codes; `clock` counts seconds."""
        self._codes, self._salt, self._clock = codes, salt, clock
        self._lock = threading.Lock()
        self._tries: dict[str, deque[float]] = defaultdict(deque)
        self._shifts: dict[str, tuple[str, float]] = {}

    def sign_in(self, code: str, address: str) -> str | None:
        """Return a session token, or None for a wrong code; TooManyTriesError at the rate limit."""
        with self._lock:
            self._count(address)
        author = self._codes.get(hash_code(code, self._salt))
        if author is None:
            return None
        token, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._shifts = {t: s for t, s in self._shifts.items() if s[1] > now}
            while len(self._shifts) >= MOST_SHIFTS:
                del self._shifts[next(iter(self._shifts))]
            self._shifts[token] = author, now + SHIFT_SECONDS
        return token

    def author(self, token: str) -> str | None:
        """Return the arbiter of a session token, or None if the token is not valid."""
        with self._lock:
            author, until = self._shifts.get(token, ("", 0.0))
        return author if self._clock() < until else None

    def sign_out(self, token: str) -> None:
        """End the session of a token."""
        with self._lock:
            self._shifts.pop(token, None)

    def _count(self, address: str) -> None:
        since = self._clock() - WINDOW_SECONDS
        for tried in self._tries.values():
            while tried and tried[0] <= since:
                tried.popleft()
        self._tries = defaultdict(deque, {who: t for who, t in self._tries.items() if t})
        if (
            len(self._tries[address]) >= TRIES
            or sum(map(len, self._tries.values())) >= TRIES_OF_ALL
        ):
            raise TooManyTriesError
        self._tries[address].append(self._clock())
