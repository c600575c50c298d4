"""Inspect a trace: replay it, draw it, or redact its secrets.

Commands record traces with --trace. Exit codes: 0: the replay gives the same results; 1: the
results differ; 2: a trace cannot be read.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from companion.commands import CommandError, add_out, write_out
from companion.core.events import ChooseExplanation, Event, RankAsked, write_event
from companion.jsonl.table_process import write_accepted
from companion.recorder.redact import redact
from companion.recorder.replay import (
    ReplayDifference,
    Replayed,
    explain_in_words,
    headline,
    replay,
    why_unlikely,
    write_explanation,
)
from companion.recorder.timeline import draw_timeline, timeline
from companion.recorder.trace_files import TraceError
from companion.recorder.trace_reader import Trace, read_part, read_trace
from companion.reports.diagram import png
from companion.speech.announcer import Announcer
from companion.speech.i18n import SOURCE, Language
from engine.board.geometry import Square, square
from engine.board.visibility import Public

_FEW: Final = 6
"""Maximum number of hypotheses printed per decision, unless all are requested."""
_PIXELS: Final = 1600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    doings = parser.add_subparsers(metavar="DO", required=True)
    replayed = doings.add_parser(
        "replay", help="replay a trace at a new table, and print every decision"
    )
    replayed.add_argument("--all", action="store_true", help="print all hypotheses")
    replayed.add_argument("--json", action="store_true", help="print one JSON object per decision")
    replayed.set_defaults(do=_replay)
    shown = doings.add_parser("show", help="draw squares over time, as SVG or PNG")
    shown.add_argument("--from", dest="begin", type=float, metavar="S", help="start, in seconds")
    shown.add_argument("--to", dest="end", type=float, metavar="S", help="end, in seconds")
    shown.add_argument(
        "--squares",
        type=_squares,
        metavar="SQUARES",
        help="squares to draw, such as e4,e5 (default: all that change)",
    )
    shown.set_defaults(do=_show)
    stripped = doings.add_parser("strip", help="write a trace without its secrets")
    stripped.set_defaults(do=_strip)
    for doing in (replayed, shown, stripped):
        doing.add_argument("file", type=Path, metavar="FILE", help="a trace file")
    for doing in (shown, stripped):
        add_out(doing)


def run(options: argparse.Namespace) -> int:
    do: Callable[[argparse.Namespace], int] = options.do
    try:
        return do(options)
    except TraceError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise CommandError(
            f"{options.file} cannot be read ({error.strerror}); choose another file."
        ) from error


def _squares(text: str) -> list[Square]:
    try:
        return [square(name) for name in text.split(",")]
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}; expected squares such as e4,e5") from error


# Replaying


def _replay(options: argparse.Namespace) -> int:
    trace = read_trace(options.file)
    formatter = _Formatter(trace, most=None if options.all else _FEW)
    found: ReplayDifference | None = None
    broke: str | None = None
    for replayed in replay(trace):
        found, broke = found or replayed.difference, replayed.broke
        for line in formatter.as_json(replayed) if options.json else formatter.in_words(replayed):
            print(line)
    summary = _Summary(trace, found, broke)
    print(json.dumps(summary.as_json()) if options.json else summary.in_words())
    return 1 if found else 0


class _Formatter:
    """Formats decisions. Times are relative to the start of the trace."""

    def __init__(self, trace: Trace, most: int | None) -> None:
        self._start = trace.start
        self._most = most
        self._announcer = Announcer(Language(SOURCE))

    def in_words(self, replayed: Replayed) -> Iterator[str]:
        for decision in replayed.decisions:
            yield f"{decision.at - self._start:10.3f} s  {headline(decision)}"
            for sentence in filter(None, map(self._sentence, decision.events)):
                yield f"{'':14}{sentence}"
            explanations = decision.explanations[: self._most]
            for number, explanation in enumerate(explanations, start=1):
                against = why_unlikely(explanation)
                less = f" [{against}]" if against else ""
                yield f"{'':14}{number}. {explain_in_words(explanation, self._start)}{less}"
            for reason in decision.dropped:
                yield f"{'':14}Dropped, as it contradicts the game: {reason}."
            if left := len(decision.explanations) - len(explanations):
                yield f"{'':14}… and {left} more; --all prints them."
        if replayed.difference:
            yield from _difference_in_words(replayed.difference, self._start)

    def as_json(self, replayed: Replayed) -> Iterator[str]:
        for decision in replayed.decisions:
            yield json.dumps(
                {
                    "at": decision.at,
                    "seconds": decision.at - self._start,
                    "decision": decision.kind.value,
                    "action": write_accepted(decision.action) if decision.action else None,
                    "events": [write_event(each) for each in decision.events if _is_open(each)],
                    "explanations": [
                        write_explanation(explanation) for explanation in decision.explanations
                    ],
                }
            )

    def _sentence(self, event: Event) -> str:
        if isinstance(event, ChooseExplanation):
            return ""  # the hypotheses follow
        return self._announcer.sentence(event) if isinstance(event, Public) else ""


def _is_open(event: Event) -> bool:
    """Whether an event may be printed.

    A proof that contradicts a declared rank would reveal that rank.
    """
    return isinstance(event, Public | RankAsked)


def _difference_in_words(found: ReplayDifference, start: float) -> Iterator[str]:
    yield f"{found.at - start:10.3f} s  DIFFERS in {_WHAT[found.what]}"
    secret = found.what == "private events"  # they may contain ranks
    for called, value in (("recorded", found.recorded), ("replayed", found.replayed)):
        yield f"{'':14}{called}: {'sealed' if secret else json.dumps(value)}"


_WHAT: Final = {
    "actions": "the accepted actions",
    "events": "the public events",
    "private events": "the events of one player",
    "break": "whether the table fails",
    "sum": "the clock, the saved state or the next deadline; or the file was changed",
}


class _Summary:
    def __init__(self, trace: Trace, found: ReplayDifference | None, broke: str | None) -> None:
        self._trace, self._found, self._broke = trace, found, broke

    def in_words(self) -> str:
        trace, found = self._trace, self._found
        sentences = [f"{len(trace.notes)} inputs in {trace.length:.3f} s."]
        if self._broke:
            sentences.append(f"The table fails at the last of them: {self._broke}.")
        if found:
            at = found.at - trace.start
            sentences.append(f"The replay differs from what was recorded, first at {at:.3f} s.")
            if trace.is_stripped and not trace.has_all_ranks:
                sentences.append(
                    "Ranks were removed and replaced by others, which may be the reason."
                )
        else:
            sentences.append("The replay gives the same results, bit for bit.")
        if trace.end is None:
            sentences.append("The trace is cut off there, as by a power cut.")
        elif trace.end == "full":
            sentences.append("The trace continues in a later file.")
        return " ".join(sentences)

    def as_json(self) -> dict[str, Any]:
        trace, found = self._trace, self._found
        secret = found is not None and found.what == "private events"
        return {
            "inputs": len(trace.notes),
            "seconds": trace.length,
            "program": trace.program,
            "begun": trace.begun,
            "stripped": trace.is_stripped,
            "end": trace.end,
            "same": found is None,
            "breaks": self._broke,
            "difference": found
            and {
                "at": found.at,
                "seconds": found.at - trace.start,
                "what": found.what,
                "recorded": None if secret else found.recorded,
                "replayed": None if secret else found.replayed,
            },
        }


# Drawing


def _show(options: argparse.Namespace) -> int:
    is_png = options.out is not None and options.out.suffix.lower() == ".png"
    if options.out is None and sys.stdout.isatty():
        raise CommandError("An SVG cannot be written to a terminal; choose a file with -o.")
    trace = _for_drawing(options.file)
    begin, end = options.begin, options.end
    if not (0.0 if begin is None else begin) < (trace.length if end is None else end):
        raise CommandError(
            f"{options.file} covers 0 to {trace.length:.3f} s; choose a span within this range."
        )
    drawn = timeline(trace, begin, end, options.squares)
    title = f"{options.file.name}, {drawn.begin:g} to {drawn.end:g} s"
    svg = draw_timeline(drawn, title)
    write_out(png(svg, _PIXELS) if is_png else svg.encode(), options)
    return 0


def _for_drawing(path: Path) -> Trace:
    """Read a trace from its start, or only this file if the earlier files are missing."""
    part = read_part(path)
    try:
        return read_trace(path)
    except TraceError:
        return part


# Redaction


def _strip(options: argparse.Namespace) -> int:
    if options.out is None and sys.stdout.isatty():
        raise CommandError("A trace cannot be written to a terminal; choose a file with -o.")
    write_out(redact(options.file), options)
    return 0
