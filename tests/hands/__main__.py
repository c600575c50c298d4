"""Simulates whole games played by hand, and counts the table's mistakes.

Only the simulation knows the real actions; the table receives only the board's frames. Every
mistake is printed with its game number. “python -m tests.hands PROFILE --game K” prints the table's
input in game K, as lines for “boomboard table”. The exit code is 0 even if the table makes
mistakes.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from companion.commands import CommandError, add_edition, add_seed, counting
from engine.rules.editions import EDITIONS
from tests import command_line
from tests.hands.match import PLIES_A_GAME
from tests.hands.profiles import PROFILES
from tests.hands.responses import Line
from tests.hands.runner import REFEREES, TABLE, Campaign
from tests.hands.score import Score, spread

_COUNTED: Final[tuple[tuple[str, Callable[[Score], object]], ...]] = (
    ("plies", lambda score: score.plies),
    ("wrong", lambda score: score.wrong),
    ("silently", lambda score: score.silent),
    ("missed", lambda score: score.missed),
    ("complaints", lambda score: score.complaints),
    ("amended", lambda score: score.amended),
    ("unreported", lambda score: score.unreported),
    ("questions", lambda score: score.questions),
    ("offers", lambda score: score.offers),
    ("unknowable", lambda score: score.unknowable),
    ("unseen", lambda score: score.unseen),
    ("ruled ms", lambda score: _spread(score.ruled_ms)),
    ("apart ms", lambda score: _spread(score.apart_ms)),
    ("shown ms", lambda score: _spread(score.shown_ms)),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "profiles",
        nargs="*",
        metavar="PROFILE",
        help=f"profiles of players: {', '.join(PROFILES)} (default: all)",
    )
    parser.add_argument(
        "--plies",
        type=counting,
        default=1000,
        metavar="N",
        help="minimum number of turns per profile, in whole games (default: %(default)s)",
    )
    add_edition(parser)
    add_seed(parser)
    parser.add_argument(
        "--jobs",
        type=counting,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of parallel games (default: one per core)",
    )
    parser.add_argument(
        "--policies",
        action="store_true",
        help="also show the same hands to two simple referees, for comparison",
    )
    parser.add_argument(
        "--game", type=int, metavar="K", help="print the table's input for this one game"
    )
    parser.add_argument(
        "--failures",
        type=Path,
        metavar="FOLDER",
        help="write a trace of each mistake and a file with the real actions of the hands",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per profile")


def run(options: argparse.Namespace) -> int:
    unknown = [name for name in options.profiles if name not in PROFILES]
    if unknown:
        raise CommandError(f"unknown profile {unknown[0]!r}; choose from {', '.join(PROFILES)}.")
    names = options.profiles or list(PROFILES)
    edition = EDITIONS[options.edition]
    if options.game is not None:
        if len(options.profiles) != 1 or options.game < 0:
            raise CommandError("--game needs exactly one profile and a game number of 0 or more.")
        _print_game(Campaign(names[0], TABLE, edition, options.seed), options.game)
        return 0
    referees = list(REFEREES) if options.policies else [TABLE]
    scores: list[tuple[Campaign, Score]] = []
    for profile in names:
        for referee in referees:
            most = min(options.plies, PLIES_A_GAME)
            campaign = Campaign(profile, referee, edition, options.seed, most, options.failures)
            score = _play(campaign, options.plies, options.jobs)
            scores.append((campaign, score))
            if options.json:
                print(json.dumps(_as_json(campaign, score)), flush=True)
    if not options.json:
        _print_scores(scores, options)
    return 0


def _print_game(campaign: Campaign, game: int) -> None:
    """Print the table's input in one game to stdout, and the table's mistakes to stderr."""

    def emit(line: Line) -> None:
        print(json.dumps(line))

    score = campaign.play(game, emit)
    for mistake in score.mistakes:
        print(mistake, file=sys.stderr)


def _play(campaign: Campaign, plies: int, jobs: int) -> Score:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(f"{campaign.profile}, {campaign.referee}", total=plies)
        return campaign.run(plies, jobs, lambda played: bar.update(task, completed=played))


def _as_json(campaign: Campaign, score: Score) -> dict[str, Any]:
    return {
        "profile": campaign.profile,
        "referee": campaign.referee,
        "edition": campaign.edition.id,
        "seed": campaign.seed,
        **score.as_json(),
    }


def _print_scores(scores: list[tuple[Campaign, Score]], options: argparse.Namespace) -> None:
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, width=200)
    for campaign, score in scores:
        if campaign.referee == TABLE:
            for mistake in score.mistakes:
                console.print(str(mistake), soft_wrap=True)
    console.print(_as_table(scores, options))
    for campaign, score in scores:
        if campaign.referee == TABLE and score.done:
            done = ", ".join(f"{name} {count}" for name, count in sorted(score.done.items()))
            console.print(f"{campaign.profile}: {done}", soft_wrap=True)


def _as_table(scores: list[tuple[Campaign, Score]], options: argparse.Namespace) -> Table:
    table = Table(
        title=f"{options.edition}, seed {options.seed}",
        caption="times from the release: median / 95 % / 99 %; “apart” are turns that were "
        "amended, asked about, opened on the screen or ruled amid a disturbance",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("hands", no_wrap=True)
    table.add_column("referee", no_wrap=True)
    for heading, _ in _COUNTED:
        table.add_column(heading, justify="right")
    for campaign, score in scores:
        table.add_row(
            campaign.profile, campaign.referee, *(str(counted(score)) for _, counted in _COUNTED)
        )
    return table


def _spread(values: list[int]) -> str:
    found = spread(values)
    times = [found[name] for name in ("median", "p95", "p99")]
    return "" if times[0] is None else " / ".join(map(str, times))


def main(arguments: Sequence[str] | None = None) -> int:
    return command_line.main("tests.hands", __doc__, add_arguments, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
