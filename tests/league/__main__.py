"""Plays a match: ``python -m tests.league FIRST SECOND --games N``.

FIRST and SECOND are levels (such as ``marshal``), ``random``, ``greedy``, or the name and command
of an external program, such as ``"celsius=python2 -u celsius.py"``. The players swap colours after
every game, and both games of a pair use the same seed. With ``--file``, every game is appended to a
file as a line of JSON. Games that are already in the file are not played again.
"""

import argparse
import json
from pathlib import Path

from engine import EDITIONS
from tests.league.match import GameRecord, ledger, play
from tests.league.ratings import Score


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.league", description=__doc__)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--edition", default="original-1992", choices=EDITIONS)
    parser.add_argument("--army")
    parser.add_argument("--seed", type=int, default=0, help="number of the first game")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--ledger", action="store_true", help="print losses by rank and enemy rank")
    options = parser.parse_args()
    edition = EDITIONS[options.edition]
    edition = edition.with_army(options.army) if options.army else edition
    records = read(options.file) if options.file and options.file.exists() else []
    known = {(record.seed, record.red) for record in records}
    pair = (options.first, options.second)
    for number in range(options.games):
        names = pair if number % 2 == 0 else pair[::-1]
        seed = options.seed + number // 2
        if (seed, names[0].partition("=")[0]) in known:
            continue
        record = play(names, edition, seed)
        records.append(record)
        if options.file:
            with options.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record.to_json()) + "\n")
    report(records, options.first.partition("=")[0], with_ledger=options.ledger)


def read(path: Path) -> list[GameRecord]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [GameRecord(**json.loads(line)) for line in lines]


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
        for each in record.milliseconds[side]
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
