"""Run ``boomboard calibrate`` to the end on the simulated board, and interrupt it at each step."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from threading import Thread

import pytest

from companion.cli import main
from companion.diagnostics import calibration
from engine.board.geometry import Side, square, squares_in
from firmware_bridge import wire
from firmware_bridge.link import BoardLink
from firmware_bridge.simulated_board.board import SimulatedBoard, inject
from firmware_bridge.simulated_board.port import SimulatedPort
from tests.campaigns import slow_after_first
from tests.timeouts import LONG

pytestmark = pytest.mark.usefixtures("busy")

WIDTH = 80


@pytest.fixture(autouse=True)
def columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))


def simulated(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    enters: int,
    *faults: str,
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", StringIO("\n" * enters))
    options = [option for fault in faults for option in ("--fault", fault)]
    code = main(["calibrate", "--simulate", *options])
    printed = capsys.readouterr()
    assert max(map(len, printed.out.splitlines())) <= WIDTH
    return code, printed.out, printed.err


def test_calibration_in_two_steps(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output, complaints = simulated(capsys, monkeypatch, 2)
    assert (code, complaints) == (0, "")
    assert "Step 1 of 2. Remove everything from the board." in output
    assert "Step 2 of 2. Set up both armies" in output
    assert "Saved: the board uses the new calibration. Its checksum is " in output
    assert "boomboard doctor" in output.split("Saved")[1], "the output names the next command"


def test_bad_magnets_are_named_until_replaced(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = ("weak:e4", "weak:k10", "flipped:a7", "missing:c1")
    code, output, _ = simulated(capsys, monkeypatch, 3, *faults)
    assert code == 0
    assert "10 b b b b b b b b b w\n" in output
    assert " 1 r r n r r r r r r r\n" in output
    assert " 7 f b b b b b b b b b\n" in output
    assert " 4 r r r r w r r r r r\n" in output
    assert " 5 . . ~ ~ . . ~ ~ . .\n" in output
    words = " ".join(output.split())
    assert "the magnets on e4, k10." in words
    assert "Upside down: the magnets on a7." in words
    assert "No piece detected on c1: the square is empty, the piece has no magnet" in words
    assert "the sensor is dead. Check" not in words


def test_dead_sensor_is_named_with_a_way_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output, complaints = simulated(capsys, monkeypatch, 4, "dead:e4", "missing:c1")
    assert code == 2
    assert output.count(" 4 r r r r n r r r r r\n") == 3
    assert output.count(" 1 r r n r r r r r r r\n") == 1
    words = " ".join(output.split())
    assert words.count("No piece detected on c1, e4: the square is empty") == 1
    dead = "Still nothing is detected on e4 (multiplexer 2, input 4)."
    assert words.count(dead) == 2
    assert "the sensor is dead. Check its three joints and its wire" in words
    assert "the board cannot be calibrated. End with Control-C." in words
    assert "Nothing was changed." in words
    assert "calibrate in a terminal" in complaints


def test_occupied_square_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output, complaints = simulated(capsys, monkeypatch, 2, "stuck-low:e5")
    assert code == 2
    assert output.count("Something is detected on e5.") == 1
    assert output.count("Something is still detected on e5.") == 1
    assert " 5 . . ~ ~ o . ~ ~ . .\n" in output
    assert "Nothing was changed." in output
    assert "calibrate in a terminal" in complaints


class Sitting:
    """The command as a separate process, with a board controlled by the test."""

    def __init__(self) -> None:
        self.board = SimulatedBoard()
        inject(self.board, "drift:f5")  # so that the new calibration differs from the old one
        self.port = SimulatedPort(self.board)
        self.port.run()
        self.used = self.board.calibration
        command = [
            sys.executable,
            "-m",
            "tests.timeouts",
            "calibrate",
            "--port",
            str(self.port.path),
        ]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self.output = ""

    def hear(self, words: str) -> None:
        """Read the output until `words` appears."""
        assert self.process.stdout
        while words not in self.output:
            byte = self.process.stdout.read(1)
            assert byte, self.output
            self.output += byte.decode(errors="replace")

    def press_enter(self) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def come_to(self, step: wire.CalibrationStep) -> None:
        """Set up the pieces that a step requires, then advance to its prompt."""
        self.hear("Step 1 of 2")
        if step is wire.CalibrationStep.ARMIES:
            self.press_enter()
            self.hear("Step 2 of 2")
            set_up(self.board)
        self.hear("is where." if step is wire.CalibrationStep.ARMIES else "Enter.")

    def end(self) -> tuple[int, str]:
        """Close the input and read the rest of the output.

        Python does not notice an interrupt until the pending read of the input ends.
        """
        assert self.process.stdin
        self.process.stdin.close()
        assert self.process.stdout
        self.output += self.process.stdout.read().decode()
        return self.process.wait(), " ".join(self.output.split())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        self.port.close()


def set_up(board: SimulatedBoard) -> None:
    for side in Side:
        for each in squares_in(side.home):
            board.stand(side, each)


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    sitting = Sitting()
    yield sitting
    sitting.close()


def test_calibration_with_prompts(sitting: Sitting) -> None:
    sitting.come_to(wire.CalibrationStep.ARMIES)
    assert sitting.board.calibration is sitting.used, (
        "the old calibration is used until the new one is saved"
    )
    sitting.press_enter()
    code, output = sitting.end()
    assert code == 0
    calibration = sitting.board.calibration
    assert calibration
    assert calibration is not sitting.used
    assert f"calibration. Its checksum is {calibration.checksum:04X}." in output
    assert calibration.rests[square("f5")] > 530, "the new calibration includes the drift"


@pytest.mark.parametrize(
    "step",
    slow_after_first("power-cuts", [wire.CalibrationStep.ARMIES, wire.CalibrationStep.EMPTY]),
)
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_cancelled_prompt_changes_nothing(
    sitting: Sitting, step: wire.CalibrationStep, sign: signal.Signals
) -> None:
    sitting.come_to(step)
    sitting.process.send_signal(sign)
    code, output = sitting.end()
    assert code == (130 if sign is signal.SIGINT else -sign)
    assert ("Nothing was changed." in output) == (sign is signal.SIGINT)
    assert "Traceback" not in output
    assert sitting.board.calibration is sitting.used


def test_leaving_discards_the_calibration(sitting: Sitting) -> None:
    sitting.come_to(wire.CalibrationStep.ARMIES)
    sitting.process.send_signal(signal.SIGINT)
    sitting.end()
    assert (
        wire.CalibrationResult.OUT_OF_ORDER
        in sitting.board.learn(wire.CalibrationStep.ARMIES).results
    )


@pytest.mark.parametrize(
    ("happens", "complaint"),
    [
        (SimulatedPort.unplug, "The board is unplugged. Plug it in again. Then start again."),
        (lambda port: port.restart(wire.ResetCause.WATCHDOG), "The board restarted"),
    ],
)
def test_board_lost_during_calibration(
    sitting: Sitting, happens: Callable[[SimulatedPort], None], complaint: str
) -> None:
    sitting.come_to(wire.CalibrationStep.ARMIES)
    happens(sitting.port)
    sitting.press_enter()
    code, output = sitting.end()
    assert code == 2
    assert complaint in output
    assert "Nothing was changed." in output
    assert sitting.board.calibration is sitting.used


class Person:
    """Presses Enter, sets up the armies, and presses Enter again."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.tasks: list[Callable[[], None]] = [lambda: None, lambda: set_up(board)]

    def readline(self) -> str:
        self.tasks.pop(0)()
        return "\n"


class SavesInSilence(SimulatedBoard):
    """A board that saves the calibration, but whose last reply is lost."""

    port: SimulatedPort
    has_its_plug_pulled = False

    def learn(self, step: wire.CalibrationStep) -> wire.CalibrationReply:
        answer = super().learn(step)
        if step is not wire.CalibrationStep.SAVE:
            return answer
        if self.has_its_plug_pulled:
            # The port's own thread is busy sending this reply.
            Thread(target=self.port.unplug).start()
        return wire.CalibrationReply(wire.CalibrationStep.ABORT, {wire.CalibrationResult.DONE: 0})


def calibrated_in_silence(
    monkeypatch: pytest.MonkeyPatch, *, pull_the_plug: bool
) -> tuple[int, SavesInSilence]:
    board = SavesInSilence()
    board.has_its_plug_pulled = pull_the_plug
    inject(board, "drift:f5")
    monkeypatch.setattr(sys, "stdin", Person(board))
    send = BoardLink.send

    def ask(link: BoardLink, command: wire.HostCommand) -> bool:
        """Let the last reply time out, but wait as long as necessary for all other replies."""
        in_vain = command == wire.Calibrate(wire.CalibrationStep.SAVE) and not pull_the_plug
        monkeypatch.setattr(calibration, "ANSWER_SECONDS", 0.0 if in_vain else LONG)
        return send(link, command)

    monkeypatch.setattr(BoardLink, "send", ask)
    with SimulatedPort(board) as board.port:
        board.port.run()
        return main(["calibrate", "--port", str(board.port.path)]), board


def test_lost_answer_to_the_last_step(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, board = calibrated_in_silence(monkeypatch, pull_the_plug=False)
    assert code == 0, "the board reports which calibration it uses"
    assert board.calibration
    checksum = board.calibration.checksum
    output = capsys.readouterr().out
    assert f"Saved: the board uses the new calibration. Its checksum is {checksum:04X}." in output


def test_board_lost_while_saving(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _ = calibrated_in_silence(monkeypatch, pull_the_plug=True)
    assert code == 2
    printed = capsys.readouterr()
    assert "“boomboard doctor” shows whether it was saved." in printed.out
    assert "Nothing was changed" not in printed.out
    assert "The board is unplugged. Plug it in again." in printed.err


def test_no_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--port", "/dev/no-such-port"]) == 2
    assert "There is no serial port /dev/no-such-port." in capsys.readouterr().err
