"""Decodes the bodies of frames into messages, and encodes messages."""

import struct
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias, TypeVar

from engine.board.geometry import ALL, SQUARES, Square, SquareSet
from firmware_bridge.image import Image
from firmware_bridge.wire import messages

_HELLO: Final = struct.Struct("<BBBBBBHBI")
_CLOCK: Final = struct.Struct("<I")
_BOARD: Final = struct.Struct("<25sB")
_CHANGE: Final = struct.Struct("<BB")
_FAULT: Final = struct.Struct("<BBH")
_RAW: Final = struct.Struct(f"<B{messages.CHANNELS}H")
_LEARNED_RESULT: Final = struct.Struct("<B13s")
_STATUS: Final = struct.Struct("<H")
_CONFIGURED: Final = struct.Struct("<BBBBH")
_FELT: Final = struct.Struct(f"<B{messages.FELT_SQUARES}b")
_CONFIGURE: Final = struct.Struct("<BBBH")
_LEARN: Final = struct.Struct("<B")
_SQUARE_SET: Final = struct.Struct("<13s")
_SQUARES_PER_BYTE: Final = 4
_PLANES: Final = tuple(
    (
        sum((byte >> 2 * n & 1) << n for n in range(_SQUARES_PER_BYTE)),
        sum((byte >> 2 * n + 1 & 1) << n for n in range(_SQUARES_PER_BYTE)),
    )
    for byte in range(256)
)
"""Maps each possible byte of an image, which contains two bits for each of four squares, to two
numbers: one with the four low bits and one with the four high bits."""
_SPREAD: Final = {planes: byte for byte, planes in enumerate(_PLANES)}


@lru_cache(maxsize=16)
def _unpack_image(packed: bytes) -> Image:
    low = high = 0
    for n, byte in enumerate(packed):
        low_bits, high_bits = _PLANES[byte]
        low |= low_bits << _SQUARES_PER_BYTE * n
        high |= high_bits << _SQUARES_PER_BYTE * n
    return Image(red=low & ~high, blue=high & ~low, unknown=low & high)


@lru_cache(maxsize=16)
def _pack_image(image: Image) -> bytes:
    low, high = image.red | image.unknown, image.blue | image.unknown
    return bytes(
        _SPREAD[low >> shift & 0xF, high >> shift & 0xF]
        for shift in range(0, len(SQUARES), _SQUARES_PER_BYTE)
    )


def _read_hello(body: bytes) -> messages.Hello | messages.ForeignHello:
    # The protocol number comes first, because the layout of the rest depends on it.
    if body[:1] != bytes([messages.PROTOCOL]) and body:
        return messages.ForeignHello(body[0], body[1:])
    _, major, minor, patch, kind, cause, *rest = _HELLO.unpack(body)
    calibration, geometry, build = rest
    firmware, of = (major, minor, patch), messages.Geometry(geometry)
    return messages.Hello(
        firmware, messages.BoardKind(kind), messages.ResetCause(cause), calibration, of, build
    )


def _read_state(body: bytes) -> messages.State:
    (at_ms,) = _CLOCK.unpack_from(body)
    return messages.State(at_ms, *_read_board(body[_CLOCK.size :]))


@lru_cache(maxsize=16)  # An unchanged board sends the same body fifty times per second.
def _read_board(body: bytes) -> tuple[Image, tuple[tuple[Square, int], ...], SquareSet]:
    """Decode the part of a STATE that follows the clock value."""
    packed, count = _BOARD.unpack_from(body)
    faint_from = _BOARD.size + _CHANGE.size * count
    if count > messages.MOST_CHANGES or len(body) < faint_from:
        raise struct.error("too many changes for a frame")
    changed = tuple(_CHANGE.iter_unpack(body[_BOARD.size : faint_from]))
    if any(square not in SQUARES for square, _ in changed):
        raise ValueError("a square number is out of range")
    if len(dict(changed)) < count:
        raise ValueError("a square occurs twice")
    return _unpack_image(packed), changed, _read_faint(body[faint_from:])


def _read_faint(packed: bytes) -> SquareSet:
    """Decode the squares with a faint reading. An empty set is omitted from the frame."""
    if not packed:
        return 0
    faint = _read_squares(*_SQUARE_SET.unpack(packed))
    if not faint:
        raise ValueError("expected at least one faint square; found an empty set")
    return faint


def _read_fault(body: bytes) -> messages.Fault:
    code, square, value = _FAULT.unpack(body)
    if square not in SQUARES and square != messages.NO_SQUARE:
        raise ValueError(f"square number {square} is out of range")
    return messages.Fault(
        messages.FaultCode(code), None if square == messages.NO_SQUARE else square, value
    )


def _read_raw(body: bytes) -> messages.Raw:
    multiplexer, *readings = _RAW.unpack(body)
    if multiplexer >= messages.MOST_MULTIPLEXERS or max(readings) > messages.FULL_SCALE:
        raise ValueError("the multiplexer number or a reading is out of range")
    return messages.Raw(multiplexer, tuple(readings))


def _read_learned(body: bytes) -> messages.CalibrationReply:
    (step,) = _LEARN.unpack(body[:1])
    found = list(_LEARNED_RESULT.iter_unpack(body[1:]))
    results = {
        messages.CalibrationResult(result): _read_squares(squares) for result, squares in found
    }
    if not results:
        raise struct.error("expected at least one result; found none")
    if len(results) < len(found):
        raise ValueError("a result occurs twice")
    return messages.CalibrationReply(messages.CalibrationStep(step), results)


def _read_status(body: bytes) -> messages.Status:
    return messages.Status(*_STATUS.unpack(body))


def _read_configured(body: bytes) -> messages.Configured:
    result, kind, geometry, *numbers = _CONFIGURED.unpack(body)
    settings = messages.BoardSettings(
        messages.BoardKind(kind), messages.Geometry(geometry), *numbers
    )
    return messages.Configured(messages.ConfigureResult(result), settings)


def _read_felt(body: bytes) -> messages.FieldReadings:
    band, *shares = _FELT.unpack(body)
    if band >= messages.FELT_BANDS:
        raise ValueError("the band number is out of range")
    return messages.FieldReadings(band, tuple(shares))


def _read_configure(body: bytes) -> messages.Configure:
    kind, geometry, *numbers = _CONFIGURE.unpack(body)
    return messages.Configure(
        messages.BoardKind(kind) if kind else 0,
        messages.Geometry(geometry) if geometry else 0,
        *numbers,
    )


def _read_squares(packed: bytes) -> SquareSet:
    squares = int.from_bytes(packed, "little")
    if squares & ~ALL:
        raise ValueError("a square number is out of range")
    return squares


def _pack_squares(squares: SquareSet) -> bytes:
    if squares & ~ALL:
        raise ValueError("a square number is out of range")
    return squares.to_bytes(13, "little")


def _read_identify(body: bytes) -> messages.Identify:
    _need_no_body(body)
    return messages.Identify()


def _read_send_raw(body: bytes) -> messages.RequestRaw:
    _need_no_body(body)
    return messages.RequestRaw()


def _read_send_felt(body: bytes) -> messages.RequestField:
    _need_no_body(body)
    return messages.RequestField()


def _need_no_body(body: bytes) -> None:
    if body:
        raise struct.error("expected no body for this type")


def _read_learn(body: bytes) -> messages.Calibrate:
    return messages.Calibrate(messages.CalibrationStep(*_LEARN.unpack(body)))


def _read_lamps(body: bytes) -> messages.Lamps:
    return messages.Lamps(_read_squares(*_SQUARE_SET.unpack(body)))


Message = TypeVar("Message")
Readers: TypeAlias = Mapping[int, Callable[[bytes], Message]]
"""For each frame type in one direction, the function that decodes its body."""

FROM_BOARD: Final[Readers[messages.BoardMessage]] = {
    messages.MessageType.HELLO: _read_hello,
    messages.MessageType.STATE: _read_state,
    messages.MessageType.FAULT: _read_fault,
    messages.MessageType.RAW: _read_raw,
    messages.MessageType.LEARNED: _read_learned,
    messages.MessageType.STATUS: _read_status,
    messages.MessageType.CONFIGURED: _read_configured,
    messages.MessageType.FELT: _read_felt,
}
FROM_HOST: Final[Readers[messages.HostCommand]] = {
    messages.MessageType.IDENTIFY: _read_identify,
    messages.MessageType.SEND_RAW: _read_send_raw,
    messages.MessageType.LEARN: _read_learn,
    messages.MessageType.LAMPS: _read_lamps,
    messages.MessageType.CONFIGURE: _read_configure,
    messages.MessageType.SEND_FELT: _read_send_felt,
}
FROM_EITHER: Final[Readers[messages.BoardMessage | messages.HostCommand]] = {
    **FROM_BOARD,
    **FROM_HOST,
}


def pack(
    message: messages.BoardMessage | messages.HostCommand,
) -> tuple[messages.MessageType, bytes]:
    """Return the frame type and the body of a message.

    Raises struct.error or ValueError if the message cannot be encoded.
    """
    match message:
        case messages.Hello(firmware, kind, cause, calibration, geometry, build):
            rest = calibration, geometry, build
            return messages.MessageType.HELLO, _HELLO.pack(
                messages.PROTOCOL, *firmware, kind, cause, *rest
            )
        case messages.ForeignHello(protocol, rest):
            return messages.MessageType.HELLO, bytes([protocol]) + rest
        case messages.State(at_ms, image, changed, faint):
            state = _CLOCK.pack(at_ms) + _BOARD.pack(_pack_image(image), len(changed))
            ages = b"".join(_CHANGE.pack(*change) for change in changed)
            return messages.MessageType.STATE, state + ages + (
                _pack_squares(faint) if faint else b""
            )
        case messages.Fault(code, square, value):
            number = messages.NO_SQUARE if square is None else square
            return messages.MessageType.FAULT, _FAULT.pack(code, number, value)
        case messages.Raw(multiplexer, readings):
            return messages.MessageType.RAW, _RAW.pack(multiplexer, *readings)
        case messages.CalibrationReply(step, results):
            parts = (_LEARNED_RESULT.pack(each, _pack_squares(results[each])) for each in results)
            return messages.MessageType.LEARNED, _LEARN.pack(step) + b"".join(parts)
        case messages.Status(supply_mv):
            return messages.MessageType.STATUS, _STATUS.pack(supply_mv)
        case messages.Configured(
            result, messages.BoardSettings(kind, geometry, on_per_cent, band_gap)
        ):
            numbers = kind, geometry, on_per_cent, band_gap
            return messages.MessageType.CONFIGURED, _CONFIGURED.pack(result, *numbers)
        case messages.FieldReadings(band, shares):
            return messages.MessageType.FELT, _FELT.pack(band, *shares)
        case messages.Configure(kind, geometry, on_per_cent, band_gap):
            return messages.MessageType.CONFIGURE, _CONFIGURE.pack(
                kind, geometry, on_per_cent, band_gap
            )
        case messages.Identify():
            return messages.MessageType.IDENTIFY, b""
        case messages.RequestRaw():
            return messages.MessageType.SEND_RAW, b""
        case messages.RequestField():
            return messages.MessageType.SEND_FELT, b""
        case messages.Calibrate(step):
            return messages.MessageType.LEARN, _LEARN.pack(step)
        case messages.Lamps(squares):
            return messages.MessageType.LAMPS, _pack_squares(squares)
