"""Benchmark measurements.

The implementations take turns, game by game, so that other load on the computer affects them
equally. Each round gives one value, and a figure is the median over the rounds.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, resources
from importlib.util import find_spec
from statistics import median
from time import perf_counter, process_time
from typing import Final

from companion.storage.records import play_truthfully, read_record, sample_game
from engine.board.board import Board, Piece
from engine.board.geometry import squares_in
from engine.board.ranks import IMMOBILE, ORIGINAL, Rank
from engine.deduction.possible_ranks import RankDeduction
from engine.game import position_updates
from engine.game.actions import Attack, Turn
from engine.game.position import Position
from engine.game.referee import Referee
from engine.records.adjudication import judge
from engine.records.record import Record
from engine.records.record_files import read_chase
from engine.rules.editions import EDITIONS
from engine.rules.movement import is_long_move
from tests.bench.baseline_referee import judge_plainly
from tests.bench.frames import Films, time_frames

PLIES_A_SECOND: Final = "plies/s"
MICROSECONDS: Final = "µs"
MILLISECONDS: Final = "ms"
PER_CENT: Final = "%"
_ISF: Final = EDITIONS["isf"]
_ARMIES: Final = 20
"""Number of armies per round."""
_RANDOM_PLIES: Final = 5000
"""Number of plies to play in random games per round."""
_CHESS_PLIES: Final = 250
"""Number of plies in a random chess game. After more plies, few pieces would be left."""
_LONG: Final = 5000
"""Number of plies in a long game before the timing starts."""
_TIMES: Final = 100
"""Number of repetitions of a short query per round."""


@dataclass(frozen=True)
class Figure:
    """A benchmark figure, with its goal if there is one."""

    name: str
    meaning: str
    unit: str
    ours: float
    plain: float | None = None
    """Value measured with the plain implementation. For the figures on frames, this is the value
    measured with the simple referee."""
    ratio: float | None = None
    """Speed compared with the plain implementation."""
    goal: float | None = None
    """Minimum of `ratio`, if there is one. Otherwise, the goal applies to `ours`: as a minimum for
    plies per second, and as a maximum for all other units."""

    @property
    def met(self) -> bool | None:
        """Whether the goal is met, or None if there is no goal."""
        if self.goal is None:
            return None
        if self.ratio is not None:
            return self.ratio >= self.goal
        return self.ours >= self.goal if self.unit is PLIES_A_SECOND else self.ours < self.goal


@dataclass(frozen=True)
class Games:
    """Recorded games, all of which are shipped with the program."""

    chases: tuple[Record, ...]
    """Long chases between good players. Each ends with a violation of the more-squares rule."""
    sample: Record

    @property
    def plies(self) -> int:
        """Total number of plies in the chases."""
        return sum(len(chase.moves) for chase in self.chases)

    @classmethod
    def load(cls) -> "Games":
        folder = resources.files("companion") / "samples" / "chase"
        by_name = sorted(folder.iterdir(), key=lambda file: file.name)
        files = [file for file in by_name if file.name.endswith(".txt")]
        with sample_game() as path:
            return cls(tuple(read_chase(file.read_bytes()) for file in files), read_record(path))


Round = Mapping[str, float]
"""One value for each measurement: microseconds per ply or call. Values for frames are percentages
or milliseconds."""


def measure(games: Games, films: Films, seed: int) -> Round:
    return (
        _time_verdicts(games)
        | _time_random_games(games, random.Random(seed))
        | _time_referees(games, random.Random(seed))
        | _time_deduction(random.Random(seed))
        | _time_can_move(games)
        | _time_questions(games)
        | _time_long_game()
        | time_frames(films)
    )


def figures(rounds: Sequence[Round]) -> list[Figure]:
    return [
        _speed(rounds, "judge", "plain", "judge recorded games", goal=1.5),
        _speed(rounds, "table", "plain", "the same, at a referee"),
        _pace(rounds, "random", "random games, moves listed", goal=60_000),
        _against_chess(rounds),
        _pace(rounds, "hidden", "the same, ranks declared", goal=45_000),
        _time(rounds, "possible", "possible ranks, hidden piece", goal=200),
        _time(rounds, "refute", "proof against a rank", goal=200),
        _time(rounds, "can-move-known", "can move, ranks known", goal=20),
        _time(rounds, "can-move-table", "can move, ranks declared", goal=20),
        _time(rounds, "decided", "is a late attack decided", goal=100),
        _time(rounds, "copy", "copy a referee, late", goal=100),
        _time(rounds, "long", "a ply after 5,000 plies", goal=50),
        _time(rounds, "undo", "take back one of 6,000 plies", goal=20),
        _cost(rounds, "frames", "of a core, 50 frames/s", PER_CENT, goal=1.5),
        _cost(rounds, "worst", "92 squares change at once", MILLISECONDS, goal=5),
        _slowest(rounds, "looks", "500 looks, slowest step", goal=5),
    ]


def _speed(
    rounds: Sequence[Round], ours: str, plain: str, meaning: str, goal: float | None = None
) -> Figure:
    ratio = median(measured[plain] / measured[ours] for measured in rounds)
    ours_speed, plain_speed = (1e6 / median(m[who] for m in rounds) for who in (ours, plain))
    return Figure(f"{ours}-{plain}", meaning, PLIES_A_SECOND, ours_speed, plain_speed, ratio, goal)


def _pace(rounds: Sequence[Round], name: str, meaning: str, goal: float) -> Figure:
    pace = 1e6 / median(measured[name] for measured in rounds)
    return Figure(name, meaning, PLIES_A_SECOND, pace, goal=goal)


def _against_chess(rounds: Sequence[Round]) -> Figure:
    """Return the speed of a referee with known ranks, compared with python-chess if installed."""
    if "chess" in rounds[0]:
        return _speed(rounds, "known", "chess", "the same at the referee", goal=2.0)
    return _pace(rounds, "known", "the same at the referee", goal=60_000)


def _time(rounds: Sequence[Round], name: str, meaning: str, goal: float) -> Figure:
    taken = median(measured[name] for measured in rounds)
    return Figure(name, meaning, MICROSECONDS, taken, goal=goal)


def _cost(rounds: Sequence[Round], name: str, meaning: str, unit: str, goal: float) -> Figure:
    ours, common = (median(m[who] for m in rounds) for who in (name, f"{name}-common"))
    return Figure(name, meaning, unit, ours, common, goal=goal)


def _slowest(rounds: Sequence[Round], name: str, meaning: str, goal: float) -> Figure:
    return Figure(name, meaning, MILLISECONDS, median(m[name] for m in rounds), goal=goal)


# Whole games


def _time_verdicts(games: Games) -> dict[str, float]:
    """Judge every chase game with each implementation. Return microseconds per ply."""
    judges: dict[str, Callable[[Record], object]] = {
        "plain": judge_plainly,
        "judge": lambda chase: judge(chase, _ISF),
        "table": lambda chase: play_at_table(chase, Referee.waiting(_ISF)),
    }
    taken = dict.fromkeys(judges, 0.0)
    for chase in games.chases:
        for name, judge_game in judges.items():
            begun = process_time()
            judge_game(chase)
            taken[name] += process_time() - begun
    return {name: 1e6 * seconds / games.plies for name, seconds in taken.items()}


def play_at_table(record: Record, referee: Referee) -> None:
    """Play a recorded game in which two truthful players declare their ranks."""
    referee.apply(record.placing)
    for move in record.moves:
        play_truthfully(move, record, referee)


def _time_random_games(games: Games, chance: random.Random) -> dict[str, float]:
    """Play random games with known ranks, listing all legal moves at every ply."""
    taken, plies = 0.0, 0
    while plies < _RANDOM_PLIES:
        position = _begin(chance.choice(games.chases))
        begun = process_time()
        while plies < _RANDOM_PLIES and (legal := position.legal_moves()):
            turn = chance.choice(legal)
            position = position_updates.after_turn(position, turn)
            plies += 1
        taken += process_time() - begun
    return {"random": 1e6 * taken / plies}


def _time_referees(games: Games, chance: random.Random) -> dict[str, float]:
    """Play random games with a referee, listing all legal moves at every ply.

    If python-chess is installed, its board is measured in the same way.
    """
    record = chance.choice(games.chases)
    known = Referee("isf", record=record)
    players: dict[str, Callable[[random.Random], None]] = {
        "known": lambda dice: _play_known(known, dice),
        "hidden": lambda dice: _play_hidden(Referee("isf"), record.ranks, dice),
    }
    if find_spec("chess"):
        players["chess"] = _play_chess
    taken = {}
    for name, play in players.items():
        begun = process_time()
        play(random.Random(chance.random()))
        taken[name] = 1e6 * (process_time() - begun) / _RANDOM_PLIES
    return taken


def _play_known(begun: Referee, chance: random.Random) -> None:
    """Play random turns with known ranks, starting a new game whenever one ends."""
    game, plies = begun.copy(), 0
    while plies < _RANDOM_PLIES:
        if turns := game.legal_moves():
            game.push(chance.choice(turns))
            plies += 1
        else:
            game = begun.copy()


def _play_hidden(begun: Referee, truth: Mapping[Piece, Rank], chance: random.Random) -> None:
    """Play random turns that the true ranks allow, and declare the true ranks when asked.

    A new game begins when the current one is over, or when one side can hardly move.
    """
    game, plies = begun.copy(), 0
    while plies < _RANDOM_PLIES:
        pieces, turns = game.position.pieces, game.legal_moves()
        drawn = (chance.choice(turns) for _ in range(_TIMES if turns else 0))
        turn = next((each for each in drawn if _is_able(truth[pieces[each.source]], each)), None)
        if turn is None:
            game = begun.copy()
            continue
        game.push(turn)
        plies += 1
        while attack := game.open_attack:
            side = attack.awaited[0]
            game.declare(side, truth[pieces[attack.square(side)]])


def _is_able(rank: Rank, turn: Turn) -> bool:
    return rank is Rank.SCOUT or not (
        IMMOBILE >> rank & 1 or is_long_move(turn.source, turn.target)
    )


def _play_chess(chance: random.Random) -> None:
    chess = import_module("chess")
    for _ in range(_RANDOM_PLIES // _CHESS_PLIES):
        board = chess.Board()
        for _ in range(_CHESS_PLIES):
            moves = list(board.legal_moves)
            board.push(chance.choice(moves) if moves else chess.Move.null())


def _begin(record: Record) -> Position:
    """Return the initial position of a recorded game, with all ranks known."""
    armies = ({place: place for place in squares_in(army)} for army in (record.red, record.blue))
    return Position(_ISF, Board(*armies), record.ranks)


# Deductions


def _time_deduction(chance: random.Random) -> dict[str, float]:
    """Return the time for each type of query, in microseconds.

    Before each query, the deduction receives a new fact about the same side.
    """
    taken: dict[str, list[float]] = {"possible": [], "refute": []}
    for _ in range(_ARMIES):
        ranks = ORIGINAL.pieces
        chance.shuffle(ranks)
        for deduction, hidden in _find_out(ranks, chance):
            asked, rank = chance.choice(hidden), chance.choice(ranks)
            query = chance.choice(list(taken))
            begun = perf_counter()
            if query == "possible":
                deduction.possible(asked)
            else:
                deduction.refute(asked, rank, attacks=False)
            taken[query].append(perf_counter() - begun)
    return {query: 1e6 * median(seconds) for query, seconds in taken.items()}


def _find_out(
    ranks: list[Rank], chance: random.Random
) -> Iterator[tuple[RankDeduction, list[Piece]]]:
    """Add facts to a deduction one by one. Yield the deduction and the hidden pieces after each
    fact.

    At the end, all movable pieces have moved and about a quarter of the pieces have been revealed.
    """
    pieces = list(range(len(ranks)))
    deduction, hidden = RankDeduction(ORIGINAL, pieces, {}), list(pieces)
    yield deduction, hidden
    for ply, piece in enumerate(chance.sample(pieces, len(pieces)), start=1):
        rank = ranks[piece]
        long_move = rank is Rank.SCOUT and chance.random() < 0.5
        shown = chance.random() < 0.25
        if shown:
            deduction = deduction.with_revealed(piece, rank, ply=ply)
        elif not IMMOBILE >> rank & 1:
            deduction = deduction.after_move(piece, long_move=long_move, ply=ply)
        else:
            continue
        if shown or long_move:
            hidden.remove(piece)
        yield deduction, hidden


# Queries


def _time_can_move(games: Games) -> dict[str, float]:
    """Return how long it takes to check whether a side can move, in microseconds.

    A game needs this check after every ply.
    """
    taken: dict[str, list[float]] = {"can-move-known": [], "can-move-table": []}
    for record in (games.sample, *games.chases):
        for name, ranks in (("can-move-known", record.ranks), ("can-move-table", None)):
            referee = Referee.waiting(_ISF, ranks)
            referee.apply(record.placing)
            for move in record.moves:
                play_truthfully(move, record, referee)
                position = referee.position
                begun = perf_counter()
                position.can_move(position.to_move)
                taken[name].append(perf_counter() - begun)
    return {name: 1e6 * median(seconds) for name, seconds in taken.items()}


def _late_in_a_game(record: Record) -> tuple[Referee, list[Attack]]:
    """Return a referee at the last position in which an attack is possible.

    Also return the possible attacks.
    """
    referee, late = Referee.waiting(_ISF), None
    referee.apply(record.placing)
    for move in record.moves:
        play_truthfully(move, record, referee)
        attacks = [turn for turn in referee.legal_moves() if isinstance(turn, Attack)]
        if attacks:
            late = referee.copy(), attacks
    assert late
    return late


def _time_questions(games: Games) -> dict[str, float]:
    """Return the times of queries, in microseconds.

    These times must not depend on the length of the game.
    """
    referee, attacks = _late_in_a_game(games.sample)
    questions: dict[str, Callable[[], object]] = {
        "decided": lambda: [referee.is_decided(a.source, a.target) for a in attacks],
        "copy": referee.copy,
    }
    taken = {}
    for name, ask in questions.items():
        begun = perf_counter()
        for _ in range(_TIMES):
            ask()
        taken[name] = 1e6 * (perf_counter() - begun) / _TIMES
    taken["decided"] /= len(attacks)
    return taken


def _time_long_game() -> dict[str, float]:
    """Return the times for playing a ply late in a long game and for taking a ply back.

    Both times are in microseconds.
    """
    game = Referee("original-1992")
    plies = ("a4-a5", "a7-a6", "b4-b5", "b7-b6", "a5-a4", "a6-a7", "b5-b4", "b6-b7") * 750
    for line in plies[:_LONG]:
        game.push(line)
    begun = perf_counter()
    for line in plies[_LONG:]:
        game.push(line)
    pushed = perf_counter()
    for _ in plies:
        game.undo()
    undone = perf_counter()
    late = len(plies) - _LONG
    return {"long": 1e6 * (pushed - begun) / late, "undo": 1e6 * (undone - pushed) / len(plies)}
