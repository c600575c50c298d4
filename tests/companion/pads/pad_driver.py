"""Session with a simulated board, a simulated clock, and phones."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from companion.core.events import Event
from companion.core.inputs import Input
from companion.pads import ListenAddress, Pads
from companion.reports.replay import Archive
from companion.speech.i18n import Language
from companion.storage.errors import StorageError
from companion.storage.game_rows import PlayerNames
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side
from tests.companion.core.table_driver import TableDriver
from tests.companion.pads.server_thread import in_thread

HERE = ListenAddress("127.0.0.1", 0)


class PadDriver(TableDriver):
    """Session that pads can use like a `GameHost`."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.changes = 0
        self.players = PlayerNames("Ada", "Ben")
        self.unsaved: StorageError | None = None
        self.is_in_hall = False
        self.number: int | None = None
        self.archive = Archive(JournalProvider(Path("/nowhere/games.sqlite")))
        self._listeners: list[Callable[[Event], None]] = []
        super().__init__(*given, **options)

    def listen(self, listener: Callable[[Event], None]) -> None:
        self._listeners.append(listener)

    def submit(self, given: Input) -> None:
        super().submit(given)
        step = self.steps[-1]
        self.changes += step.is_news
        for event in step.events:
            for listener in self._listeners:
                listener(event)

    def clock(self) -> float:
        return self.now


def drawing(seed: int = 1) -> Callable[[int], bytes]:
    """Return a reproducible source of random bytes."""
    return Random(seed).randbytes


@contextmanager
def pads_of(
    driver: PadDriver, languages: Iterable[str] = ("en", "en", "en"), **options: Any
) -> Iterator[Pads]:
    """Open the pages of a session. `languages` are those of the table, Red and Blue.

    The server runs in a thread with the session's clock.
    """
    options.setdefault("start", in_thread(driver.clock))
    spoken = dict(zip((None, *Side), map(Language, languages), strict=True))
    pads = Pads(driver, spoken.__getitem__, driver.clock, **options)
    pads.open(HERE)
    assert pads.error is None
    try:
        yield pads
    finally:
        pads.close()
