"""Run ``boomboard doctor`` on a simulated board, in an 80-column terminal and with ``--json``."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest

from companion.cli import main
from companion.commands import doctor
from firmware_bridge.link import Event, find_ports
from firmware_bridge.simulated_board.board import EXAMPLES, FAULTS, LOW_SUPPLY, SimulatedBoard
from firmware_bridge.simulated_board.port import FirmwareModel, SimulatedPort
from firmware_bridge.wire import BoardMessage, HostCommand, RequestRaw
from tests.campaigns import RARE, slow_after_first
from tests.companion.commands.board_time import BoardTime

WIDTH = 80


@pytest.fixture(autouse=True)
def board_time(monkeypatch: pytest.MonkeyPatch) -> None:
    BoardTime(monkeypatch)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten doctor's observation time, and make the board report faults every second."""
    monkeypatch.setattr(doctor, "WATCH_SECONDS", 1.3)


def diagnosed(capsys: pytest.CaptureFixture[str], *faults: str) -> dict[str, Any]:
    options = [option for fault in faults for option in ("--fault", fault)]
    main(["doctor", "--simulate", "--json", *options])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_good_board(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    assert main(["doctor", "--simulate", "--once"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) <= 24
    assert lines[1].startswith(
        "Firmware 0.0.0 (00000000), colour sensors, wired by hand, calibration "
    )
    assert lines[2] == "Last start: power-on"
    # The rate varies because a busy computer delivers frames in batches.
    assert re.fullmatch(
        r"Supply 5\.00 V; \d+\.\d frames per second; frames lost: 0, damaged: 0", lines[3]
    )
    top, bottom = lines[5].split(), lines[14].split()
    assert top[0] == "10"
    assert bottom[0] == "1"
    assert re.fullmatch(r"10 (b ?-\d+ *){10}", lines[5])
    assert re.fullmatch(r" 1 (r ?\+\d+ *){10}", lines[14])
    assert lines[-1] == "No faults found."


@pytest.mark.usefixtures("soon")
def test_faults_are_named_by_square_and_channel(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    faults = ("weak:e4", "stuck-low:c5", "stuck-high:g6", "drift:f5", "low-supply")
    options = [option for fault in faults for option in ("--fault", fault)]
    assert main(["doctor", "--simulate", "--once", *options]) == 1
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= WIDTH
    text = " ".join(out.split())
    assert "! The supply has dropped to 4.6 V; the sensors need 4.7 V." in text
    assert "! c5 (multiplexer 2, input 7) always reads" in text
    assert "! g6 (multiplexer 3, input 11) always reads" in text
    assert "! The piece on e4 has a weak magnet" in text
    assert "! f5 (multiplexer 3, input 5) reads" in text
    [row_4] = [line for line in out.splitlines() if line.startswith(" 4 ")]
    assert re.search(r"r \+\d\d!", row_4), "the picture marks e4"
    assert "No faults found" not in text


@pytest.mark.usefixtures("soon")
def test_report_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    report = diagnosed(capsys, "weak:e4", "flipped:a7")
    assert report["kind"] == "colours"
    assert report["reset_cause"] == ["power_on"]
    assert report["supply_mv"] == 5000
    assert (report["lost"], report["bad_frames"]) == (0, 0)
    assert len(report["squares"]) == 100
    a7 = report["squares"]["a7"]
    assert (a7["multiplexer"], a7["input"], a7["shows"]) == (4, 0, "red")
    assert report["squares"]["e4"]["reading"] == pytest.approx(590, abs=20)
    weak = [each for each in report["findings"] if each["about"] == "weak"]
    assert [each["squares"] for each in weak] == [["e4"]]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("fault", "where", "about"),
    slow_after_first(
        "variants",
        [
            ("missing:e4", "e4", "unfelt"),
            ("dead:f8", "f8", "unfelt"),
            ("flipped:a7", "a7", "flipped"),
            ("weak:c3", "c3", "weak"),
            ("stuck-low:k6", "k6", "stuck"),
            ("stuck-high:b2", "b2", "stuck"),
            ("drift:f5", "f5", "off-rest"),
            ("loose:g9", "g9", "noise"),
        ],
    ),
)
def test_findings_with_armies(
    capsys: pytest.CaptureFixture[str], fault: str, where: str, about: str
) -> None:
    main(["doctor", "--simulate", "--json", "--armies", "--fault", fault])
    report = json.loads(capsys.readouterr().out)
    assert report["armies"] is True
    [finding] = report["findings"]
    assert (finding["about"], finding["squares"]) == (about, [where])


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("fault", slow_after_first("variants", EXAMPLES))
def test_suggested_faults_are_found(capsys: pytest.CaptureFixture[str], fault: str) -> None:
    assert main(["doctor", "--simulate", "--json", "--armies", "--fault", fault]) == 1
    assert json.loads(capsys.readouterr().out)["findings"]


def test_help_lists_all_faults() -> None:
    assert {example.partition(":")[0] for example in EXAMPLES} == {*FAULTS, LOW_SUPPLY}


@pytest.mark.usefixtures("soon")
def test_missing_piece_needs_the_armies_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = diagnosed(capsys, "missing:e4", "dead:f8", "flipped:a7")
    assert report["armies"] is False
    assert report["findings"] == []


class SlowFirmwareModel(FirmwareModel):
    """A board that answers SEND_RAW one frame at a time. Each new request makes it start over."""

    owed: Sequence[BoardMessage] = ()

    def _answers(self, command: HostCommand) -> list[BoardMessage]:
        answers = super()._answers(command)
        if isinstance(command, RequestRaw):
            self.owed, answers = answers, []
        return answers

    def tick(self) -> list[bytes]:
        frames = super().tick() + [self._encoder.encode(message) for message in self.owed[:1]]
        self.owed = self.owed[1:]
        return frames


@pytest.mark.usefixtures("soon")
def test_slow_board_is_awaited(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.simulated_board.port.FirmwareModel", SlowFirmwareModel)
    with SimulatedPort(SimulatedBoard()) as port:
        port.run()
        main(["doctor", "--json", "--port", str(port.path)])
    assert len(json.loads(capsys.readouterr().out)["squares"]) == 100


def test_no_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert find_ports() == [], "this test needs a computer without a board"
    assert main(["doctor", "--once"]) == 2
    assert "No board is plugged in." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--port", "/dev/no-such-port"], "There is no serial port /dev/no-such-port."),
        (["--simulate", "--fault", "rust:e4"], "unknown fault 'rust:e4'"),
        (["--simulate", "--fault", "weak:e5"], "weak:e5: there is no piece on e5."),
        (["--simulate", "--fault", "missing:c5"], "missing:c5: c5 is a lake."),
        (["--fault", "weak:e4"], "add --simulate"),
    ],
)
def test_invalid_requests(
    capsys: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    assert main(["doctor", "--once", *options]) == 2
    assert complaint in capsys.readouterr().err


def test_control_c_before_the_first_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    next_event = doctor.ConnectedBoard.next_event
    left = 5

    def next_or_control_c(board: doctor.ConnectedBoard, wait: float) -> Event | None:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return next_event(board, wait)

    monkeypatch.setattr(doctor.ConnectedBoard, "next_event", next_or_control_c)
    assert main(["doctor", "--simulate"]) == 1


@RARE
def test_terminal_picture_until_control_c() -> None:
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
    command = [sys.executable, "-m", "companion", "doctor", "--simulate", "--fault", "weak:e4"]
    environment = os.environ | {"TERM": "xterm"}
    environment.pop("COLUMNS", None)
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, env=environment) as process:
        os.close(terminal)
        shown = b""
        while shown.count(b"! see below") < 3:  # until the display has been redrawn
            shown += os.read(screen, 4096)
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # reading fails once the process has exited
            while True:
                shown += os.read(screen, 4096)
        assert process.wait() == 1
    os.close(screen)
    assert b"The piece on e4 has a weak magnet" in shown
    assert b"Traceback" not in shown
