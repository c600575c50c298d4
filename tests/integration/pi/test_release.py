"""Test for a disk image that contains a broken release."""

import subprocess
from pathlib import Path

import pytest

from hardware.pi.release import make_disk


def show(disk: Path, path: str) -> str:
    command = ["debugfs", "-R", f"cat {path}", str(disk)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_release_frames_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/sbin", prepend=":")
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "kivy.whl").write_text("a wheel")
    disk = make_disk(wheels, tmp_path)
    program = show(disk, "/clone/companion/ui/program.py")
    assert "def _tick(self, _seconds: float) -> None:\n        return\n" in program
    assert show(disk, "/wheels/kivy.whl") == "a wheel"
