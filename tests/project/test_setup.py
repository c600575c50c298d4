"""Tests that the old packages remain usable if a set-up fails or is killed."""

import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tests.project import ROOT

HASH: Final = "0" * 64
NEWER: Final = f"cobs==99.0 --hash=sha256:{HASH}\n"
"""Pinned requirement that cannot be installed without a network."""
FOR_WINDOWS: Final = f"pywin32==312 ; sys_platform == 'win32' --hash=sha256:{HASH}\n"


class Clone:
    def __init__(self, root: Path) -> None:
        self.root, self.venv = root, root / ".venv"
        (root / "tools").mkdir()
        (root / "requirements").mkdir()
        shutil.copy(ROOT / "tools" / "setup.sh", root / "tools")
        (root / "engine").mkdir()
        projects = [root / "pyproject.toml", root / "engine" / "pyproject.toml"]
        for project in projects:
            project.write_text("")
        self.pins = root / "requirements" / "program.txt"
        self.pins.write_text("")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.venv], check=True)
        # Installing pip in the environment would take ten seconds. The environment therefore uses
        # the pip that is installed for these tests.
        [packages] = self.venv.glob("lib/python*/site-packages")
        (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
        (self.venv / "home").write_text(f"{root} {sys.version_info[0]} {sys.version_info[1]}\n")
        files = [self.pins, *projects, root / "tools" / "setup.sh"]
        key = hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest()
        (self.venv / "ready-program").write_text(f"{key}  -\n")
        (self.venv / "kept").write_text("by the version before")

    def start(self, index: str) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "PIP_INDEX_URL": index,
            "PIP_RETRIES": "0",
            "PIP_NO_CACHE_DIR": "1",
        }
        return subprocess.Popen(
            [self.root / "tools" / "setup.sh", "program"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def set_up(self, index: str = "http://127.0.0.1:9/simple") -> tuple[int, str]:
        with self.start(index) as process:
            output, _ = process.communicate()
        return process.returncode, output

    def files(self) -> dict[str, bytes]:
        """Return all files in the environment, except those that Python compiles at run time."""
        return {
            str(each.relative_to(self.venv)): each.read_bytes()
            for each in self.venv.rglob("*")
            if each.is_file() and each.suffix != ".pyc"
        }


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_unchanged_setup_does_nothing(clone: Clone) -> None:
    assert clone.set_up() == (0, "")


def test_offline_setup_keeps_packages(
    clone: Clone,
) -> None:
    before = clone.files()
    clone.pins.write_text(NEWER + FOR_WINDOWS)
    for _ in range(2):
        code, output = clone.set_up()
        assert code == 0
        assert output.count("No network: starting with the packages from before the update.\n") == 1
        assert "stopped" not in output
        assert clone.files() == before
    assert [each.name for each in clone.root.glob(".venv*")] == [".venv"]


def test_offline_setup_fails_without_a_package(clone: Clone) -> None:
    before = clone.files()
    clone.pins.write_text(NEWER.replace("cobs", "no-such-package"))
    code, output = clone.set_up()
    assert code == 1
    assert "could not be downloaded" in output
    assert "The packages in .venv were restored." in output
    assert clone.files() == before


def test_moved_clone_is_repaired_offline(tmp_path: Path) -> None:
    (tmp_path / "first place").mkdir()
    clone = Clone(tmp_path / "first place")
    [packages] = clone.venv.glob("lib/python*/site-packages")
    (packages / "project.pth").write_text(f"{clone.root}\n")
    (clone.root / "module_of_the_clone.py").write_text("print('found')")
    program = clone.venv / "bin" / "program"
    program.write_text(
        "#!/bin/sh\n" + f"exec '{clone.venv}/bin/python' -c 'import module_of_the_clone'\n"
    )
    program.chmod(0o755)
    moved = clone.root.rename(tmp_path / "second place")
    clone.root, clone.venv = moved, moved / ".venv"
    code, output = clone.set_up()
    assert code == 0
    assert output == f".venv was moved from {tmp_path / 'first place'}; its paths were adjusted.\n"
    found = subprocess.run(
        [clone.venv / "bin" / "program"], capture_output=True, text=True, check=True, cwd="/"
    )
    assert found.stdout == "found\n"
    assert clone.set_up() == (0, "")


@pytest.fixture
def silence() -> Iterator[tuple[str, socket.socket]]:
    """Run a package index that accepts connections but sends nothing."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/simple", server


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_killed_setup_is_rolled_back(
    clone: Clone, silence: tuple[str, socket.socket], end: signal.Signals
) -> None:
    """SIGKILL simulates a power cut."""
    before = clone.files()
    pins = clone.pins.read_text()
    clone.pins.write_text(NEWER)
    index, server = silence
    with clone.start(index) as process:
        call, _ = server.accept()
        with call:
            assert not (clone.venv / "home").exists(), "the setup is still in progress"
            os.killpg(process.pid, end)
            process.communicate()
    if end is signal.SIGTERM:
        assert clone.files() == before
    clone.pins.write_text(pins)
    code, output = clone.set_up()
    assert code == 0
    assert "Removing" not in output
    assert clone.files() == before
    assert [each.name for each in clone.root.glob(".venv*")] == [".venv"]


def test_ctrl_c_is_no_pip_failure(clone: Clone, silence: tuple[str, socket.socket]) -> None:
    before = clone.files()
    clone.pins.write_text(NEWER)
    index, server = silence
    with clone.start(index) as process:
        call, _ = server.accept()
        with call:
            os.killpg(process.pid, signal.SIGINT)
            output, _ = process.communicate()
    assert process.returncode == 130
    assert "Set-up stopped by Ctrl-C. Run this again to continue." in output
    assert "pip could not" not in output
    assert clone.files() == before
