"""docs/sensing.md lists the hand actions and the limits from the code."""

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


def test_every_limit_is_documented() -> None:
    rows = [row.split("|") for row in sensing_document.limits().splitlines()[2:]]
    usual = {**asdict(LIMITS), **asdict(SENSING_LIMITS)}
    assert {name.strip(" `"): float(value) for _, name, value, *_ in rows} == usual
    assert all(decides.strip() for _, _, _, decides, *_ in rows)
