"""The database as pages use it: one connection, taken in turns, and made anew when it was lost."""

import threading
from collections.abc import Callable
from typing import TypeVar

from companion.hall.server.store import DatabaseError, Store

T = TypeVar("T")


class Library:
    """Asks the database, from whatever thread."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._store: Store | None = None

    def ask(self, question: Callable[[Store], T]) -> T:
        """Ask something; DatabaseError if there is no answer, also not by a new connection."""
        with self._lock:
            if self._store:
                try:
                    return question(self._store)
                except DatabaseError:
                    self._store.close()
                    self._store = None
            self._store = Store(self._address)
            return question(self._store)

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            if self._store:
                self._store.close()
                self._store = None
