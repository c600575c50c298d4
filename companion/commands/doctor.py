"""Inspect a board: what each sensor reads, and what is wrong.

In a terminal, the display is updated until Control-C is pressed. Exit codes: 0: all is well; 1:
something is wrong; 2: no board, or no space for the file.
"""

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from rich.console import Console
from rich.live import Live

from companion.commands import CommandError
from companion.commands.options import Record, recording
from companion.diagnostics.inspection import LOOK_SECONDS, Inspection
from companion.diagnostics.report import Finding, as_json, as_text
from engine.board.geometry import Side, squares_in
from firmware_bridge.link import BoardLink, Connected, Event, LinkError, LinkErrorKind
from firmware_bridge.simulated_board.board import EXAMPLES, SimulatedBoard, inject
from firmware_bridge.simulated_board.port import SimulatedPort

WATCH_SECONDS: Final = 4.0
"""Duration of one report, in seconds. A board reports a fault only once the fault has lasted for
three seconds."""
DRAW_SECONDS: Final = 0.25
"""Interval between redraws, in seconds."""

# The connected board is either a real board that is plugged in, or a simulated board with faults.
# “calibrate” and “flash” use the connected board as well.

CONNECT_SECONDS: Final = 12.0
"""Time limit for finding a board, in seconds. Trying a port takes three seconds, and most computers
have one or two ports."""

_ERRORS: Final = {
    LinkErrorKind.NO_BOARD: "No board is plugged in. Plug in its USB cable. If it is plugged in, "
    "try another cable, because some carry no data.",
    LinkErrorKind.NO_SUCH_PORT: "There is no serial port {port}. Plug the board in, or name "
    "another port with --port.",
    LinkErrorKind.BUSY: "Another program uses {port}. Close it.",
    LinkErrorKind.NO_PERMISSION: "You may not use {port}. Join its group with “sudo usermod -aG "
    "dialout $USER”, log out and in again.",
    LinkErrorKind.WRONG_FIRMWARE: "The board on {port} has another firmware ({detail}). Flash ours "
    "with “boomboard flash”.",
    LinkErrorKind.NO_ANSWER: "The device on {port} does not answer. If it is the board, flash it "
    "with “boomboard flash”.",
    LinkErrorKind.GARBAGE: "Only garbage arrives from {port}. If it is the board, flash it with "
    "“boomboard flash”, and check its cable for damage.",
    LinkErrorKind.SILENT: "The board on {port} has stopped sending. Unplug it and plug it in "
    "again; if that does not help, flash it with “boomboard flash”.",
    LinkErrorKind.UNPLUGGED: "The board is unplugged. Plug it in again.",
}


def sentence(error: LinkError) -> str:
    """Explain a link error and its remedy in a sentence for the builder of a board."""
    return _ERRORS[error.kind].format(port=error.port, detail=error.detail)


class ConnectedBoard:
    """A link to a board, and a queue of the link's events."""

    def __init__(
        self,
        port: str | None,
        record: Record | None = None,
        simulated_board: SimulatedBoard | None = None,
    ) -> None:
        """Look for a board at `port`, or at all ports if `port` is not given.

        `record` receives all bytes that the board sends.
        """
        self.simulated = simulated_board
        """The simulated board, or None for a real board."""
        self._named = port is not None
        self._events: SimpleQueue[Event] = SimpleQueue()
        self.link = BoardLink(self._events.put, port, record=record)

    def next_event(self, seconds: float) -> Event | None:
        """Return the next event of the link, or None if none arrives within `seconds`."""
        try:
            return self._events.get(timeout=seconds)
        except Empty:
            return None

    def connect(self) -> Connected:
        """Wait for a board. Raise CommandError with the link error if no board can be reached."""
        deadline = time.monotonic() + CONNECT_SECONDS
        error = LinkError(LinkErrorKind.NO_BOARD, None, "no port has answered yet")
        while time.monotonic() < deadline:
            event = self.next_event(deadline - time.monotonic())
            if isinstance(event, Connected):
                return event
            if isinstance(event, LinkError):
                error = event
                if self._named or not error.port:  # there are no other ports to try
                    break
        raise CommandError(sentence(error))


def add_board(parser: argparse.ArgumentParser) -> None:
    board = parser.add_mutually_exclusive_group()
    board.add_argument("--port", metavar="PORT", help="the serial port of the board")
    board.add_argument("--simulate", action="store_true", help="use a simulated board")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="FAULT",
        help=f"fault of the simulated board: {', '.join(EXAMPLES)}",
    )


@contextmanager
def open_board(
    options: argparse.Namespace, record: Record | None = None
) -> Iterator[ConnectedBoard]:
    """Connect to the chosen board. On a simulated board, both armies are set up.

    `record` is called in the link's thread with every byte that the board sends.
    """
    if not options.simulate:
        if options.fault:
            raise CommandError("--fault is for a simulated board; add --simulate.")
        board = ConnectedBoard(options.port, record)
        with board.link:
            yield board
        return
    simulated_board = _simulated(options.fault)
    with SimulatedPort(simulated_board) as port:
        port.run()
        board = ConnectedBoard(str(port.path), record, simulated_board)
        with board.link:
            yield board


def _simulated(faults: list[str]) -> SimulatedBoard:
    board = SimulatedBoard()
    for side in Side:
        for square in squares_in(side.home):
            board.stand(side, square)
    for fault in faults:
        try:
            inject(board, fault)
        except ValueError as error:
            raise CommandError(f"--fault {fault}: {error}.") from error
    return board


# The command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_board(parser)
    parser.add_argument(
        "--armies",
        action="store_true",
        help="find missing and flipped magnets, and dead sensors; both armies must be set up, Red "
        "on rows 1 to 4",
    )
    parser.add_argument(
        "--capture",
        type=Path,
        metavar="FILE",
        help="save every byte from the board, for “boomboard decode”",
    )
    parser.add_argument(
        "--once", action="store_true", help="print a single report, even in a terminal"
    )
    parser.add_argument("--json", action="store_true", help="print one report as JSON")


def run(options: argparse.Namespace) -> int:
    console = Console(highlight=False)
    with recording(options.capture) as record, open_board(options, record) as board:
        inspection = Inspection(board.connect(), board.link.statistics, board.link.send)
        watch, armies = inspection.watch, options.armies
        if options.once or options.json or not console.is_terminal:
            found = _report_once(board, inspection, armies=armies)
            if options.json:
                print(json.dumps(as_json(watch, inspection.statistics, found, armies=armies)))
            else:
                console.print(as_text(watch, inspection.statistics, found))
        else:
            found = _show(board, inspection, console, armies=armies)
    return 1 if found else 0


def _report_once(board: ConnectedBoard, inspection: Inspection, *, armies: bool) -> list[Finding]:
    end = time.monotonic() + WATCH_SECONDS
    for _ in _listen(board, inspection):
        if inspection.error or time.monotonic() >= end:
            break
    return _findings(inspection, armies=armies)


def _show(
    board: ConnectedBoard, inspection: Inspection, console: Console, *, armies: bool
) -> list[Finding]:
    """Show the board until the user stops the command, and return the findings at that time."""
    # If it were drawn any earlier, the display would still be almost empty.
    drawn = time.monotonic() + 4 * DRAW_SECONDS
    with Live(console=console, auto_refresh=False) as live, suppress(KeyboardInterrupt):
        for _ in _listen(board, inspection):
            if time.monotonic() - drawn < DRAW_SECONDS:
                continue
            drawn = time.monotonic()
            found = _findings(inspection, armies=armies)
            live.update(as_text(inspection.watch, inspection.statistics, found), refresh=True)
    return _findings(inspection, armies=armies)


def _findings(inspection: Inspection, *, armies: bool) -> list[Finding]:
    if inspection.error:
        return [Finding("connection", sentence(inspection.error))]
    return inspection.findings(time.monotonic(), armies=armies)


def _listen(board: ConnectedBoard, inspection: Inspection) -> Iterator[None]:
    """Request readings and process events in an endless loop that yields after each event."""
    while True:
        inspection.ask_if_due(time.monotonic())
        event = board.next_event(LOOK_SECONDS)
        if event:
            inspection.take(event, time.monotonic())
        yield
