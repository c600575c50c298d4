"""Small files survive a power cut, even on a disk that keeps only synced data."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.storage.atomic_file import write_atomically


class ForgetfulDisk:
    """Records what a power cut would leave in a folder.

    A file's content remains if the file was synced, and its name remains if the folder was synced.
    """

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._contents: dict[int, bytes] = {}
        self._names: dict[str, int] = {}
        self.remains: list[dict[str, bytes]] = []
        """For each file operation, the folder's content if the power is cut right after it."""
        self._sync_all()
        self._fsync = os.fsync
        patch.setattr(os, "fsync", self._note(self._sync))
        patch.setattr(Path, "replace", self._note(Path.replace))

    def _note(self, do: Callable[..., object]) -> Callable[..., object]:
        def noted(*given: object) -> object:
            done = do(*given)
            self.remains.append(self.after_power_cut())
            return done

        return noted

    def _sync_all(self) -> None:
        for path in self._folder.iterdir():
            self._contents[path.stat().st_ino] = path.read_bytes()
            self._names[path.name] = path.stat().st_ino

    def _sync(self, descriptor: int) -> None:
        self._fsync(descriptor)
        number = os.fstat(descriptor).st_ino
        if number == self._folder.stat().st_ino:
            self._names = {path.name: path.stat().st_ino for path in self._folder.iterdir()}
        else:
            path = next(each for each in self._folder.iterdir() if each.stat().st_ino == number)
            self._contents[number] = path.read_bytes()

    def after_power_cut(self) -> dict[str, bytes]:
        return {name: self._contents.get(number, b"") for name, number in self._names.items()}


def test_power_cut_keeps_old_or_new_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "seals.txt"
    path.write_text("old", encoding="utf-8")
    disk = ForgetfulDisk(tmp_path, monkeypatch)
    write_atomically(path, "new")
    assert {each[path.name] for each in disk.remains} == {b"old", b"new"}
    assert disk.after_power_cut() == {path.name: b"new"}, "the new text survives a power cut"


def test_power_cut_with_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "seals.txt"
    disk = ForgetfulDisk(tmp_path, monkeypatch)
    write_atomically(path, "new")
    assert disk.after_power_cut() == {path.name: b"new"}
