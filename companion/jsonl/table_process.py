"""A table with a plain-data interface."""

from collections.abc import Mapping
from typing import Any, Protocol

from companion.codec import MalformedError
from companion.core.game_context import Step
from companion.core.inputs import BoardSeen, Input
from companion.core.table import Table
from companion.jsonl.requests import read_at, read_line
from companion.jsonl.responses import write_step
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.rules.editions import Edition
from firmware_bridge.image import Image

# Protocol of an observer that records the inputs and steps of a table, and changes nothing.


class ProcessObserver(Protocol):
    """Called twice for every input: before the table processes it, and with its result."""

    def hear(self, given: Input) -> None:
        """Record an input. If the table fails on it, no step follows."""

    def note(self, step: Step, due: float | None) -> None:
        """Record the result of the latest input, and the next deadline of the table."""


class TableProcess:
    """One game: each line gets one answer line. No clock is read; every line carries its time."""

    def __init__(
        self,
        edition: Edition,
        seed: int,
        control: TimeControl = NO_CLOCK,
        observer: ProcessObserver | None = None,
    ) -> None:
        """Begin a game; `seed` only shuffles the ranks to choose from.

        A `observer` is called with every valid line.
        """
        self._observer = observer
        self._table = Table(edition, seed, control=control)
        self._at = 0.0
        self._drawn: str | None = None
        """The latest board, as the text of its line, and as an image."""
        self._image = Image()
        self._quiet: dict[str, Any] | None = None
        """The answer if the same board is repeated without any effect; None after a line that is
        not a board."""

    def take(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Process a line and return the answer, which must not be modified.

        A malformed line gets an `error` as its answer, and changes nothing.
        """
        is_repeated = self._is_repeated(line)
        try:
            given = self._read_again(line) if is_repeated else self._read(line)
        except MalformedError as error:
            return {"error": f"{error}."}
        self._at = given.at
        step = self._handle(given)
        if is_repeated and self._quiet and not step.is_news:
            return {**self._quiet, "at": given.at}
        written = write_step(self._table, given.at, step)
        is_board = isinstance(given, BoardSeen)
        self._quiet = {**written, "actions": [], "events": []} if is_board else None
        return written

    def _handle(self, given: Input) -> Step:
        if self._observer is None:
            return self._table.handle(given)
        self._observer.hear(given)
        step = self._table.handle(given)
        self._observer.note(step, self._table.next_deadline)
        return step

    def _is_repeated(self, line: Mapping[str, Any]) -> bool:
        """Whether a line repeats the known board and has no other field than its time."""
        return self._drawn is not None and len(line) == 2 and line.get("board") == self._drawn

    def _read_again(self, line: Mapping[str, Any]) -> BoardSeen:
        return BoardSeen(read_at(line.get("at"), self._at), self._image)

    def _read(self, line: Mapping[str, Any]) -> Input:
        given = read_line(line, self._at, self._table)
        if isinstance(given, BoardSeen):
            self._drawn, self._image = line["board"], given.image
        return given
