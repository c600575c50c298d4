"""Saved setups survive a restart, stay private, and are never lost."""

import stat
from pathlib import Path

import pytest

from companion.setups.setup import SavedSetups, preset_setups
from engine.board.ranks import ORIGINAL

ONE, OTHER, *_ = (named.setup for named in preset_setups(ORIGINAL))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "setups.txt"


def names(path: Path) -> list[str]:
    return [named.name for named in SavedSetups(path).setups]


def test_saved_setups_are_private(path: Path) -> None:
    kept = SavedSetups(path)
    kept.keep("Anna", ONE)
    kept.keep("Ole", OTHER)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [named.setup for named in SavedSetups(path).setups] == [ONE, OTHER]
    kept.delete("Anna")
    assert names(path) == ["Ole"]


def test_duplicate_name_gets_a_number(path: Path) -> None:
    kept = SavedSetups(path)
    for setup in (ONE, OTHER, ONE):
        kept.keep("Anna", setup)
    assert names(path) == ["Anna", "Anna 2", "Anna 3"]


@pytest.mark.parametrize("damage", [b"name: Anna\n 6 8\n", b"\xff\xfe"])
def test_damaged_file_is_quarantined_whole(path: Path, damage: bytes) -> None:
    for aside in ("setups-damaged.txt", "setups-damaged 2.txt"):
        path.write_bytes(damage)
        kept = SavedSetups(path)
        assert kept.setups == []
        assert "{file}" in kept.problem
        assert kept.quarantined == aside
        assert path.with_name(aside).read_bytes() == damage
        kept.keep("Ole", OTHER)
        assert names(path) == ["Ole"]


def test_unreadable_setups_file_is_not_overwritten(path: Path) -> None:
    path.mkdir()
    kept = SavedSetups(path)
    assert "Cannot read" in kept.problem
    kept.keep("Anna", ONE)
    assert path.is_dir()
    assert kept.setups == []


def test_full_disk_keeps_saved_setups(path: Path) -> None:
    kept = SavedSetups(path)
    kept.keep("Anna", ONE)
    path.with_suffix(".new").mkdir()  # so that the file cannot be written
    kept.keep("Ole", OTHER)
    assert "Free some space" in kept.problem
    assert names(path) == ["Anna"]
