"""The text of every finding is translated into every language."""

import re
from dataclasses import replace

import pytest

from companion.diagnostics.board_monitor import BoardMonitor
from companion.diagnostics.inspection import findings
from companion.diagnostics.report import WORST_FIRST, Finding, marks, sorted_findings
from companion.speech.i18n import SOURCE, Language, codes
from engine.board.geometry import SQUARES
from firmware_bridge.board_hardware import WIRINGS
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, MessageReceived, Statistics
from firmware_bridge.wire import Fault, FaultCode, Geometry, ResetCause
from tests.companion.diagnostics.boards import (
    ARMIES,
    HELLO,
    NOW,
    TILES,
    pass_readings,
    readings_of,
    squares,
    watched,
)

BY_HAND = WIRINGS[Geometry.BY_HAND]

ENGLISH_WORDS = {
    *("the", "its", "reads", "feels", "and", "board", "square", "piece", "look"),
    *("whatever", "take", "magnets", "stands", "there"),
}


def all_findings(language: Language) -> list[Finding]:
    """Return the findings for several boards. Together, they include every type of finding."""
    ill = replace(HELLO, calibration=0, reset_cause=ResetCause.WATCHDOG | ResetCause.BROWN_OUT)
    reads = {"a1": 0, "b1": 1023, "c1": 590, "d1": 200, "e1": 500, "f5": 560, "g5": 800}
    board = watched(ill, reads=reads, supply_mv=4650)
    board.take(Connected("/dev/ttyUSB0", ill), NOW)
    board.take(MessageReceived(Fault(FaultCode.STUCK_CHANNEL, 5, 512)), NOW)
    noisy = watched(reads={"e5": 570})
    pass_readings(noisy, [*readings_of(ARMIES)[:44], 620, *readings_of(ARMIES)[45:]], NOW)
    behind = watched()
    for n in SQUARES:
        if BY_HAND.place(n)[0] == 3:
            behind.take(MessageReceived(Fault(FaultCode.STUCK_CHANNEL, n, 0)), NOW)
    behind.take(MessageReceived(Fault(FaultCode.NO_GROUND, None, 4)), NOW)
    behind.take(MessageReceived(Fault(FaultCode.OPEN_WIRE, 0, 0)), NOW)
    tiles = watched(TILES)
    for n in SQUARES:
        if WIRINGS[Geometry.TILES].place(n)[0] in (0, 1, 2) or n == 97:
            tiles.take(MessageReceived(Fault(FaultCode.STUCK_CHANNEL, n, 0)), NOW)
    tiles.take(MessageReceived(Fault(FaultCode.OPEN_WIRE, 95, 0)), NOW)
    tiles.take(MessageReceived(Fault(FaultCode.NO_GROUND, None, 7)), NOW)
    boards = [
        tiles,
        board,
        noisy,
        behind,
        watched(image=Image()),
        BoardMonitor(Connected("", HELLO)),
    ]
    boards.append(watched(image=Image(red=ARMIES.blue, blue=ARMIES.red)))
    lossy = Statistics(lost=3, bad_frames=4)
    return [
        finding
        for watch in boards
        for armies in (False, True)
        for finding in findings(watch, lossy, NOW, armies=armies, language=language)
    ]


@pytest.mark.parametrize("code", [code for code in codes() if code != SOURCE])
def test_findings_are_translated(code: str) -> None:
    english, other = all_findings(Language(SOURCE)), all_findings(Language(code))
    assert {finding.about for finding in english} == set(WORST_FIRST) - {"connection"}
    for text, translated in zip(english, other, strict=True):
        assert (text.about, text.squares) == (translated.about, translated.squares)
        assert text.text != translated.text
        words = set(re.findall(r"\w+", translated.text.lower()))
        assert not words & ENGLISH_WORDS, translated.text


def test_numbers_are_localized() -> None:
    texts = {finding.about: finding.text for finding in all_findings(Language("de"))}
    assert "4,65 V" in texts["supply"]


def test_worst_finding_marks_the_square() -> None:
    noise = Finding("noise", "", squares("e4", "e5"))
    stuck = Finding("stuck", "", squares("e4"))
    found = sorted_findings([noise, stuck])
    assert found == [stuck, noise]
    assert marks(found) == {34: "stuck", 44: "noise"}
