"""Compare the engine and the table with a plain implementation, or measure the delays, memory and
CPU load of the screens.

The goals are for information only: the exit code is 0 even if a goal is missed.
"""

import argparse
import json
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from companion.commands import CommandError, counting
from tests import command_line
from tests.bench.frames import Films
from tests.bench.measures import PLIES_A_SECOND, Figure, Games, figures, measure
from tests.bench.screens import ScreensError, measure_screens, screen_figures


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rounds",
        type=counting,
        default=5,
        metavar="N",
        help="number of measurements, of which the median is reported (default: %(default)s)",
    )
    parser.add_argument(
        "--screens",
        action="store_true",
        help="measure the screens, and nothing else",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    rounds = track(range(options.rounds), "Measuring", console=Console(stderr=True), transient=True)
    if options.screens:
        try:
            found = screen_figures([measure_screens() for _ in rounds])
        except ScreensError as error:
            raise CommandError(f"The screens cannot be measured: {error}") from error
        about, title = {}, "The screens, at the simulated board"
    else:
        games, films = Games.load(), Films.record()
        found = figures([measure(games, films, seed) for seed in rounds])
        about = {"games": len(games.chases), "plies": games.plies}
        title = f"{len(games.chases)} chase games, {games.plies} plies"
    if options.json:
        print(json.dumps(_as_json(found, about, options.rounds), ensure_ascii=False))
    else:
        Console().print(_as_table(found, title, options.rounds))
    return 0


def _as_json(found: Iterable[Figure], about: Mapping[str, int], rounds: int) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "rounds": rounds,
        **about,
        "figures": {f.name: asdict(f) | {"met": f.met} for f in found},
    }


def _as_table(found: Iterable[Figure], title: str, rounds: int) -> Table:
    table = Table(
        title=title,
        caption=f"{platform.python_implementation()} {platform.python_version()}, "
        f"one core, medians, rounds: {rounds}",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("what", no_wrap=True)
    for heading in ("ours", "plain"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    for heading in ("ratio", "goal"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("met")
    for figure in found:
        table.add_row(
            figure.meaning,
            _value(figure.ours),
            _value(figure.plain),
            figure.unit,
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            _goal(figure),
            {True: "yes", False: "no", None: ""}[figure.met],
        )
    return table


def _value(value: float | None) -> str:
    if value is None:
        return ""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _goal(figure: Figure) -> str:
    if figure.goal is None:
        return ""
    least = figure.ratio is not None or figure.unit is PLIES_A_SECOND
    return f"{'≥' if least else '<'} {figure.goal:,}"


def main(arguments: Sequence[str] | None = None) -> int:
    return command_line.main("tests.bench", __doc__, add_arguments, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
