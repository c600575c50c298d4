"""Judge recorded games: whether every ply is legal, and how the game ends.

Reads Gravon XML and .gsn files, chase games from the Ataraxos test suite, and this program's JSON.
Exit codes: 0: all games are legal; 1: some games are illegal, or record an outcome that contradicts
the position; 2: some files cannot be read.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.commands import CommandError, add_edition, as_json, counting, in_words
from companion.reports.diagram import diagram
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language
from companion.storage.records import read_game
from engine.board import board_text
from engine.board.geometry import Square, name, squares_in
from engine.board.ranks import ORIGINAL, only_rank
from engine.board.visibility import Secret
from engine.game.actions import Declare
from engine.game.game_state import Phase
from engine.game.position import Position
from engine.game.position_text import RANKS
from engine.game.referee import Referee
from engine.game.rulings import Contradiction, Reason, Ruling, refuses
from engine.game.text_api import parse_action
from engine.records.adjudication import Basis, Verdict, judge, judge_transcript
from engine.records.record import Record, RecordError
from engine.records.transcript import Transcript, TranscriptError
from engine.rules.editions import DEFAULT, EDITIONS
from engine.rules.repetition import repeated_moves
from engine.rules.rules import Violation

LEGAL, ILLEGAL, UNREADABLE = "legal", "illegal", "unreadable"
_MANY: Final = 100
"""Progress is shown only if there are at least this many files."""
_EXIT_CODES: Final = {LEGAL: 0, ILLEGAL: 1, UNREADABLE: 2}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="a recorded game or a folder; - is standard input. With --position: actions, such as "
        "a4-a5, a5xa6:nt (nt: letters of unknown ranks) or 'answer-guess no'",
    )
    parser.add_argument(
        "--position",
        metavar="TEXT",
        help="judge actions from this position (docs/positions.md), and list the legal moves",
    )
    add_edition(parser, default=None)
    parser.add_argument(
        "--two-squares-limit",
        type=counting,
        metavar="N",
        help="maximum number of consecutive back-and-forth moves, overriding the rulebook",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per file")
    parser.add_argument(
        "--why",
        action="store_true",
        help="explain an illegal ply: the position before it, and the moves that count",
    )
    parser.add_argument(
        "--pictures",
        type=Path,
        metavar="DIR",
        help="write an SVG of each illegal ply into this folder",
    )


def run(options: argparse.Namespace) -> int:
    """Judge a position, or every file given. An error in one file does not affect the others."""
    if options.position is not None:
        return _run_position(options)
    if not options.files:
        raise CommandError("There is nothing to judge; choose a file, or give a --position.")
    worst, found = 0, Counter[str]()
    paths = [path for named in options.files for path in _files(Path(named))]
    for number, path in enumerate(paths, start=1):
        _show_progress(number, len(paths))
        judged, verdict = _judge_file(path, options)
        worst = max(worst, _EXIT_CODES[judged["verdict"]], int(_is_refuted(judged)))
        case = _Case.of(verdict) if verdict else None
        if case and options.why:
            judged["why"] = case.as_json()
        print(json.dumps(judged) if options.json else _in_words(judged))
        if case and options.why and not options.json:
            print(case)
        if case and options.pictures:
            case.draw(options.pictures / f"{path.stem}-{judged['ply']}.svg")
        refuted = "with a refuted result" if _is_refuted(judged) else None
        found[judged["rule"] or refuted or judged["verdict"]] += 1
    if len(paths) > len(options.files) and not options.json:
        counts = ", ".join(f"{count} {what}" for what, count in found.most_common())
        print(f"{len(paths)} games: {counts}")
    return worst


def _files(path: Path) -> list[Path]:
    """Return the files in a folder and its sub-folders, or the path itself if it is a file."""
    inside = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else []
    return inside or [path]


def _show_progress(number: int, count: int) -> None:
    """Show progress on a terminal if there are many files."""
    if count >= _MANY and sys.stderr.isatty():
        sys.stderr.write(f"\r{number} of {count}" if number < count else "\r\x1b[K")
        sys.stderr.flush()


def _judge_file(path: Path, options: argparse.Namespace) -> tuple[dict[str, Any], Verdict | None]:
    """Judge one file. Return the JSON object for its output line, and the verdict."""
    announcer = Announcer(Language("en"))
    found: dict[str, Any] = {"file": str(path), "plies": None, "verdict": UNREADABLE}
    found |= dict.fromkeys(("ply", "rule", "reason", "outcome"))
    try:
        game = read_game(path)
        verdict = _judge(game, options)
    except RecordError as error:
        return found | {"reason": str(error)}, None
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
    if shown and verdict.basis:
        found["outcome"] = {**(as_json(shown) or {}), "basis": verdict.basis.value}
    return found, verdict


def _is_refuted(judged: dict[str, Any]) -> bool:
    outcome = judged["outcome"]
    return outcome is not None and outcome["basis"] == Basis.REFUTED.value


def _refutation(verdict: Verdict) -> str:
    """Explain why the position contradicts the outcome that a record claims."""
    claim, end = verdict.claim, verdict.outcome
    assert claim
    if end and end != claim:
        return f"the actual result is: {in_words(as_json(end))}"
    match claim.reason:
        case Reason.FLAG_CAPTURED:
            return "no flag was captured"
        case Reason.AGREED_DRAW:
            return "an agreed draw has no winner"
    return "legal moves are left"


def _game_named(game: Record | Transcript) -> str:
    """Return a sentence that names a record's type of game, or "" for classic Stratego."""
    kind = game.kind if isinstance(game, Record) else None
    if kind is None or kind.army is ORIGINAL:
        return ""
    return f"The file says that this is a game of the type {kind.value!r}. "


def _judge(game: Record | Transcript, options: argparse.Namespace) -> Verdict:
    """Judge a game by the chosen edition, or by its own edition if none was chosen.

    Raise RecordError if this edition cannot judge the whole game.
    """
    own = game.edition if isinstance(game, Transcript) else DEFAULT
    edition = EDITIONS[options.edition] if options.edition else own
    if options.two_squares_limit:
        edition = replace(edition, two_squares_limit=options.two_squares_limit)
    if isinstance(game, Transcript):
        try:
            return judge_transcript(game, edition)
        except TranscriptError as error:
            raise RecordError(str(error)) from error
    if game.kind and game.kind.army not in edition.armies:
        known = ", ".join(each.id for each in EDITIONS.values() if game.kind.army in each.armies)
        raise RecordError(
            f"the file contains a game of type {game.kind.value!r}, which "
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
    return f"{end}: refuted by the board: {judged['reason']}"


# -- why a ply is illegal


@dataclass(frozen=True)
class _Case:
    """An illegal ply, and the position before it."""

    before: Position
    way: tuple[Square, Square] | None
    fault: Violation

    @classmethod
    def of(cls, verdict: Verdict) -> "_Case | None":
        if verdict.before is None:
            return None
        return cls(verdict.before, verdict.way, verdict.violations[0])

    def __str__(self) -> str:
        """Draw the board with the relevant squares marked, and list the repeated moves."""
        board, marked = board_text.read(str(self.before)), self.fault.squares
        drawn = board_text.draw(
            lambda at: board.get(at, ".") + "*" if marked >> at & 1 else board.get(at)
        )
        why = self.as_json()
        lines = [f"The moves that count, most recent first: {' '.join(why['moves'])}"]
        return "\n".join([drawn, *(lines if why["moves"] else []), why["position"] or ""])

    def as_json(self) -> dict[str, Any]:
        """Return the position as text, and the repeated moves.

        The text is None if the rules of the position cannot be written as text.
        """
        try:
            text = self.before.to_text()
        except ValueError:
            text = None
        moves = [
            f"{name(a)}-{name(b)}"
            for a, b in repeated_moves(self.fault, self.before.own_run, self.before.past)
        ]
        return {"position": text, "moves": moves}

    def draw(self, path: Path) -> None:
        """Write an SVG image. Raise CommandError if the file cannot be written."""
        position, board = self.before, self.before.board
        pieces = {
            at: (side, only_rank(position.ranks_at(at)))
            for at in squares_in(board.occupied)
            if (side := board.side_at(at))
        }
        moves = repeated_moves(self.fault, position.own_run, position.past)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(diagram(pieces, last_move=self.way, earlier=moves), encoding="utf-8")
        except OSError as error:
            raise CommandError(
                f"{path} cannot be written ({error.strerror}); choose another folder with "
                "--pictures."
            ) from error


# -- a position and the moves made from it


def _run_position(options: argparse.Namespace) -> int:
    if options.edition or options.two_squares_limit:
        raise CommandError(
            "A position states its own rules; omit --edition and --two-squares-limit."
        )
    judged = _judge_position(options.position, options.files)
    print(json.dumps(judged) if options.json else _position_in_words(judged))
    return _EXIT_CODES[judged["verdict"]]


def _judge_position(text: str, moves: Sequence[str]) -> dict[str, Any]:
    """Make the moves from a position, and return the JSON object with the result."""
    found: dict[str, Any] = {"position": text, "plies": None, "verdict": UNREADABLE}
    keys = ("ply", "rule", "reason", "phase", "to_move", "legal", "outcome")
    found |= dict.fromkeys(keys)
    number = 0
    try:
        game = Referee.from_text(text)
        for number, move in enumerate(moves, start=1):
            if refused := _refusal(_make(game, move)):
                rule, reason = refused
                found |= {"verdict": ILLEGAL, "ply": number, "rule": rule, "reason": reason}
                break
    except ValueError as error:
        place = f"move {number}: " if number else "position: "
        return found | {"reason": f"{place}{error}"}
    return found | {
        "position": game.to_text(),
        "plies": len(moves),
        "verdict": found["verdict"] if found["ply"] else LEGAL,
        "phase": game.phase.value,
        "to_move": game.to_move.value,
        "legal": [str(turn) for turn in game.legal_moves()],
        "outcome": as_json(game.outcome),
    }


def _make(game: Referee, move: str) -> tuple[Ruling, ...]:
    """Make a move or attack, declare the ranks given with it, and return the last rulings."""
    notation, _, ranks = move.partition(":")
    rulings = game.apply(parse_action(notation))
    attack = game.open_attack
    if not ranks or refuses(rulings):
        return rulings
    if not attack:
        raise ValueError(f"{move!r} gives ranks, but no rank has to be declared")
    if len(ranks) != len(attack.awaited) or not {*ranks} <= {*RANKS}:
        sides = " and ".join(side.value for side in attack.awaited)
        raise ValueError(f"{move!r} needs a rank letter for each of {sides}")
    for side, letter in zip(attack.awaited, ranks, strict=True):
        rulings = game.apply(Declare(Secret(side, RANKS[letter])))
        if isinstance(rulings[0], Contradiction):
            break
    return rulings


def _refusal(rulings: tuple[Ruling, ...]) -> tuple[str, str] | None:
    """Return the violated rule and the reason, or None if the move was legal."""
    words = Announcer(Language("en")).rules
    match rulings[0]:
        case Violation() as violation:
            return violation.fault.rule.value, words.refusal([violation])
        case Contradiction() as contradiction:
            return contradiction.proof.ground.rule.value, words.proof(contradiction)
    return None


_PENDING: Final = {
    Phase.SETUP.value: "the armies are not set up",
    Phase.ATTACK.value: "the ranks of the attack have to be declared",
    Phase.GUESS.value: "the guess has to be answered",
    Phase.STALEMATE.value: "a side cannot move, and the other is asked whether it can",
}


def _position_in_words(judged: dict[str, Any]) -> str:
    if judged["verdict"] == UNREADABLE:
        return str(judged["reason"])
    if judged["outcome"]:
        state = in_words(judged["outcome"])
    elif judged["phase"] in _PENDING:
        state = _PENDING[judged["phase"]]
    else:
        legal = judged["legal"]
        state = f"{judged['to_move'].capitalize()} to move, {len(legal)} legal: {' '.join(legal)}"
    if judged["verdict"] == LEGAL:
        count = judged["plies"]
        moves = f"{count} moves, all legal; " if count > 1 else "1 move, legal; " if count else ""
        return moves + state
    return f"move {judged['ply']} breaks the rule {judged['rule']}: {judged['reason']}\n{state}"
