"""Tests that decode the bytes sent by the real firmware with the capture decoder."""

from pathlib import Path

from engine.board.geometry import Side, square
from firmware_bridge.capture import CaptureSummary, Truncation, lines, read
from firmware_bridge.image import Image
from firmware_bridge.wire import Identify, RequestRaw
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import NORTH
from tests.hardware.conftest import VERSION

SECOND_US = 1_000_000


def test_firmware_capture_has_no_bad_frames(firmware_elf: Path) -> None:
    with EmulatedBoard(firmware_elf) as board:
        board.show(Image(red=Side.RED.home, blue=Side.BLUE.home))
        board.power_on()
        heard = board.run(SECOND_US)
        board.send(Identify(), RequestRaw())
        board.lift(square("e4"))
        heard += board.run(SECOND_US)
        board.set_down(square("e5"), NORTH)
        heard += board.run(SECOND_US)
        capture = board.take_bytes()
    entries, summary = list(read([capture])), CaptureSummary()
    for entry in entries:
        summary.take(entry)
    whole = [entry for entry in entries if entry.flaw is None]
    assert [entry.frame.content for entry in whole] == [each.message for each in heard]
    assert {entry.flaw for entry in entries} <= {None, Truncation.AT_END}
    assert summary.is_clean
    assert summary.states_per_second == 50.0

    texts = [line.split(maxsplit=1)[1] for line in lines(entries)]
    assert texts[0].startswith(f"number 0: HELLO, protocol 5, firmware {VERSION} (")
    assert texts[1].endswith("ms, red on a1 to k4, blue on a7 to k10")
    changes = [line for line in texts if "STATE at" in line and "nothing" not in line][1:]
    assert [line.split(", ")[1] for line in changes] == ["e4 is empty", "e5 is red"]
    assert sum("RAW, multiplexer" in line for line in texts) == 7
