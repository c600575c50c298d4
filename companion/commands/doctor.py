"""Look into a board: what each sensor sees, how strongly, and what is wrong.

In a terminal the picture goes on until Control-C; with --once, or where there is no terminal, it is
one report. Exit code: 0 all is well, 1 something is wrong, 2 there is no board.
"""

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from rich.console import Console
from rich.live import Live

from companion.workshop.bench import Workbench, add_board, sentence, workbench
from companion.workshop.findings import Finding, findings
from companion.workshop.report import as_json, as_text
from companion.workshop.watch import Watch
from firmware_bridge.link import Received, Trouble
from firmware_bridge.wire import MULTIPLEXERS, Raw, SendRaw

WATCH_SECONDS: Final = 4.0
"""How long one report watches: boards take three seconds to be sure of a fault."""
LOOK_SECONDS: Final = 0.1
"""From one question for all readings to the next, if the answer has come by then."""
ANSWER_SECONDS: Final = 1.0
"""How long the answer may take. A board that is asked again meanwhile may begin it anew."""
DRAW_SECONDS: Final = 0.25
"""From one picture to the next."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    add_board(parser)
    parser.add_argument("--once", action="store_true", help="print one report and end")
    parser.add_argument("--json", action="store_true", help="print one report as a JSON object")


def run(options: argparse.Namespace) -> int:
    """Watch the board and say what is wrong."""
    console = Console(highlight=False)
    with workbench(options) as bench:
        watch = Watch(bench.connect())
        if options.once or options.json or not console.is_terminal:
            found = _report_once(bench, watch)
            statistics = bench.link.statistics
            if options.json:
                print(json.dumps(as_json(watch, statistics, found)))
            else:
                console.print(as_text(watch, statistics, found))
        else:
            found = _show(bench, watch, console)
    return 1 if found else 0


def _report_once(bench: Workbench, watch: Watch) -> list[Finding]:
    end = time.monotonic() + WATCH_SECONDS
    for trouble in _listen(bench, watch):
        if trouble:
            return [Finding("connection", sentence(trouble))]
        if time.monotonic() >= end:
            break
    return findings(watch, bench.link.statistics, time.monotonic())


def _show(bench: Workbench, watch: Watch, console: Console) -> list[Finding]:
    """Show the board until somebody has seen enough, and return what was wrong at the end."""
    found: list[Finding] = []
    drawn = time.monotonic() + 4 * DRAW_SECONDS  # before that there is hardly anything to see
    with Live(console=console, auto_refresh=False) as live, suppress(KeyboardInterrupt):
        for trouble in _listen(bench, watch):
            if time.monotonic() - drawn < DRAW_SECONDS:
                continue
            drawn = time.monotonic()
            if trouble:
                found = [Finding("connection", sentence(trouble))]
            else:
                found = findings(watch, bench.link.statistics, drawn)
            live.update(as_text(watch, bench.link.statistics, found), refresh=True)
    return found


def _listen(bench: Workbench, watch: Watch) -> Iterator[Trouble | None]:
    """Ask for readings and take in what comes; yields after each what keeps the board away."""
    trouble, asked, answered = None, 0.0, True
    while True:
        now = time.monotonic()
        if not trouble and now - asked >= (LOOK_SECONDS if answered else ANSWER_SECONDS):
            asked, answered = now, False
            bench.ask(SendRaw())
        event = bench.next_event(LOOK_SECONDS)
        if event:
            match event:
                case Received(Raw(multiplexer)) if multiplexer == MULTIPLEXERS - 1:
                    answered = True
            trouble = event if isinstance(event, Trouble) else None
            watch.take(event, time.monotonic())
        yield trouble
