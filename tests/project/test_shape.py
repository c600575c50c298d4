"""Tests for the shape of the source tree: module sizes, folder sizes and class names."""

from pathlib import Path

import pytest

from tests.project import ROOT
from tools.shape import FEWEST_LINES, MOST_IN_A_FOLDER, MOST_LINES, faults, shared_names

FULL = '"""A module."""\n' + "\n" * FEWEST_LINES


def write(root: Path, path: str, text: str = FULL) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_tree_is_within_limits() -> None:
    assert faults(ROOT) == []


def test_a_full_folder_is_found(tmp_path: Path) -> None:
    for n in range(MOST_IN_A_FOLDER):
        write(tmp_path, f"engine/rules/rule_{n}.py")
    assert faults(tmp_path) == []
    write(tmp_path, "engine/rules/one_more.py")
    assert faults(tmp_path) == ["engine/rules: 21 modules, at most 20"]


def test_a_small_module_is_found(tmp_path: Path) -> None:
    write(tmp_path, "companion/__init__.py", "")
    write(tmp_path, "companion/small.py", "x = 1\n")
    assert faults(tmp_path) == ["companion/small.py: 1 lines, at least 40"]


@pytest.mark.parametrize("folder", ["engine", "hardware", "tests", "tools"])
def test_a_large_module_is_found(tmp_path: Path, folder: str) -> None:
    write(tmp_path, f"{folder}/large.py", "\n" * MOST_LINES)
    assert faults(tmp_path) == []
    write(tmp_path, f"{folder}/large.py", "\n" * (MOST_LINES + 1))
    assert faults(tmp_path) == [f"{folder}/large.py: 501 lines, at most 500"]


def test_too_many_modules_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.shape.MOST_MODULES", 1)
    write(tmp_path, "engine/one.py")
    write(tmp_path, "companion/two.py")
    assert faults(tmp_path) == ["2 modules, at most 1"]


def test_duplicate_class_name_is_found(tmp_path: Path) -> None:
    for path in ("engine/one.py", "companion/two.py"):
        write(tmp_path, path, FULL + "class Board: ...\n\n\nclass _Own: ...\n")
    assert shared_names(tmp_path) == {"Board": ["companion/two.py", "engine/one.py"]}
