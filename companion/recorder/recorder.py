"""Records all inputs and outcomes of a table.

The recorder writes in its own thread, so the table never waits for a disk. A write error is
reported in one sentence, and the game continues without a recorder.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, Protocol, Self, TypeAlias

from companion.core.game_context import Step
from companion.core.game_options import GameOptions
from companion.core.inputs import Input
from companion.jsonl.table_process import ProcessObserver
from companion.recorder.trace_files import Bounds, InputOutcome, TraceFiles, TraceLines

FLUSH_SECONDS: Final = 2.0
"""Interval between writes, in seconds. A power cut loses at most this much of a trace."""
MOST_WAITING: Final = 100_000
"""Maximum number of inputs and outcomes that are queued for a slow disk: as many as a game produces
in a quarter of an hour."""
CLOSING_SECONDS: Final = 30.0
"""Maximum time in seconds to wait for the disk at exit."""

_Heard: TypeAlias = GameOptions | Input | InputOutcome | None
"""An item of the queue. None ends the thread."""


class Recorder:
    """Writes a trace file for every game."""

    def __init__(
        self,
        folder: Path,
        report_error: Callable[[str], None],
        bounds: Bounds | None = None,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        """Write into a folder.

        If an error occurs, the thread calls `report_error` with a message.
        """
        self._folder, self._report_error = folder, report_error
        self._bounds = bounds or Bounds()
        self._most_waiting = most_waiting
        self._heard: SimpleQueue[_Heard] = SimpleQueue()
        self._has_failed = False
        self._files: TraceFiles | None = None
        self._lines: TraceLines | None = None
        self._flushed_at = time.monotonic()
        self._thread = Thread(target=self._run, name="flight recorder", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, beginning: GameOptions) -> None:
        self._put(beginning)

    def hear(self, given: Input) -> None:
        self._put(given)

    def note(self, step: Step, due: float | None) -> None:
        """Record the outcome of the latest input."""
        self._put(InputOutcome(step, due))

    def close(self) -> None:
        """Write all queued items and close the trace."""
        self._heard.put(None)
        self._thread.join(CLOSING_SECONDS)

    def _put(self, heard: _Heard) -> None:
        if self._has_failed:
            return
        if self._heard.qsize() >= self._most_waiting:
            self._fail("the disk is too slow")
        else:
            self._heard.put(heard)

    def _run(self) -> None:
        try:
            while (heard := self._next()) is not None:
                if not self._has_failed:
                    self._take(heard)
            self._end()
        except OSError as error:
            self._fail(error.strerror or type(error).__name__)

    def _next(self) -> _Heard:
        """Return the next item, and write buffered items to disk at intervals."""
        while True:
            if time.monotonic() - self._flushed_at >= FLUSH_SECONDS:
                self._flush()
            try:
                return self._heard.get(timeout=FLUSH_SECONDS)
            except Empty:
                continue

    def _take(self, heard: GameOptions | Input | InputOutcome) -> None:
        if isinstance(heard, GameOptions):
            from importlib.metadata import version  # noqa: PLC0415 (imports `email`: slow)

            self._end()
            now = datetime.now(UTC).isoformat(timespec="seconds")
            self._lines = TraceLines(heard, version("boomboard"), now)
            self._files = TraceFiles(self._folder, self._bounds, self._lines)
        elif self._files and self._lines:
            if isinstance(heard, InputOutcome):
                self._files.add(self._lines.end_input(heard))
            else:
                self._files.add(self._lines.begin_input(heard))
            if self._files.is_much:
                self._flush()

    def _flush(self) -> None:
        self._flushed_at = time.monotonic()
        if self._files and not self._has_failed:
            self._files.flush()

    def _end(self) -> None:
        if self._files and not self._has_failed:
            self._files.close()
        self._files = None

    def _fail(self, why: str) -> None:
        """Stop recording, and report the error unless one has already been reported."""
        if not self._has_failed:
            self._has_failed = True
            where = self._files.path if self._files else self._folder
            self._report_error(
                f"The trace in {where} breaks off ({why}), and the game goes on without one; name "
                "a folder on another disk with --trace."
            )


class TraceObserver(ProcessObserver, Protocol):
    """Observer of a table's games, such as the flight recorder.

    An outcome is recorded before it is saved or published.
    """

    def begin(self, beginning: GameOptions) -> None:
        """Start recording a new or resumed game."""
