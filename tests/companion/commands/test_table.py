"""Run ``boomboard table`` as a process with real pipes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from companion import cli
from companion.commands.table import answers
from companion.jsonl.table_process import TableProcess
from engine.rules.editions import DEFAULT
from tests.companion.core import game_lines as scenes

RUN: Final = [sys.executable, "-m", "companion", "table", "--edition", DEFAULT.id, "--json"]


@contextmanager
def running(*options: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*RUN, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def test_piped_lines_are_answered_at_once() -> None:
    lines = scenes.fought()
    with running("--seed", "1") as process:
        assert process.stdin
        assert process.stdout
        for line, answer in zip(lines.given, lines.answers, strict=True):
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == answer
        out, err = process.communicate()
        assert (out, err, process.returncode) == ("", "", 0)


def test_piped_garbage_names_its_line() -> None:
    deep = "[" * 100_000
    with running() as process:
        out, err = process.communicate(f'{{"at": 0, "time": true}}\n[1]\n\n{deep}\n{{"at": 1}}')
    first, *errors = map(json.loads, out.splitlines())
    assert first["state"] == "no-board"
    assert [error["line"] for error in errors] == [2, 3, 4, 5]
    assert [error["error"] for error in errors[:3]] == [
        f"Line {number} is not a JSON object." for number in (2, 3, 4)
    ]
    assert (err, process.returncode) == ("", 0)


def test_undecodable_bytes_are_reported() -> None:
    (answer,) = answers(TableProcess(DEFAULT, 1), [b'{"at": "\xff"}'])
    assert answer == {"error": "Line 1 is not a JSON object.", "line": 1}


def test_broken_pipe_ends_quietly() -> None:
    with running() as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write('{"at": 0, "time": true}\n')
        process.stdin.close()
        assert process.stderr.read() == ""
        assert process.wait() == 1


def test_json_option_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["table"])
    assert ended.value.code == 2
    assert "--json" in capsys.readouterr().err
