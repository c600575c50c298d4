"""Tests for the text descriptions of messages."""

import pytest
from hypothesis import given

from engine.board.geometry import ALL, Side, set_of, square
from firmware_bridge import wire
from firmware_bridge.capture import describe
from firmware_bridge.image import Image
from tests.firmware_bridge.strategies import commands, images, messages


def on(*names: str) -> int:
    return set_of(map(square, names))


BUILT = wire.BoardSettings(wire.BoardKind.COLOURS, wire.Geometry.TILES, 17, 1127)
UP = Image(red=Side.RED.home, blue=Side.BLUE.home)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            wire.Hello(
                (1, 2, 3),
                wire.BoardKind.COLOURS,
                wire.ResetCause.EXTERNAL,
                0xBEEF,
                wire.Geometry.TILES,
                0xC0,
            ),
            "HELLO, protocol 5, firmware 1.2.3 (000000c0), colour sensors, built from tiles, "
            "reset by the reset line, calibration BEEF",
        ),
        (
            wire.Hello((0, 1, 0), wire.BoardKind.PRESENCE, wire.ResetCause(12), 0),
            "HELLO, protocol 5, firmware 0.1.0 (00000000), presence sensors, wired by hand, "
            "reset by a brown-out and the watchdog, not calibrated",
        ),
        (
            wire.Hello((0, 0, 0), wire.BoardKind.COLOURS, wire.ResetCause(0), 0x2A),
            "HELLO, protocol 5, firmware 0.0.0 (00000000), colour sensors, wired by hand, "
            "reset by an unknown cause, "
            "calibration 002A",
        ),
        (wire.ForeignHello(1, b"\x09\x0a"), "HELLO, protocol 1, which is not ours: 09 0a"),
        (wire.ForeignHello(1, b""), "HELLO, protocol 1, which is not ours: no more"),
        (
            wire.Configured(wire.ConfigureResult.ACCEPTED, BUILT),
            "CONFIGURED, colour sensors, built from tiles, on from 17 %, reference 1127 mV",
        ),
        (
            wire.Configured(wire.ConfigureResult.NO_SHARE, BUILT),
            "CONFIGURED, colour sensors, built from tiles, on from 17 %, reference 1127 mV, "
            "refused: no board would work with such a threshold",
        ),
        (wire.Configure(), "CONFIGURE, as it is"),
        (
            wire.Configure(wire.BoardKind.PRESENCE, wire.Geometry.BY_HAND, 40, 1085),
            "CONFIGURE, presence sensors, wired by hand, on from 40 %, reference 1085 mV",
        ),
        (
            wire.Fault(wire.FaultCode.STUCK_CHANNEL, square("e6"), 1023),
            "FAULT, e6 is stuck at 1023",
        ),
        (wire.Fault(wire.FaultCode.DRIFT, square("a1"), 300), "FAULT, a1 has drifted to 300"),
        (wire.Fault(wire.FaultCode.DRIFT, None, 300), "FAULT, a sensor has drifted to 300"),
        (wire.Fault(wire.FaultCode.LOW_SUPPLY, None, 4650), "FAULT, the supply is at 4650 mV"),
        (
            wire.Raw(2, (512, 0, 1023) + (500,) * (wire.CHANNELS - 3)),
            "RAW, multiplexer 2 reads 512 0 1023" + " 500" * 13,
        ),
        (
            wire.FieldReadings(1, (0, 4, -8, wire.NOT_FELT, 127) + (1,) * (wire.FELT_SQUARES - 5)),
            "FELT, a3 to k4 measure +0.0 +1.0 -2.0 ? +31.8" + " +0.2" * 15 + " % of a piece",
        ),
        (
            wire.CalibrationReply(wire.CalibrationStep.SAVE, {wire.CalibrationResult.DONE: 0}),
            "LEARNED, SAVE: DONE",
        ),
        (
            wire.CalibrationReply(
                wire.CalibrationStep.ARMIES,
                {
                    wire.CalibrationResult.WEAK: on("e4"),
                    wire.CalibrationResult.MISSING: on("a1", "k10"),
                },
            ),
            "LEARNED, ARMIES: WEAK on e4, MISSING on a1 and k10",
        ),
        (wire.Status(4985), "STATUS, the supply is at 4985 mV"),
        (wire.Identify(), "IDENTIFY"),
        (wire.RequestRaw(), "SEND_RAW"),
        (wire.RequestField(), "SEND_FELT"),
        (wire.Calibrate(wire.CalibrationStep.ARMIES), "LEARN, ARMIES"),
        (wire.Lamps(on("e4", "k10")), "LAMPS, lit on e4 and k10"),
        (wire.Lamps(0), "LAMPS, lit nowhere"),
    ],
)
def test_text_of_messages(message: wire.BoardMessage | wire.HostCommand, words: str) -> None:
    assert describe(message) == words


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (Image(), "the board is empty"),
        (UP, "red on a1 to k4, blue on a7 to k10"),
        (Image(unknown=ALL), "pieces on a1 to k10"),
        (Image(red=on("e4", "f4")), "red on e4 and f4"),
        (Image(blue=on("e4", "f4", "g4")), "blue on e4 to g4"),
        (
            Image(red=on("a1", "k1", "a2", "b2", "d2", "k10")),
            "red on a1, k1 to b2, d2 and k10",
        ),
    ],
)
def test_text_of_a_full_image(image: Image, words: str) -> None:
    assert describe(wire.State(20, image)) == f"STATE at 20 ms, {words}"


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (UP, "nothing changed"),
        (Image(red=UP.red & ~on("e4"), blue=UP.blue), "e4 is empty"),
        (Image(red=UP.red ^ on("e4", "e5"), blue=UP.blue), "e4 is empty, e5 is red"),
        (Image(red=UP.red & ~on("e4"), blue=UP.blue | on("e4")), "e4 is blue"),
        (Image(red=UP.red, blue=UP.blue, unknown=on("e5", "f6")), "e5 and f6 are occupied"),
        (Image(), "a1 to k4 and a7 to k10 are empty"),
    ],
)
def test_text_of_changes(after: Image, words: str) -> None:
    assert describe(wire.State(20, after), UP) == f"STATE at 20 ms, {words}"


def test_text_of_change_times_and_faint_squares() -> None:
    state = wire.State(1020, UP, ((square("e5"), 17), (square("e4"), 9)), on("e4", "k10"))
    assert describe(state, UP) == (
        "STATE at 1020 ms, nothing changed, state of e5 first seen 17 ms before, "
        "state of e4 first seen 9 ms before, faint on e4 and k10"
    )


@given(images, images)
def test_text_only_for_changes(before: Image, after: Image) -> None:
    text = describe(wire.State(0, after), before)
    assert (text == "STATE at 0 ms, nothing changed") == (before == after)


@given(messages | commands)
def test_text_begins_with_the_type(message: wire.BoardMessage | wire.HostCommand) -> None:
    kind, *_ = describe(message).replace(",", " ").split()
    (frame,) = wire.Decoder(wire.FROM_EITHER).frames(wire.Encoder().encode(message))
    assert wire.MessageType[kind] == frame.kind
