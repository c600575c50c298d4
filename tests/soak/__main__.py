"""Simulate hours of play with every kind of fault, and check the program's guarantees.

Players make false declarations, stand by them, take back turns and leave. Pieces are knocked over.
The cable, the disk and the power supply fail. A seed determines one simulated hour of play. A
violation is printed with its seed and step, and its trace is saved for “boomboard trace replay”.
The exit code is then 1.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from companion.commands import CommandError, add_seed, counting
from tests import command_line
from tests.soak.run import Result
from tests.soak.runner import record, run_many

_DEFAULT_SEEDS: Final = 10
_HOUR: Final = 3600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seeds",
        type=counting,
        metavar="N",
        help=f"number of sessions (default: {_DEFAULT_SEEDS}, or as many as there is time "
        "for with --hours)",
    )
    parser.add_argument(
        "--hours", type=_hours, metavar="H", help="begin no more sessions after H hours"
    )
    add_seed(parser)
    parser.add_argument(
        "--jobs",
        type=counting,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of sessions at a time (default: one per core)",
    )
    parser.add_argument(
        "--traces",
        type=Path,
        default=Path("soak-traces"),
        metavar="FOLDER",
        help="where the trace of a failure is left (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per seed")


def run(options: argparse.Namespace) -> int:
    started = time.monotonic()
    seeds = options.seeds or (None if options.hours else _DEFAULT_SEEDS)
    results: list[Result] = []

    def is_late() -> bool:
        return bool(options.hours) and time.monotonic() - started >= options.hours * _HOUR

    first = options.seed
    numbers = count(first) if seeds is None else range(first, first + seeds)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("sessions", total=seeds)
        for result in run_many(numbers, options.jobs, is_late):
            results.append(result)
            bar.update(task, advance=1, description=f"sessions, seed {result.seed}")
            _report(result, options)
    if not options.json:
        print(_in_words(results, time.monotonic() - started))
    return 1 if any(result.failure for result in results) else 0


def _hours(text: str) -> float:
    """Parse the maximum duration in hours. Raise ArgumentTypeError if it is not a positive
    number."""
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours < float("inf"):
        raise argparse.ArgumentTypeError(
            f"expected a positive number of hours, such as 4 or 0.5; found {text!r}"
        )
    return hours


def _report(result: Result, options: argparse.Namespace) -> None:
    """Print the result of a session. Without --json, only violations are printed."""
    trace: Path | None = None
    if result.failure:
        try:
            trace = record(result.seed, options.traces)
        except OSError as error:
            raise CommandError(
                f"{result.failure}. Its trace cannot be written ({error}); choose another folder "
                f"with --traces, and repeat the session with --seeds 1 --seed {result.seed}."
            ) from error
    if options.json:
        print(json.dumps(_as_json(result, trace)), flush=True)
    elif result.failure:
        print(f"{result.failure}. See “boomboard trace replay {trace}”.", flush=True)


def _as_json(result: Result, trace: Path | None) -> dict[str, object]:
    failure = result.failure
    return {
        "seed": result.seed,
        "seconds": round(result.seconds),
        "steps": result.steps,
        "games": result.games,
        "plies": result.plies,
        "plugs": result.plugs,
        "broken": failure
        and {"step": failure.step, "invariant": failure.invariant, "seen": failure.seen},
        "trace": trace and str(trace),
    }


def _in_words(results: list[Result], took: float) -> str:
    """Return a summary of all sessions."""
    seconds = sum(result.seconds for result in results)
    broken = sum(result.failure is not None for result in results)
    span = f"seeds {results[0].seed} to {results[-1].seed}" if results else "no seeds"
    return (
        f"{len(results)} sessions ({span}), {seconds / _HOUR:.1f} hours of play, "
        f"{sum(e.games for e in results)} games, {sum(e.plies for e in results)} plies, "
        f"{sum(e.plugs for e in results)} plugs, {sum(e.steps for e in results)} steps: "
        f"{broken} broken. It took {took:.0f} s, {seconds / took:.0f} seconds of play a second."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    return command_line.main("tests.soak", __doc__, add_arguments, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
