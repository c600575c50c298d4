"""Simulated board with a cable, but without a port or threads.

Frames, cable and link protocol are real, and time passes only on demand. After being blocked, the
program finds all frames that have arrived in the meantime. Frames that repeat the image are created
only when the program reads them, and only if they matter.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from random import Random
from typing import Final

from companion.core.inputs import BoardFound, BoardLost, BoardSeen, Input
from companion.devices.live_board import BoardInputs
from engine.board.geometry import SquareSet
from firmware_bridge import wire
from firmware_bridge.link import Connected, LinkError, LinkErrorKind, Statistics
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.link.connection import Connection
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import FirmwareModel

# Cable between board and computer, with random damage, loss and duplication

_OFTEN: Final = 0.4
"""Probability that a faulty cable affects a frame."""
_LONGEST_NOISE: Final = 60


class CableFault(Enum):
    DAMAGES = auto()
    """Bits are flipped."""
    LOSES = auto()
    """Frames are lost."""
    DOUBLES = auto()
    """Frames arrive twice."""
    ADDS_NOISE = auto()
    """Random bytes are inserted."""
    CUTS = auto()
    """Only the beginning of a frame arrives."""


class Cable:
    def __init__(self, dice: Random) -> None:
        """At first, the cable has no fault. `dice` determines the effects of later faults."""
        self.fault: CableFault | None = None
        self._dice = dice

    def carry(self, frame: bytes) -> bytes:
        """Return the bytes that arrive for a frame."""
        if self.fault is None or self._dice.random() >= _OFTEN:
            return frame
        match self.fault:
            case CableFault.DAMAGES:
                damaged = bytearray(frame)
                for _ in range(self._dice.randint(1, 8)):
                    damaged[self._dice.randrange(len(frame))] ^= 1 << self._dice.randrange(8)
                return bytes(damaged)
            case CableFault.LOSES:
                return b""
            case CableFault.DOUBLES:
                return frame + frame
            case CableFault.CUTS:
                return frame[: self._dice.randrange(len(frame))]
        return self._dice.randbytes(self._dice.randint(1, _LONGEST_NOISE)) + frame


PORT: Final = "simulated"
HELLO_SECONDS: Final = 3.0
SILENT_SECONDS: Final = 1.0
"""Time-out of the link in seconds, as on a real port."""
NEARLY: Final = 1e-8
"""Tolerance for sums of times in seconds."""


@dataclass(frozen=True, slots=True)
class _Repeated:
    """Image of the board, and the number of frames that repeat it."""

    seen: BoardSeen
    frames: int

    def due_frames(self, idle_until: Callable[[], float]) -> Iterator[BoardSeen]:
        """Yield the repeated frames that the program has to read, without those before
        `idle_until()`."""
        due = idle_until() - NEARLY
        for number in range(1, self.frames + 1):
            at = self.seen.at + number * wire.STATE_INTERVAL_MS / 1000
            if at >= due:
                yield replace(self.seen, at=at)
                due = idle_until() - NEARLY


class DirectBoard:
    """Board that can be plugged in and unplugged."""

    simulated = None
    """Always None. As on a real board, pieces are moved by hand, not by the program."""
    simulated_port = None

    def __init__(
        self,
        board: SimulatedBoard,
        cable: Cable,
        clock: Callable[[], float],
        idle_until: Callable[[], float] = lambda: -math.inf,
    ) -> None:
        """Connect a board to a cable.

        `clock` is the program's clock. Until `idle_until`, repeated frames do not matter.
        """
        self.error: LinkError | None = None
        self.statistics = Statistics()
        self.lit: SquareSet = 0
        """Squares whose edge lamps are lit."""
        self._board, self._firmware_model = board, FirmwareModel(board)
        self._cable, self._clock = cable, clock
        self._idle_until = idle_until
        self._inputs = BoardInputs()
        self._waiting: list[Input | _Repeated] = []
        self._shown: BoardSeen | None = None
        """Latest frame of the connected board."""
        self._conversation: Connection | None = None
        self.plug_in()

    @property
    def connected(self) -> Connected | None:
        """HELLO message of the connected board, or None."""
        return self._inputs.connected

    @property
    def is_plugged_in(self) -> bool:
        return self._conversation is not None

    def plug_in(self) -> None:
        """Plug in the cable, which starts the board."""
        self._open(wire.ResetCause.POWER_ON)

    def unplug(self) -> None:
        self._conversation = None
        self._take(LinkError(LinkErrorKind.UNPLUGGED, PORT, "pulled out"))

    def restart(self, cause: wire.ResetCause) -> None:
        if self._conversation:
            self._hear(self._firmware_model.start(cause))

    def reconnect(self, clock: Callable[[], float]) -> None:
        """Connect to a new process of the program."""
        self._clock, self._inputs = clock, BoardInputs()
        self._waiting, self._shown, self.error = [], None, None
        if self._conversation:
            self._open(wire.ResetCause.EXTERNAL)

    def tick(self) -> None:
        """Advance the time by one frame."""
        frames = self._firmware_model.tick()
        if self._conversation is None:
            return
        now = self._clock()
        if unsent := self._conversation.bytes_to_send(now):
            frames = [*self._answers(unsent), *frames]
        for frame in frames:
            self._hear(frame)
        error = self._conversation.error(now, HELLO_SECONDS, SILENT_SECONDS)
        if error:
            self._take(error)
            self._open(wire.ResetCause.EXTERNAL, silent=error.kind is LinkErrorKind.SILENT)

    @property
    def repeats(self) -> bool:
        """Whether the next frame repeats the latest one."""
        return self._shown is not None and self._shown.image == self._board.image()

    def advance(self, milliseconds: int, *, is_late: bool) -> None:
        """Advance time while every frame is the same as the latest one.

        Later, the program reads these frames only if it was blocked meanwhile (`is_late`).
        """
        if is_late and self._shown:
            again = BoardSeen(self._clock(), self._shown.image, faint=self._shown.faint)
            self._waiting.append(_Repeated(again, milliseconds // wire.STATE_INTERVAL_MS))
        self._firmware_model.advance(milliseconds)

    @property
    def steady_ms(self) -> int:
        """Time in milliseconds for which all frames are certain to be identical if nobody touches
        the board."""
        return self._firmware_model.steady_ms

    def poll(self) -> Iterator[Input]:
        """Yield the inputs since the last call, oldest first."""
        came, self._waiting = self._waiting, []
        for each in came:
            if isinstance(each, _Repeated):
                yield from each.due_frames(self._idle_until)
            else:
                yield each

    def wait(self, seconds: float) -> None:
        """Return immediately."""

    def watch(self, watcher: Callable[[float, LinkEvent], None] | None) -> None:
        """Do nothing, because this board offers no maintenance functions."""

    def send(self, command: wire.HostCommand) -> bool:
        """Send a command. Return False if no board is connected."""
        return self._conversation is not None and self._conversation.send(command)

    def release_port(self) -> None:
        """Do nothing, because no other program uses this board."""

    def reopen(self) -> None:
        """Do nothing, because the board was never released."""

    def set_field_polling(self, *, seeks: bool) -> None:
        """Do nothing, because every piece is detected."""

    def set_lamps(self, squares: SquareSet) -> None:
        """Light exactly the given edge lamps."""
        if squares != self.lit and self.send(wire.Lamps(squares)):
            self.lit = squares

    def _open(self, cause: wire.ResetCause, *, silent: bool = False) -> None:
        """Open the port, which restarts a Nano."""
        now, self._shown = self._clock(), None
        self._conversation = Connection(PORT, self.statistics, silent, now)
        self._decoder = wire.Decoder(wire.FROM_HOST)
        self._hear(self._firmware_model.start(cause))

    def _answers(self, data: bytes) -> list[bytes]:
        commands = (
            each for each in self._decoder.receive(data) if not isinstance(each, wire.BadFrame)
        )
        return [frame for command in commands for frame in self._firmware_model.answer(command)]

    def _hear(self, frame: bytes) -> None:
        assert self._conversation
        came = self._cable.carry(frame)
        if came:
            for event in self._conversation.receive(came, self._clock()):
                self._take(event)

    def _take(self, event: LinkEvent) -> None:
        if isinstance(event, Connected):
            self.error, self.lit = None, 0
        elif isinstance(event, LinkError):
            self.error = event
        for given in self._inputs.take(self._clock(), event):
            self._waiting.append(given)
            if isinstance(given, BoardSeen):
                self._shown = given
            elif isinstance(given, BoardFound | BoardLost):
                self._shown = None
