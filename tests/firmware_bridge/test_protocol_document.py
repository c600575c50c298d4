"""The sample traffic at the head of docs/protocol.md is what the codec reads and writes."""

from pathlib import Path

from engine.sides import Side
from engine.squares import square
from firmware_bridge.image import Image
from firmware_bridge.wire import (
    FROM_BOARD,
    FROM_HOST,
    BoardKind,
    BoardMessage,
    Decoder,
    Encoder,
    Fault,
    FaultCode,
    Hello,
    Identify,
    ResetCause,
    State,
)

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"

SET_UP = Image(red=Side.RED.home, blue=Side.BLUE.home)
LIFTED = Image(red=Side.RED.home & ~(1 << square("e4")), blue=Side.BLUE.home)
FROM_THE_BOARD: list[BoardMessage] = [
    Hello((1, 0, 0), BoardKind.COLOURS, ResetCause.EXTERNAL, 0xBEEF),
    State(1000, SET_UP),
    State(1020, LIFTED),
    Fault(FaultCode.LOW_SUPPLY, None, 4650),
]


def sample(direction: str) -> bytes:
    traffic = DOCUMENT.read_text(encoding="utf-8").split("```")[1].splitlines()
    return b"".join(bytes.fromhex(line[1:]) for line in traffic if line[:1] == direction)


def test_the_samples_are_read() -> None:
    assert Decoder(FROM_HOST).receive(sample(">")) == [Identify()]
    assert Decoder(FROM_BOARD).receive(sample("<")) == FROM_THE_BOARD


def test_the_samples_are_written() -> None:
    assert Encoder().encode(Identify()) == sample(">")
    assert b"".join(map(Encoder().encode, FROM_THE_BOARD)) == sample("<")
