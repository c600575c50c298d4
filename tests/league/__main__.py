"""Plays a match: ``python -m tests.league FIRST SECOND --games N``.

FIRST and SECOND are levels (such as ``marshal``), ``random``, ``greedy``, or the name and command
of an external program, such as ``"celsius=python2 -u celsius.py"``. The players swap colours after
every game, and both games of a pair use the same seed. With ``--file``, every game is appended to a
file as a line of JSON. Games that are already in the file are not played again. An incomplete last
line, as left by an interruption, is dropped.
"""

import argparse
import json
from pathlib import Path

from companion.opponent.levels import Level
from engine import EDITIONS
from engine.board import NotationError
from engine.rules.editions import Edition
from tests.league.match import GameRecord, ledger, play
from tests.league.players import STRATEGIES
from tests.league.ratings import Score


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.league", description=__doc__)
    parser.add_argument("first", type=_player)
    parser.add_argument("second", type=_player)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--edition", default="original-1992", choices=EDITIONS)
    parser.add_argument("--army")
    parser.add_argument("--seed", type=int, default=0, help="number of the first game")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--ledger", action="store_true", help="print losses by rank and enemy rank")
    options = parser.parse_args()
    edition = EDITIONS[options.edition]
    pair = (options.first, options.second)
    names = {_name_of(player) for player in pair}
    if options.games < 1:
        parser.error(f"--games: expected at least 1, found {options.games}")
    if len(names) < 2:
        parser.error(f"expected two players with different names, found {options.first!r} twice")
    try:
        edition = edition.with_army(options.army) if options.army else edition
        records = read(options.file, edition, names) if options.file else []
    except (NotationError, OSError, ValueError) as error:
        parser.error(str(error))
    known = {(record.seed, record.red) for record in records}
    for number in range(options.games):
        players = pair if number % 2 == 0 else pair[::-1]
        seed = options.seed + number // 2
        if (seed, _name_of(players[0])) in known:
            continue
        record = play(players, edition, seed)
        records.append(record)
        if options.file:
            with options.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record.to_json()) + "\n")
    report(records, _name_of(options.first), with_ledger=options.ledger)


def _player(text: str) -> str:
    """Check the name of a level or strategy, or an external program with its command."""
    known = [*Level, *STRATEGIES]
    if "=" not in text and text not in known:
        raise argparse.ArgumentTypeError(
            f"expected {', '.join(known)}, or NAME=COMMAND; found {text!r}"
        )
    return text


def _name_of(player: str) -> str:
    return player.partition("=")[0]


_BEGINNING = '{"red": '
"""Beginning of every line of a match's file. Only such a line may be dropped."""


def read(path: Path, edition: Edition, names: set[str]) -> list[GameRecord]:
    """Return the games in a match's file, which is created if it does not exist.

    Raises ValueError if the file holds other games than those of the match.
    """
    path.touch()
    whole, _, cut_off = path.read_text(encoding="utf-8").rpartition("\n")
    records = []
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            record = GameRecord(**json.loads(line))
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{path}, line {number}: expected a game, found {line[:60]}"
            ) from error
        expected = (names, edition.id, edition.army.name)
        if ({record.red, record.blue}, record.edition, record.army) != expected:
            raise ValueError(
                f"{path}, line {number}: expected a game of {' and '.join(sorted(names))} in "
                f"{edition.id}, {edition.army.name}; found one of {record.red} and {record.blue} "
                f"in {record.edition}, {record.army}"
            )
        records.append(record)
    if cut_off:
        if not cut_off.startswith(_BEGINNING):
            raise ValueError(f"{path}: expected games, found {cut_off[:60]}")
        path.write_text(whole + "\n" if whole else "", encoding="utf-8")
    return records


def report(records: list[GameRecord], name: str, *, with_ledger: bool) -> None:
    """Print the score, endings, thinking time and, optionally, losses by rank."""
    won = sum(r.winner is not None and getattr(r, r.winner) == name for r in records)
    drawn = sum(record.winner is None for record in records)
    print(Score(won, drawn, len(records) - won - drawn))
    endings: dict[str, int] = {}
    for record in records:
        is_won = record.winner is not None and getattr(record, record.winner) == name
        result = "draw" if record.winner is None else "won" if is_won else "lost"
        key = f"{result} by {record.reason}"
        endings[key] = endings.get(key, 0) + 1
    print("; ".join(f"{key}: {count}" for key, count in sorted(endings.items())))
    times = sorted(
        each
        for record in records
        for side in ("red", "blue")
        if getattr(record, side) == name
        for each in record.milliseconds.get(side, [])
    )
    plies = sum(record.plies for record in records)
    print(f"{plies} plies, {plies / max(1, len(records)):.0f} per game")
    if times:
        median, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        print(f"CPU per turn of {name}: median {median} ms, p99 {p99} ms, worst {times[-1]} ms")
    if with_ledger:
        for (own, other), count in ledger(records, name).most_common(40):
            print(f"{count / len(records):7.2f} {own:10} to {other}")


if __name__ == "__main__":
    main()
