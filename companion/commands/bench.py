"""Measure how fast engine and table are, beside a plain implementation of the same.

The goals are for people to look at: the exit code is 0 whether they are met or not.
"""

import argparse
import json
import platform
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from companion.bench.frames import Films
from companion.bench.measures import PLIES_A_SECOND, Figure, Games, figures, measure
from companion.commands import counting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "--rounds",
        type=counting,
        default=5,
        metavar="N",
        help="how often everything is measured; the median counts (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Measure, with a bar that shows how far it is, and print the figures."""
    games, films = Games.load(), Films.record()
    rounds = track(range(options.rounds), "Measuring", console=Console(stderr=True), transient=True)
    found = list(figures([measure(games, films, seed) for seed in rounds]))
    if options.json:
        print(json.dumps(_as_json(found, games, options.rounds), ensure_ascii=False))
    else:
        Console().print(_as_table(found, games, options.rounds))
    return 0


def _as_json(found: Iterable[Figure], games: Games, rounds: int) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "rounds": rounds,
        "games": len(games.chases),
        "plies": games.plies,
        "figures": {f.name: asdict(f) | {"met": f.met} for f in found},
    }


def _as_table(found: Iterable[Figure], games: Games, rounds: int) -> Table:
    table = Table(
        title=f"{len(games.chases)} chase games, {games.plies} plies",
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
