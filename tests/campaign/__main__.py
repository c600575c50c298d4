"""Run the campaign of hand movements and write its figures to this folder: ``make hands``.

Results are saved in build/hands. An interrupted campaign therefore resumes where it stopped, unless
the code that plays the games has changed. The exit code is 1 if a run exceeds a limit.
"""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from hardware.drawing.sheet import draw_part
from tests.campaign.limits import limits_of, limits_of_slice
from tests.campaign.results import FOLDER, ROOT, Figures, Results
from tests.campaign.runs import FIRMWARE, SEED, Run, runs
from tests.campaign.tables import render, table_file
from tests.hands.runner import TABLE

DOCUMENT: Final = ROOT / "tests" / "campaign" / "README.md"
PART: Final = "hands"
FIGURES: Final = "results.csv"


def play(run: Run, jobs: int) -> Figures:
    """Play a run, showing a progress bar and printing each mistake."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    begun = time.monotonic()
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task(str(run), total=run.plies)
        score = run.campaign.run(run.plies, jobs, lambda done: bar.update(task, completed=done))
    figures = score.as_json() | {"seconds": time.monotonic() - begun}
    if run.referee in (TABLE, FIRMWARE):
        for mistake in score.mistakes:
            if mistake.kind != "unknowable":
                print(mistake)
    return figures


def broken(run: Run, figures: Figures) -> list[str]:
    """Return the limits that a run exceeds. The limits apply only to the table, not to the other
    referees."""
    if run.referee not in (TABLE, FIRMWARE):
        return []
    limits = limits_of_slice if run.referee == FIRMWARE else limits_of
    found = [limit for limit in limits(run.profile) if not limit.is_kept(figures)]
    return [f"{run}: {limit}, found {figures[limit.counted]}" for limit in found]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tests.campaign", description=__doc__)
    parser.add_argument("--times", type=float, default=1.0, help="factor for the length of runs")
    parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s")
    parser.add_argument("--only", nargs="+", metavar="PROFILE", help="play only these profiles")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="number of parallel games"
    )
    parser.add_argument("--kept", type=Path, default=FOLDER, help="folder of the results")
    parser.add_argument(
        "--into", type=Path, default=DOCUMENT, help="the page (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    results = Results(options.kept)
    played: dict[Run, Figures] = {}
    faults: list[str] = []
    for run in runs(options.seed, options.times):
        figures = results.get(run)
        if figures is None:
            if options.only and run.profile not in options.only:
                continue
            figures = play(run, options.jobs)
            results.keep(run, figures)
        played[run] = figures
        faults += broken(run, figures)
        print(_summary(run, figures), flush=True)
    command = "make hands" if options.times == 1 else f"make hands TIMES={options.times:g}"
    if options.seed != SEED:
        command += f' ARGS="--seed {options.seed}"'
    text = draw_part(options.into.read_text("utf-8"), PART, render(played, command))
    options.into.write_text(text, encoding="utf-8")
    options.into.with_name(FIGURES).write_text(table_file(played), encoding="utf-8")
    for fault in faults:
        print(f"Broken: {fault}", file=sys.stderr)
    return 1 if faults else 0


def _summary(run: Run, figures: Figures) -> str:
    counted = ("plies", "wrong", "silent", "missed", "complaints", "questions")
    counts = ", ".join(f"{name} {figures[name]}" for name in counted)
    return f"{run}: {counts}; {figures['plies'] / figures['seconds']:.1f} plies/s"


if __name__ == "__main__":
    sys.exit(main())
