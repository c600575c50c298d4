"""Runs many games, in sequence or in parallel. The same seed gives the same figures."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from companion.jsonl.table_process import TableProcess
from engine.rules.editions import Edition
from tests.hands.baselines import POLICIES, Policy
from tests.hands.match import PLIES_A_GAME, Match
from tests.hands.profiles import PROFILES
from tests.hands.responses import Line, Table
from tests.hands.score import ErrorKind, Score

# For each mistake, two files are written. Their names consist of the profile, the seed, the game,
# the ply and the kind of mistake. ``….jsonl`` is input for ``boomboard table --json`` from the
# start of the game. ``….truth.jsonl`` begins with the mistake, followed by everything that the
# hands did: movements, kinds of behaviour and finished turns. Times in both files are in seconds
# and refer to the same clock.

_AFTER_S: Final = 1.0
"""The files for a mistake cover the game until this many seconds after the mistake was detected."""


def write_failures(
    folder: Path,
    seed: int,
    mistakes: Iterable[ErrorKind],
    lines: Sequence[Line],
    log: Sequence[Line],
) -> None:
    """Write the files for all mistakes in one game, except those of the kind `unknowable`. `lines`
    is everything that the table received in the game. `log` is everything that the hands did. The
    folder is created if necessary.
    """
    for mistake in mistakes:
        if mistake.kind == "unknowable":
            continue
        folder.mkdir(parents=True, exist_ok=True)
        end = mistake.at + _AFTER_S
        stem = f"{mistake.profile}-{seed}-{mistake.game}-{mistake.ply}-{mistake.kind}"
        _write(folder / f"{stem}.jsonl", (each for each in lines if each["at"] <= end))
        truth = sorted((each for each in log if each["at"] <= end), key=lambda each: each["at"])
        _write(folder / f"{stem}.truth.jsonl", [{"mistake": asdict(mistake)}, *truth])


def _write(path: Path, lines: Iterable[Line]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


TABLE: Final = "table"


def _policy(rest_ms: int, edition: Edition, _seed: int) -> Table:
    return Policy(edition, rest_ms)


REFEREES: Final[Mapping[str, Callable[[Edition, int], Table]]] = {
    TABLE: TableProcess,
    **{name: partial(_policy, rest_ms) for name, rest_ms in POLICIES.items()},
}
"""Referees, keyed by name: the table, and two simple referees used as baselines."""


@dataclass(frozen=True)
class Campaign:
    """Set of games between players of one profile under one referee."""

    profile: str
    referee: str
    edition: Edition
    seed: int = 0
    most: int = PLIES_A_GAME
    """Maximum number of plies per game."""
    failures: Path | None = None
    """Folder for failure files, or None to write none."""

    def play(self, game: int, emit: Callable[[Line], None] | None = None) -> Score:
        """Play the game with the given number. `emit` receives every line that is sent to the
        table."""
        table = REFEREES[self.referee](self.edition, self.seed)
        lines: list[Line] = []
        keep = lines.append if self.failures and not emit else emit
        match = Match(PROFILES[self.profile], self.edition, table, str(self.seed), game, keep)
        match.room.is_logged = self.failures is not None
        score = match.play(self.most)
        if self.failures:
            write_failures(self.failures, self.seed, score.mistakes, lines, match.room.log)
        return score

    def run(self, plies: int, jobs: int, progress: Callable[[int], None]) -> Score:
        """Play at least `plies` plies, and call `progress` with the number of plies so far.

        The number of parallel jobs does not affect which games are played.
        """
        total = Score()
        for score in self._scores(jobs, lambda on: total.plies + on * self.most < plies):
            total.add(score)
            progress(total.plies)
            if total.plies >= plies:
                break
        return total

    def _scores(self, jobs: int, needs_more: Callable[[int], bool]) -> Iterator[Score]:
        """Yield the scores of all games in order.

        `needs_more` is called with the number of running games. While it returns False, no further
        game is started, because the running games may be enough.
        """
        if jobs == 1:
            yield from map(self.play, count())
            return
        waiting: deque[Future[Score]] = deque()
        # The progress bar runs in a thread, and a process with threads should not fork.
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            try:
                for game in count():
                    while waiting and (len(waiting) > 2 * jobs or not needs_more(len(waiting))):
                        yield waiting.popleft().result()
                    waiting.append(pool.submit(partial(self.play, game)))
            finally:
                for future in waiting:
                    future.cancel()
