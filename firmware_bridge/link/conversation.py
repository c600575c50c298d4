"""What is said on one open port, without the port: bytes and moments in, events out."""

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
"""From one IDENTIFY to the next. A Nano resets when its port is opened, and its boot loader, which
swallows what it does not understand, runs for up to two seconds."""
SAMPLE_BYTES: Final = 40
"""How much of what is no frame is shown to people."""


class Conversation:
    """What has been said on one open port. Time is passed in, as seconds of any clock.

    It belongs to one thread.
    """

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
        self._encoder = Encoder()
        self._unsent = b""
        self._decoder = Decoder(FROM_BOARD)

    @property
    def is_connected(self) -> bool:
        """Whether the board has said who it is, and speaks."""
        return self._hello is not None and not (self._silent or self._foreign)

    def say(self, command: HostCommand) -> bool:
        """Have a command sent; False if the board does not count as connected."""
        if not self.is_connected:
            return False
        self._unsent += self._encoder.encode(command)
        if isinstance(command, Identify):
            self._asked = -float("inf")  # whoever asks is told, also if nothing has changed
        return True

    def unsent(self, now: float) -> bytes:
        """What to send now, if anything: commands, or the question who is there."""
        if not self._hello and now - self._asked >= IDENTIFY_SECONDS:
            self._asked = now
            self._unsent += self._encoder.encode(Identify())
        unsent, self._unsent = self._unsent, b""
        return unsent

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Take in what has come and return what there is to tell of it."""
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
                # The same again shortly after a question answers the question before it.
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
        """What is wrong by now, None as long as it may still come right."""
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
