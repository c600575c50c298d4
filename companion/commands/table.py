"""Run the table as a process for other programs, with JSON lines.

Each input line is answered with one line: the results or an error. The same lines and
seed always give the same answers. docs/commands.md describes the format.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from companion.commands import add_choices, add_clock, add_seed, chosen_edition
from companion.commands.options import add_trace, tracing
from companion.core.game_options import GameOptions
from companion.jsonl.table_process import TableProcess
from companion.jsonl.untrusted import read_object
from companion.storage.records import STDIN, open_binary
from engine.rules.editions import DEFAULT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_choices(parser, DEFAULT.id)
    add_clock(parser)
    add_seed(parser)
    add_trace(parser)
    parser.add_argument(
        "--json",
        action="store_true",
        required=True,
        help="JSON lines, the only format",
    )


def run(options: argparse.Namespace) -> int:
    """Answer every line until the input ends."""
    edition = chosen_edition(options)
    with open_binary(STDIN) as lines, tracing(options.trace) as recorder:
        if recorder:
            recorder.begin(GameOptions(edition, options.seed, options.clock))
        process = TableProcess(edition, options.seed, options.clock, recorder)
        for answer in answers(process, lines):
            sys.stdout.write(f"{json.dumps(answer)}\n")
            sys.stdout.flush()
    return 0


def answers(process: TableProcess, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Answer the lines one after another. An error is reported with its line number."""
    for number, text in enumerate(lines, start=1):
        try:
            line = read_object(text)
        except ValueError:
            yield {"error": f"Line {number} is not a JSON object.", "line": number}
        else:
            answer = process.take(line)
            yield {**answer, "line": number} if "error" in answer else answer
