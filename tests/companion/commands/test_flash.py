"""``boomboard flash``, with an avrdude that writes nothing and says what the real one says."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands import flash
from firmware_bridge.link import find_ports
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.port import VirtualPort

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
    """A program called avrdude in a folder of its own."""

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
    with VirtualPort(VirtualBoard()) as port:
        yield str(port.path)


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    path = tmp_path / "board.hex"
    path.write_text(":00000001FF\n")
    return path


def flashed(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["flash", *map(str, arguments)])
    printed = capfd.readouterr()
    return code, printed.out, printed.err


def test_the_firmware_is_written(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, port: str, firmware: Path
) -> None:
    avrdude.plan(WELL)
    code, said, complaints = flashed(capfd, "--port", port, firmware)
    assert (code, complaints) == (0, "")
    assert "Writing | ####" in said, "the progress"
    assert "The firmware is in the board" in said
    [call] = avrdude.calls()
    assert " ".join(call) == (
        f"-p atmega328p -c arduino -x attempts=3 -b 115200 -P {port} -D -U flash:w:{firmware}:i"
    )


@pytest.mark.parametrize("out_of_sync", [OUT_OF_SYNC, OUT_OF_SYNC_6])
def test_an_old_boot_loader_is_called_at_its_own_speed(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    port: str,
    firmware: Path,
    out_of_sync: tuple[str, int],
) -> None:
    avrdude.plan(out_of_sync, WELL)
    code, said, _ = flashed(capfd, "--port", port, firmware)
    assert code == 0
    assert "The firmware is in the board" in said
    speeds = [call[call.index("-b") + 1] for call in avrdude.calls()]
    assert speeds == ["115200", "57600"]


@pytest.mark.parametrize(
    ("outcomes", "complaint"),
    [
        ([OUT_OF_SYNC, OUT_OF_SYNC], "No boot loader answers"),
        ([MISMATCH], "not what was written. Flash again with another USB cable"),
        ([MISMATCH_6], "not what was written. Flash again with another USB cable"),
        ([OUT_OF_SYNC, MISMATCH], "not what was written"),
        ([OTHER], "(avrdude error: invalid record type 9 at line 1)"),
        ([("Segmentation fault\n", 139)], "(Segmentation fault)"),
    ],
)
def test_what_goes_wrong_is_said_plainly(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    port: str,
    firmware: Path,
    outcomes: list[tuple[str, int]],
    complaint: str,
) -> None:
    avrdude.plan(*outcomes)
    code, said, complaints = flashed(capfd, "--port", port, firmware)
    assert code == 2
    assert complaint in complaints
    assert "The firmware is in the board" not in said
    assert len(avrdude.calls()) == len(outcomes)


def test_without_avrdude_it_says_how_to_install_it(
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


def test_a_port_that_cannot_be_opened(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, firmware: Path
) -> None:
    code, _, complaints = flashed(capfd, "--port", "/dev/no-such-port", firmware)
    assert code == 2
    assert "There is no serial port /dev/no-such-port." in complaints
    assert not (avrdude.folder / "calls").exists()


def test_without_a_board(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, firmware: Path
) -> None:
    assert find_ports() == [], "this test needs a computer without a board"
    code, _, complaints = flashed(capfd, firmware)
    assert code == 2
    assert "No board is plugged in." in complaints


def test_the_one_board_is_found_and_of_two_one_must_be_named(
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


def test_a_file_that_is_no_firmware(
    capfd: pytest.CaptureFixture[str], avrdude: Avrdude, port: str, tmp_path: Path
) -> None:
    elf = tmp_path / "board.elf"
    elf.write_bytes(b"\x7fELF")
    assert "is no Intel hex file" in flashed(capfd, "--port", port, elf)[2]
    assert "name another .hex file" in flashed(capfd, "--port", port, tmp_path / "none.hex")[2]
    assert not (avrdude.folder / "calls").exists()


def test_firmware_that_was_not_built_yet(
    capfd: pytest.CaptureFixture[str],
    avrdude: Avrdude,
    monkeypatch: pytest.MonkeyPatch,
    port: str,
    tmp_path: Path,
) -> None:
    assert flash.BUILT.parts[-4:] == ("hardware", "firmware", "build", "boomboard.hex")
    monkeypatch.setattr(flash, "BUILT", tmp_path / "boomboard.hex")
    code, _, complaints = flashed(capfd, "--port", port)
    assert code == 2
    assert "build it with “make firmware”" in complaints
