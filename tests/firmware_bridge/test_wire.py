from pathlib import Path

import pytest
from cobs import cobs  # type: ignore[import-untyped]  # ships no types
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import ALL
from firmware_bridge import wire
from firmware_bridge.image import Image
from firmware_bridge.wire.frames import _decode_cobs
from tests.firmware_bridge.strategies import commands, messages

VECTORS = Path(__file__).with_name("wire_vectors.txt")
NAMES = {**vars(wire), "Image": Image}
"""Names used in the messages of the test vectors."""

HELLO = wire.Hello((1, 2, 3), wire.BoardKind.COLOURS, wire.ResetCause.EXTERNAL, 0xBEEF)
STATE = wire.State(1000, Image(red=1, blue=1 << 99))


def read(data: bytes) -> list[wire.BoardMessage | wire.BadFrame]:
    return wire.Decoder(wire.FROM_BOARD).receive(data)


def read_bytewise(data: bytes) -> list[wire.BoardMessage | wire.BadFrame]:
    decoder = wire.Decoder(wire.FROM_BOARD)
    return [found for byte in data for found in decoder.receive(bytes([byte]))]


def vectors() -> list[tuple[str, bytes, bytes, object]]:
    rows = [row.split("|") for row in VECTORS.read_text().splitlines() if row[:1] not in ("#", "")]
    return [
        (name.strip(), bytes.fromhex(payload), bytes.fromhex(frame), eval(meaning, NAMES))
        for name, payload, frame, meaning in rows
    ]


@pytest.mark.parametrize(("name", "payload", "frame", "meaning"), vectors())
def test_test_vectors(name: str, payload: bytes, frame: bytes, meaning: object) -> None:
    assert wire.build_frame(payload) == frame
    decoder = wire.Decoder(wire.FROM_HOST) if payload[0] & 0x80 else wire.Decoder(wire.FROM_BOARD)
    found = decoder.receive(frame)
    if isinstance(meaning, wire.FrameError):
        assert found == [wire.BadFrame(meaning, frame[:-1])]
        return
    assert found == [meaning]
    encoder = wire.Encoder()
    for _ in range(payload[1]):
        encoder.encode(wire.Identify())
    assert isinstance(meaning, wire.BoardMessage | wire.HostCommand)
    assert encoder.encode(meaning) == frame


def test_the_checksum_is_crc_16_ibm_3740() -> None:
    # Check value from the Catalogue of parametrised CRC algorithms.
    assert wire.build_frame(b"123456789") == b"\x0c123456789" + bytes.fromhex("29B1") + b"\0"


@given(st.lists(messages, max_size=6), st.binary(max_size=5))
def test_framing_whole_and_bytewise(sent: list[wire.BoardMessage], tail: bytes) -> None:
    encoder = wire.Encoder()
    data = b"".join(map(encoder.encode, sent)) + tail.replace(b"\0", b"a")
    assert read(data) == sent
    assert read_bytewise(data) == sent


@given(st.lists(messages, min_size=2, max_size=4), st.data())
def test_state_frames_cut_anywhere(sent: list[wire.BoardMessage], data: st.DataObject) -> None:
    encoder = wire.Encoder()
    stream = b"".join(map(encoder.encode, sent))
    cut = data.draw(st.integers(0, len(stream)))
    decoder = wire.Decoder(wire.FROM_BOARD)
    assert decoder.receive(stream[:cut]) + decoder.receive(stream[cut:]) == sent
    assert decoder.lost == 0


@given(st.lists(commands, max_size=6), st.data())
def test_host_frames_cut_anywhere(sent: list[wire.HostCommand], data: st.DataObject) -> None:
    encoder = wire.Encoder()
    stream = b"".join(map(encoder.encode, sent))
    cut = data.draw(st.integers(0, len(stream)))
    decoder = wire.Decoder(wire.FROM_HOST)
    assert decoder.receive(stream[:cut]) + decoder.receive(stream[cut:]) == sent
    assert decoder.lost == 0


@pytest.mark.parametrize(
    "message",
    [
        HELLO,
        STATE,
        wire.State(1020, Image(), ((34, 17), (64, 9)), 1 << 99),
        wire.Fault(wire.FaultCode.DRIFT, None, 700),
        wire.Raw(6, tuple(range(0, 1024, 64))),
        wire.CalibrationReply(
            wire.CalibrationStep.ARMIES,
            {wire.CalibrationResult.WEAK: 1 << 34, wire.CalibrationResult.MISSING: 1},
        ),
        wire.Status(4985),
        wire.FieldReadings(4, tuple(range(-10, 10))),
    ],
)
def test_flipped_bits_are_detected(message: wire.BoardMessage) -> None:
    encoder = wire.Encoder()
    frame, following = encoder.encode(message), encoder.encode(STATE)
    for bit in range(8 * len(frame)):
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        found = read(bytes(damaged) + following)
        survivors = [each for each in found if not isinstance(each, wire.BadFrame)]
        # A bit flip in the delimiter joins the two frames. After any other bit flip, the second
        # frame is intact.
        assert survivors == ([] if bit // 8 == len(frame) - 1 else [STATE])
        assert len(found) > len(survivors)


@given(st.binary(max_size=300))
def test_noise_costs_at_most_one_frame(noise: bytes) -> None:
    first, second = HELLO, STATE
    encoder = wire.Encoder()
    data = encoder.encode(first) + noise + b"\0" + encoder.encode(second)
    found = read(data)
    assert found[0] == first
    assert found[-1] == second
    assert all(isinstance(each, wire.BadFrame) for each in found[1:-1])
    assert found == read_bytewise(data)


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_arbitrary_input_is_bounded(chunks: list[bytes]) -> None:
    decoder = wire.Decoder(wire.FROM_BOARD)
    for chunk in chunks:
        decoder.receive(chunk)
        assert len(decoder._pending) < 2 * wire.MAX_FRAME


def test_endless_frame_is_reported_once() -> None:
    decoder = wire.Decoder(wire.FROM_BOARD)
    assert decoder.receive(b"a" * 63) == []
    assert decoder.receive(b"a" * 100) == [wire.BadFrame(wire.FrameError.TOO_LONG, b"a" * 64)]
    assert decoder.receive(b"a" * 100) == []
    assert decoder.receive(b"a\0" + wire.Encoder().encode(HELLO)) == [HELLO]


def test_longest_frame() -> None:
    message = wire.ForeignHello(1, b"x" * 57)
    frame = wire.Encoder().encode(message)
    assert len(frame) == wire.MAX_FRAME
    assert read(frame) == [message]


def test_empty_frames_are_ignored() -> None:
    assert read(b"\0\0" + wire.Encoder().encode(HELLO) + b"\0") == [HELLO]


@pytest.mark.parametrize(
    ("payload", "flaw"),
    [
        (b"\x09\x00", wire.FrameError.UNKNOWN_TYPE),
        (b"\x81\x00", wire.FrameError.UNKNOWN_TYPE),  # a command from a board
        (b"\x01\x00", wire.FrameError.BAD_LENGTH),
        (b"\x01\x00\x05\x00", wire.FrameError.BAD_LENGTH),
        (b"\x02\x00" + bytes(29), wire.FrameError.BAD_LENGTH),
        (b"\x02\x00" + bytes(31), wire.FrameError.BAD_LENGTH),
        (
            b"\x01\x00\x05\x00\x00\x00\x03\x00\x00\x00\x07\x00\x00\x00\x00",
            wire.FrameError.BAD_VALUE,
        ),  # kind 3
        (b"\x03\x00\x09\x00\x00\x00", wire.FrameError.BAD_VALUE),  # fault 9
        (b"\x03\x00\x01\x64\x00\x00", wire.FrameError.BAD_VALUE),  # square 100
    ],
)
def test_invalid_payloads(payload: bytes, flaw: wire.FrameError) -> None:
    frame = wire.build_frame(payload)
    assert read(frame) == [wire.BadFrame(flaw, frame[:-1])]


@pytest.mark.parametrize(
    ("encoded", "flaw"),
    [
        (b"\x05ab", wire.FrameError.BAD_ENCODING),
        (b"\x03ab", wire.FrameError.TOO_SHORT),
        (b"\x05abcd", wire.FrameError.BAD_CHECKSUM),
    ],
)
def test_invalid_framing(encoded: bytes, flaw: wire.FrameError) -> None:
    assert read(encoded + b"\0") == [wire.BadFrame(flaw, encoded)]


@given(st.binary(max_size=2 * wire.MAX_FRAME).map(lambda data: data.replace(b"\0", b"\1")))
def test_cobs_decoding_matches_the_library(encoded: bytes) -> None:
    try:
        expected = cobs.decode(encoded)
    except cobs.DecodeError:
        expected = None
    assert _decode_cobs(encoded) == expected


@given(st.binary(max_size=wire.MAX_FRAME))
def test_cobs_from_the_library_is_decoded(payload: bytes) -> None:
    assert _decode_cobs(cobs.encode(payload)) == payload


def test_command_with_a_body_is_refused() -> None:
    frame = wire.build_frame(b"\x81\x00x")
    assert wire.Decoder(wire.FROM_HOST).receive(frame) == [
        wire.BadFrame(wire.FrameError.BAD_LENGTH, frame[:-1])
    ]


@pytest.mark.parametrize("rest", [b"", b"\x01", bytes(30)])
def test_hello_of_another_protocol_has_any_length(rest: bytes) -> None:
    assert read(wire.build_frame(b"\x01\x00\x01" + rest)) == [wire.ForeignHello(1, rest)]


def test_sequence_gaps_are_counted() -> None:
    encoder, decoder = wire.Encoder(), wire.Decoder(wire.FROM_BOARD)
    frames = [encoder.encode(STATE) for _ in range(300)]
    for number in (7, 8, 10, 10, 13, 260, 299):
        decoder.receive(frames[number])
    # Frame 9 is missing, then 11 and 12. Between 13 and 260, the sequence number wraps around. Then
    # 38 frames are missing.
    assert decoder.lost == 1 + 2 + (260 - 14) % 256 + 38


def test_hello_resets_the_sequence() -> None:
    before, after, decoder = wire.Encoder(), wire.Encoder(), wire.Decoder(wire.FROM_BOARD)
    for _ in range(100):
        decoder.receive(before.encode(STATE))
    after.encode(STATE)
    decoder.receive(after.encode(HELLO))
    after.encode(STATE)
    decoder.receive(after.encode(STATE))
    assert decoder.lost == 1


@pytest.mark.parametrize(
    "message",
    [
        wire.Hello((256, 0, 0), wire.BoardKind.COLOURS, wire.ResetCause(0), 0),
        wire.Hello((0, 0, 0), wire.BoardKind.COLOURS, wire.ResetCause(0), -1),
        wire.ForeignHello(wire.PROTOCOL, b""),
        wire.ForeignHello(300, b""),
        wire.ForeignHello(1, bytes(58)),
        wire.State(-1, Image()),
        wire.State(2**32, Image()),
        wire.State(0, Image(), ((100, 0),)),
        wire.State(0, Image(), ((0, 256),)),
        wire.State(0, Image(), ((0, 1), (0, 2))),
        wire.State(0, Image(), tuple((n, 0) for n in range(wire.MOST_CHANGES + 1))),
        wire.State(0, Image(), faint=ALL + 1),
        wire.Fault(wire.FaultCode.DRIFT, 100, 0),
        wire.Fault(wire.FaultCode.DRIFT, 255, 0),
        wire.Fault(wire.FaultCode.DRIFT, 0, 2**16),
        wire.Raw(-1, (500,) * wire.CHANNELS),
        wire.Raw(wire.MOST_MULTIPLEXERS, (500,) * wire.CHANNELS),
        wire.Raw(0, (500,) * (wire.CHANNELS - 1)),
        wire.Raw(0, (500,) * (wire.CHANNELS + 1)),
        wire.Raw(0, (wire.FULL_SCALE + 1,) * wire.CHANNELS),
        wire.Raw(0, (-1,) * wire.CHANNELS),
        wire.CalibrationReply(
            wire.CalibrationStep.EMPTY, {wire.CalibrationResult.OCCUPIED: ALL + 1}
        ),
        wire.CalibrationReply(wire.CalibrationStep.EMPTY, {wire.CalibrationResult.OCCUPIED: -1}),
        wire.CalibrationReply(wire.CalibrationStep.EMPTY, {}),
        wire.CalibrationReply(
            wire.CalibrationStep.ARMIES, dict.fromkeys(wire.CalibrationResult, 0)
        ),  # longer than a frame
        wire.FieldReadings(wire.FELT_BANDS, (0,) * wire.FELT_SQUARES),
        wire.FieldReadings(0, (0,) * (wire.FELT_SQUARES - 1)),
        wire.FieldReadings(0, (128,) * wire.FELT_SQUARES),
        wire.Status(-1),
        wire.Status(2**16),
        wire.Lamps(ALL + 1),
        wire.Lamps(-1),
    ],
)
def test_unsendable_frame_uses_no_sequence_number(
    message: wire.BoardMessage | wire.HostCommand,
) -> None:
    encoder = wire.Encoder()
    with pytest.raises(wire.LocalProtocolError):
        encoder.encode(message)
    assert encoder.encode(HELLO) == wire.Encoder().encode(HELLO)


def test_frame_types_per_direction() -> None:
    assert {kind for kind in wire.MessageType if kind & 0x80} == set(wire.FROM_HOST)
    assert {kind for kind in wire.MessageType if not kind & 0x80} == set(wire.FROM_BOARD)
