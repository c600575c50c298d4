"""Inspect a board: what each sensor reads, how strongly, and what is wrong.

In a terminal the picture is updated until Control-C; with --once, or without a terminal, one report
is printed. With --capture, everything that the board sends is saved in a file. Exit code: 0 all is
well, 1 something is wrong, 2 there is no board or no space for the file.
"""

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.live import Live

from companion.commands.options import recording
from companion.commands.workbench import Workbench, add_board, sentence, workbench
from companion.diagnostics.inspection import LOOK_SECONDS, Inspection
from companion.diagnostics.report import Finding, as_json, as_text

WATCH_SECONDS: Final = 4.0
"""Duration of one report, in seconds: boards take three seconds to be sure of a fault."""
DRAW_SECONDS: Final = 0.25
"""Interval between two pictures, in seconds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_board(parser)
    parser.add_argument(
        "--armies",
        action="store_true",
        help="both armies are set up, red on rows 1 to 4, blue on rows 7 to 10: find missing and "
        "flipped magnets, and dead sensors",
    )
    parser.add_argument(
        "--capture",
        type=Path,
        metavar="FILE",
        help="save every byte that the board sends, for “boomboard decode” and fault reports",
    )
    parser.add_argument("--once", action="store_true", help="print one report and end")
    parser.add_argument("--json", action="store_true", help="print one report as a JSON object")


def run(options: argparse.Namespace) -> int:
    """Watch the board and print the findings."""
    console = Console(highlight=False)
    with recording(options.capture) as record, workbench(options, record) as bench:
        inspection = Inspection(bench.connect(), bench.link.statistics, bench.link.send)
        watch, armies = inspection.watch, options.armies
        if options.once or options.json or not console.is_terminal:
            found = _report_once(bench, inspection, armies=armies)
            if options.json:
                print(json.dumps(as_json(watch, inspection.statistics, found, armies=armies)))
            else:
                console.print(as_text(watch, inspection.statistics, found))
        else:
            found = _show(bench, inspection, console, armies=armies)
    return 1 if found else 0


def _report_once(bench: Workbench, inspection: Inspection, *, armies: bool) -> list[Finding]:
    end = time.monotonic() + WATCH_SECONDS
    for _ in _listen(bench, inspection):
        if inspection.error or time.monotonic() >= end:
            break
    return _findings(inspection, armies=armies)


def _show(
    bench: Workbench, inspection: Inspection, console: Console, *, armies: bool
) -> list[Finding]:
    """Show the board until the user stops it, and return the last findings."""
    found: list[Finding] = []
    drawn = time.monotonic() + 4 * DRAW_SECONDS  # before that the picture is almost empty
    with Live(console=console, auto_refresh=False) as live, suppress(KeyboardInterrupt):
        for _ in _listen(bench, inspection):
            if time.monotonic() - drawn < DRAW_SECONDS:
                continue
            drawn = time.monotonic()
            found = _findings(inspection, armies=armies)
            live.update(as_text(inspection.watch, inspection.statistics, found), refresh=True)
    return found


def _findings(inspection: Inspection, *, armies: bool) -> list[Finding]:
    if inspection.error:
        return [Finding("connection", sentence(inspection.error))]
    return inspection.findings(time.monotonic(), armies=armies)


def _listen(bench: Workbench, inspection: Inspection) -> Iterator[None]:
    """Request readings and process all events, endlessly; yield after each event."""
    while True:
        inspection.ask_if_due(time.monotonic())
        event = bench.next_event(LOOK_SECONDS)
        if event:
            inspection.take(event, time.monotonic())
        yield
