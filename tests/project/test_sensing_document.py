"""docs/sensing.md lists the hand actions and the limits from the code."""

import re
from dataclasses import asdict

from companion.core.recognition_limits import LIMITS
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from tools import sensing_document


def test_it_is_drawn_from_the_code() -> None:
    text = sensing_document.DOCUMENT.read_text("utf-8")
    assert sensing_document.draw(text) == text, "run make sensing"


def test_the_alphabet_is_whole() -> None:
    rows = sensing_document.courses().splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == [
        "a square is left",
        "a square is taken",
        "a square changes its colour",
    ]


def test_every_limit_is_listed_and_documented() -> None:
    listed = re.findall(r"`(\w+)` ([\d.]+)", sensing_document.limits())
    usual = {**asdict(LIMITS), **asdict(SENSING_LIMITS)}
    assert {name: float(value) for name, value in listed} == usual
    text = "".join(path.read_text("utf-8") for path in sensing_document.LIMITS)
    assert set(re.findall(r'\n    (\w+): \w+ = [\d.]+\n    """', text)) == set(usual)
