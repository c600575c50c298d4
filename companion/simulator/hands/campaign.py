"""Many games, in sequence or in parallel: the same seed gives the same figures."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from companion.simulator.hands.contract import Line, Table
from companion.simulator.hands.failures import write_failures
from companion.simulator.hands.match import PLIES_A_GAME, Match
from companion.simulator.hands.policies import POLICIES, Policy
from companion.simulator.hands.profiles import PROFILES
from companion.simulator.hands.score import Score
from companion.table.process import TableProcess
from engine.rules.editions import Edition

TABLE: Final = "table"


def _policy(rest_ms: int, edition: Edition, _seed: int) -> Table:
    return Policy(edition, rest_ms)


REFEREES: Final[Mapping[str, Callable[[Edition, int], Table]]] = {
    TABLE: TableProcess,
    **{name: partial(_policy, rest_ms) for name, rest_ms in POLICIES.items()},
}
"""The available referees by name: the table, and two simple ones for comparison."""


@dataclass(frozen=True)
class Campaign:
    """Games of one kind of players with one referee."""

    profile: str
    referee: str
    edition: Edition
    seed: int = 0
    most: int = PLIES_A_GAME
    """Maximum number of plies a game."""
    failures: Path | None = None
    """The folder for the files about mistakes; None writes no files."""

    def play(self, game: int, tell: Callable[[Line], None] | None = None) -> Score:
        """Play one game, by its number; `tell` receives every input line of the table."""
        table = REFEREES[self.referee](self.edition, self.seed)
        lines: list[Line] = []
        keep = lines.append if self.failures and not tell else tell
        match = Match(PROFILES[self.profile], self.edition, table, str(self.seed), game, keep)
        match.room.is_logged = self.failures is not None
        score = match.play(self.most)
        if self.failures:
            write_failures(self.failures, self.seed, score.mistakes, lines, match.room.log)
        return score

    def run(self, plies: int, jobs: int, progress: Callable[[int], None]) -> Score:
        """Play games until they total `plies` plies, several games at a time.

        Which games count does not depend on the number of parallel jobs. `progress` receives the
        number of plies played so far.
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

        No further game is started while the running ones may be enough; `needs_more` gets their
        number.
        """
        if jobs == 1:
            yield from map(self.play, count())
            return
        waiting: deque[Future[Score]] = deque()
        # The progress bar is a thread, and a process with threads should not fork.
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            try:
                for game in count():
                    while waiting and (len(waiting) > 2 * jobs or not needs_more(len(waiting))):
                        yield waiting.popleft().result()
                    waiting.append(pool.submit(partial(self.play, game)))
            finally:
                for future in waiting:
                    future.cancel()
