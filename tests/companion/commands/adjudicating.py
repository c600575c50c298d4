"""Helpers that judge games with ``boomboard adjudicate``, and the games that they judge."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from engine.records.record_files import write_transcript
from engine.records.transcript import Transcript
from tests.engine.transcripts import ISF_DUEL

Verdicts = list[dict[str, Any]]
TO_AND_FRO = "b4-b5, k7-k6, b5-b4, k6-k5, b4-b5, i7-i6, b5-b4"
OLD_ISF = replace(ISF_DUEL, two_squares_limit=5)


def altered(sample: Path, old: str, new: str) -> Path:
    """Return a copy of the sample game with one change."""
    text = sample.read_text()
    assert text.count(old) == 1, "the text to change must occur exactly once"
    path = sample.with_name("altered.xml")
    path.write_text(text.replace(old, new))
    return path


def judged(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Verdicts]:
    code = main(["adjudicate", "--json", *map(str, arguments)])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def to_and_fro(sample: Path, plies: int) -> Path:
    """Write a game in which one of Red's pieces moves back and forth."""
    text = sample.read_text()
    head, tail = text[: text.index("<move")], text[text.index("<player") :]
    blue = [("A7", "A6"), ("A6", "A5"), ("A5", "B5"), ("B5", "B6"), ("B6", "A6"), ("A6", "A5")]
    moves = []
    for ply in range(plies):
        red = ("E4", "E5") if ply % 4 == 0 else ("E5", "E4")
        source, target = red if ply % 2 == 0 else blue[ply // 2]
        moves.append(f'<move id="{ply + 1}" source="{source}" target="{target}"/>\n')
    path = sample.with_name("to-and-fro.xml")
    path.write_text(head + "".join(moves) + tail)
    return path


def own(tmp_path: Path, game: Transcript, name: str = "game.json") -> Path:
    """Write a game in this program's own format."""
    path = tmp_path / name
    path.write_text(write_transcript(game))
    return path
