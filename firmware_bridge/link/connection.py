"""Events of a link, and the protocol state of one open port, without I/O."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from firmware_bridge import wire

# Events.


class LinkErrorKind(Enum):
    """Reasons why the link is not receiving from a board. The link always retries."""

    NO_BOARD = "no board"
    """No serial port looks like a board's: nothing is plugged in, or the cable only supplies power.
    The simulated board and all functions that need no board still work."""
    NO_SUCH_PORT = "no such port"
    """The configured port does not exist, or is not a serial port. Other ports are not tried,
    because the link searches only if no port is configured."""
    BUSY = "busy"
    """Another program has opened the port exclusively. The board itself may be fine, and the link
    connects as soon as that program closes the port.
    """
    NO_PERMISSION = "no permission"
    """The user has no permission to open the port: the udev rule is missing, or the user is not in
    the port's group. The link connects as soon as permission is granted, without restarting the
    program."""
    WRONG_FIRMWARE = "wrong firmware"
    """A board uses a different protocol, or never identifies itself. Its messages are discarded.
    Once the link has been stopped, the board can be flashed through the same port.
    """
    NO_ANSWER = "no answer"
    """The port is open, but no bytes arrive: the device is not a board, has no firmware, or has
    hung. Reopening the port resets a Nano, so the next attempt may succeed."""
    GARBAGE = "garbage"
    """Bytes arrive, but none form a frame: the device is not a board, or its firmware or its baud
    rate is wrong."""
    SILENT = "silent"
    """The board was connected but has sent nothing for a while. The last known position is kept,
    and moves made in the meantime are detected when the board starts sending again. The port is
    reopened, which resets a Nano. The board counts as connected as soon as it sends its squares.
    """
    UNPLUGGED = "unplugged"
    """The port failed while it was open, because the cable was pulled or the adapter failed.
    Handled like `SILENT`. Plugging the cable back in is sufficient. If no port is configured, the
    cable may be plugged into any socket.
    """


@dataclass(frozen=True, slots=True)
class Searching:
    """The link has started to search for a board. This is always the first event."""


@dataclass(frozen=True, slots=True)
class Connected:
    """A supported board has identified itself, on first contact or after a restart."""

    port: str
    hello: wire.Hello
    others: tuple[str, ...] = ()
    """Other ports that may belong to boards. The search has found them, but the link does not use
    them."""


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """A message from a connected board."""

    message: wire.BoardReport


@dataclass(frozen=True, slots=True)
class OtherProtocol:
    """A board uses a different protocol version from this program."""

    theirs: int
    ours: int

    def __str__(self) -> str:
        return f"it speaks protocol {self.theirs} instead of {self.ours}"


@dataclass(frozen=True, slots=True)
class LinkError:
    """The link cannot receive from a board. Emitted once. The error persists until `Connected`.

    Consequences of an error are not reported as further errors: for example, the port of an
    unplugged board no longer exists, and a silent board does not reply.
    """

    kind: LinkErrorKind
    port: str | None
    """Affected port, if any."""
    detail: str | OtherProtocol
    """Either a value that the user interface explains to players, or a line in English for makers.
    The line gives the operating system's message or the exact observation."""


Event: TypeAlias = Searching | Connected | MessageReceived | LinkError


@dataclass(slots=True)
class Statistics:
    """Reception statistics of a link since its start, updated while the link runs."""

    received_bytes: int = 0
    frames: int = 0
    bad_frames: int = 0
    """Number of invalid frames. One invalid frame at the start is normal, because the port is
    usually opened in the middle of a frame."""
    lost: int = 0
    """Number of lost frames, derived from gaps in the sequence numbers."""


# Protocol state.

IDENTIFY_SECONDS: Final = 0.5
"""Interval between IDENTIFY commands, in seconds. A Nano resets when its port is opened. Its boot
loader then runs for up to two seconds and discards unknown input.
"""
SAMPLE_BYTES: Final = 40
"""Maximum number of invalid bytes shown in an error report."""


class Connection:
    """Protocol state of one open port. Times are in seconds of an arbitrary clock.

    Not thread-safe: a connection belongs to one thread.
    """

    def __init__(self, port: str, statistics: Statistics, silent: bool, now: float) -> None:
        self._port = port
        self._statistics = statistics
        self._silent = silent
        """Whether the board was silent before the port was opened. If so, a HELLO alone does not
        clear the error."""
        self._opened = self._heard = now
        self._asked = -float("inf")
        self._hello: wire.Hello | None = None
        self._foreign: wire.ForeignHello | None = None
        self._frames = 0
        self._sample = b""
        self._encoder = wire.Encoder()
        self._unsent = b""
        self._decoder = wire.Decoder(wire.FROM_BOARD)

    @property
    def is_connected(self) -> bool:
        """Whether the board has identified itself and is sending data."""
        return self._hello is not None and not (self._silent or self._foreign)

    def send(self, command: wire.HostCommand) -> bool:
        """Queue a command for sending. Returns False if the board is not connected."""
        if not self.is_connected:
            return False
        self._unsent += self._encoder.encode(command)
        if isinstance(command, wire.Identify):
            self._asked = -float("inf")  # always report the reply, even if nothing has changed
        return True

    def bytes_to_send(self, now: float) -> bytes:
        """Return any bytes to send now: queued commands, or an IDENTIFY."""
        if not self._hello and now - self._asked >= IDENTIFY_SECONDS:
            self._asked = now
            self._unsent += self._encoder.encode(wire.Identify())
        unsent, self._unsent = self._unsent, b""
        return unsent

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Process received bytes and return the resulting events."""
        if len(self._sample) < SAMPLE_BYTES:
            self._sample += data[: SAMPLE_BYTES - len(self._sample)]
        lost = self._decoder.lost
        found = self._decoder.receive(data)
        messages = [each for each in found if not isinstance(each, wire.BadFrame)]
        self._frames += len(messages)
        self._statistics.received_bytes += len(data)
        self._statistics.frames += len(messages)
        self._statistics.bad_frames += len(found) - len(messages)
        self._statistics.lost += self._decoder.lost - lost
        if messages:
            self._heard = now
        return [event for message in messages for event in self._events(message, now)]

    def _events(self, message: wire.BoardMessage, now: float) -> list[Event]:
        if self._foreign:
            return []
        match message:
            case wire.ForeignHello():
                self._foreign = message
                return []
            case wire.Hello():
                # If an identical HELLO arrives shortly after a second IDENTIFY, it is the reply to
                # the first one.
                late = message == self._hello and now - self._asked < IDENTIFY_SECONDS
                self._hello = message
                return [] if late or self._silent else [Connected(self._port, message)]
            case _:
                if not self._hello:
                    return []
                again = [Connected(self._port, self._hello)] if self._silent else []
                self._silent = False
                return [*again, MessageReceived(message)]

    def error(self, now: float, hello_seconds: float, silent_seconds: float) -> LinkError | None:
        """Return the current error, or None while the connection attempt may still succeed."""
        if self._foreign:
            other = OtherProtocol(self._foreign.protocol, wire.PROTOCOL)
            return LinkError(LinkErrorKind.WRONG_FIRMWARE, self._port, other)
        if self._hello:
            patience = hello_seconds if self._silent else silent_seconds
            if now - self._heard <= patience:
                return None
            return LinkError(LinkErrorKind.SILENT, self._port, f"no frame for {patience} s")
        if now - self._opened <= hello_seconds:
            return None
        if self._frames:
            detail = f"{self._frames} frames in {hello_seconds} s, but no HELLO"
            return LinkError(LinkErrorKind.WRONG_FIRMWARE, self._port, detail)
        if self._sample:
            detail = f"no frames but {self._sample!r}"
            return LinkError(LinkErrorKind.GARBAGE, self._port, detail)
        return LinkError(LinkErrorKind.NO_ANSWER, self._port, f"nothing for {hello_seconds} s")
