"""Connection between board and table.

It carries commands, the time, and a frame every 20 ms. Long idle periods are skipped, except for a
few frames before play continues.
"""

from collections.abc import Callable
from typing import Final

from companion.jsonl.requests import write_details
from tests.hands.responses import BrokenTableError, Line, Table, TableReports
from tests.hands.sensors import FRAME_MS
from tests.hands.shared_state import SharedState

_QUIET_MS: Final = 2500
"""For this many milliseconds after a change, every frame is sent."""
_BEFORE_MS: Final = 200
"""After a skipped period, frames resume this many milliseconds before the next event."""


class FramePump:
    """Sends the frames of a board to a table, and receives the replies."""

    def __init__(
        self, room: SharedState, table: Table, reports: TableReports, heard: Callable[[], None]
    ) -> None:
        """`heard` is called after each reply."""
        self._room, self._table, self._reports = room, table, reports
        self._heard = heard
        self._changed_at = 0
        self._emit: Callable[[Line], None] | None = None

    def listen(self, emit: Callable[[Line], None] | None) -> None:
        """Set a callback that receives every line sent to the table."""
        self._emit = emit

    @property
    def now(self) -> int:
        """Current simulated time in milliseconds."""
        return self._room.world.now

    def send(self, content: Line) -> None:
        """Send an input to the table, stamped with the current time."""
        line = {"at": self.now / 1000, **content}
        if self._emit:
            self._emit(line)
        try:
            answer = self._table.take(line)
        except Exception as crash:
            raise BrokenTableError(f"crash: {type(crash).__name__}: {crash}") from crash
        self._reports.hear(answer)
        self._heard()

    def run(self, until: Callable[[], bool], at_most_ms: int) -> bool:
        """Advance time until a condition holds. Return False if it does not hold within the time
        limit."""
        deadline = self.now + at_most_ms
        while not until():
            if self.now >= deadline:
                return False
            self._skip(deadline)
            self._step()
        return True

    def wait(self, ms: int) -> None:
        self.run(lambda: False, ms)

    def _step(self) -> None:
        room = self._room
        now = self.now + FRAME_MS
        room.world.advance(now)
        if room.commands:
            commands, room.commands = room.commands, []
            for each in commands:
                self.send(each)
            self._changed_at = now
        if room.sensors.look(now):
            self._changed_at = now
        for frame in room.sensors.heard:
            self.send({"board": frame.board, **write_details(frame.moments, frame.faint)})
        if room.sensors.heard:
            return
        if self._reports.due is not None and self._reports.due * 1000 <= now:
            self.send({"time": True})

    def _skip(self, deadline: int) -> None:
        """Skip the rest of a period during which nothing happens."""
        room, due = self._room, self._reports.due
        if self.now - self._changed_at < _QUIET_MS or room.sensors.is_settling:
            return
        target = deadline
        if room.world.next_at is not None:
            target = min(target, room.world.next_at)
        if due is not None:
            target = min(target, int(due * 1000))
        target -= _BEFORE_MS
        target -= (target - self.now) % FRAME_MS
        if target > self.now:
            room.world.advance(target)
            room.sensors.skip(target)
