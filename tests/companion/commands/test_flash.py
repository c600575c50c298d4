"""Run ``boomboard flash`` with a simulated avrdude, which prints the output of the real one."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands import flash
from companion.diagnostics import firmware_update
from firmware_bridge.link import find_ports
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import SimulatedPort
from firmware_bridge.wire import BoardKind
from tests.companion.diagnostics.hex_files import hex_file

AVRDUDE = """\
#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
calls = here / "calls"
with calls.open("a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
plan = json.loads((here / "plan").read_text())
said, code = plan[len(calls.read_text().splitlines()) - 1]
sys.stderr.write(said)
sys.exit(code)
"""
WELL = (
    "avrdude: AVR device initialized and ready to accept instructions\n"
    "avrdude: writing 6324 bytes flash ...\n\n"
    "Writing | ################################################## | 100% 1.04s\n\n"
    "avrdude: 6324 bytes of flash verified\n\navrdude done.  Thank you.\n",
    0,
)
OUT_OF_SYNC = (
    "avrdude error: programmer is not responding\n"
    "avrdude warning: attempt 3 of 3: not in sync: resp=0x00\n"
    "avrdude error: unable to open programmer arduino on port\n\navrdude done.  Thank you.\n",
    1,
)
OUT_OF_SYNC_6 = ("avrdude: stk500_recv(): programmer is not responding\n", 1)
MISMATCH = (
    "avrdude warning: verification mismatch\n"
    "        device 0xff != input 0x0c at addr 0x0000 (error)\n"
    "avrdude error: verification mismatch\n",
    1,
)
MISMATCH_6 = ("avrdude: verification error, first mismatch at byte 0x0000\n", 1)
OTHER = ("avrdude error: invalid record type 9 at line 1\n\navrdude done.  Thank you.\n", 1)


class Avrdude:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = folder / "avrdude"
        program.write_text(AVRDUDE.format(python=sys.executable))
        program.chmod(0o755)

    def plan(self, *outcomes: tuple[str, int]) -> None:
        (self.folder / "plan").write_text(json.dumps(outcomes))

    def calls(self) -> list[list[str]]:
        calls = self.folder / "calls"
        return [json.loads(line) for line in calls.read_text().splitlines()]


@pytest.fixture
def avrdude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Avrdude:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return Avrdude(folder)


@pytest.fixture
def port() -> Iterator[str]:
    with SimulatedPort(SimulatedBoard()) as port:
        yield str(port.path)


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    path = tmp_path / "board.hex"
    path.write_text(hex_file(b"...Boomboard 1.0.0 00c0ffee\0..."))
    return path


def flashed(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["flash", *map(str, arguments)])
    printed = capfd.readouterr()
    return code, printed.out, printed.err


def test_firmware_is_written(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, port: str, firmware: Path
) -> None:
    avrdude.plan(WELL)
    code, output, complaints = flashed(capfd, "--port", port, firmware)
    assert (code, complaints) == (0, "")
    assert "Writing | ####" in output, "the progress is shown"
    assert "The firmware was written and verified" in output
    [call] = avrdude.calls()
    assert " ".join(call) == (
        f"-p atmega328p -c arduino -x attempts=3 -b 115200 -P {port} -D -U flash:w:{firmware}:i"
    )


@pytest.mark.parametrize("out_of_sync", [OUT_OF_SYNC, OUT_OF_SYNC_6])
def test_old_boot_loader_speed(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    port: str,
    firmware: Path,
    out_of_sync: tuple[str, int],
) -> None:
    avrdude.plan(out_of_sync, WELL)
    code, output, _ = flashed(capfd, "--port", port, firmware)
    assert code == 0
    assert "The firmware was written and verified" in output
    speeds = [call[call.index("-b") + 1] for call in avrdude.calls()]
    assert speeds == ["115200", "57600"]
    assert "The board has the old boot loader" in output


def test_versions_are_reported(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, port: str, firmware: Path
) -> None:
    os.utime(firmware, (0, 1_700_000_000))
    avrdude.plan(WELL)
    _, output, _ = flashed(capfd, "--port", port, firmware)
    assert "To be written: firmware 1.0.0 (00c0ffee), built 2023-" in output
    there = "firmware 0.0.0 (00000000), colour sensors, wired by hand."
    assert f"In the board on {port} now: {there}" in output
    assert "the old boot loader" not in output


def test_downgrade_needs_force(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    monkeypatch: pytest.MonkeyPatch,
    firmware: Path,
) -> None:
    monkeypatch.setattr("firmware_bridge.simulated_board.board.SimulatedBoard.firmware", (1, 0, 1))
    with SimulatedPort(SimulatedBoard()) as newer:
        avrdude.plan(WELL)
        code, _, complaints = flashed(capfd, "--port", newer.path, firmware)
        assert code == 2
        assert "The firmware on the board is newer than this one." in complaints
        assert "Add --anyway" in complaints
        assert not (avrdude.folder / "calls").exists()
        assert flashed(capfd, "--port", newer.path, "--anyway", firmware)[0] == 0
    assert len(avrdude.calls()) == 1


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Port of a board that sends nothing, such as a new Nano."""
    monkeypatch.setattr(flash, "HELLO_SECONDS", 0.1)
    controller, terminal = os.openpty()
    yield os.ttyname(terminal)
    os.close(terminal)
    os.close(controller)


def test_silent_board_is_flashed(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, silent: str, firmware: Path
) -> None:
    avrdude.plan(WELL)
    code, output, _ = flashed(capfd, "--port", silent, firmware)
    assert code == 0
    assert "no firmware that identifies itself" in output


def test_foreign_hex_file_needs_force(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, port: str, tmp_path: Path
) -> None:
    blink = tmp_path / "blink.hex"
    blink.write_text(hex_file(b"blink"))
    avrdude.plan(WELL)
    code, output, complaints = flashed(capfd, "--port", port, blink)
    assert code == 2
    assert "a program that is not Boomboard’s" in output
    assert "blink.hex is not firmware for this board" in complaints
    assert flashed(capfd, "--port", port, "--anyway", blink)[0] == 0


def test_older_build_needs_force(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    monkeypatch: pytest.MonkeyPatch,
    port: str,
    firmware: Path,
) -> None:
    monkeypatch.setattr(firmware_update, "BUILT", firmware)
    avrdude.plan(WELL, WELL)
    assert flashed(capfd, "--port", port, firmware)[0] == 0
    os.utime(firmware, (0, 1_000_000_000))
    for path in (firmware, os.path.relpath(firmware)):
        code, _, complaints = flashed(capfd, "--port", port, path)
        assert code == 2
        assert "run “make firmware” first" in complaints
    assert len(avrdude.calls()) == 1
    assert flashed(capfd, "--port", port, "--anyway", firmware)[0] == 0


@pytest.mark.parametrize(
    ("outcomes", "complaint"),
    [
        ([OUT_OF_SYNC, OUT_OF_SYNC], "No boot loader answers"),
        ([MISMATCH], "differs from what was written. Flash again with another USB cable"),
        ([MISMATCH_6], "differs from what was written. Flash again with another USB cable"),
        ([OUT_OF_SYNC, MISMATCH], "differs from what was written"),
        ([OTHER], "(avrdude error: invalid record type 9 at line 1)"),
        ([("Segmentation fault\n", 139)], "(Segmentation fault)"),
    ],
)
def test_avrdude_errors_are_explained(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    port: str,
    firmware: Path,
    outcomes: list[tuple[str, int]],
    complaint: str,
) -> None:
    avrdude.plan(*outcomes)
    code, output, complaints = flashed(capfd, "--port", port, firmware)
    assert code == 2
    assert complaint in complaints
    assert "The firmware was written and verified" not in output
    assert len(avrdude.calls()) == len(outcomes)


def test_missing_avrdude_is_explained(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    port: str,
    firmware: Path,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, complaints = flashed(capfd, "--port", port, firmware)
    assert code == 2
    assert "sudo apt install avrdude" in complaints


def test_unopenable_port(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, firmware: Path
) -> None:
    code, _, complaints = flashed(capfd, "--port", "/dev/no-such-port", firmware)
    assert code == 2
    assert "There is no serial port /dev/no-such-port." in complaints
    assert not (avrdude.folder / "calls").exists()


def test_no_board(capfd: pytest.CaptureFixture[str], avrdude: Avrdude, firmware: Path) -> None:
    assert find_ports() == [], "this test needs a computer without a board"
    code, _, complaints = flashed(capfd, firmware)
    assert code == 2
    assert "No board is plugged in." in complaints


def test_two_boards_need_a_port(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    monkeypatch: pytest.MonkeyPatch,
    port: str,
    firmware: Path,
) -> None:
    ports = [port]
    monkeypatch.setattr(flash, "find_ports", lambda: ports)
    avrdude.plan(WELL)
    assert flashed(capfd, firmware)[0] == 0
    assert port in avrdude.calls()[0]
    ports.append("/dev/ttyUSB9")
    code, _, complaints = flashed(capfd, firmware)
    assert code == 2
    assert f"{port}, /dev/ttyUSB9" in complaints


def test_invalid_hex_file(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, port: str, tmp_path: Path
) -> None:
    elf = tmp_path / "board.elf"
    elf.write_bytes(b"\x7fELF")
    assert "is not an Intel hex file" in flashed(capfd, "--port", port, elf)[2]
    assert "choose another .hex file" in flashed(capfd, "--port", port, tmp_path / "none.hex")[2]
    assert not (avrdude.folder / "calls").exists()


@pytest.mark.parametrize("kind", BoardKind)
def test_shipped_firmware_is_the_default(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, kind: BoardKind
) -> None:
    avrdude.plan(WELL)
    with SimulatedPort(SimulatedBoard(kind)) as port:
        code, output, complaints = flashed(capfd, "--port", port.path)
    assert (code, complaints) == (0, "")
    shipped = firmware_update.Firmware.in_hex(firmware_update.SHIPPED.read_text(encoding="ascii"))
    assert f"To be written: {shipped}, which came with Boomboard." in output
    assert avrdude.calls()[0][-1] == f"flash:w:{firmware_update.SHIPPED}:i"


def test_shipped_firmware_for_a_silent_board(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, silent: str
) -> None:
    avrdude.plan(WELL)
    assert flashed(capfd, "--port", silent)[0] == 0


def test_altered_shipped_firmware_is_refused(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    monkeypatch: pytest.MonkeyPatch,
    port: str,
    tmp_path: Path,
) -> None:
    folder = tmp_path / "shipped"
    shutil.copytree(firmware_update.SHIPPED.parent, folder)
    damaged = folder / firmware_update.SHIPPED.name
    monkeypatch.setattr(firmware_update, "shipped", partial(firmware_update.shipped, damaged))
    avrdude.plan(WELL)
    assert flashed(capfd, "--port", port)[0] == 0
    damaged.write_text(damaged.read_text().replace("0", "1", 1))
    assert "has been changed since Boomboard was installed" in flashed(capfd, "--port", port)[2]
    damaged.unlink()
    assert "Install Boomboard again" in flashed(capfd, "--port", port)[2]
    assert len(avrdude.calls()) == 1
