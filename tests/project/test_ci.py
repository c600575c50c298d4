"""Tests for the commands run by continuous integration, and for the documented campaigns."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns import CAMPAIGNS
from tests.project import ROOT


def started(folder: Path, breaks: str) -> subprocess.CompletedProcess[str]:
    """Run the script with a `make` that prints its arguments and fails for the target `breaks`."""
    make = folder / "make"
    make.write_text(f'#!/bin/sh\necho "make $*"\ntest "$*" != "{breaks}"\n')
    make.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    command = [str(ROOT / ".ci" / "run")]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("breaks", "expected"),
    [
        ("", ["make test", "make heavy"]),
        ("test", ["make test"]),
        ("heavy", ["make test", "make heavy"]),
    ],
)
def test_ci_runs_quick_checks_first(tmp_path: Path, breaks: str, expected: list[str]) -> None:
    run = started(tmp_path, breaks)
    assert run.stdout.splitlines() == expected
    assert (run.returncode == 0) == (not breaks)


def test_test_all_runs_test_and_heavy() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^test-all: test heavy ##", makefile, re.MULTILINE)


@pytest.mark.parametrize(("name", "code"), [("power-cuts", 0), ("", 0), ("power cuts", 2)])
def test_unknown_campaign_lists_the_names(name: str, code: int) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "tests.campaigns", *filter(None, [name])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == code
    assert all(each in answer.stderr for each in CAMPAIGNS) == bool(code)
