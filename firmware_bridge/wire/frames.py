"""Frames: COBS(type, sequence number, body, CRC-16), followed by a zero byte."""

import struct
from binascii import crc_hqx
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, TypeAlias

from cobs import cobs  # type: ignore[import-untyped]  # ships no types

from firmware_bridge.wire.bodies import FROM_EITHER, Message, Readers, pack
from firmware_bridge.wire.messages import BoardMessage, HostCommand, MessageType, is_from_host

MAX_FRAME: Final = 64
"""Maximum length of a frame in bytes, including the zero byte."""
FRAME_END: Final = b"\0"
_SHORTEST_PAYLOAD: Final = 4
"""Minimum length of a payload in bytes: type, sequence number and checksum."""
CRC_START: Final = 0xFFFF
"""Initial CRC value. With polynomial 0x1021 it gives CRC-16/IBM-3740 (``_crc_xmodem_update`` in
avr-libc)."""


class FrameError(Enum):
    """Reasons why bytes are not a valid frame."""

    TOO_LONG = "longer than a frame can be"
    BAD_ENCODING = "not COBS"
    TOO_SHORT = "too short for a frame"
    BAD_CHECKSUM = "the checksum does not match"
    UNKNOWN_TYPE = "a type that is not sent in this direction"
    BAD_LENGTH = "the wrong length for its type"
    BAD_VALUE = "a number without a meaning"


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes between two zeros that do not form a valid frame."""

    reason: FrameError
    data: bytes
    """The received bytes without the zero byte, truncated to the first 64."""


class LocalProtocolError(ValueError):
    """The local side has sent, or tried to send, something that the protocol does not allow."""


class Encoder:
    """Encodes messages as numbered frames. Each direction has its own encoder."""

    def __init__(self) -> None:
        self._sequence = 0

    def encode(self, message: BoardMessage | HostCommand) -> bytes:
        """Return the frame for a message, including the zero byte.

        Raises LocalProtocolError if a value in the message is out of range, or if the message does
        not fit into a frame. In these cases, no sequence number is used.
        """
        try:
            kind, body = pack(message)
            reread = FROM_EITHER[kind](body)
        except (struct.error, ValueError, OverflowError) as error:
            raise LocalProtocolError(f"{message} cannot be sent: {error}") from error
        if reread != message:
            raise LocalProtocolError(f"{message} would be received as {reread}")
        frame = build_frame(bytes([kind, self._sequence]) + body)
        if len(frame) > MAX_FRAME:
            raise LocalProtocolError(
                f"{message} would take {len(frame)} bytes, more than {MAX_FRAME}"
            )
        self._sequence = (self._sequence + 1) % 256
        return frame


def build_frame(content: bytes) -> bytes:
    """Build a frame from type, sequence number and body, without checking them."""
    checksum = crc_hqx(content, CRC_START)
    encoded: bytes = cobs.encode(content + checksum.to_bytes(2, "big"))
    return encoded + FRAME_END


def _decode_cobs(encoded: bytes) -> bytes | None:
    """Decode the COBS data between two zeros. Returns None if it is invalid.

    COBS replaces each zero with the distance to the next one. The cobs library takes ten times as
    long, and this function runs fifty times per second. COBS implies no zero after a block of the
    maximum length. This case is ignored, because a frame is too short for such a block.
    """
    decoded, place = bytearray(encoded), 0
    while place < len(decoded):
        step = decoded[place]
        decoded[place] = 0
        place += step
    return bytes(decoded[1:]) if place == len(decoded) else None


@dataclass(frozen=True, slots=True)
class Frame(Generic[Message]):
    """The bytes between two zero bytes, with their position and meaning."""

    offset: int
    """Offset of the first byte within all data passed to the decoder."""
    data: bytes
    """The received bytes without the zero byte, truncated to the first 64."""
    kind: int | None
    """Frame type, or None if it is unreliable. The value is not necessarily a `MessageType`."""
    sequence: int | None
    """Sequence number, or None if it is unreliable."""
    lost: int
    """Number of frames lost before this one in the same direction."""
    content: Message | BadFrame


_Found: TypeAlias = tuple[int, bytes, int | None, int | None, int, Message | BadFrame]
"""Fields of a frame. A `Frame` is created from them only if more than the message is needed."""


class Decoder(Generic[Message]):
    """Decodes a stream of bytes in one direction into messages.

    ``Decoder(FROM_BOARD)`` reads messages from a board, ``Decoder(FROM_HOST)`` reads messages from
    a host, and ``Decoder(FROM_EITHER)`` reads a record of both, interleaved frame by frame. A
    decoder buffers at most one frame. Two consecutive zeros are neither a frame nor an error.
    """

    def __init__(self, readers: Readers[Message]) -> None:
        self.lost = 0
        """Number of lost frames, derived from gaps in the sequence numbers. A gap before the first
        frame or before a HELLO does not count, because the board may have restarted. If a number is
        received twice, a frame was repeated, so no frame counts as lost."""
        self._readers = readers
        self._sequences: dict[bool, int] = {}
        """Latest sequence number in each direction. The key is True for frames from the host."""
        self._offset = 0
        self._pending = b""
        self._skipping = False

    def receive(self, data: bytes) -> list[Message | BadFrame]:
        """Return the messages completed by these bytes, in order."""
        return [found[-1] for found in self._find(data)]

    def frames(self, data: bytes) -> list[Frame[Message]]:
        """Return the completed frames with their offsets, for inspecting raw serial data."""
        return [Frame(*found) for found in self._find(data)]

    @property
    def unfinished(self) -> tuple[int, bytes]:
        """Offset and bytes of an incomplete last frame; no bytes if there is no such frame."""
        pending = b"" if self._skipping else self._pending
        return self._offset - len(pending), pending

    def _find(self, data: bytes) -> list[_Found[Message]]:
        unfinished, *following = data.split(FRAME_END)
        found = self._collect(unfinished)
        for part in following:
            found += self._finish()
            found += self._collect(part)
        return found

    def _collect(self, part: bytes) -> list[_Found[Message]]:
        self._offset += len(part)
        if self._skipping or not part:
            return []
        start = self._offset - len(part) - len(self._pending)
        self._pending += part[:MAX_FRAME]
        if len(self._pending) < MAX_FRAME:
            return []
        self._skipping = True
        return [_bad_frame(FrameError.TOO_LONG, start, self._pending[:MAX_FRAME])]

    def _finish(self) -> list[_Found[Message]]:
        offset, encoded = self.unfinished
        self._offset += len(FRAME_END)
        self._pending, self._skipping = b"", False
        return [self._unwrap(offset, encoded)] if encoded else []

    def _unwrap(self, offset: int, encoded: bytes) -> _Found[Message]:
        payload = _decode_cobs(encoded)
        if payload is None:
            return _bad_frame(FrameError.BAD_ENCODING, offset, encoded)
        if len(payload) < _SHORTEST_PAYLOAD:
            return _bad_frame(FrameError.TOO_SHORT, offset, encoded)
        if crc_hqx(payload, CRC_START):  # zero if the payload ends with its own checksum
            return _bad_frame(FrameError.BAD_CHECKSUM, offset, encoded)
        kind, sequence = payload[:2]
        lost = self._count(kind, sequence)
        content = self._read(kind, payload[2:-2])
        if isinstance(content, FrameError):
            return offset, encoded, kind, sequence, lost, BadFrame(content, encoded)
        return offset, encoded, kind, sequence, lost, content

    def _read(self, kind: int, body: bytes) -> Message | FrameError:
        read = self._readers.get(kind)
        if read is None:
            return FrameError.UNKNOWN_TYPE
        try:
            return read(body)
        except struct.error:
            return FrameError.BAD_LENGTH
        except ValueError:
            return FrameError.BAD_VALUE

    def _count(self, kind: int, sequence: int) -> int:
        direction = is_from_host(kind)
        before = self._sequences.get(direction, sequence)
        self._sequences[direction] = sequence
        if sequence in (before, (before + 1) % 256) or kind == MessageType.HELLO:
            return 0
        lost = (sequence - before - 1) % 256
        self.lost += lost
        return lost


def _bad_frame(flaw: FrameError, offset: int, data: bytes) -> _Found[Message]:
    return offset, data, None, None, 0, BadFrame(flaw, data)
