"""Tests that compare the examples in docs/protocol.md with the codec and the capture decoder."""

import re
from pathlib import Path

import pytest

from engine.board.geometry import Side, square
from firmware_bridge import wire
from firmware_bridge.capture import CaptureSummary, lines, read
from firmware_bridge.image import Image
from tests.hardware.test_firmware_build import CONSTANTS, ENUMERATIONS

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
TRAFFIC, _FRAME = re.findall(r"^```\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)

SET_UP = Image(red=Side.RED.home, blue=Side.BLUE.home)
LIFTED = Image(red=Side.RED.home & ~(1 << square("e4")), blue=Side.BLUE.home)
FROM_THE_BOARD: list[wire.BoardMessage] = [
    wire.Hello(
        *((5, 0, 0), wire.BoardKind.COLOURS, wire.ResetCause.EXTERNAL, 0xBEEF),
        *(wire.Geometry.BY_HAND, 0x1F4A9C03),
    ),
    wire.State(1000, SET_UP),
    wire.State(1020, LIFTED, ((square("e4"), 9),)),
    wire.Fault(wire.FaultCode.LOW_SUPPLY, None, 4650),
]


def sample(*directions: str) -> bytes:
    """Return the sample traffic in the given directions: ">" means to the board, and "<" means from
    the board."""
    shown = TRAFFIC.splitlines()
    return b"".join(bytes.fromhex(line[1:]) for line in shown if line[0] in directions)


def decoded(capture: bytes) -> str:
    """Return the output of ``boomboard decode`` for a capture."""
    summary, entries = CaptureSummary(), list(read([capture]))
    for entry in entries:
        summary.take(entry)
    return "".join(f"{line}\n" for line in [*lines(entries), summary])


def test_sample_traffic_is_current() -> None:
    assert wire.Encoder().encode(wire.Identify()) == sample(">")
    assert b"".join(map(wire.Encoder().encode, FROM_THE_BOARD)) == sample("<")


def test_sample_traffic_is_decoded() -> None:
    printed = [line for line in TRAFFIC.splitlines(keepends=True) if line[0] not in "<>"]
    assert decoded(sample("<", ">")) == "".join(printed)


# Names and values


NAMED = set(re.findall(r"`([A-Z][A-Z_]+)`", TEXT)) - {"FILE"}
VALUED = [
    *re.findall(r"(0x[0-9A-F]+|\d+)(?: [a-z]+)?\s+\(?`([A-Z_]+)`(?! is)", TEXT),
    *[(value, name) for name, value in re.findall(r"`([A-Z_]+)` is (\d+)", TEXT)],
]
"""Pairs of a value and a name, from text such as "20 ms (`STATE_INTERVAL_MS`)", "1 `DRIFT`" and
"`CHANNELS` is 16"."""
COMPARED = {name for names in CONSTANTS.values() for name in names} | {
    name for _, enumeration in ENUMERATIONS.values() for name in enumeration.__members__
}
"""Names whose values are compared with those in the firmware."""


def values(name: str) -> set[int]:
    """Return all values that the modules in firmware_bridge/wire assign to a name."""
    enumerations = [enumeration for _, enumeration in ENUMERATIONS.values()]
    found = {int(each[name]) for each in enumerations if name in each.__members__}
    return found | ({getattr(wire, name)} if hasattr(wire, name) else set())


def test_names_match_the_firmware() -> None:
    assert len(NAMED) >= 20
    assert NAMED <= COMPARED
    assert NAMED - {name for _, name in VALUED} == {"PROTOCOL"}
    assert all(map(values, NAMED))


@pytest.mark.parametrize(("value", "name"), VALUED)
def test_values_match_the_firmware(value: str, name: str) -> None:
    assert int(value, 0) in values(name)


def test_frame_types_are_documented() -> None:
    chapters = re.findall(r"^### ([A-Z_]+), 0x([0-9A-F]{2})$", TEXT, re.MULTILINE)
    assert {name: int(number, 16) for name, number in chapters} == dict(
        wire.MessageType.__members__.items()
    )
