"""Tests that docs/sensing.md lists the hand actions, and that every limit is documented."""

import re
from dataclasses import asdict
from typing import Final

from companion.core.recognition_limits import LIMITS
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tools import sensing_document
from tools.sensing_document import ROOT

LIMIT_FILES: Final = (
    "companion/core/recognition_limits.py",
    "firmware_bridge/sensing/sensing_limits.py",
)


def test_document_is_current() -> None:
    text = sensing_document.DOCUMENT.read_text("utf-8")
    assert sensing_document.draw(text) == text, "run make sensing"


def test_all_hand_movements_are_listed() -> None:
    rows = sensing_document.hypotheses().splitlines()
    assert [row.partition(": ")[0] for row in rows] == [
        "- a square is left",
        "- a square is taken",
        "- a square changes its colour",
    ]


def test_every_limit_is_documented() -> None:
    text = "".join((ROOT / path).read_text("utf-8") for path in LIMIT_FILES)
    documented = set(re.findall(r'\n    (\w+): \w+ = [\d.]+\n    """', text))
    assert documented == {*asdict(LIMITS), *asdict(SENSING_LIMITS)}
