"""Play with a webcam instead of sensors (beta).

Opens the companion with a camera that watches a board inside a printed frame. See docs/camera.md.
Exit codes: 0: the board could be read; 1: “judge” has found an error; 2: the images or the board
could not be read.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from companion.commands import CommandError, play
from companion.commands.options import add_trace
from companion.core.state import SettingUp
from companion.diagnostics.report import ENGLISH
from companion.jsonl.table_process import TableProcess
from companion.speech.small_texts import UNPLUGGED, camera_sentence
from engine.board.geometry import Side
from engine.rules.editions import DEFAULT
from firmware_bridge.camera.frame_pdf import LARGEST_BOARD, PAPERS, SMALLEST_BOARD, frame_pdf
from firmware_bridge.camera.notices import LearningPhase, Notice
from firmware_bridge.image import ARMIES

if TYPE_CHECKING:
    from firmware_bridge.camera.observer import Observation
    from firmware_bridge.camera.recording import TrueBoard
    from firmware_bridge.camera.sources import TimedPicture

_ABOUT_HANDS: Final = ("attack", "who-attacks", "course")
"""Questions about what the players' hands have done."""
_RULINGS: Final = {"moved": "-", "attack-opened": "x"}
"""Events that report a turn. The symbol stands between the two squares in the turn's notation."""
_TAPPED: Final = 2.5
"""Delay in seconds. If the table has not recognized an attack by then, the check enters it, as the
players would. Chosen by judgement, not measurement."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "task",
        nargs="?",
        choices=("record", "judge"),
        metavar="record|judge",
        help="record pictures, or compare a recording with its truth.txt; default: play",
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        help="the folder of the recording",
    )
    parser.add_argument(
        "--source",
        metavar="SOURCE",
        help="a camera (number or device), a video file, or a folder of numbered pictures with "
        "times.txt",
    )
    use = parser.add_mutually_exclusive_group()
    use.add_argument(
        "--serve",
        action="store_true",
        help="only create the board's port and print its path, for other commands",
    )
    use.add_argument(
        "--print",
        action="store_true",
        help="print JSON lines for “boomboard table --json”",
    )
    parser.add_argument(
        "--frame",
        type=Path,
        metavar="FILE",
        help="write the frame to this PDF file, and exit",
    )
    parser.add_argument(
        "--board",
        type=float,
        default=400.0,
        metavar="MM",
        help=f"side of the playing field for --frame, {SMALLEST_BOARD} to {LARGEST_BOARD} mm "
        "(default: %(default)g)",
    )
    parser.add_argument(
        "--paper",
        choices=PAPERS,
        default="a4",
        help="paper for --frame; “whole” is one page (default: %(default)s)",
    )
    add_trace(parser)


def run(options: argparse.Namespace) -> int:
    """Write the frame, or process images until the source ends."""
    if options.frame:
        return _write_frame(options)
    if options.task and options.folder is None:
        raise CommandError(
            f"The folder is missing; write “boomboard camera {options.task} FOLDER”."
        )
    if options.task == "judge":
        with camera_packages():
            return _judge(options.folder)
    if options.source is None:
        raise CommandError("No image source is given; choose one with --source, or use --frame.")
    with camera_packages():
        if options.task == "record":
            return _record(options.source, options.folder)
        return _print_readings(options.source) if options.print else _open_port(options)


def _write_frame(options: argparse.Namespace) -> int:
    try:
        options.frame.write_bytes(frame_pdf(options.board, options.paper))
    except ValueError as error:
        raise CommandError(f"The frame cannot be drawn: {error}.") from error
    except OSError as error:
        raise CommandError(f"{options.frame} cannot be written ({error.strerror}).") from error
    print(f"The frame is in {options.frame}. Print it at 100 %, without scaling.")
    return 0


@contextmanager
def camera_packages() -> Iterator[None]:
    """Guard imports that require the "camera" extra.

    If a package is missing, the CommandError explains how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise CommandError(
            f"A camera needs the package {error.name}, which is not installed; install it with "
            "“pip install 'boomboard[camera]'”, or in a clone with “tools/setup.sh camera”."
        ) from error


def pictures(source: str) -> "Iterator[TimedPicture]":
    """Yield the images from a source.

    Raise CommandError, with the reason, if the source cannot be read.
    """
    # OpenCV is an optional package.
    from firmware_bridge.camera.sources import SourceError, open_source  # noqa: PLC0415

    try:
        yield from open_source(source)
    except SourceError as error:
        raise CommandError(str(error)) from error


def _record(source: str, folder: Path) -> int:
    from firmware_bridge.camera.recording import record  # noqa: PLC0415 (needs OpenCV)
    from firmware_bridge.camera.sources import SourceError  # noqa: PLC0415 (needs OpenCV)

    print(
        "This recording contains pictures. Everyone who is visible in them should agree.",
        file=sys.stderr,
    )
    try:
        print(f"{record(pictures(source), folder)} pictures are in {folder}.")
    except FileExistsError as error:
        raise CommandError(f"{folder} already exists; choose a new folder.") from error
    except OSError as error:
        raise CommandError(f"{folder} cannot be written ({error.strerror}).") from error
    except SourceError as error:
        raise CommandError(str(error)) from error
    return 0


def _judge(folder: Path) -> int:
    from firmware_bridge.camera.recording import judge, read_truth  # noqa: PLC0415 (needs OpenCV)
    from firmware_bridge.camera.sources import SourceError  # noqa: PLC0415 (needs OpenCV)

    try:
        truth = read_truth(folder)
    except SourceError as error:
        raise CommandError(str(error)) from error
    rulings = RulingCheck(truth)
    result = judge(pictures(str(folder)), truth, rulings.take)
    rulings.end()
    print(result)
    print(rulings)
    return int(bool(result.wrong or result.missed or rulings.errors))


class RulingCheck:
    """Compares a table's rulings, which are based on a camera's images, with the true turns.

    The table's questions are answered truthfully. The check stops after the first turn that was
    missed or ruled on wrongly, because the table then asks the players to restore the board. It
    also stops after an attack whose ranks are missing from the true turns.
    """

    def __init__(self, truth: "Sequence[TrueBoard]") -> None:
        self._turns = [board for board in truth if board.change not in ("empty", "armies")]
        """The true turns that do not have a ruling yet."""
        self._table = TableProcess(DEFAULT, 0)
        self._answer: dict[str, Any] = {}
        self._asked: dict[str, Any] | None = None
        """The question that the table is asking, or None. This class has already answered it."""
        self._is_found = False
        self._at = 0.0
        self.errors: list[str] = []
        """The reason why the check stopped, or empty if it did not stop."""
        self.unjudged = 0
        """Number of turns without a ruling when the check stopped."""
        self.questions = {False: 0, True: 0}
        """Number of questions about turns, keyed by whether the turn was an attack."""
        self.delays: list[float] = []
        """For each correct ruling: the time in seconds from when the arm left the board to the
        ruling."""

    def __str__(self) -> str:
        delay = f"{median(self.delays):.2f} s" if self.delays else "unknown"
        return "\n".join(
            [
                f"Turns ruled as made: {len(self.delays)}, not judged: {self.unjudged}.",
                *self.errors,
                f"Questions about moves: {self.questions[False]}, about attacks: "
                f"{self.questions[True]}.",
                f"Median delay of the rulings: {delay}.",
            ]
        )

    def take(self, seen: "Observation") -> None:
        """Pass an observation to the table, and check the table's ruling."""
        self._at = seen.at
        if len(self._turns) > 1 and seen.at >= self._turns[1].at:
            self.end()
        if seen.image is None:
            if self._is_found:
                self._send(time=True)
        else:
            if not self._is_found:
                self._is_found = True
                self._send(found={"colours": True})
            self._send(board=seen.image.tokens)
            # The table accepts “ready” once it has seen the armies for a moment.
            if self._answer["state"] == SettingUp.name and seen.image == ARMIES:
                for side in Side:
                    self._send(say={"what": "ready", "side": side.value})
        if self._is_found and self._turns:
            self._help()

    def end(self) -> None:
        """Stop the check. The next turn, if any, counts as missed."""
        if self._turns:
            self._stop(f"No ruling for {self._turns.pop(0).change}.")

    def _stop(self, error: str) -> None:
        self.errors.append(error)
        self.unjudged = len(self._turns)
        self._turns = []

    def _help(self) -> None:
        """Answer a new question about what the hands did, or enter an unrecognized attack."""
        turn, is_attack = self._next()
        asked = next((ask for ask in self._answer["asks"] if ask["what"] in _ABOUT_HANDS), None)
        if asked is None and is_attack and self._at >= self._turns[0].at + _TAPPED:
            source, target = turn.split("x")
            self._send(say={"what": "attack", "source": source, "target": target})
        elif asked is not None and asked != self._asked:
            self.questions[is_attack] += 1
            self._send(say=self._true_answer(asked))
        self._asked = asked

    def _true_answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        turn, is_attack = self._next()
        if asked["what"] == "course" and turn in asked["answers"]:
            return {"what": "choose", "answer": asked["answers"].index(turn)}
        if asked["what"] != "course" and is_attack:
            return {"what": "attacker", "side": self._answer["to_move"]}
        return {"what": "no-attack"}

    def _next(self) -> tuple[str, bool]:
        """Return the next turn of the real game, such as ``a4-a5``, and whether it is an attack."""
        turn = self._turns[0].change.split()[0]
        return turn, "x" in turn

    def _send(self, **content: Any) -> None:
        self._answer = self._table.take({"at": self._at, **content})
        for event in self._answer["events"]:
            if not self._turns:
                break
            if event["event"] in _RULINGS:
                sign = _RULINGS[event["event"]]
                self._compare(f"{event['source']}{sign}{event['target']}")
            elif event["event"] == "violation":
                self._compare(f"a violation ({event['fault']})")

    def _compare(self, ruled: str) -> None:
        (turn, is_attack), done = self._next(), self._turns.pop(0)
        if ruled != turn:
            self._stop(f"{turn} was ruled as {ruled}.")
            return
        self.delays.append(max(0.0, self._at - done.at))
        ranks = done.change.split()[2:]
        if not is_attack:
            return
        if len(ranks) < 2:
            self._stop(f"The ranks of {done.change} are missing.")
            return
        mover = Side(self._answer["to_move"])
        for side, rank in ((mover, ranks[0]), (mover.other, ranks[1])):
            self._send(say={"what": "declare", "side": side.value, "rank": rank})
        self._send(say={"what": "read"})


def _print_readings(source: str) -> int:
    from firmware_bridge.camera.observer import Observer  # noqa: PLC0415 (needs OpenCV)

    observer, printer, is_connected = Observer(), NoticePrinter(), False
    for timed in pictures(source):
        if timed.picture is None:
            printer.print_once(UNPLUGGED)
            if is_connected:
                is_connected = False
                _print_line(timed.at, lost=True)
            continue
        seen = observer.take(timed.at, timed.picture)
        printer.notice(seen.notice)
        if seen.image is None:
            continue
        if not is_connected:
            is_connected = True
            _print_line(seen.at, found={"colours": True})
        _print_line(seen.at, board=seen.image.tokens)
    if observer.phase is not LearningPhase.PLAYING:
        raise CommandError(
            "The images ended before both armies were recognized in their rows. The "
            "colours of the pieces may be too similar to the board."
        )
    return 0


def _open_port(options: argparse.Namespace) -> int:
    """Create the camera's port, and open the companion on it unless `--serve` is given."""
    from firmware_bridge.camera.camera_port import CameraPort  # noqa: PLC0415 (needs OpenCV)
    from firmware_bridge.camera.sources import paced  # noqa: PLC0415 (needs OpenCV)

    printer = NoticePrinter()

    def report(seen: "Observation | None") -> None:
        if seen:
            printer.notice(seen.notice)
        else:
            printer.print_once(UNPLUGGED)

    with CameraPort(paced(pictures(options.source)), report) as port:
        if options.serve:
            print(f"The board is at {port.path}.", flush=True)
            port.ended.wait()
        else:
            parser = argparse.ArgumentParser()
            play.add_arguments(parser)
            trace = ["--trace", str(options.trace)] if options.trace else []
            play.run(parser.parse_args(["--port", str(port.path), *trace]), port)
        if port.error:
            raise port.error
    return 0


def _print_line(at: float, **content: Any) -> None:
    sys.stdout.write(f"{json.dumps({'at': at, **content})}\n")
    sys.stdout.flush()


class NoticePrinter:
    """Prints a message only when it differs from the previous one."""

    def __init__(self) -> None:
        self._current: str | None = None

    def notice(self, notice: Notice | None) -> None:
        """Print the sentence for a condition, unless it was the last one printed."""
        if notice is None:
            self._current = None
        else:
            self.print_once(camera_sentence(notice, ENGLISH))

    def print_once(self, sentence: str) -> None:
        """Print a sentence, unless it was the last one printed."""
        if sentence != self._current:
            self._current = sentence
            print(f"boomboard: {sentence}", file=sys.stderr, flush=True)
