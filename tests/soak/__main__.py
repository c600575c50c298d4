"""Simulate hours of play with faults of every kind, and check the program's guarantees.

People play, make false declarations, uphold them, take back and leave; pieces are knocked; a cable,
a disk and plugs fail at any time. A seed is a simulated evening of one hour, the same every time. A
violation is printed with its seed and step, and its trace is saved for “boomboard trace replay”.
The exit code is 1 after a violation, otherwise 0.
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

from companion.cli import carry_out
from companion.commands import CommandError, add_seed, counting
from tests.soak.run import Result
from tests.soak.runner import record, run_many

_DEFAULT_SEEDS: Final = 10
_HOUR: Final = 3600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seeds",
        type=counting,
        metavar="N",
        help=f"how many evenings there are (default: {_DEFAULT_SEEDS}, or as many as there is time "
        "for with --hours)",
    )
    parser.add_argument(
        "--hours", type=_hours, metavar="H", help="begin no more evenings after so many hours"
    )
    add_seed(parser)
    parser.add_argument(
        "--jobs",
        type=counting,
        default=os.cpu_count() or 1,
        metavar="N",
        help="how many evenings there are at a time (default: one a core)",
    )
    parser.add_argument(
        "--traces",
        type=Path,
        default=Path("soak-traces"),
        metavar="FOLDER",
        help="where the trace of a failure is left (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object an evening")


def run(options: argparse.Namespace) -> int:
    started = time.monotonic()
    seeds = options.seeds or (None if options.hours else _DEFAULT_SEEDS)
    evenings: list[Result] = []

    def is_late() -> bool:
        return bool(options.hours) and time.monotonic() - started >= options.hours * _HOUR

    first = options.seed
    numbers = count(first) if seeds is None else range(first, first + seeds)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("evenings", total=seeds)
        for evening in run_many(numbers, options.jobs, is_late):
            evenings.append(evening)
            bar.update(task, advance=1, description=f"evenings, seed {evening.seed}")
            _tell(evening, options)
    if not options.json:
        print(_in_words(evenings, time.monotonic() - started))
    return 1 if any(evening.failure for evening in evenings) else 0


def _hours(text: str) -> float:
    """Parse the maximum duration in hours."""
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time in hours, such as 4 or 0.5")
    return hours


def _tell(evening: Result, options: argparse.Namespace) -> None:
    """Print the result of a session: with --json always, otherwise only after a violation."""
    trace: Path | None = None
    if evening.failure:
        try:
            trace = record(evening.seed, options.traces)
        except OSError as error:
            raise CommandError(
                f"{evening.failure}. Its trace cannot be written ({error}); choose another folder "
                f"with --traces, and repeat it with --seeds 1 --seed {evening.seed}."
            ) from error
    if options.json:
        print(json.dumps(_as_json(evening, trace)), flush=True)
    elif evening.failure:
        print(f"{evening.failure}. See “boomboard trace replay {trace}”.", flush=True)


def _as_json(evening: Result, trace: Path | None) -> dict[str, object]:
    failure = evening.failure
    return {
        "seed": evening.seed,
        "seconds": round(evening.seconds),
        "steps": evening.steps,
        "games": evening.games,
        "plies": evening.plies,
        "plugs": evening.plugs,
        "broken": failure and {"step": failure.step, "claim": failure.claim, "seen": failure.seen},
        "trace": trace and str(trace),
    }


def _in_words(evenings: list[Result], took: float) -> str:
    """Return the overall result."""
    seconds = sum(evening.seconds for evening in evenings)
    broken = sum(evening.failure is not None for evening in evenings)
    span = f"seeds {evenings[0].seed} to {evenings[-1].seed}" if evenings else "no seeds"
    return (
        f"{len(evenings)} evenings ({span}), {seconds / _HOUR:.1f} hours of play, "
        f"{sum(e.games for e in evenings)} games, {sum(e.plies for e in evenings)} plies, "
        f"{sum(e.plugs for e in evenings)} plugs, {sum(e.steps for e in evenings)} steps: "
        f"{broken} broken. It took {took:.0f} s, {seconds / took:.0f} seconds of play a second."
    )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(made)
    made.set_defaults(run=run)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    return carry_out(parser().parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
