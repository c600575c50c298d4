"""The connection to a board: finds its port, keeps it open, and gets it back when it is lost.

A thread of its own opens the port, asks the board who it is and passes on what it says, as events.
Nothing that happens to a cable ends that thread: every error of the port becomes a `Trouble`, and
the link goes on trying until it is stopped. This is the only module that knows pyserial.
"""

import errno
import logging
import termios
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from threading import Event as Flag
from threading import Lock, Thread, current_thread
from typing import Final, Self, TypeAlias, TypeVar

import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from firmware_bridge.wire import (
    BAUD,
    FROM_BOARD,
    PROTOCOL,
    BadFrame,
    BoardMessage,
    Decoder,
    Encoder,
    Fault,
    ForeignHello,
    Hello,
    HostCommand,
    Identify,
    Learned,
    Raw,
    State,
    Status,
)

IDENTIFY_SECONDS: Final = 0.5
"""From one IDENTIFY to the next. A Nano resets when its port is opened, and its boot loader, which
swallows what it does not understand, runs for up to two seconds."""
READ_SECONDS: Final = 0.05
"""How long a read waits for a byte: so soon is a silence, or a stop, noticed."""
WRITE_SECONDS: Final = 0.1
"""How long a write may wait for a port that takes nothing."""
STOP_SECONDS: Final = 0.25
"""How long `Link.stop` waits for the thread."""
SAMPLE_BYTES: Final = 40
"""How much of what is no frame is shown to people."""

ARDUINO_VENDORS: Final = frozenset({0x2341, 0x2A03})
CLONE_DEVICES: Final = frozenset(
    {(0x0403, 0x6001), (0x1A86, 0x7523), (0x1A86, 0x55D4), (0x10C4, 0xEA60)}
)
"""Vendor and product of the USB adapters on the Nano and its clones: FTDI FT232R, WCH CH340 and
CH9102, Silicon Labs CP210x."""

_PORT_ERRORS: Final = (OSError, termios.error, ValueError)
"""What pyserial lets through: its own errors are OSErrors, bad settings are ValueErrors."""

_logger = logging.getLogger(__name__)
_Told = TypeVar("_Told")


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

    message: State | Fault | Raw | Learned | Status


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something keeps the link from hearing a board: said once, when it begins.

    It is over with the next `Connected`. Trouble that only follows from this one is not reported:
    that an unplugged port does not exist, or that a silent board does not answer.
    """

    kind: TroubleKind
    port: str | None
    """The port concerned, None if there is none."""
    detail: str
    """The words of the operating system, or what exactly was seen; for experts."""


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


class NotConnectedError(Exception):
    """There is no board to send a command to; nothing has been sent."""


def candidates(ports: Iterable[ListPortInfo]) -> list[str]:
    """Return the names of those ports that may be a board, by what their USB adapters are."""
    return sorted(
        port.device
        for port in ports
        if port.vid in ARDUINO_VENDORS or (port.vid, port.pid) in CLONE_DEVICES
    )


def find_ports() -> list[str]:
    """Return the names of the ports of this computer that may be a board."""
    return candidates(list_ports.comports())


def try_port(port: str) -> Trouble | None:
    """Open a port and close it again; returns what keeps it from being opened.

    For whoever wants to give it to another program, which would say so less plainly.
    """
    opened = _open(port)
    if isinstance(opened, Trouble):
        return opened
    _close(opened)
    return None


class Link:
    """Listens to a board from a thread of its own and calls `on_event` from that thread.

    Without a `port` the link tries each that `find` returns until a board answers. Whatever fails
    is tried again after `retry_seconds`. A port is given `hello_seconds` to say who it is, a
    connected board `silent_seconds` from one frame to the next.

    `record` is called, from the same thread, with every byte that comes, as it comes: with those of
    every port that is tried, and with those that make no frame.

    An `on_event` or `record` that raises is logged, and the link goes on. A link runs once: use it
    in ``with``, or call `start` and `stop`.
    """

    def __init__(
        self,
        on_event: Callable[[Event], None],
        port: str | None = None,
        *,
        retry_seconds: float = 1.0,
        hello_seconds: float = 3.0,
        silent_seconds: float = 1.0,
        find: Callable[[], list[str]] = find_ports,
        record: Callable[[bytes], None] | None = None,
    ) -> None:
        self.statistics = Statistics()
        self._on_event = on_event
        self._record = record
        self._retry_seconds = retry_seconds
        self._hello_seconds = hello_seconds
        self._silent_seconds = silent_seconds
        self._find = find if port is None else lambda: [port]
        self._conversation: _Conversation | None = None
        self._before: set[tuple[TroubleKind, str | None]] = set()
        """The troubles of the last round of tries."""
        self._now: set[tuple[TroubleKind, str | None]] = set()
        """Those of this round so far."""
        self._stopping = Flag()
        self._thread = Thread(target=self._run, name="board link", daemon=True)

    def start(self) -> None:
        """Begin to look for a board; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread, within 0.3 seconds; no event comes after that."""
        self._stopping.set()
        if self._thread.is_alive() and self._thread is not current_thread():
            self._thread.join(STOP_SECONDS)

    def send(self, command: HostCommand) -> None:
        """Say something to the board that is connected; returns at once, from any thread.

        Whether it arrives, only an answer can tell. Raises NotConnectedError between a `Trouble`
        and the next `Connected`, LocalProtocolError if the command cannot be sent.
        """
        conversation = self._conversation
        if not conversation:
            raise NotConnectedError("no board is connected")
        conversation.say(command)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        self._emit(Searching())
        while not self._stopping.is_set():
            self._now = set()
            self._try_every_port()
            self._before = self._now
            self._stopping.wait(self._retry_seconds)

    def _try_every_port(self) -> None:
        try:
            ports, detail = self._find(), "no USB adapter of a board is plugged in"
        except OSError as error:  # an adapter that goes while it is looked at
            ports, detail = [], str(error)
        if not ports:
            self._report(Trouble(TroubleKind.NO_BOARD, None, detail))
        for port in ports:
            trouble = self._serve(port)
            if trouble:
                self._report(trouble)

    def _serve(self, port: str) -> Trouble | None:
        """Talk on one port until that fails, or until the link is stopped: None."""
        line = _open(port)
        if isinstance(line, Trouble):
            return line
        try:
            return self._converse(line, port)
        except serial.SerialTimeoutException as error:
            return Trouble(TroubleKind.NO_ANSWER, port, str(error))
        except _PORT_ERRORS as error:
            return Trouble(TroubleKind.UNPLUGGED, port, str(error))
        finally:
            self._conversation = None
            _close(line)

    def _converse(self, line: serial.Serial, port: str) -> Trouble | None:
        silent = (TroubleKind.SILENT, port) in self._before
        conversation = _Conversation(port, self.statistics, silent, time.monotonic())
        self._conversation = conversation
        while not self._stopping.is_set():
            unsent = conversation.unsent(time.monotonic())
            if unsent:
                line.write(unsent)
            data = line.read(1)
            if data:
                data += line.read(line.in_waiting)
                self._tell(self._record, data)
            for event in conversation.receive(data, time.monotonic()):
                self._emit(event)
            trouble = conversation.trouble(
                time.monotonic(), self._hello_seconds, self._silent_seconds
            )
            if trouble:
                return trouble
        return None

    def _report(self, trouble: Trouble) -> None:
        cause = _FOLLOWS_FROM.get(trouble.kind)
        for kind, port in self._before:
            again = (kind, port) == (trouble.kind, trouble.port)
            if again or (kind is cause and trouble.port in (port, None)):
                self._now.add((kind, port))
                return
        self._now.add((trouble.kind, trouble.port))
        self._emit(trouble)

    def _emit(self, event: Event) -> None:
        if isinstance(event, Connected):
            self._before.clear()
            self._now.clear()
        self._tell(self._on_event, event)

    def _tell(self, listener: Callable[[_Told], None] | None, told: _Told) -> None:
        if not listener or self._stopping.is_set():
            return
        try:
            listener(told)
        except Exception:
            _logger.exception("whoever listens to the link failed at %s", told)


_FOLLOWS_FROM: Final = {
    TroubleKind.NO_SUCH_PORT: TroubleKind.UNPLUGGED,
    TroubleKind.NO_BOARD: TroubleKind.UNPLUGGED,
    TroubleKind.NO_ANSWER: TroubleKind.SILENT,
}
"""Trouble that says nothing new after another."""


def _open(port: str) -> serial.Serial | Trouble:
    try:
        return serial.Serial(
            port, BAUD, exclusive=True, timeout=READ_SECONDS, write_timeout=WRITE_SECONDS
        )
    except _PORT_ERRORS as error:
        return Trouble(_why_closed(error), port, str(error))


def _why_closed(error: Exception) -> TroubleKind:
    match getattr(error, "errno", None):
        case errno.EACCES | errno.EPERM:
            return TroubleKind.NO_PERMISSION
        case errno.EBUSY | errno.EAGAIN:  # opened exclusively; locked
            return TroubleKind.BUSY
        case _:
            return TroubleKind.NO_SUCH_PORT


def _close(line: serial.Serial) -> None:
    with suppress(*_PORT_ERRORS):
        line.reset_output_buffer()  # or closing waits until everything written has gone out
    with suppress(*_PORT_ERRORS):
        line.close()


class _Conversation:
    """What has been said on one open port. Time is passed in, as seconds of any clock."""

    def __init__(self, port: str, statistics: Statistics, silent: bool, now: float) -> None:
        self._port = port
        self._statistics = statistics
        self._silent = silent
        """Whether the board fell silent before: then a HELLO alone does not make up for it."""
        self._opened = self._heard = now
        self._asked = -float("inf")
        self._hello: Hello | None = None
        self._foreign: ForeignHello | None = None
        self._frames = 0
        self._sample = b""
        self._lock = Lock()
        """Guards the two below: commands come from any thread."""
        self._encoder = Encoder()
        self._unsent = b""
        self._decoder = Decoder(FROM_BOARD)

    def say(self, command: HostCommand) -> None:
        """Have a command sent; NotConnectedError if the board does not count as connected."""
        if not self._hello or self._silent or self._foreign:
            raise NotConnectedError(f"the board on {self._port} has not said who it is")
        with self._lock:
            self._unsent += self._encoder.encode(command)
        if isinstance(command, Identify):
            self._asked = -float("inf")  # whoever asks is told, also if nothing has changed

    def unsent(self, now: float) -> bytes:
        """What to send now, if anything: commands, or the question who is there."""
        with self._lock:
            if not self._hello and now - self._asked >= IDENTIFY_SECONDS:
                self._asked = now
                self._unsent += self._encoder.encode(Identify())
            unsent, self._unsent = self._unsent, b""
        return unsent

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Take in what has come and return what there is to tell of it."""
        self._sample += data[: SAMPLE_BYTES - len(self._sample)]
        lost = self._decoder.lost
        found = self._decoder.receive(data)
        messages = [each for each in found if not isinstance(each, BadFrame)]
        self._frames += len(messages)
        self._statistics.received_bytes += len(data)
        self._statistics.frames += len(messages)
        self._statistics.bad_frames += len(found) - len(messages)
        self._statistics.lost += self._decoder.lost - lost
        if messages:
            self._heard = now
        return [event for message in messages for event in self._events(message, now)]

    def _events(self, message: BoardMessage, now: float) -> list[Event]:
        if self._foreign:
            return []
        match message:
            case ForeignHello():
                self._foreign = message
                return []
            case Hello():
                # The same again shortly after a question answers the question before it.
                late = message == self._hello and now - self._asked < IDENTIFY_SECONDS
                self._hello = message
                return [] if late or self._silent else [Connected(self._port, message)]
            case State() | Fault() | Raw() | Learned() | Status():
                if not self._hello:
                    return []
                again = [Connected(self._port, self._hello)] if self._silent else []
                self._silent = False
                return [*again, Received(message)]

    def trouble(self, now: float, hello_seconds: float, silent_seconds: float) -> Trouble | None:
        """What is wrong by now, None as long as it may still come right."""
        if self._foreign:
            detail = f"it speaks protocol {self._foreign.protocol} instead of {PROTOCOL}"
            return Trouble(TroubleKind.WRONG_FIRMWARE, self._port, detail)
        if self._hello:
            patience = hello_seconds if self._silent else silent_seconds
            kind, detail = TroubleKind.SILENT, f"no frame for {patience} s"
            return Trouble(kind, self._port, detail) if now - self._heard > patience else None
        if now - self._opened <= hello_seconds:
            return None
        if self._frames:
            detail = f"{self._frames} frames in {hello_seconds} s, but no HELLO"
            return Trouble(TroubleKind.WRONG_FIRMWARE, self._port, detail)
        if self._sample:
            detail = f"no frames but {self._sample!r}"
            return Trouble(TroubleKind.GARBAGE, self._port, detail)
        return Trouble(TroubleKind.NO_ANSWER, self._port, f"nothing for {hello_seconds} s")
