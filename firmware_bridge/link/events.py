"""Events that a link reports about a board."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from firmware_bridge.wire import Hello, Told


class TroubleKind(Enum):
    """Reasons for which the link receives nothing from a board. It retries in every case."""

    NO_BOARD = "no board"
    """No serial port looks like a board's: nothing is plugged in, or the cable carries no data. The
    simulated board and everything that needs no board still work."""
    NO_SUCH_PORT = "no such port"
    """The configured port does not exist, or is not a serial port. Other ports are not tried: the
    link searches only if no port is configured."""
    BUSY = "busy"
    """Another program has opened the port exclusively. The board is there and unharmed; the link
    takes over as soon as that program closes the port."""
    NO_PERMISSION = "no permission"
    """This user may not open the port: the udev rule is missing, or membership of the port's group.
    The link connects as soon as the permission is granted, without a restart of the program."""
    WRONG_FIRMWARE = "wrong firmware"
    """A board answers in another protocol than ours, or never identifies itself. Its messages are
    discarded. After the link is stopped, the board can be flashed over the same port."""
    NO_ANSWER = "no answer"
    """The port is open and no byte has been received: another device, a board without firmware, or
    one that hangs. Reopening the port resets a Nano, so the next attempt may succeed."""
    GARBAGE = "garbage"
    """Bytes are received, but none form a frame: another device, other firmware or another
    speed."""
    SILENT = "silent"
    """The board was connected and has sent nothing for a while. The last known position is kept;
    moves made in between are detected when it sends again. The port is reopened, which resets a
    Nano; the board counts as connected as soon as it sends its squares."""
    UNPLUGGED = "unplugged"
    """The port failed while it was open: the cable was pulled, or the adapter failed. Handled like
    `SILENT`; plugging it in again is enough, also at another socket if the link searches."""


@dataclass(frozen=True, slots=True)
class Searching:
    """The link has started and searches for a board: always the first event."""


@dataclass(frozen=True, slots=True)
class Connected:
    """A board of ours has identified itself: for the first time, again, or after a restart."""

    port: str
    hello: Hello


@dataclass(frozen=True, slots=True)
class Received:
    """A message from a connected board."""

    message: Told


@dataclass(frozen=True, slots=True)
class OtherProtocol:
    """A board uses another version of the protocol than this program."""

    theirs: int
    ours: int

    def __str__(self) -> str:
        return f"it speaks protocol {self.theirs} instead of {self.ours}"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something prevents the link from receiving from a board: reported once, when it begins.

    It ends with the next `Connected`. Trouble that only follows from this one is not reported: that
    an unplugged port does not exist, or that a silent board does not answer.
    """

    kind: TroubleKind
    port: str | None
    """The port concerned, if any."""
    detail: str | OtherProtocol
    """Details. A value if the user interface describes them to players; otherwise, for makers only,
    the message of the operating system or the exact observation. As a string it is one line in
    English."""


Event: TypeAlias = Searching | Connected | Received | Trouble


@dataclass(slots=True)
class Statistics:
    """Reception statistics of a link since it was started. Updated while the link runs."""

    received_bytes: int = 0
    frames: int = 0
    bad_frames: int = 0
    """Number of invalid frames; one at the start is usual, when opening the port truncates a
    frame."""
    lost: int = 0
    """Number of frames that never arrived, from the gaps in their numbers."""
