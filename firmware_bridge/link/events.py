"""What a link tells of a board."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from firmware_bridge.wire import Hello, Told


class TroubleKind(Enum):
    """What keeps the link from hearing a board. In every case it goes on trying."""

    NO_BOARD = "no board"
    """No serial port looks like a board's: nothing is plugged in, or the cable carries no data.
    The simulated board and everything that needs no board still work."""
    NO_SUCH_PORT = "no such port"
    """The port that was asked for does not exist, or is no serial port. Other ports are not tried:
    without a name the link would search."""
    BUSY = "busy"
    """Another program has the port open for itself. The board is there and unharmed; the link takes
    over as soon as that program lets go."""
    NO_PERMISSION = "no permission"
    """This user may not open the port: the udev rule is missing, or membership of the port's group.
    As soon as the permission is given the link connects, without a restart of the program."""
    WRONG_FIRMWARE = "wrong firmware"
    """A board answers, in another protocol than ours or without ever saying who it is. Nothing that
    it says is passed on. Once the link is stopped, it can be flashed over the same port."""
    NO_ANSWER = "no answer"
    """The port is open and not a byte has come: something else than a board, a board without
    firmware, or one that hangs. Opening the port again resets a Nano, so the next try may do."""
    GARBAGE = "garbage"
    """Bytes come and none of them make a frame: another device, another firmware, another speed."""
    SILENT = "silent"
    """The board was connected, and has said nothing for a while. What stood on the board when it
    was last heard is still known; moves made since are seen when it speaks again. The port is
    opened anew, which resets a Nano; the board counts as connected when it shows its squares."""
    UNPLUGGED = "unplugged"
    """The port failed while it was open: the cable was pulled, or the adapter failed. As `SILENT`;
    plugging it in again is enough, also at another socket if the link searches."""


@dataclass(frozen=True, slots=True)
class Searching:
    """The link has started and looks for a board: the first event of all."""


@dataclass(frozen=True, slots=True)
class Connected:
    """A board of ours has said who it is: for the first time, again, or because it restarted."""

    port: str
    hello: Hello


@dataclass(frozen=True, slots=True)
class Received:
    """What a connected board says."""

    message: Told


@dataclass(frozen=True, slots=True)
class OtherProtocol:
    """A board speaks another version of the protocol than this program."""

    theirs: int
    ours: int

    def __str__(self) -> str:
        return f"it speaks protocol {self.theirs} instead of {self.ours}"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something keeps the link from hearing a board: said once, when it begins.

    It is over with the next `Connected`. Trouble that only follows from this one is not reported:
    that an unplugged port does not exist, or that a silent board does not answer.
    """

    kind: TroubleKind
    port: str | None
    """The port concerned, None if there is none."""
    detail: str | OtherProtocol
    """What a player is told in words, as a value; else, for makers alone, the words of the
    operating system or what exactly was seen. As a string it is a line in English."""


Event: TypeAlias = Searching | Connected | Received | Trouble


@dataclass(slots=True)
class Statistics:
    """How well a link hears, added up since it was started. Grows while the link runs."""

    received_bytes: int = 0
    frames: int = 0
    bad_frames: int = 0
    """What was no frame of ours; one at the start is usual, when a frame is cut by the opening."""
    lost: int = 0
    """Frames that never came, by the gaps in their numbers."""
