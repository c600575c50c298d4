"""Tests for the minimum branch coverage of each package."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import ROOT


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Write a report on three packages: one with 19 of 20 branches covered, one with 18 of 20, and
    one without branches."""
    counts = {
        "engine/board.py": (9, 10),
        "engine/board/geometry.py": (10, 10),
        "engineering/x.py": (0, 99),
        "firmware_bridge/wire/frames.py": (18, 20),
        "companion/__init__.py": (0, 0),
    }
    files = {
        name: {"summary": {"covered_branches": taken, "num_branches": branches}}
        for name, (taken, branches) in counts.items()
    }
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"files": files}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("packages", "status", "expected"),
    [
        (["engine"], 0, "engine: 95.0 %"),
        (["companion"], 0, "companion: 100.0 %"),
        (["engine", "firmware_bridge"], 1, "firmware_bridge: 90.0 %"),
        (["enigne"], 1, "enigne: the report has no files of this package"),
    ],
)
def test_package_below_the_minimum_fails(
    report: Path, packages: list[str], status: int, expected: str
) -> None:
    tool = str(ROOT / "tools" / "check_coverage.py")

    result = subprocess.run(
        [sys.executable, tool, str(report), "95", *packages],
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == status
    assert expected in result.stdout + result.stderr
