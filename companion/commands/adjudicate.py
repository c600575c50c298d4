"""Judge recorded games: is every ply legal, and how does the game end?

Reads XML and .gsn files of the Gravon archive, chase games as the Ataraxos test suite writes them,
and the games that this program exports as JSON. Exit code: 0 all games are legal, 1 some are not or
claim an end that the board refutes, 2 some files are unreadable.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.commands import add_edition, as_json, counting, in_words
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.records import read_game
from engine.board.ranks import ORIGINAL
from engine.game.rulings import Reason
from engine.records.adjudication import Basis, Verdict, judge, judge_transcript
from engine.records.record import Record, RecordError
from engine.records.transcript import Transcript
from engine.rules.editions import DEFAULT, EDITIONS

LEGAL, ILLEGAL, UNREADABLE = "legal", "illegal", "unreadable"
_EXIT_CODES: Final = {LEGAL: 0, ILLEGAL: 1, UNREADABLE: 2}


def add_arguments(parser: argparse.ArgumentParser) -> None:
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
        help="how often in a row a piece may move back and forth, instead of the edition's limit; "
        "any number, even one that no rulebook has",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object per file and line"
    )


def run(options: argparse.Namespace) -> int:
    """Judge every file, regardless of errors in other files."""
    worst = 0
    for path in options.files:
        judged = _judge_file(path, options)
        worst = max(worst, _EXIT_CODES[judged["verdict"]], int(_is_refuted(judged)))
        print(json.dumps(judged) if options.json else _in_words(judged))
    return worst


def _judge_file(path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Judge one file; return the JSON object for its output line."""
    announcer = Announcer(Language("en"))
    found: dict[str, Any] = {"file": str(path), "plies": None, "verdict": UNREADABLE}
    found |= dict.fromkeys(("ply", "rule", "reason", "outcome"))
    try:
        game = read_game(path)
        verdict = _judge(game, options)
    except RecordError as error:
        return found | {"reason": str(error)}
    found |= {"plies": verdict.plies, "verdict": LEGAL, "ply": verdict.ply}
    if verdict.violations:
        found |= {
            "verdict": ILLEGAL,
            "rule": verdict.violations[0].fault.rule.value,
            "reason": _game_named(game) + announcer.rules.refusal(verdict.violations),
        }
    elif verdict.basis is Basis.REFUTED:
        found |= {"reason": _refutation(verdict)}
    shown = verdict.claim or verdict.outcome
    if shown is None or verdict.basis is None:
        return found
    return found | {"outcome": {**(as_json(shown) or {}), "basis": verdict.basis.value}}


def _is_refuted(judged: dict[str, Any]) -> bool:
    outcome = judged["outcome"]
    return outcome is not None and outcome["basis"] == Basis.REFUTED.value


def _refutation(verdict: Verdict) -> str:
    """Return the reason why the end claimed by a record is refuted."""
    claim, end = verdict.claim, verdict.outcome
    assert claim
    if end and end != claim:
        return f"on the board {in_words(as_json(end))}"
    match claim.reason:
        case Reason.FLAG_CAPTURED:
            return "no flag was captured"
        case Reason.AGREED_DRAW:
            return "an agreed draw has no winner"
    return "legal moves are left"


def _game_named(game: Record | Transcript) -> str:
    """Return the game's name if a record names a game other than classic Stratego."""
    kind = game.kind if isinstance(game, Record) else None
    if kind is None or kind.army is ORIGINAL:
        return ""
    return f"The file says that this is a game of the type {kind.value!r}. "


def _judge(game: Record | Transcript, options: argparse.Namespace) -> Verdict:
    """Judge a game by the chosen edition, or else by the edition that the game names."""
    own = game.edition if isinstance(game, Transcript) else DEFAULT
    edition = EDITIONS[options.edition] if options.edition else own
    if options.two_squares_limit:
        edition = replace(edition, two_squares_limit=options.two_squares_limit)
    if isinstance(game, Transcript):
        return judge_transcript(game, edition)
    if game.kind and game.kind.army not in edition.armies:
        known = ", ".join(each.id for each in EDITIONS.values() if game.kind.army in each.armies)
        raise RecordError(
            f"the file says that this is a game of the type {game.kind.value!r}, which "
            f"{edition.rulebook} does not have; choose --edition from {known}"
        )
    return judge(game, edition)


def _in_words(judged: dict[str, Any]) -> str:
    if judged["verdict"] == UNREADABLE:
        return f"{judged['file']}: {judged['reason']}"
    if judged["verdict"] == LEGAL:
        return f"{judged['file']}: {judged['plies']} plies, all legal; {_end_in_words(judged)}"
    place = f"ply {judged['ply']} of {judged['plies']}" if judged["ply"] else "the setup"
    return f"{judged['file']}: {place} breaks the rule {judged['rule']}: {judged['reason']}"


def _end_in_words(judged: dict[str, Any]) -> str:
    end = in_words(judged["outcome"])
    match judged["outcome"]:
        case None:
            return end
        case {"basis": Basis.PROVED.value}:
            return f"{end}: proved by the board"
        case {"basis": Basis.CLAIMED.value}:
            return f"{end}: claimed by the record"
    return f"{end}: refuted by the board, {judged['reason']}"
