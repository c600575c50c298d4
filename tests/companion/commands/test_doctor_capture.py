"""Use ``boomboard doctor --capture`` to save the board's bytes for ``boomboard decode``."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands import doctor
from companion.commands.options import recording
from firmware_bridge.capture import CaptureEntry, read
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import PROTOCOL, Encoder, ForeignHello, Hello, Raw, State
from tests.campaigns import RARE
from tests.companion.commands.board_time import BoardTime
from tests.firmware_bridge.links import device


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the observation time of `doctor`, because a single report is enough."""
    BoardTime(monkeypatch)
    monkeypatch.setattr(doctor, "WATCH_SECONDS", 0.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capture"


@pytest.fixture
def port() -> Iterator[str]:
    with SimulatedPort(SimulatedBoard()) as port:
        port.run()
        yield str(port.path)


def entries(path: Path) -> list[CaptureEntry]:
    return list(read([path.read_bytes()]))


def refusal(capsys: pytest.CaptureFixture[str], *options: object) -> str:
    """Return the error message: a single line, without a report."""
    assert main(["doctor", "--once", *map(str, options)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    return str(line)


def test_received_bytes_are_saved(
    capsys: pytest.CaptureFixture[str], port: str, path: Path
) -> None:
    main(["doctor", "--once", "--port", port, "--capture", str(path)])
    assert capsys.readouterr().err == (
        f"Everything that the board has sent is in {path}; “boomboard decode {path}” reads it.\n"
    )
    assert main(["decode", str(path)]) == 0
    assert "bad" not in capsys.readouterr().out.replace(" 0 bad", "")
    kinds = {type(entry.frame.content) for entry in entries(path)}
    assert {Hello, State, Raw} <= kinds


def test_json_report_stays_one_object(
    capsys: pytest.CaptureFixture[str], port: str, path: Path
) -> None:
    main(["doctor", "--json", "--port", port, "--capture", str(path)])
    out, err = capsys.readouterr()
    assert json.loads(out)["port"] == port
    assert str(path) in err
    assert path.stat().st_size


def test_unknown_traffic_is_saved(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    foreign = Encoder().encode(ForeignHello(1, b"from the past"))
    with device(foreign) as name:
        assert main(["doctor", "--once", "--port", name, "--capture", str(path)]) == 2
    where, why = capsys.readouterr().err.splitlines()
    assert str(path) in where
    assert f"it speaks protocol 1 instead of {PROTOCOL}" in why
    assert path.read_bytes().startswith(foreign)


def test_received_bytes_are_flushed(path: Path) -> None:
    with recording(path) as record:
        assert record
        record(b"ab")
        record(b"c")
        assert path.read_bytes() == b"abc"


def test_no_file_without_traffic(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, port = tmp_path / "capture", tmp_path / "no-such-port"
    assert "There is no serial port" in refusal(capsys, "--port", port, "--capture", path)
    assert not path.exists()


def test_existing_file_is_kept(
    capsys: pytest.CaptureFixture[str], port: str, tmp_path: Path
) -> None:
    path = tmp_path / "capture"
    path.write_text("of yesterday")
    assert refusal(capsys, "--port", port, "--capture", path) == (
        f"boomboard: {path} already exists; choose another file with --capture."
    )
    assert path.read_text() == "of yesterday"


def test_uncreatable_file(capsys: pytest.CaptureFixture[str], port: str, tmp_path: Path) -> None:
    path = tmp_path / "no such folder" / "capture"
    assert refusal(capsys, "--port", port, "--capture", path) == (
        f"boomboard: {path} cannot be written (No such file or directory); choose another file "
        "with --capture."
    )


@RARE
def test_full_disk_is_reported_last(path: Path) -> None:
    """A limit on the file size simulates a full disk."""
    kilobyte, *command = 'ulimit -f 1; exec "$0" "$@"', sys.executable, "-m", "tests.timeouts"
    done = subprocess.run(
        ["bash", "-c", kilobyte, *command, "doctor", "--simulate", "--once", "--capture", path],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"Firmware 0.0.0" in done.stdout
    assert done.stderr.decode() == (
        f"boomboard: The capture in {path} is incomplete (File too large); choose a file on "
        "another disk with --capture.\n"
    )
    assert 0 < path.stat().st_size <= 1024
    *whole, _last = entries(path)
    assert all(entry.flaw is None and not entry.frame.lost for entry in whole)
