"""Play with a webcam instead of sensors (beta).

Opens the companion with a board that the camera sees inside a printed frame. See docs/camera.md for
all options. Exit code: 0 the board could be read, 1 “judge” has found an error, 2 the pictures or
the board could not be read.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands import CommandError, play
from companion.diagnostics.report import ENGLISH
from companion.speech.camera_texts import UNPLUGGED, camera_sentence
from firmware_bridge.camera.frame_pdf import LARGEST_BOARD, PAPERS, SMALLEST_BOARD, frame_pdf
from firmware_bridge.camera.notices import LearningPhase, Notice

if TYPE_CHECKING:
    from firmware_bridge.camera.observer import Observation
    from firmware_bridge.camera.sources import TimedPicture


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
        help="write the frame into this PDF file, and exit",
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


def run(options: argparse.Namespace) -> int:
    """Write the frame, or read pictures until their source ends."""
    if options.frame:
        return _write_frame(options)
    if options.task and options.folder is None:
        raise CommandError(f"No folder is given; write “boomboard camera {options.task} FOLDER”.")
    if options.task == "judge":
        with camera_packages():
            return _judge(options.folder)
    if options.source is None:
        raise CommandError("No pictures are given; choose them with --source, or use --frame.")
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
    """Guard imports that need the extra "camera"; the CommandError says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise CommandError(
            f"A camera needs the package {error.name}, which is not installed; install it with "
            "“pip install 'boomboard[camera]'”, or in a clone with “tools/setup.sh camera”."
        ) from error


def pictures(source: str) -> "Iterator[TimedPicture]":
    """Yield the pictures of a source; CommandError with the reason if it cannot be read."""
    # OpenCV is an optional package.
    from firmware_bridge.camera.sources import SourceError, open_source  # noqa: PLC0415

    try:
        yield from open_source(source)
    except SourceError as error:
        raise CommandError(str(error)) from error


def _record(source: str, folder: Path) -> int:
    from firmware_bridge.camera.recording import record  # noqa: PLC0415 (needs OpenCV)

    print("This recording holds pictures. Everybody in them should agree.", file=sys.stderr)
    try:
        print(f"{record(pictures(source), folder)} pictures are in {folder}.")
    except FileExistsError as error:
        raise CommandError(f"{folder} already exists; choose a new folder.") from error
    except OSError as error:
        raise CommandError(f"{folder} cannot be written ({error.strerror}).") from error
    return 0


def _judge(folder: Path) -> int:
    from firmware_bridge.camera.recording import judge, read_truth  # noqa: PLC0415 (needs OpenCV)
    from firmware_bridge.camera.sources import SourceError  # noqa: PLC0415 (needs OpenCV)

    try:
        truth = read_truth(folder)
    except SourceError as error:
        raise CommandError(str(error)) from error
    result = judge(pictures(str(folder)), truth)
    print(result)
    return int(bool(result.wrong or result.missed))


def _print_readings(source: str) -> int:
    from firmware_bridge.camera.observer import Observer  # noqa: PLC0415 (needs OpenCV)

    observer, told, is_connected = Observer(), Told(), False
    for timed in pictures(source):
        if timed.picture is None:
            told.say(UNPLUGGED)
            if is_connected:
                is_connected = False
                _print_line(timed.at, lost=True)
            continue
        seen = observer.take(timed.at, timed.picture)
        told.notice(seen.notice)
        if seen.image is None:
            continue
        if not is_connected:
            is_connected = True
            _print_line(seen.at, found={"colours": True})
        _print_line(seen.at, board=seen.image.tokens)
    if observer.phase is not LearningPhase.PLAYING:
        raise CommandError(
            "The pictures have ended, and both armies were not recognized in their rows. The "
            "colours of the pieces may be too similar to the board."
        )
    return 0


def _open_port(options: argparse.Namespace) -> int:
    """Create the board's port, and open the companion with it unless it is only served."""
    from firmware_bridge.camera.camera_port import CameraPort  # noqa: PLC0415 (needs OpenCV)

    told = Told()

    def tell(seen: "Observation | None") -> None:
        if seen:
            told.notice(seen.notice)
        else:
            told.say(UNPLUGGED)

    with CameraPort(pictures(options.source), tell) as port:
        if options.serve:
            print(f"The board is at {port.path}.", flush=True)
            port.ended.wait()
        else:
            parser = argparse.ArgumentParser()
            play.add_arguments(parser)
            play.run(parser.parse_args(["--port", str(port.path)]), port)
        if port.error:
            raise port.error
    return 0


def _print_line(at: float, **content: Any) -> None:
    sys.stdout.write(f"{json.dumps({'at': at, **content})}\n")
    sys.stdout.flush()


class Told:
    """Prints each message once, when it becomes the current one."""

    def __init__(self) -> None:
        self._current: str | None = None

    def notice(self, notice: Notice | None) -> None:
        """Print the sentence about a condition, unless it is already the current one."""
        if notice is None:
            self._current = None
        else:
            self.say(camera_sentence(notice, ENGLISH))

    def say(self, sentence: str) -> None:
        """Print a sentence, unless it is already the current one."""
        if sentence != self._current:
            self._current = sentence
            print(f"boomboard: {sentence}", file=sys.stderr, flush=True)
