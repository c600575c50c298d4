r"""Compare the engine with the second referee in random games, until they differ.

    make plies                     play a million plies, on all cores
    make plies PLIES=20000000      play a given number of plies
    make plies GAME=1234           replay a game in which a difference was found

A game is completely determined by its number, so the games are the same on every machine.
"""

import argparse
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field

from tests.engine.random_plan import Plan, plan
from tests.engine.three_referees import PRECEDENCE

_BATCH = 120
"""Number of games that one process plays in a batch."""
_PAUSE = 3.0
"""Interval between progress reports, in seconds."""


@dataclass
class Tally:
    """Counts of the events in a number of games."""

    plies: int = 0
    games: int = 0
    editions: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    difference: str | None = None
    """Description of the referees' first disagreement, if any."""

    def __iadd__(self, other: "Tally") -> "Tally":
        self.plies += other.plies
        self.games += other.games
        for mine, more in (
            (self.editions, other.editions),
            (self.endings, other.endings),
            (self.refused, other.refused),
            (self.done, other.done),
        ):
            mine.update(more)
        self.difference = self.difference or other.difference
        return self

    def __str__(self) -> str:
        refused = Counter({rule: self.refused[rule] for rule in PRECEDENCE})
        done = Counter(
            {what: self.done[what] for what in ("infiltrated", "withdrawn", "accepted", "asked")}
        )
        return (
            f"{self.plies} plies in {self.games} games; editions: {_counts(self.editions)}; "
            f"endings: {_counts(self.endings)}; refused: {_counts(refused)}; {_counts(done)}; "
            f"differences: {int(self.difference is not None)}"
        )


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common())


def play(one: Plan) -> Tally:
    """Play a game to the end of its plan. If the results differ, the game ends, and the difference
    is added to the tally."""
    tally = Tally(games=1, editions=Counter([one.edition.id]))
    game = None
    try:
        game = one.begin()
        game.play(one.plies)
        if one.kind != "whole":
            game.compare_deductions()
        if one.number % 20 == 0:
            game.compare_all_verdicts()
            game.replayed()
    except Exception:  # noqa: BLE001 (any error: the referees do not agree about this game)
        ply = game.known.plies if game else 0
        tally.difference = f"{one}\nafter ply {ply}:\n{traceback.format_exc()}"
    if game:
        tally.plies = game.known.plies
        tally.endings[
            game.reference_game.ending[1] if game.reference_game.ending else "unfinished"
        ] += 1
        tally.refused, tally.done = game.refused, game.done
    return tally


def play_batch(numbers: range) -> Tally:
    """Play the games with the given numbers, stopping at the first difference."""
    total = Tally()
    for number in numbers:
        total += play(plan(number))
        if total.difference:
            break
    return total


def play_on_all_cores(plies: int) -> Iterator[Tally]:
    """Play until the given number of plies is reached or a difference is found. Yield the progress
    at intervals."""
    total, begun, reported_at = Tally(), 0, time.monotonic()
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores) as processes:
        waiting: set[Future[Tally]] = set()
        while total.plies < plies and not total.difference:
            while len(waiting) < 2 * cores:
                waiting.add(processes.submit(play_batch, range(begun, begun + _BATCH)))
                begun += _BATCH
            finished, waiting = wait(waiting, _PAUSE, FIRST_COMPLETED)
            for batch in finished:
                total += batch.result()
            if time.monotonic() > reported_at + _PAUSE:
                reported_at = time.monotonic()
                yield total
        processes.shutdown(cancel_futures=True)
    yield total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plies", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--game", type=int, help="play one game again, by its number")
    wanted = parser.parse_args()
    began, total = time.monotonic(), Tally()
    if wanted.game is not None:
        one = plan(wanted.game)
        sys.stdout.write(f"{one}\n")
        total = play(one)
    else:
        for total in play_on_all_cores(wanted.plies):
            sys.stdout.write(f"\r{total.plies} plies, {total.games} games ")
            sys.stdout.flush()
    sys.stdout.write(f"\n{total}; {time.monotonic() - began:.0f} seconds\n")
    if total.difference:
        sys.stdout.write(f"\n{total.difference}")
        if wanted.game is None:
            number = total.difference.split()[1]
            sys.stdout.write(f"\nTo see it again: make plies GAME={number}\n")
    return 1 if total.difference else 0


if __name__ == "__main__":
    sys.exit(main())
