"""Check the sealed armies of recorded games.

Prints the four words that identify the sealed armies, for comparison with the players' notes. Exit
codes: 0: all sealed armies are proved; 1: some are not; 2: some files cannot be read or have no
sealed armies.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from companion.storage.records import read_game
from engine.board.geometry import Side, names
from engine.records.record import RecordError
from engine.records.transcript import SealedResult, SealedSide, SealState, Transcript, sealed_result

_MEANINGS: Final[Mapping[SealState, str]] = {
    SealState.PROVED: "proved: all seals were opened and agree with the game",
    SealState.NOT_PROVED: "not proved: the seals were not opened",
    SealState.CONTRADICTED: "broken: the seals were opened, but contradict the game on {squares}",
    SealState.BROKEN: "broken: the seals were declared void during the game",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="a game exported as JSON"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per file")


def run(options: argparse.Namespace) -> int:
    """Check all files. An error in one file does not affect the others."""
    worst = 0
    for path in options.files:
        result, reason = _check(path)
        worst = max(worst, 2 if result is None else int(not result.is_proved))
        if options.json:
            print(json.dumps(_as_json(path, result, reason)))
        elif result is None:
            print(f"{path}: {reason}")
        else:
            print(f"{path}: {result.words}")
            for side, each in result.sides.items():
                print(f"  {side.value.capitalize()}: {_in_words(each)}.")
    return worst


def _check(path: Path) -> tuple[SealedResult | None, str]:
    """Return the result for a file, or None and the reason why there is no result."""
    try:
        game = read_game(path)
    except RecordError as error:
        return None, str(error)
    result = sealed_result(game) if isinstance(game, Transcript) else None
    return result, "" if result else "This game has no sealed armies."


def _in_words(side: SealedSide) -> str:
    return _MEANINGS[side.state].format(squares=names(side.wrong))


def _as_json(path: Path, result: SealedResult | None, reason: str) -> dict[str, Any]:
    plain: dict[str, Any] = {"file": str(path), "words": None, "code": None, "reason": reason}
    for side in Side:
        each = result.sides.get(side) if result else None
        plain[side.value] = each and {"state": each.state.value, "wrong": names(each.wrong)}
    if result:
        plain |= {"words": result.words.words, "code": result.words.code}
    return plain
