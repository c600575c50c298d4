"""What the bench measures, and how.

Everything that is compared is run in turns, game by game, so that whatever else the machine does
hits all alike. Each round gives one value, and a figure is the median of the rounds.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from statistics import median
from time import perf_counter, process_time
from typing import Final

from companion.bench.plain import as_copy, judge_plainly
from companion.records import play_truthfully, read_record, sample_game
from engine.adjudication import judge
from engine.board import Piece
from engine.dossier import Dossier
from engine.editions import EDITIONS
from engine.ranks import IMMOBILE, ORIGINAL, Rank
from engine.record import Record
from engine.records.chase import read_chase
from engine.referee import Referee
from engine.sides import Side

PLIES_A_SECOND: Final = "plies/s"
MICROSECONDS: Final = "µs"
_ISF: Final = EDITIONS["isf"]
_ARMIES: Final = 20
"""How many armies a round finds out about."""


@dataclass(frozen=True)
class Figure:
    """One measured figure, and its goal where there is one."""

    name: str
    meaning: str
    unit: str
    ours: float
    plain: float | None = None
    """The plain implementation's, where it does the same."""
    ratio: float | None = None
    """How many times as fast as the plain implementation ours is."""
    goal: float | None = None
    """The least ratio, or without a ratio the most microseconds."""

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None if there is none."""
        if self.goal is None:
            return None
        return self.ours < self.goal if self.ratio is None else self.ratio >= self.goal


@dataclass(frozen=True)
class Games:
    """The recorded games that are judged: all come with the program."""

    chases: tuple[Record, ...]
    """Long chases between good players, each of which breaks the more-squares rule at last."""
    sample: Record

    @property
    def plies(self) -> int:
        """How many plies the chases have together."""
        return sum(len(chase.moves) for chase in self.chases)

    @classmethod
    def load(cls) -> "Games":
        """Read the games that come with the program."""
        folder = resources.files("companion") / "samples" / "chase"
        by_name = sorted(folder.iterdir(), key=lambda file: file.name)
        files = [file for file in by_name if file.name.endswith(".txt")]
        with sample_game() as path:
            return cls(tuple(read_chase(file.read_bytes()) for file in files), read_record(path))


Round = Mapping[str, float]
"""One value for everything that is measured: microseconds a ply or a call."""


def measure(games: Games, seed: int) -> Round:
    """Measure everything once."""
    return _time_verdicts(games) | _time_dossier(random.Random(seed)) | _time_can_move(games)


def figures(rounds: Sequence[Round]) -> list[Figure]:
    """Draw the figures from what the rounds have measured."""
    return [
        _speed(rounds, "judge", "plain", "judge the chase games", goal=2),
        _speed(rounds, "table", "plain", "referee them, ranks declared", goal=2),
        _speed(rounds, "judge", "copying", "judge; plain copies positions"),
        _speed(rounds, "table", "copying", "referee; plain copies positions"),
        _time(rounds, "possible", "possible ranks of a hidden piece", goal=200),
        _time(rounds, "refute", "proof against a declared rank", goal=200),
        _time(rounds, "can-move-known", "can a player move, ranks known", goal=20),
        _time(rounds, "can-move-table", "can a player move, ranks declared", goal=20),
    ]


def _speed(
    rounds: Sequence[Round], ours: str, plain: str, meaning: str, goal: float | None = None
) -> Figure:
    ratio = median(measured[plain] / measured[ours] for measured in rounds)
    ours_speed, plain_speed = (1e6 / median(m[who] for m in rounds) for who in (ours, plain))
    return Figure(f"{ours}-{plain}", meaning, PLIES_A_SECOND, ours_speed, plain_speed, ratio, goal)


def _time(rounds: Sequence[Round], name: str, meaning: str, goal: float) -> Figure:
    taken = median(measured[name] for measured in rounds)
    return Figure(name, meaning, MICROSECONDS, taken, goal=goal)


# Whole games


def _time_verdicts(games: Games) -> dict[str, float]:
    """Let all judge every chase game; tell the microseconds of a ply."""
    judges: dict[str, Callable[[Record], object]] = {
        "plain": judge_plainly,
        "copying": lambda chase: judge_plainly(chase, as_copy),
        "judge": lambda chase: judge(chase, _ISF),
        "table": lambda chase: play_at_table(chase, Referee(_ISF)),
    }
    taken = dict.fromkeys(judges, 0.0)
    for chase in games.chases:
        for name, judge_game in judges.items():
            begun = process_time()
            judge_game(chase)
            taken[name] += process_time() - begun
    return {name: 1e6 * seconds / games.plies for name, seconds in taken.items()}


def play_at_table(record: Record, referee: Referee) -> None:
    """Play a recorded game before a referee to whom two truthful players declare their ranks."""
    referee.apply(record.placing)
    for move in record.moves:
        play_truthfully(move, record, referee)


# The dossier


def _time_dossier(chance: random.Random) -> dict[str, float]:
    """Tell the microseconds of a query just after something has been learned of the same side."""
    taken: dict[str, list[float]] = {"possible": [], "refute": []}
    for _ in range(_ARMIES):
        ranks = ORIGINAL.pieces
        chance.shuffle(ranks)
        dossier = Dossier(ORIGINAL, ((Side.RED, piece) for piece in range(len(ranks))))
        for hidden in _find_out(dossier, ranks, chance):
            asked, rank = chance.choice(hidden), chance.choice(ranks)
            query = chance.choice(list(taken))
            begun = perf_counter()
            if query == "possible":
                dossier.possible(asked)
            else:
                dossier.refute(asked, rank, attacks=False)
            taken[query].append(perf_counter() - begun)
    return {query: 1e6 * median(seconds) for query, seconds in taken.items()}


def _find_out(dossier: Dossier, ranks: list[Rank], chance: random.Random) -> Iterator[list[Piece]]:
    """Tell a dossier one fact after the other; give the pieces that are hidden after each.

    At first none has moved. At last all that can have moved or run, and a quarter has been shown.
    """
    pieces = list(range(len(ranks)))
    hidden = list(pieces)
    yield hidden
    for ply, piece in enumerate(chance.sample(pieces, len(pieces)), start=1):
        rank = ranks[piece]
        runs = rank is Rank.SCOUT and chance.random() < 0.5
        shown = chance.random() < 0.25
        if shown:
            dossier.revealed(piece, rank, ply=ply)
        elif not IMMOBILE >> rank & 1:
            dossier.moved(piece, ran=runs, ply=ply)
        else:
            continue
        if shown or runs:
            hidden.remove(piece)
        yield hidden


# Who can move


class _TimedReferee(Referee):
    """Notes how long it takes to find out that a player can move, each time it has to."""

    def __init__(self, ranks: Mapping[Piece, Rank] | None = None) -> None:
        super().__init__(_ISF, ranks)
        self.taken: list[float] = []

    def can_move(self, side: Side) -> bool:
        begun = perf_counter()
        can = super().can_move(side)
        self.taken.append(perf_counter() - begun)
        return can


def _time_can_move(games: Games) -> dict[str, float]:
    """Tell the microseconds of the question that the referee asks itself after every ply."""
    taken: dict[str, list[float]] = {"can-move-known": [], "can-move-table": []}
    for record in (games.sample, *games.chases):
        for name, ranks in (("can-move-known", record.ranks), ("can-move-table", None)):
            referee = _TimedReferee(ranks)
            play_at_table(record, referee)
            taken[name] += referee.taken
    return {name: 1e6 * median(seconds) for name, seconds in taken.items()}
