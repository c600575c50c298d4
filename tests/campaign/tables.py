"""Figures of a campaign as tables for readers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tests.campaign.limits import limits_of, limits_of_slice
from tests.campaign.results import Figures
from tests.campaign.runs import FIRMWARE, Run
from tests.hands.baselines import POLICIES
from tests.hands.runner import TABLE

Played = Mapping[Run, Figures]
"""Results of the runs."""

_COUNTS: Final = {
    "plies": "plies",
    "wrong": "wrong",
    "silently": "silent",
    "missed": "missed",
    "complaints": "complaints",
    "untold": "untold",
    "offers": "offers",
    "amended": "amended",
    "no sensor can know": "unknowable",
    "no sensor felt": "unseen",
}
_WORST: Final = ("wrong", "missed", "complaints")
_PARTS: Final = ("median", "p95", "p99")


def tell(played: Played, command: str) -> str:
    """Return the complete report, as Markdown."""
    seeds = sorted({run.seed for run in played})
    plies = sum(figures["plies"] for run, figures in played.items() if run.referee == TABLE)
    head = (
        f"`{command}`: {plies:,} plies before the table, seed {', '.join(map(str, seeds))}, and\n"
        "the same hands before two referees of the common kind. Nothing of it is measured on a\n"
        "physical board."
    )
    parts = [
        head,
        _counted(played, TABLE),
        "Milliseconds from the release of the last piece until the turn is ruled; “apart” are\n"
        "turns that were amended, asked about, opened on the screen or ruled amid a disturbance.",
        _timed(played),
        "Wrong / missed / complaints before the table, and before a referee for whom an image one\n"
        "legal turn away is that turn when it has stood for 250 ms, and at once.",
        _compared(played),
        "The same hands over the sensors of the emulated board: the real firmware, its bytes, of\n"
        "which some are lost, and the conversation of the link. The sensors differ as far as they\n"
        "may.",
        _counted(played, FIRMWARE),
        "The limits, and whether they are kept:",
        _judged(played),
    ]
    return "\n\n".join(parts)


def _counted(played: Played, referee: str) -> str:
    rows = [
        [
            run.profile,
            *(f"{figures[name]:,}" for name in _COUNTS.values()),
            _one_in(figures["questions"], figures["plies"]),
            *([_times(figures["ruled_ms"])] if referee == FIRMWARE else []),
        ]
        for run, figures in played.items()
        if run.referee == referee
    ]
    times = ["ruled in ms: median / 95 / 99 %"] if referee == FIRMWARE else []
    return _table(["hands", *_COUNTS, "questions that interrupt", *times], rows)


def _timed(played: Played) -> str:
    rows = [
        [
            run.profile,
            _times(figures["ruled_ms"]),
            _times(figures["shown_ms"], _PARTS[:2]),
            f"{figures['apart_ms']['count']:,}",
            _times(figures["apart_ms"]),
        ]
        for run, figures in played.items()
        if run.referee == TABLE
    ]
    heads = ["hands", "ruled: median / 95 / 99 %", "shown: median / 95 %", "apart", "these ruled"]
    return _table(heads, rows)


def _compared(played: Played) -> str:
    referees = (TABLE, *POLICIES)
    by_profile: dict[str, dict[str, Figures]] = {}
    for run, figures in played.items():
        by_profile.setdefault(run.profile, {})[run.referee] = figures
    rows = [
        [profile, *(_worst(found[referee]) if referee in found else "" for referee in referees)]
        for profile, found in by_profile.items()
    ]
    return _table(["hands", *referees], rows)


def _judged(played: Played) -> str:
    rows = []
    for run, figures in played.items():
        if run.referee not in (TABLE, FIRMWARE):
            continue
        limits = limits_of_slice if run.referee == FIRMWARE else limits_of
        for limit in limits(run.profile):
            is_kept = limit.is_kept(figures)
            if is_kept and (run.referee == FIRMWARE or limit.counted == "broken"):
                continue
            where = " (firmware)" if run.referee == FIRMWARE else ""
            found = f"{figures[limit.counted]:,} in {figures['plies']:,}"
            rows.append([f"{limit}{where}", found, "yes" if is_kept else "**no**"])
    return _table(["limit", "found", "kept"], rows)


def _worst(figures: Figures) -> str:
    return " / ".join(f"{figures[name]:,}" for name in _WORST)


def _times(spread: Mapping[str, int | None], parts: Sequence[str] = _PARTS) -> str:
    return " / ".join("–" if spread[part] is None else f"{spread[part]:,}" for part in parts)


def _one_in(count: int, plies: int) -> str:
    return f"{count:,} (1 in {plies // count:,})" if count else "0"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(line)} |" for line in (heads, *rows)]
    lines.insert(1, "|---|" + "---:|" * (len(heads) - 1))
    return "\n".join(lines)
