"""The arbiters' browser sessions, which outlive a restart of the hall."""

import hashlib
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.storage.atomic_file import write_atomically

log = logging.getLogger(__name__)

NAME: Final = "sessions.json"
SHIFT_SECONDS: Final = 12 * 3600.0
"""Lifetime of a session, in seconds; after that, an arbiter has to sign in again."""
MOST_SHIFTS: Final = 200


class Sessions:
    """Sessions in a file in the hall's folder, shared by all programs of the hall. Thread-safe.

    The file contains a hash of each token, so that a copy of the file does not let anyone in. If it
    cannot be written, sessions last until the program ends.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        """Use the file in `folder`; `clock` returns the seconds since 1970."""
        self._path, self._clock = folder / NAME, clock
        self._lock = threading.Lock()
        self._read_from: tuple[int, int] | None = None
        self._sessions: dict[str, tuple[str, float]] = {}
        """Owner and end of each session, by the hash of its token."""

    def begin(self, owner: str) -> str:
        """Begin a session, and return its token."""
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
        """Return the owner of a session, or None if the token is not valid."""
        with self._lock:
            self._read()
            owner, until = self._sessions.get(_hash(token), ("", 0.0))
        return owner if self._lasts(until) else None

    def end(self, token: str) -> None:
        """End the session of a token."""
        with self._lock:
            self._read()
            if self._sessions.pop(_hash(token), None):
                self._write()

    def _lasts(self, until: float) -> bool:
        # If the computer's clock went back, a session must not last longer than a shift from now.
        return 0 < until - self._clock() <= SHIFT_SECONDS

    def _read(self) -> None:
        """Read the file again if it was replaced."""
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
            return  # the first sign-in, or a damaged file, which the next sign-in replaces

    def _write(self) -> None:
        try:
            write_atomically(self._path, json.dumps(self._sessions))
        except OSError as error:
            log.warning("the sessions of the arbiters cannot be saved: %s", error)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
