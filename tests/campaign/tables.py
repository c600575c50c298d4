"""Tables with the figures from campaigns, as Markdown and CSV."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tests.campaign.limits import LIMITS, limits_of, limits_of_slice
from tests.campaign.results import Figures
from tests.campaign.runs import FIRMWARE, Run
from tests.hands.baselines import POLICIES
from tests.hands.runner import TABLE

Played = Mapping[Run, Figures]

_COUNTS: Final = {
    "plies": ("plies",),
    "wrong/silently": ("wrong", "silent"),
    "missed": ("missed",),
    "complaints/unreported": ("complaints", "unreported"),
    "offers": ("offers",),
    "amended": ("amended",),
    "unknowable/unseen": ("unknowable", "unseen"),
}
"""For each column heading, the keys of the one or two counts in that column."""
_WORST: Final = ("wrong", "missed", "complaints")
_LIKE_PEOPLE: Final = {limit.profile for limit in LIMITS}
"""Profiles that are compared with one another. All other profiles demonstrate a single behaviour
each."""
_PARTS: Final = ("median", "p95", "p99")


def render(played: Played, command: str) -> str:
    seeds = sorted({run.seed for run in played})
    plies = sum(figures["plies"] for run, figures in played.items() if run.referee == TABLE)
    head = (
        f"`{command}`: {plies:,} plies, seed {', '.join(map(str, seeds))}. Nothing was\n"
        "measured on a physical board."
    )
    parts = [
        head,
        _counted({run: each for run, each in _at(played, TABLE).items() if _is_compared(run)}),
        f"All other profiles together, each with a single kind of behaviour: {_others(played)}.",
        f"A change is shown after {_shown(played)} ms (median/95 %, of the slowest hands).",
        "For comparison, the same figures (wrong/missed/complaints) for a referee that accepts\n"
        "any image that a single legal turn explains, after 250 ms or at once:",
        _compared(played),
        "The same hands on the emulated board, with a line that loses some bytes, and sensors\n"
        "that differ as much as the tolerances allow:",
        _counted(_at(played, FIRMWARE)),
        _judged(played),
    ]
    return "\n\n".join(parts)


def table_file(played: Played) -> str:
    """Return the table's figures as CSV, with one row per run.

    The file includes the runs on the emulated board.
    """
    names = [name for several in _COUNTS.values() for name in several]
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["referee", "hands", *names, "plies per question", *_PARTS])
    for run, figures in played.items():
        if run.referee in (TABLE, FIRMWARE):
            counts = [figures[name] for name in names]
            ruled = [figures["ruled_ms"][part] for part in _PARTS]
            per_question = _plies_per_question(figures)
            rows.writerow([run.referee, run.profile, *counts, per_question, *ruled])
    return written.getvalue()


def _at(played: Played, referee: str) -> Played:
    return {run: figures for run, figures in played.items() if run.referee == referee}


def _is_compared(run: Run) -> bool:
    return run.profile in _LIKE_PEOPLE


def _others(played: Played) -> str:
    """Return the totals over the profiles that demonstrate a single behaviour."""
    others = [each for run, each in _at(played, TABLE).items() if not _is_compared(run)]
    names = ("plies", "wrong", "silent", "missed", "complaints", "unreported")
    return ", ".join(f"{sum(figures[name] for figures in others):,} {name}" for name in names)


def _counted(played: Played) -> str:
    rows = [
        [
            run.profile,
            *(_several(figures, names) for names in _COUNTS.values()),
            _plies_per_question(figures),
            _times(figures["ruled_ms"]),
        ]
        for run, figures in played.items()
    ]
    return _table(["hands", *_COUNTS, "plies per question", "ruled"], rows)


def _shown(played: Played) -> str:
    """Return the longest delay before a change is shown, across all profiles."""
    spreads = [each["shown_ms"] for run, each in played.items() if run.referee == TABLE]
    longest = {
        part: max((spread[part] for spread in spreads if spread[part] is not None), default=None)
        for part in _PARTS[:2]
    }
    return _times(longest, _PARTS[:2])


def _compared(played: Played) -> str:
    by_profile: dict[str, dict[str, Figures]] = {}
    for run, figures in played.items():
        by_profile.setdefault(run.profile, {})[run.referee] = figures
    rows = [
        [
            profile,
            *(_several(found[referee], _WORST) if referee in found else "" for referee in POLICIES),
        ]
        for profile, found in by_profile.items()
        if profile in _LIKE_PEOPLE
    ]
    return _table(["hands", *POLICIES], rows)


def _judged(played: Played) -> str:
    rows = []
    for run, figures in played.items():
        if run.referee not in (TABLE, FIRMWARE):
            continue
        limits = limits_of_slice if run.referee == FIRMWARE else limits_of
        where = " (firmware)" if run.referee == FIRMWARE else ""
        rows += [
            [f"{limit}{where}", f"{figures[limit.counted]:,} in {figures['plies']:,}"]
            for limit in limits(run.profile)
            if not limit.is_kept(figures)
        ]
    return (
        _table(["limit exceeded", "found"], rows) if rows else "All results are within the limits."
    )


def _several(figures: Figures, names: Sequence[str]) -> str:
    return "/".join(f"{figures[name]:,}" for name in names)


def _times(spread: Mapping[str, int | None], parts: Sequence[str] = _PARTS) -> str:
    return "/".join("–" if spread[part] is None else f"{spread[part]:,}" for part in parts)


def _plies_per_question(figures: Figures) -> str:
    return f"{figures['plies'] // figures['questions']}" if figures["questions"] else "–"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(line)} |" for line in (heads, *rows)]
    lines.insert(1, "|---|" + "---:|" * (len(heads) - 1))
    return "\n".join(lines)
