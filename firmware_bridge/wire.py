"""The frames that board and computer exchange: bytes to messages and back, without any I/O.

A frame is COBS(type, sequence number, body, CRC-16) and a zero byte; docs/protocol.md describes it
with sample traffic. What the line brings is never an exception: bytes that are no frame of ours
come out of `Decoder.receive` as `BadFrame` values, and the frames after them are read as ever. Only
a message that cannot be sent raises, `LocalProtocolError`, and then nothing has been encoded.

Constants in capitals have the same names in the firmware.
"""

import struct
from binascii import crc_hqx
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, IntFlag
from typing import Final, Generic, TypeAlias, TypeVar

from cobs import cobs  # type: ignore[import-untyped]  # ships no types

from engine.squares import ALL, SQUARES, Square, SquareSet
from firmware_bridge.image import Image

PROTOCOL: Final = 1
"""The version of the protocol that this module speaks."""
BAUD: Final = 250_000
"""Bits a second, 8N1: exact on a 16 MHz AVR, where 115200 would be 2.1 % off."""
STATE_INTERVAL_MS: Final = 20
"""Milliseconds of the board's clock from one STATE to the next."""
MAX_FRAME: Final = 64
"""The longest frame in bytes, its zero included."""
FRAME_END: Final = b"\0"
_SHORTEST_PAYLOAD: Final = 4
"""Type, sequence number, checksum."""
CRC_START: Final = 0xFFFF
"""With polynomial 0x1021 this makes CRC-16/IBM-3740 (``_crc_xmodem_update`` of avr-libc)."""
MULTIPLEXERS: Final = 7
CHANNELS: Final = 16
"""Of each multiplexer; of the 112 channels in all, 100 are squares."""
FULL_SCALE: Final = 1023
"""The highest reading of a sensor."""
NO_SQUARE: Final = 255
"""In a FAULT: the fault concerns no single square."""


class MessageType(IntEnum):
    """The first byte of a frame; the board's are below 0x80, the host's above."""

    HELLO = 0x01
    STATE = 0x02
    FAULT = 0x03
    RAW = 0x04
    LEARNED = 0x05
    STATUS = 0x06
    IDENTIFY = 0x81
    SEND_RAW = 0x82
    LEARN = 0x83
    LAMPS = 0x84


_FIRST_OF_HOST: Final = 0x80


class BoardKind(IntEnum):
    """What the sensors of a board can tell."""

    COLOURS = 1
    """Red from blue: linear Hall sensors, red pieces north up, blue pieces south up."""
    PRESENCE = 2
    """Occupied from empty only: reed or unipolar switches."""


class ResetCause(IntFlag):
    """Why the board started: the bits of the register MCUSR (ATmega328P data sheet, 11.9.1)."""

    POWER_ON = 1
    EXTERNAL = 2
    """The reset line, which USB adapters pull when the port is opened."""
    BROWN_OUT = 4
    """The supply had sunk below the limit."""
    WATCHDOG = 8
    """The firmware had hung."""


class FaultCode(IntEnum):
    """What a board reports about itself."""

    STUCK_CHANNEL = 1
    """A sensor stays at one end of its range; `Fault.value` is the reading of 0 to 1023."""
    DRIFT = 2
    """A sensor rests far from its calibrated baseline; the value is its reading, 0 to 1023."""
    LOW_SUPPLY = 3
    """The supply is low; the value is its voltage in millivolts."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The board says who it is: once when it starts, and whenever it is asked to."""

    firmware: tuple[int, int, int]
    """Major, minor, patch."""
    kind: BoardKind
    reset_cause: ResetCause
    calibration: int
    """Checksum of the calibration in use, 0 for none."""


@dataclass(frozen=True, slots=True)
class ForeignHello:
    """The HELLO of a board that speaks another protocol, of which only the number is known."""

    protocol: int
    rest: bytes
    """The body after the protocol number."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything the sensors show, debounced by the board."""

    at_ms: int
    """Milliseconds of the board's clock, which starts at 0 with the board and wraps at 2**32."""
    image: Image


@dataclass(frozen=True, slots=True)
class Fault:
    """The board reports that something is wrong with it."""

    code: FaultCode
    square: Square | None
    """The square concerned, None if it is no single square."""
    value: int
    """A number that depends on the code, see `FaultCode`."""


@dataclass(frozen=True, slots=True)
class Raw:
    """What the sensors behind one multiplexer read, by channel: 0 to 1023 each."""

    multiplexer: int
    readings: tuple[int, ...]
    """One of each of the CHANNELS channels."""


class LearnStep(IntEnum):
    """The steps of a calibration, in their order."""

    ABORT = 0
    """Forget what was learned since the last SAVE."""
    EMPTY = 1
    """The board is empty: learn how every sensor rests."""
    ARMIES = 2
    """Both armies of forty stand in their rows: learn what a piece does to each sensor there."""
    SAVE = 3
    """Keep it, and use it from now on."""


class LearnResult(IntEnum):
    """What came of a step."""

    DONE = 0
    OCCUPIED = 1
    """EMPTY was refused: pieces are believed to stand on the squares."""
    WEAK = 2
    """ARMIES was refused: a magnet is felt on the squares, but too little of it."""
    FLIPPED = 3
    """ARMIES was refused: magnets the wrong way round are felt on the squares."""
    OUT_OF_ORDER = 4
    """A step before it is missing; nothing was done."""
    MISSING = 5
    """ARMIES was refused: nothing at all is felt on the squares."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The one answer to a step of the calibration, with all that came of it."""

    step: LearnStep
    results: Mapping[LearnResult, SquareSet]
    """Each with the squares that it is about; DONE and OUT_OF_ORDER are about none."""


@dataclass(frozen=True, slots=True)
class Status:
    """How the board is doing, once a second."""

    supply_mv: int
    """Its own supply in millivolts, 5000 nominally."""


@dataclass(frozen=True, slots=True)
class Identify:
    """The host asks for a HELLO."""


@dataclass(frozen=True, slots=True)
class SendRaw:
    """The host asks for the readings of all channels: one RAW for every multiplexer."""


@dataclass(frozen=True, slots=True)
class Learn:
    """The host leads through the calibration, a step at a time."""

    step: LearnStep


@dataclass(frozen=True, slots=True)
class Lamps:
    """The host says which squares are to be lit. A board without lamps takes no notice."""

    squares: SquareSet


BoardMessage: TypeAlias = Hello | ForeignHello | State | Fault | Raw | Learned | Status
HostCommand: TypeAlias = Identify | SendRaw | Learn | Lamps


class Flaw(Enum):
    """Why bytes are not a frame of ours."""

    TOO_LONG = "longer than a frame can be"
    BAD_ENCODING = "not COBS"
    TOO_SHORT = "too short for a frame"
    BAD_CHECKSUM = "the checksum does not match"
    UNKNOWN_TYPE = "a type that nobody sends in this direction"
    BAD_LENGTH = "the wrong length for its type"
    BAD_VALUE = "a number without a meaning"


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes between two zeros that are not a frame of ours."""

    reason: Flaw
    data: bytes
    """The bytes as received, without the zero; of those that are too long, the first 64."""


class LocalProtocolError(ValueError):
    """This side was about to send, or has sent, what the protocol does not allow."""


_HELLO: Final = struct.Struct("<BBBBBBH")
_STATE: Final = struct.Struct("<I25s")
_FAULT: Final = struct.Struct("<BBH")
_RAW: Final = struct.Struct(f"<B{CHANNELS}H")
_LEARNED_RESULT: Final = struct.Struct("<B13s")
_STATUS: Final = struct.Struct("<H")
_LEARN: Final = struct.Struct("<B")
_LAMPS: Final = struct.Struct("<13s")
_SQUARES_PER_BYTE: Final = 4
_PLANES: Final = tuple(
    (
        sum((byte >> 2 * n & 1) << n for n in range(_SQUARES_PER_BYTE)),
        sum((byte >> 2 * n + 1 & 1) << n for n in range(_SQUARES_PER_BYTE)),
    )
    for byte in range(256)
)
"""For each byte of a STATE the low and the high bits of its four squares, packed."""
_SPREAD: Final = {planes: byte for byte, planes in enumerate(_PLANES)}


def _unpack_image(packed: bytes) -> Image:
    low = high = 0
    for n, byte in enumerate(packed):
        low_bits, high_bits = _PLANES[byte]
        low |= low_bits << _SQUARES_PER_BYTE * n
        high |= high_bits << _SQUARES_PER_BYTE * n
    return Image(red=low & ~high, blue=high & ~low, unknown=low & high)


def _pack_image(image: Image) -> bytes:
    low, high = image.red | image.unknown, image.blue | image.unknown
    return bytes(
        _SPREAD[low >> shift & 0xF, high >> shift & 0xF]
        for shift in range(0, len(SQUARES), _SQUARES_PER_BYTE)
    )


def _read_hello(body: bytes) -> Hello | ForeignHello:
    # The number comes first: what follows it is only ours to read if it is ours.
    if body[:1] != bytes([PROTOCOL]) and body:
        return ForeignHello(body[0], body[1:])
    _, major, minor, patch, kind, cause, calibration = _HELLO.unpack(body)
    return Hello((major, minor, patch), BoardKind(kind), ResetCause(cause), calibration)


def _read_state(body: bytes) -> State:
    at_ms, packed = _STATE.unpack(body)
    return State(at_ms, _unpack_image(packed))


def _read_fault(body: bytes) -> Fault:
    code, square, value = _FAULT.unpack(body)
    if square not in SQUARES and square != NO_SQUARE:
        raise ValueError(f"no square has the number {square}")
    return Fault(FaultCode(code), None if square == NO_SQUARE else square, value)


def _read_raw(body: bytes) -> Raw:
    multiplexer, *readings = _RAW.unpack(body)
    if multiplexer >= MULTIPLEXERS or max(readings) > FULL_SCALE:
        raise ValueError("no such multiplexer, or no such reading")
    return Raw(multiplexer, tuple(readings))


def _read_learned(body: bytes) -> Learned:
    (step,) = _LEARN.unpack(body[:1])
    found = list(_LEARNED_RESULT.iter_unpack(body[1:]))
    results = {LearnResult(result): _read_squares(squares) for result, squares in found}
    if not results:
        raise struct.error("an answer without a result")
    if len(results) < len(found):
        raise ValueError("a result twice")
    return Learned(LearnStep(step), results)


def _read_status(body: bytes) -> Status:
    return Status(*_STATUS.unpack(body))


def _read_squares(packed: bytes) -> SquareSet:
    squares = int.from_bytes(packed, "little")
    if squares & ~ALL:
        raise ValueError("no square has that number")
    return squares


def _pack_squares(squares: SquareSet) -> bytes:
    if squares & ~ALL:
        raise ValueError("no square has that number")
    return squares.to_bytes(13, "little")


def _read_identify(body: bytes) -> Identify:
    _need_no_body(body)
    return Identify()


def _read_send_raw(body: bytes) -> SendRaw:
    _need_no_body(body)
    return SendRaw()


def _need_no_body(body: bytes) -> None:
    if body:
        raise struct.error("this type has no body")


def _read_learn(body: bytes) -> Learn:
    return Learn(LearnStep(*_LEARN.unpack(body)))


def _read_lamps(body: bytes) -> Lamps:
    return Lamps(_read_squares(*_LAMPS.unpack(body)))


Message = TypeVar("Message")
Readers: TypeAlias = Mapping[int, Callable[[bytes], Message]]
"""For every type of frame in one direction, what makes a message of its body."""

FROM_BOARD: Final[Readers[BoardMessage]] = {
    MessageType.HELLO: _read_hello,
    MessageType.STATE: _read_state,
    MessageType.FAULT: _read_fault,
    MessageType.RAW: _read_raw,
    MessageType.LEARNED: _read_learned,
    MessageType.STATUS: _read_status,
}
FROM_HOST: Final[Readers[HostCommand]] = {
    MessageType.IDENTIFY: _read_identify,
    MessageType.SEND_RAW: _read_send_raw,
    MessageType.LEARN: _read_learn,
    MessageType.LAMPS: _read_lamps,
}
FROM_EITHER: Final[Readers[BoardMessage | HostCommand]] = {**FROM_BOARD, **FROM_HOST}


def _payload(message: BoardMessage | HostCommand) -> tuple[MessageType, bytes]:
    match message:
        case Hello(firmware, kind, cause, calibration):
            return MessageType.HELLO, _HELLO.pack(PROTOCOL, *firmware, kind, cause, calibration)
        case ForeignHello(protocol, rest):
            return MessageType.HELLO, bytes([protocol]) + rest
        case State(at_ms, image):
            return MessageType.STATE, _STATE.pack(at_ms, _pack_image(image))
        case Fault(code, square, value):
            number = NO_SQUARE if square is None else square
            return MessageType.FAULT, _FAULT.pack(code, number, value)
        case Raw(multiplexer, readings):
            return MessageType.RAW, _RAW.pack(multiplexer, *readings)
        case Learned(step, results):
            parts = (_LEARNED_RESULT.pack(each, _pack_squares(results[each])) for each in results)
            return MessageType.LEARNED, _LEARN.pack(step) + b"".join(parts)
        case Status(supply_mv):
            return MessageType.STATUS, _STATUS.pack(supply_mv)
        case Identify():
            return MessageType.IDENTIFY, b""
        case SendRaw():
            return MessageType.SEND_RAW, b""
        case Learn(step):
            return MessageType.LEARN, _LEARN.pack(step)
        case Lamps(squares):
            return MessageType.LAMPS, _LAMPS.pack(_pack_squares(squares))


class Encoder:
    """Turns messages into frames and numbers them; one for each direction of a connection."""

    def __init__(self) -> None:
        self._sequence = 0

    def encode(self, message: BoardMessage | HostCommand) -> bytes:
        """Return the frame of a message, its zero included.

        Raises LocalProtocolError if the message cannot be sent: a number out of its range, or more
        bytes than a frame holds. The sequence number is then not used up.
        """
        try:
            kind, body = _payload(message)
            reread = FROM_EITHER[kind](body)
        except (struct.error, ValueError, OverflowError) as error:
            raise LocalProtocolError(f"{message} cannot be sent: {error}") from error
        if reread != message:
            raise LocalProtocolError(f"{message} would arrive as {reread}")
        frame = wrap(bytes([kind, self._sequence]) + body)
        if len(frame) > MAX_FRAME:
            raise LocalProtocolError(f"{message} makes {len(frame)} bytes, more than {MAX_FRAME}")
        self._sequence = (self._sequence + 1) % 256
        return frame


def wrap(payload: bytes) -> bytes:
    """Make a frame of type, sequence number and body, whatever they are: checksum, COBS, zero."""
    checksum = crc_hqx(payload, CRC_START)
    encoded: bytes = cobs.encode(payload + checksum.to_bytes(2, "big"))
    return encoded + FRAME_END


@dataclass(frozen=True, slots=True)
class Frame(Generic[Message]):
    """What came between two zeros, where, and what it means."""

    offset: int
    """Of its first byte, in all that the decoder was given."""
    data: bytes
    """The bytes as received, without the zero; of those that are too long, the first 64."""
    kind: int | None
    """The type, None if it cannot be trusted. It need not be a `MessageType`."""
    sequence: int | None
    """The sequence number, None if it cannot be trusted."""
    lost: int
    """Frames of the same direction that should have come before it."""
    content: Message | BadFrame


class Decoder(Generic[Message]):
    """Turns the bytes of one direction into messages, however the bytes are cut.

    ``Decoder(FROM_BOARD)`` reads what a board sends, ``Decoder(FROM_HOST)`` what a host sends, and
    ``Decoder(FROM_EITHER)`` a record of both, frame by frame. It keeps no more than one frame's
    bytes. Two zeros in a row are no frame and no error.
    """

    def __init__(self, readers: Readers[Message]) -> None:
        self.lost = 0
        """Frames that never came, by the gaps in the sequence numbers.

        The first number is taken as it is, a HELLO's too (the board has restarted, or was asked),
        and the same number twice is a repetition, not 255 lost frames.
        """
        self._readers = readers
        self._sequences: dict[bool, int] = {}
        """The latest number of each direction, by whether that is the host's."""
        self._offset = 0
        self._pending = b""
        self._skipping = False

    def receive(self, data: bytes) -> list[Message | BadFrame]:
        """Return what is complete with these bytes, in order."""
        return [frame.content for frame in self.frames(data)]

    def frames(self, data: bytes) -> list[Frame[Message]]:
        """Return the same with where it was found, for whoever looks into the line itself."""
        unfinished, *following = data.split(FRAME_END)
        found = self._collect(unfinished)
        for part in following:
            found += self._finish()
            found += self._collect(part)
        return found

    @property
    def unfinished(self) -> tuple[int, bytes]:
        """The beginning of a frame whose end has not come, and its offset; else no bytes."""
        pending = b"" if self._skipping else self._pending
        return self._offset - len(pending), pending

    def _collect(self, part: bytes) -> list[Frame[Message]]:
        self._offset += len(part)
        if self._skipping:
            return []
        start = self._offset - len(part) - len(self._pending)
        self._pending += part[:MAX_FRAME]
        if len(self._pending) < MAX_FRAME:
            return []
        self._skipping = True
        return [_bad_frame(Flaw.TOO_LONG, start, self._pending[:MAX_FRAME])]

    def _finish(self) -> list[Frame[Message]]:
        offset, encoded = self.unfinished
        self._offset += len(FRAME_END)
        self._pending, self._skipping = b"", False
        return [self._unwrap(offset, encoded)] if encoded else []

    def _unwrap(self, offset: int, encoded: bytes) -> Frame[Message]:
        try:
            payload: bytes = cobs.decode(encoded)
        except cobs.DecodeError:
            return _bad_frame(Flaw.BAD_ENCODING, offset, encoded)
        if len(payload) < _SHORTEST_PAYLOAD:
            return _bad_frame(Flaw.TOO_SHORT, offset, encoded)
        if crc_hqx(payload, CRC_START):  # over payload and checksum together it comes to zero
            return _bad_frame(Flaw.BAD_CHECKSUM, offset, encoded)
        kind, sequence = payload[:2]
        lost = self._count(kind, sequence)
        content = self._read(kind, payload[2:-2])
        if isinstance(content, Flaw):
            return Frame(offset, encoded, kind, sequence, lost, BadFrame(content, encoded))
        return Frame(offset, encoded, kind, sequence, lost, content)

    def _read(self, kind: int, body: bytes) -> Message | Flaw:
        if kind not in self._readers:
            return Flaw.UNKNOWN_TYPE
        try:
            return self._readers[kind](body)
        except struct.error:
            return Flaw.BAD_LENGTH
        except ValueError:
            return Flaw.BAD_VALUE

    def _count(self, kind: int, sequence: int) -> int:
        direction = is_from_host(kind)
        before = self._sequences.get(direction, sequence)
        self._sequences[direction] = sequence
        if sequence == before or kind == MessageType.HELLO:
            return 0
        lost = (sequence - before - 1) % 256
        self.lost += lost
        return lost


def is_from_host(kind: int) -> bool:
    """Say by the type of a frame who has sent it: the host, or the board."""
    return kind >= _FIRST_OF_HOST


def _bad_frame(flaw: Flaw, offset: int, data: bytes) -> Frame[Message]:
    return Frame(offset, data, None, None, 0, BadFrame(flaw, data))
