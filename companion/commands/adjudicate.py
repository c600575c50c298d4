"""Judge recorded games: is every ply legal, and how does the game end?

Reads XML and .gsn files of the Gravon archive, chase games as the Ataraxos test suite writes them,
and the games that this program exports as JSON. Exit code: 0 all games are legal, 1 some are not,
2 some files are unreadable.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.commands import add_edition, counting
from companion.commands.outcome import as_json, in_words
from companion.speech.announcer import Announcer
from companion.speech.language import Language
from companion.store.records import read_game
from engine.games.adjudication import Verdict, judge, judge_transcript
from engine.games.record import Record, RecordError
from engine.games.transcript import Transcript
from engine.rulebook.editions import DEFAULT, EDITIONS

LEGAL, ILLEGAL, UNREADABLE = "legal", "illegal", "unreadable"
_EXIT_CODES: Final = {LEGAL: 0, ILLEGAL: 1, UNREADABLE: 2}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="a recorded game; - is standard input",
    )
    add_edition(parser, default=None)
    parser.add_argument(
        "--two-squares-limit",
        type=counting,
        metavar="N",
        help="how often in a row a piece may go to and fro, instead of the edition's limit; any "
        "number, also one that no rulebook knows",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a file and line")


def run(options: argparse.Namespace) -> int:
    """Judge every file, whatever is wrong with the others."""
    worst = 0
    for path in options.files:
        judged = _judge_file(path, options)
        worst = max(worst, _EXIT_CODES[judged["verdict"]])
        print(json.dumps(judged) if options.json else _in_words(judged))
    return worst


def _judge_file(path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Judge one file: the JSON object of the line that is printed for it."""
    announcer = Announcer(Language("en"))
    found: dict[str, Any] = {"file": str(path), "plies": None, "verdict": UNREADABLE}
    found |= dict.fromkeys(("ply", "rule", "reason", "outcome"))
    try:
        verdict = _judge(read_game(path), options)
    except RecordError as error:
        return found | {"reason": str(error)}
    found |= {"plies": verdict.plies, "verdict": LEGAL, "ply": verdict.ply}
    if verdict.violations:
        found |= {
            "verdict": ILLEGAL,
            "rule": verdict.violations[0].fault.rule.value,
            "reason": announcer.rules.refusal(verdict.violations),
        }
    return found | {"outcome": as_json(verdict.outcome)}


def _judge(game: Record | Transcript, options: argparse.Namespace) -> Verdict:
    """Judge a game by the edition that was chosen, else by the one that it names."""
    own = game.edition if isinstance(game, Transcript) else DEFAULT
    edition = EDITIONS[options.edition] if options.edition else own
    if options.two_squares_limit:
        edition = replace(edition, two_squares_limit=options.two_squares_limit)
    return judge(game, edition) if isinstance(game, Record) else judge_transcript(game, edition)


def _in_words(judged: dict[str, Any]) -> str:
    if judged["verdict"] == UNREADABLE:
        return f"{judged['file']}: {judged['reason']}"
    if judged["verdict"] == LEGAL:
        outcome = in_words(judged["outcome"])
        return f"{judged['file']}: {judged['plies']} plies, all legal; {outcome}"
    place = f"ply {judged['ply']} of {judged['plies']}" if judged["ply"] else "the setup"
    return f"{judged['file']}: {place} breaks the rule {judged['rule']}: {judged['reason']}"
