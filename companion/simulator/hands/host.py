"""The wire between the board and the table: a frame every 20 ms, words, and time.

Where nothing can happen for long, time is skipped: the table hears nothing then, as nothing has
changed, and a few frames before it goes on.
"""

from collections.abc import Callable
from typing import Final

from companion.simulator.hands.contract import Line, Table
from companion.simulator.hands.hearing import BrokenTableError, Hearing
from companion.simulator.hands.room import Room
from companion.simulator.hands.sensors import FRAME_MS
from companion.table.process.finer import write_finer

_QUIET_MS: Final = 2500
"""How long every frame is sent after the latest change."""
_BEFORE_MS: Final = 200
"""How long frames are sent again before something happens."""


class Host:
    """Sends the frames of a room to a table and hears its answers."""

    def __init__(
        self, room: Room, table: Table, hearing: Hearing, heard: Callable[[], None]
    ) -> None:
        """Connect them; `heard` is called after each answer."""
        self._room, self._table, self._hearing = room, table, hearing
        self._heard = heard
        self._changed_at = 0
        self._tell: Callable[[Line], None] | None = None

    def listen(self, tell: Callable[[Line], None] | None) -> None:
        """Let somebody hear every line that goes to the table."""
        self._tell = tell

    @property
    def now(self) -> int:
        """What time it is, in milliseconds."""
        return self._room.world.now

    def send(self, content: Line) -> None:
        """Tell the table something, at this moment."""
        line = {"at": self.now / 1000, **content}
        if self._tell:
            self._tell(line)
        try:
            answer = self._table.take(line)
        except Exception as crash:
            raise BrokenTableError(f"crash: {type(crash).__name__}: {crash}") from crash
        self._hearing.hear(answer)
        self._heard()

    def run(self, until: Callable[[], bool], at_most_ms: int) -> bool:
        """Let time go by until something holds, and say whether it does."""
        deadline = self.now + at_most_ms
        while not until():
            if self.now >= deadline:
                return False
            self._skip(deadline)
            self._step()
        return True

    def wait(self, ms: int) -> None:
        """Let time go by."""
        self.run(lambda: False, ms)

    def _step(self) -> None:
        room = self._room
        now = self.now + FRAME_MS
        room.world.advance(now)
        if room.sayings:
            said, room.sayings = room.sayings, []
            for each in said:
                self.send(each)
            self._changed_at = now
        if room.sensors.look(now):
            self._changed_at = now
        for frame in room.sensors.heard:
            self.send({"board": frame.board, **write_finer(frame.moments, frame.faint)})
        if room.sensors.heard:
            return
        if self._hearing.due is not None and self._hearing.due * 1000 <= now:
            self.send({"time": True})

    def _skip(self, deadline: int) -> None:
        """Skip what is left of a time in which nothing happens."""
        room, due = self._room, self._hearing.due
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
