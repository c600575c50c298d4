"""Tests that the share of docstrings and comments in odd English does not rise."""

from pathlib import Path

import pytest

from tools.prose import CEILINGS, PATTERNS, count, matches

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("folder", CEILINGS)
def test_no_folder_exceeds_its_ceiling(folder: str) -> None:
    found, total = count(ROOT / folder)
    assert 100 * found / total <= CEILINGS[folder], (
        f"too many odd texts: run python -m tools.prose {folder}"
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What the board shows.", "begins with a relative clause"),
        ("So many seconds pass.", "begins with a measure"),
        ("Tell what was seen.", "begins with Say, Tell, Let or Have"),
        ("Wait for so many seconds.", "so many as a measure"),
        ("Whether there is none.", "is none"),
        ("A piece that nobody has moved.", "nobody or somebody acts"),
        ("Events that tell of a move.", "tell of"),
        ("Read the board anew.", "literary adverb"),
        ("Count what comes of it.", "come of"),
        ("Whether a piece stands there.", "stand for be"),
    ],
)
def test_each_pattern_finds_its_construction(text: str, name: str) -> None:
    assert name in matches(text)
    assert name in PATTERNS


def test_plain_sentences_match_nothing(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text('"""Return the squares of a side."""\n\nLIMIT = 3\n"""Seconds."""\n')
    assert count(file) == (0, 2)
