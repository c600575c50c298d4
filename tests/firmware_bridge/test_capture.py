"""Tests for serial line captures: frames with offsets and descriptions."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import Side, square
from firmware_bridge import wire
from firmware_bridge.capture import CaptureEntry, CaptureSummary, Truncation, lines, read
from firmware_bridge.image import Image
from tests.firmware_bridge.strategies import commands, messages, states

HELLO = wire.Hello((1, 0, 0), wire.BoardKind.COLOURS, wire.ResetCause.EXTERNAL, 0xBEEF)
UP = Image(red=Side.RED.home, blue=Side.BLUE.home)
LIFTED = Image(red=Side.RED.home & ~(1 << square("e4")), blue=Side.BLUE.home)
OFFSET = " " * 8


def encode(sent: Iterable[wire.BoardMessage | wire.HostCommand]) -> list[bytes]:
    """Encode messages, with separate sequence numbers for each direction."""
    board, host = wire.Encoder(), wire.Encoder()
    return [(host if isinstance(each, wire.HostCommand) else board).encode(each) for each in sent]


def read_bytewise(data: bytes) -> list[CaptureEntry]:
    return list(read(bytes([byte]) for byte in data))


def text_lines(*chunks: bytes, fold: bool = True) -> list[str]:
    return list(lines(read(chunks), fold=fold))


def summed_up(*chunks: bytes) -> CaptureSummary:
    summary = CaptureSummary()
    for entry in read(chunks):
        summary.take(entry)
    return summary


mixed = st.lists(messages | commands, max_size=6)
dirt = st.binary(min_size=1, max_size=20).map(lambda data: data.replace(b"\0", b"a"))


@given(mixed)
def test_parsing_whole_and_bytewise(sent: list[wire.BoardMessage | wire.HostCommand]) -> None:
    frames = encode(sent)
    data = b"".join(frames)
    found = list(read([data]))
    assert found == read_bytewise(data)
    assert [entry.frame.content for entry in found] == sent
    assert [entry.flaw for entry in found] == [None] * len(sent)
    begin = 0
    for entry, frame in zip(found, frames, strict=True):
        assert (entry.frame.offset, entry.frame.data + b"\0") == (begin, frame)
        begin += len(frame)
    for entry in found:
        assert entry.frame.kind is not None
        assert wire.is_from_host(entry.frame.kind) == isinstance(
            entry.frame.content, wire.HostCommand
        )
    summary = summed_up(data)
    assert (summary.frames, summary.is_clean, summary.cut) == (len(sent), True, 0)


@given(mixed, dirt)
def test_trailing_bytes_are_a_cut_frame(
    sent: list[wire.BoardMessage | wire.HostCommand], tail: bytes
) -> None:
    data = b"".join(encode(sent))
    *found, last = read([data + tail])
    assert found == list(read([data]))
    assert [*found, last] == read_bytewise(data + tail)
    assert (last.flaw, last.frame.offset, last.frame.data) == (Truncation.AT_END, len(data), tail)
    summary = summed_up(data + tail)
    assert (summary.frames, summary.is_clean, summary.cut) == (len(sent), True, 1)


@given(mixed, st.binary(max_size=300), mixed)
def test_offsets_of_frames(
    before: list[wire.BoardMessage | wire.HostCommand],
    noise: bytes,
    after: list[wire.BoardMessage | wire.HostCommand],
) -> None:
    data = b"".join([*encode(before), noise, b"\0", *encode(after)])
    found = list(read([data]))
    assert found == read_bytewise(data)
    end = 0
    for entry in found:
        assert entry.frame.offset >= end
        end = entry.frame.offset + len(entry.frame.data)
        assert data[entry.frame.offset : end] == entry.frame.data
    contents = [entry.frame.content for entry in found]
    assert contents[: len(before)] == before
    assert contents[len(contents) - len(after) :] == after
    assert len(list(lines(found, fold=False))) >= len(found)


@given(st.lists(states, min_size=3, max_size=8), st.data())
def test_lost_frames_are_counted_by_sequence(sent: list[wire.State], data: st.DataObject) -> None:
    frames = encode(sent)
    inner = st.integers(1, len(frames) - 2)
    missing = data.draw(st.sets(inner, min_size=1))
    summary = summed_up(*(frame for n, frame in enumerate(frames) if n not in missing))
    assert summary.lost == len(missing)
    assert not summary.is_clean


@given(st.lists(messages | commands, min_size=1, max_size=3), st.data())
def test_flipped_bits_are_reported(
    sent: list[wire.BoardMessage | wire.HostCommand], data: st.DataObject
) -> None:
    whole = bytearray(b"".join(encode([wire.Identify(), *sent])))
    first = len(encode([wire.Identify()])[0])
    bit = data.draw(st.integers(8 * first, 8 * len(whole) - 1))
    whole[bit // 8] ^= 1 << bit % 8
    summary = summed_up(bytes(whole))
    assert summary.frames < 1 + len(sent)
    assert summary.bad or summary.cut


def test_sequences_per_direction() -> None:
    host, board = wire.Encoder(), wire.Encoder()
    data = [host.encode(wire.Identify()), board.encode(HELLO), board.encode(wire.State(20, UP))]
    data += [
        host.encode(wire.RequestRaw()),
        board.encode(wire.State(40, UP)),
        host.encode(wire.Lamps(0)),
    ]
    assert summed_up(*data).lost == 0


# Descriptions


def test_unchanged_states_are_folded() -> None:
    frames = encode(
        [
            *(wire.State(20 * n, UP) for n in range(4)),
            wire.State(80, LIFTED),
            wire.State(100, LIFTED),
        ]
    )
    everything = [
        "       0  number 0: STATE at 0 ms, red on a1 to k4, blue on a7 to k10",
        f"{OFFSET}  … 3 more STATE, nothing changed",
        f"{4 * len(frames[0]):8}  number 4: STATE at 80 ms, e4 is empty",
        f"{OFFSET}  … 1 more STATE, nothing changed",
    ]
    assert text_lines(*frames) == everything
    unfolded = text_lines(*frames, fold=False)
    assert len(unfolded) == len(frames)
    assert unfolded[1].endswith("number 1: STATE at 20 ms, nothing changed")


def test_folding_ends_at_other_frames_and_gaps() -> None:
    frames = encode(
        [
            wire.State(0, UP),
            wire.State(20, UP),
            wire.Status(5000),
            wire.State(40, UP),
            wire.State(60, UP),
            wire.State(80, UP),
        ]
    )
    del frames[4]
    assert [line.lstrip(" 0123456789") for line in text_lines(*frames)] == [
        "number 0: STATE at 0 ms, red on a1 to k4, blue on a7 to k10",
        "… 1 more STATE, nothing changed",
        "number 2: STATUS, the supply is at 5000 mV",
        "… 1 more STATE, nothing changed",
        "frame lost, number 4",
        "number 5: STATE at 80 ms, nothing changed",
    ]


def test_lost_frames_across_the_sequence_wrap() -> None:
    encoder = wire.Encoder()
    frames = [encoder.encode(wire.State(20 * n, UP)) for n in range(260)]
    assert f"{OFFSET}  5 frames lost, numbers 254 to 2" in text_lines(*frames[:254], *frames[259:])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x05abcd\0", "bad frame, the checksum does not match"),
        (b"\x05ab\0", "bad frame, not COBS"),
        (b"\x03ab\0", "bad frame, too short for a frame"),
        (
            wire.build_frame(b"\x09\x09"),
            "number 9: bad frame, a type that is not sent in this direction",
        ),
        (wire.build_frame(b"\x01\x09\x05"), "number 9: bad frame, the wrong length for its type"),
        (wire.build_frame(b"\x83\x01\x09"), "number 1: bad frame, a number without a meaning"),
    ],
)
def test_kinds_of_damage(data: bytes, words: str) -> None:
    good = wire.build_frame(b"\x82\x00")
    assert text_lines(good, data)[1] == f"{len(good):8}  {words}: {data[:-1].hex(' ')}"
    assert summed_up(good, data).bad == 1


def test_long_frame_is_truncated_in_print() -> None:
    assert text_lines(b"a" * 90 + b"\0") == [
        f"       0  bad frame, longer than a frame can be: {'61 ' * wire.MAX_FRAME}…"
    ]


def test_capture_cut_at_both_ends() -> None:
    frames = encode(
        [wire.State(0, UP), wire.State(20, UP), wire.State(40, LIFTED), wire.State(60, UP)]
    )
    data = b"".join(frames)[10:-10]
    first, *_, last = text_lines(data)
    assert first == f"       0  cut by the start of the capture: {frames[0][10:-1].hex(' ')}"
    assert last == (
        f"{len(data) - len(frames[3]) + 10:8}  cut by the end of the capture: "
        f"{frames[3][:-10].hex(' ')}"
    )
    assert summed_up(data).is_clean
    assert str(summed_up(data)) == (
        "Frames: 2 good, 0 bad, 0 lost, 2 cut by the start or end of the capture; "
        "50.0 STATE a second by the board's clock"
    )


def test_only_the_first_frame_can_be_cut_at_the_start() -> None:
    first, second = read([b"\x05abcd\0\x05abcd\0"])
    assert (first.flaw, second.flaw) == (Truncation.AT_START, wire.FrameError.BAD_CHECKSUM)
    assert isinstance(first.frame.content, wire.BadFrame)
    (unknown,) = read([wire.build_frame(b"\x09\x00")])
    assert unknown.flaw is wire.FrameError.UNKNOWN_TYPE, "the frame is complete"


@pytest.mark.parametrize(
    ("clocks", "rate"),
    [
        ([0], None),
        ([0, 0], None),
        ([0, 20, 40], 50.0),
        ([0, 20, 60], 1000 / 30),
        ([2**32 - 20, 0, 20], 50.0),
        ([100_000, 100_020, 0, 20], 50.0),  # the board was reset
    ],
)
def test_rate_uses_the_board_clock(clocks: list[int], rate: float | None) -> None:
    summary = summed_up(*encode(wire.State(at_ms, UP) for at_ms in clocks))
    assert summary.states_per_second == (rate and pytest.approx(rate))
    assert ("STATE a second" in str(summary)) == (rate is not None)


def test_empty_capture() -> None:
    assert text_lines() == text_lines(b"") == text_lines(b"\0\0") == []
    assert str(summed_up()) == "Frames: 0 good, 0 bad, 0 lost"
