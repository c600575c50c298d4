"""Protocol state of one open port, without I/O: bytes and timestamps in, events out."""

from typing import Final

from firmware_bridge.link.events import (
    Connected,
    Event,
    OtherProtocol,
    Received,
    Statistics,
    Trouble,
    TroubleKind,
)
from firmware_bridge.wire import (
    FROM_BOARD,
    PROTOCOL,
    BadFrame,
    BoardMessage,
    Decoder,
    Encoder,
    ForeignHello,
    Hello,
    HostCommand,
    Identify,
)

IDENTIFY_SECONDS: Final = 0.5
"""Interval between two IDENTIFY commands. A Nano resets when its port is opened, and its boot
loader, which swallows unknown input, runs for up to two seconds."""
SAMPLE_BYTES: Final = 40
"""Maximum number of invalid bytes that are shown in an error report."""


class Conversation:
    """Protocol state of one open port. Time is passed in, in seconds of any clock.

    Not thread-safe: it belongs to one thread.
    """

    def __init__(self, port: str, statistics: Statistics, silent: bool, now: float) -> None:
        self._port = port
        self._statistics = statistics
        self._silent = silent
        """Whether the board was silent before: in that case a HELLO alone does not end the
        trouble."""
        self._opened = self._heard = now
        self._asked = -float("inf")
        self._hello: Hello | None = None
        self._foreign: ForeignHello | None = None
        self._frames = 0
        self._sample = b""
        self._encoder = Encoder()
        self._unsent = b""
        self._decoder = Decoder(FROM_BOARD)

    @property
    def is_connected(self) -> bool:
        """Whether the board has identified itself and is sending."""
        return self._hello is not None and not (self._silent or self._foreign)

    def say(self, command: HostCommand) -> bool:
        """Queue a command for sending; False if the board does not count as connected."""
        if not self.is_connected:
            return False
        self._unsent += self._encoder.encode(command)
        if isinstance(command, Identify):
            self._asked = -float("inf")  # always report the reply, also if nothing changed
        return True

    def unsent(self, now: float) -> bytes:
        """Return the bytes to send now, if any: queued commands, or an IDENTIFY."""
        if not self._hello and now - self._asked >= IDENTIFY_SECONDS:
            self._asked = now
            self._unsent += self._encoder.encode(Identify())
        unsent, self._unsent = self._unsent, b""
        return unsent

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Process received bytes and return the resulting events."""
        if len(self._sample) < SAMPLE_BYTES:
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
                # An identical HELLO shortly after a second IDENTIFY is the reply to the first one.
                late = message == self._hello and now - self._asked < IDENTIFY_SECONDS
                self._hello = message
                return [] if late or self._silent else [Connected(self._port, message)]
            case _:
                if not self._hello:
                    return []
                again = [Connected(self._port, self._hello)] if self._silent else []
                self._silent = False
                return [*again, Received(message)]

    def trouble(self, now: float, hello_seconds: float, silent_seconds: float) -> Trouble | None:
        """Return the trouble at this time, or None as long as the connection may still succeed."""
        if self._foreign:
            other = OtherProtocol(self._foreign.protocol, PROTOCOL)
            return Trouble(TroubleKind.WRONG_FIRMWARE, self._port, other)
        if self._hello:
            patience = hello_seconds if self._silent else silent_seconds
            if now - self._heard <= patience:
                return None
            return Trouble(TroubleKind.SILENT, self._port, f"no frame for {patience} s")
        if now - self._opened <= hello_seconds:
            return None
        if self._frames:
            detail = f"{self._frames} frames in {hello_seconds} s, but no HELLO"
            return Trouble(TroubleKind.WRONG_FIRMWARE, self._port, detail)
        if self._sample:
            detail = f"no frames but {self._sample!r}"
            return Trouble(TroubleKind.GARBAGE, self._port, detail)
        return Trouble(TroubleKind.NO_ANSWER, self._port, f"nothing for {hello_seconds} s")
