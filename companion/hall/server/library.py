"""Database access for the pages: one connection behind a lock, reopened after it was lost."""

import threading
from collections.abc import Callable
from typing import TypeVar

from companion.hall.server.store import DatabaseError, Store

T = TypeVar("T")


class Library:
    """Thread-safe access to the database."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._store: Store | None = None

    def ask(self, question: Callable[[Store], T]) -> T:
        """Run a query; DatabaseError if it fails on a new connection as well."""
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
        with self._lock:
            if self._store:
                self._store.close()
                self._store = None
