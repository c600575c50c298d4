"""Judge recorded games: is every ply legal, and how does the game end?

Reads XML and .gsn files of the Gravon archive, and chase games as the Ataraxos test suite writes
them. Exit code: 0 all games are legal, 1 some are not, 2 some files are unreadable.
"""

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any, Final

from companion.announcer import Announcer
from companion.commands import add_edition
from companion.commands.outcome import as_json, in_words
from companion.language import Language
from companion.records import read_record
from engine.adjudication import judge
from engine.editions import EDITIONS, Edition
from engine.record import RecordError

LEGAL, ILLEGAL, UNREADABLE = "legal", "illegal", "unreadable"
_EXIT_CODES: Final = {LEGAL: 0, ILLEGAL: 1, UNREADABLE: 2}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a recorded game")
    add_edition(parser)
    parser.add_argument(
        "--two-squares-limit",
        type=_limit,
        metavar="N",
        help="how often in a row a piece may cross a border, instead of the edition's limit",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a file and line")


def run(options: argparse.Namespace) -> int:
    """Judge every file, whatever is wrong with the others."""
    edition = EDITIONS[options.edition]
    if options.two_squares_limit:
        edition = dataclasses.replace(edition, two_squares_limit=options.two_squares_limit)
    worst = 0
    for path in options.files:
        judged = _judge_file(path, edition)
        worst = max(worst, _EXIT_CODES[judged["verdict"]])
        print(json.dumps(judged) if options.json else _in_words(judged))
    return worst


def _judge_file(path: Path, edition: Edition) -> dict[str, Any]:
    """Judge one file: the JSON object of the line that is printed for it."""
    announcer = Announcer(Language("en"))
    found: dict[str, Any] = {"file": str(path), "plies": None, "verdict": UNREADABLE}
    found |= dict.fromkeys(("ply", "rule", "reason", "outcome"))
    try:
        verdict = judge(read_record(path), edition)
    except RecordError as error:
        return found | {"reason": str(error)}
    found |= {"plies": verdict.plies, "verdict": LEGAL, "ply": verdict.ply}
    if verdict.violations:
        found |= {
            "verdict": ILLEGAL,
            "rule": verdict.violations[0].fault.rule.value,
            "reason": " ".join(map(announcer.sentence, verdict.violations)),
        }
    return found | {"outcome": as_json(verdict.outcome)}


def _in_words(judged: dict[str, Any]) -> str:
    if judged["verdict"] == UNREADABLE:
        return f"{judged['file']}: {judged['reason']}"
    if judged["verdict"] == LEGAL:
        outcome = in_words(judged["outcome"])
        return f"{judged['file']}: {judged['plies']} plies, all legal; {outcome}"
    place = f"ply {judged['ply']} of {judged['plies']}" if judged["ply"] else "the setup"
    return f"{judged['file']}: {place} breaks the rule {judged['rule']}: {judged['reason']}"


def _limit(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)
