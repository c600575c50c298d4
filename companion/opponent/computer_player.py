"""The computer player: chooses a setup, evaluates every legal turn, and answers offers.

For each of our ranks, one map stores the long-term goals. The value of a square is the highest
expected gain from any target, discounted by the distance to that target. A piece approaches a
target by moving to a square of higher value.
"""

import random
from collections.abc import Mapping, Sequence
from math import log, tanh
from typing import Final, NamedTuple

from companion.opponent.belief import LAND, Behaviour, distance, estimate
from companion.opponent.chases import FlagDefence, Pursuits
from companion.opponent.knowledge import Knowledge, PastTurn
from companion.opponent.levels import TRAITS, Level, LevelTraits
from companion.opponent.search import Search
from companion.opponent.setup_choice import choose_setup
from companion.opponent.valuation import (
    FLAG_VALUE,
    RANKS,
    Cell,
    EnemyPiece,
    Field,
    OwnPiece,
    combat_results,
    find_secrets,
    find_worth,
    remaining,
)
from engine.board.geometry import SQUARES, Side, Square
from engine.board.ranks import IMMOBILE, Rank, only_rank
from engine.game.actions import Infiltrate, Turn
from engine.rules.editions import Edition

_DISCOUNT: Final = 0.87
"""Discount factor per step. Chosen by judgement, not measured."""
_LEVELS: Final = 72
_STEP: Final = -log(_DISCOUNT)
_LEVEL_VALUE: Final = tuple(_DISCOUNT ** (_LEVELS - level) * 1000 for level in range(_LEVELS + 1))
"""Value of each level. The highest level stands for a gain of 1000."""
_LEAST: Final = _LEVEL_VALUE[0]
_DETOUR: Final = 2
"""Number of levels by which a gain loses value if one of our movable pieces is in the way and must
step aside. Each step loses one level."""


def _level(gain: float) -> int:
    if gain <= _LEAST:
        return 0
    return min(_LEVELS, _LEVELS + round(log(gain / 1000) / _STEP))


def attraction(cells: Sequence[Cell], targets: Mapping[Square, float]) -> list[float]:
    """Return the value of every square, given the expected gain on each target square."""
    levels = [0] * len(cells)
    # One of our pieces on the way must step aside, so the pieces behind it lose levels. The piece
    # itself loses none, so its own level is kept separately.
    standing = [0] * len(cells)
    buckets: list[list[Square]] = [[] for _ in range(_LEVELS + 1)]
    for square, gain in targets.items():
        if level := _level(gain):
            buckets[level].append(square)
    for level in range(_LEVELS, 1, -1):
        for square in buckets[level]:
            if levels[square] >= level:
                continue
            levels[square] = level
            for at in LAND[square]:
                onward = level - 1
                if levels[at] >= onward:
                    continue
                met = cells[at]
                if met is None:
                    buckets[onward].append(at)
                elif isinstance(met, OwnPiece) and not IMMOBILE >> met.rank & 1:
                    standing[at] = max(standing[at], onward)
                    buckets[max(0, onward - _DETOUR)].append(at)
    return [_LEVEL_VALUE[level] if level else 0.0 for level in map(max, levels, standing)]


def targets_of(
    piece: OwnPiece, cells: Sequence[Cell], bounties: Mapping[Square, float]
) -> dict[Square, float]:
    """Return the piece's expected gain for each square with a worthwhile target."""
    found = {}
    for square, met in enumerate(cells):
        if not isinstance(met, EnemyPiece):
            continue
        hit = met.attacked_by(piece)
        gain = hit.gain + hit.win * bounties.get(square, 0.0)
        if gain > 0:
            found[square] = gain * (1 - _ESCAPE * met.mobile)
    return found


_ESCAPE: Final = 0.6
"""Fraction of the gain that is lost because a movable target may escape."""

_FEAR: Final = (0.0, 0.3, 0.22, 0.15, 0.1, 0.06)
"""Penalties for a square near a dangerous enemy piece, by distance. Each penalty is a fraction of
the expected loss. The search sees only losses in the next few turns. The penalties also keep pieces
out of dead ends in which they would be hunted down later. Chosen by judgement, not measured."""


def fear(piece: OwnPiece, cells: Sequence[Cell]) -> dict[Square, float]:
    """Return the penalty for each square near an enemy piece that would beat ours."""
    found: dict[Square, float] = {}
    for square, met in enumerate(cells):
        if not isinstance(met, EnemyPiece) or not met.mobile:
            continue
        danger = -met.attacking(piece).gain * met.mobile
        if danger < _LEAST_DANGER:
            continue
        reached, front = {square}, [square]
        for share in _FEAR[1:]:
            onward = []
            for at in front:
                for near in LAND[at]:
                    if near not in reached:
                        reached.add(near)
                        found[near] = max(found.get(near, 0.0), danger * share)
                        if cells[near] is None:
                            onward.append(near)
            front = onward
    return found


_LEAST_DANGER: Final = 10.0


_QUIET: Final = 50
"""Number of plies without a fight after which the player takes more risks."""
_FIRST_STEP: Final = 1.2
_CAMOUFLAGE: Final = 0.08
"""Cost of a piece's first move. The move shows that the piece is neither a bomb nor the flag. The
cost is a constant (`_FIRST_STEP`) plus this fraction of the piece's value. The enemy's revealed
general and marshal hunt pieces that have moved. With this fraction, the marshal level won 91 of 100
games against PeterNLewis; without it, the level won 82 of the same games. A fraction of 0.16 made
no difference beyond noise in 58 games."""
_AGAIN: Final = 0.5
"""Cost of each earlier visit to a square since the last fight. The cost keeps pieces from moving to
and fro."""
_DEAR: Final = {
    Rank.CAPTAIN: 0.3,
    Rank.MAJOR: 1.5,
    Rank.COLONEL: 2.0,
    Rank.GENERAL: 2.0,
    Rank.MARSHAL: 2.0,
}
"""Additional caution for valuable ranks, so that they are not lost to bombs."""
_RUMMAGE: Final = 0.3
"""Random part of every evaluation, so that the choice between equal turns is random."""


_SUICIDE: Final = 0.2
"""Additional cost of an attack that is certain to fail, as a fraction of the piece's value. Without
this cost, the search would sacrifice pieces to delay a loss beyond its depth. Chosen by judgement,
not measured separately."""
_BOMB_BOUNTY: Final = 500.0
"""Value of removing a bomb beside a piece that is certainly the flag. Early captures of the flag
decide games: with a value of 120, the marshal level won 77.8 % of 300 games against PeterNLewis;
with values from 350 to 900, it won 136 of 160 games. The versions also differed in other ways, none
of which made a difference beyond noise in 20 to 50 games."""
_LONGEST_STRIDE: Final = 30.0
"""Maximum gain from one step towards a goal. A larger gain would outweigh the loss of a piece,
although the step could be made one turn later. Limits of 12 and 20 made no difference beyond noise
in 25 games each."""
_TRADE: Final = 0.2
"""An equal trade gains or costs at most this fraction of a piece's value, depending on the lead in
material. Chosen by judgement, not measured separately."""
_BUDGET: Final = 3000
"""Maximum number of nodes per search. In 191 positions of games against Demon of Ignorance, 56 of
611 deeper searches exceeded it. Doubling it changed 9 of the 191 turns and doubled the CPU
time of the slowest turns."""
_NEAR_FLAG: Final = 8
"""Enemy pieces within this distance from our flag are hunted more eagerly."""


class _Candidate(NamedTuple):
    turn: Turn
    value: float
    """Expected gain according to the search, plus progress towards long-term goals."""
    rest: float
    """The part of the evaluation that does not depend on the search depth."""


class TurnChoice:
    """Chooses a turn for one side, based only on that side's knowledge."""

    def __init__(
        self,
        edition: Edition,
        knowledge: Knowledge,
        behaviour: Behaviour,
        traits: LevelTraits,
        seed: int,
    ) -> None:
        """Estimate the rank probabilities and the piece values, and prepare the search."""
        self._traits = traits
        self._knowledge, self._behaviour = knowledge, behaviour
        state, side = knowledge.state, knowledge.side
        self._side = side
        self._chance = random.Random(f"turn {seed} {state.plies}")
        self._own_left, self._enemy_left = (
            remaining(edition.army_of(each), state.captured[each]) for each in (side, side.other)
        )
        self._worth = find_worth(self._own_left, self._enemy_left)
        self._chances = estimate(
            knowledge,
            behaviour,
            self._enemy_left,
            self._traits.memory,
            self._traits.reads_behaviour,
        )
        self._quiet = max(0, behaviour.turns - behaviour.last_fight - _QUIET)
        balance = self._material_balance()
        impatience = min(1.0, self._quiet / 60)
        self._field = Field(
            combat_results(edition),
            self._worth,
            self._seen_hidden(),
            self._find_caution(balance, impatience),
            1.0 + 2.0 * impatience,
            self._trade_bonus(balance),
            find_secrets(behaviour.reserve if traits.reads_behaviour else 0.0),
        )
        self._cells = self._fill_cells()
        self._search = Search(self._cells, self._field, _BUDGET)
        limit = edition.two_squares_limit
        if behaviour.obeys_two_squares:
            self._search.forbidden = self._next_repetition(self._side.other, limit)
        self._last_repetition = self._next_repetition(self._side, limit - 1)
        self._impatience = impatience

    def _find_caution(self, balance: float, impatience: float) -> list[float]:
        """Return the additional weight of losing each of our ranks to a hidden bomb.

        Cheap pieces probe unknown pieces, above all when the game makes no progress. When we are
        ahead, all pieces are more cautious: in the first league, most majors, colonels and generals
        were lost to bombs.
        """
        ahead = 0.25 if balance > 60 else 0.0
        hurry = max(0.0, min(1.0, (self._quiet - 150) / 100))
        factors = []
        for rank in Rank:
            if rank in _DEAR:
                factors.append(_DEAR[rank] * (1.0 + ahead) * (1.0 - hurry))
            else:
                factors.append(ahead - 0.4 * impatience)
        return factors

    def _trade_bonus(self, balance: float) -> float:
        """Return the gain or loss from an equal trade, as a fraction of the piece's value."""
        own = _total(self._worth.own, self._own_left) - FLAG_VALUE
        return max(-_TRADE, min(_TRADE, balance / max(own, 1.0)))

    def _material_balance(self) -> float:
        own = _total(self._worth.own, self._own_left)
        enemy = _total(self._worth.enemy, self._enemy_left)
        return own - enemy

    def _next_repetition(self, side: Side, moves: int) -> tuple[Square, Square] | None:
        """Return the move with which a side would go back and forth once more, or None.

        `moves` is the number of moves that the side has already made between the two squares.
        """
        run = self._knowledge.state.runs[side]
        if len(run) < moves:
            return None
        pair = {*run[0][:2]}
        if all({*move[:2]} == pair for move in run[:moves]):
            return run[0][1], run[0][0]
        return None

    def _seen_hidden(self) -> list[list[float]]:
        """Return the probabilities of our hidden ranks as the enemy sees them.

        The first row is for unmoved pieces, and the second for moved pieces.

        The enemy is assumed to know only how many pieces of each rank are hidden.
        """
        state = self._knowledge.state
        hidden = [0.0] * len(RANKS)
        for square, rank in state.ranks.items():
            if only_rank(state.possible[square]) is None:
                hidden[rank] += 1
        seen = []
        for is_moved in (False, True):
            counts = [
                0.0 if is_moved and IMMOBILE >> rank & 1 else count
                for rank, count in enumerate(hidden)
            ]
            total = sum(counts) or 1.0
            seen.append([count / total for count in counts])
        return seen

    def _fill_cells(self) -> list[Cell]:
        cells: list[Cell] = [None] * len(SQUARES)
        state, moved = self._knowledge.state, self._behaviour.moved
        for square, piece in self._knowledge.pieces.items():
            if square in self._chances:
                cells[square] = EnemyPiece(self._field, self._chances[square], moved=piece in moved)
                continue
            rank = state.ranks[square]
            shown = only_rank(state.possible[square]) is not None
            value = self._worth.own[rank]
            cells[square] = OwnPiece(rank, value, shown=shown, moved=piece in moved)
        return cells

    # -- The choice

    def best(self) -> Turn:
        turns = self._knowledge.turns
        if len(turns) == 1:
            return turns[0]
        if self._chance.random() < self._traits.lapses:
            return self._chance.choice(turns)
        flags = self._find_bounties()
        maps = self._find_maps(flags)
        defence = FlagDefence(self._cells, self._enemy_left[Rank.SCOUT])
        pursuits = (
            Pursuits(self._cells, self._last_repetition, self._behaviour.obeys_two_squares)
            if self._traits.reads_behaviour
            else None
        )
        depth = self._traits.depth - 1
        calm = self._search.value_of_pass(depth) if depth else 0.0
        found = []
        for turn in turns:
            rest = -defence.danger(turn.source, turn.target)
            if pursuits:
                rest -= pursuits.danger(turn.source, turn.target)
                rest += pursuits.prospect(turn.source, turn.target)
            rest += self._chance.random() * _RUMMAGE
            if self._traits.noise:
                rest += self._chance.gauss(0.0, self._traits.noise)
            value = self._judge(turn, depth, calm, maps)
            found.append(_Candidate(turn, value, rest))
        found.sort(key=lambda each: each.value + each.rest, reverse=True)
        if self._traits.candidates < 2:
            return found[0].turn
        return self._look_deeper(found[: self._traits.candidates], depth + 2, calm, maps)

    def _look_deeper(
        self,
        candidates: Sequence[_Candidate],
        depth: int,
        calm: float,
        maps: Mapping[Rank, Sequence[float]],
    ) -> Turn:
        """Return the best candidate after a deeper search.

        A candidate keeps its first value if its deeper search takes too long.
        """
        deep = self._search.value_of_pass(depth)
        calm = calm if self._search.is_exhausted else deep
        best, choice = -1e9, candidates[0].turn
        for turn, value, rest in candidates:
            self._search.nodes = 0
            deep = self._judge(turn, depth, calm, maps)
            total = (value if self._search.is_exhausted else deep) + rest
            if total > best:
                best, choice = total, turn
        return choice

    def _judge(
        self, turn: Turn, depth: int, calm: float, maps: Mapping[Rank, Sequence[float]]
    ) -> float:
        source, target = turn.source, turn.target
        piece, met = self._cells[source], self._cells[target]
        assert isinstance(piece, OwnPiece)
        if isinstance(turn, Infiltrate):
            assert isinstance(met, EnemyPiece)
            right = met.chances[turn.guess]
            return calm + right * self._worth.enemy[turn.guess] - (1 - right)
        if isinstance(met, EnemyPiece):
            value = self._search.value_after_move(source, target, depth)
            hit = met.attacked_by(piece)
            if met.known and not hit.win and not hit.tie:
                value -= _SUICIDE * piece.value
            flag = met.chances[Rank.FLAG]
            return value if flag < 1 else FLAG_VALUE * 10
        value = calm
        if self._is_contact(source) or self._is_contact(target):
            value = self._search.value_after_move(source, target, depth)
        uphill = maps[piece.rank]
        step = uphill[target] - uphill[source]
        value += _LONGEST_STRIDE * tanh(step / _LONGEST_STRIDE)
        if not piece.moved:
            value -= _FIRST_STEP + _CAMOUFLAGE * piece.value
        if not piece.shown and piece.rank is Rank.SCOUT and target not in LAND[source]:
            value -= 1.0
        visits = self._behaviour.visits.get((self._knowledge.pieces[source], target), 0)
        return value - _AGAIN * visits

    def _is_contact(self, square: Square) -> bool:
        """Whether an enemy piece is so close that a move from or to this square needs a search."""
        for at in LAND[square]:
            if isinstance(self._cells[at], EnemyPiece):
                return True
            if any(isinstance(self._cells[far], EnemyPiece) for far in LAND[at]):
                return True
        return False

    def _find_bounties(self) -> dict[Square, float]:
        """Return bonuses for bombs beside a probable flag and for enemies near our flag."""
        bounties: dict[Square, float] = {}
        for square, met in enumerate(self._cells):
            if not isinstance(met, EnemyPiece):
                continue
            flag = 0.0
            for at in LAND[square]:
                beside = self._cells[at]
                if isinstance(beside, EnemyPiece):
                    flag = max(flag, beside.chances[Rank.FLAG])
            if flag > 0.05:
                bounties[square] = _BOMB_BOUNTY * flag * met.chances[Rank.BOMB]
        flags = [at for at, rank in self._knowledge.state.ranks.items() if rank is Rank.FLAG]
        for square, met in enumerate(self._cells):
            if isinstance(met, EnemyPiece) and met.moved and flags:
                away = distance(square, flags[0])
                danger = 1.0 if met.chances[Rank.MINER] > 0.05 else 0.4
                near = max(0, _NEAR_FLAG - away)
                bounties[square] = bounties.get(square, 0.0) + danger * 12 * near
        return bounties

    def _find_maps(self, bounties: Mapping[Square, float]) -> dict[Rank, list[float]]:
        maps: dict[Rank, list[float]] = {}
        sample: dict[Rank, OwnPiece] = {}
        for turn in self._knowledge.turns:
            piece = self._cells[turn.source]
            assert isinstance(piece, OwnPiece)
            if piece.rank not in sample or piece.shown:
                sample[piece.rank] = piece
        for rank, piece in sample.items():
            uphill = attraction(self._cells, targets_of(piece, self._cells, bounties))
            for square, cost in fear(piece, self._cells).items():
                uphill[square] -= cost
            maps[rank] = uphill
        return maps


def _total(worth: Sequence[float], left: Sequence[int]) -> float:
    """Return the value of an army, given the number of remaining pieces of each rank."""
    return sum(each * count for each, count in zip(worth, left, strict=True))


class ComputerPlayer:
    """Plays one side of a game.

    The same seed and knowledge always give the same answers.
    """

    setup: Mapping[Square, Rank]
    """Rank of each of the player's pieces, keyed by setup square."""

    def __init__(self, edition: Edition, side: Side, level: Level, seed: int) -> None:
        """Create a player. The seed determines its setup and its turns."""
        self.edition, self.side, self.level, self.seed = edition, side, level, seed
        self.setup = choose_setup(edition, side, random.Random(f"setup {seed}"))
        self._folded: tuple[tuple[PastTurn, ...], Behaviour]
        self._folded = (), Behaviour(side, combat_results(edition), edition.two_squares_limit)

    def choose(self, knowledge: Knowledge) -> Turn:
        """Return the turn to make. Raises ValueError if there is no legal turn."""
        if not knowledge.turns:
            raise ValueError("no legal turn to choose from")
        choice = TurnChoice(
            self.edition, knowledge, self._behaviour(knowledge), TRAITS[self.level], self.seed
        )
        return choice.best()

    def accepts_draw(self, knowledge: Knowledge) -> bool:
        """Whether to accept a draw offer. The player accepts unless it is ahead."""
        lost = knowledge.state.captured
        return sum(lost[self.side.other].values()) <= sum(lost[self.side].values())

    def _behaviour(self, knowledge: Knowledge) -> Behaviour:
        """Return the evidence from a history, extending the previous evidence if possible."""
        history = knowledge.history
        folded, behaviour = self._folded
        if history[: len(folded)] != folded:
            edition = self.edition
            behaviour = Behaviour(self.side, combat_results(edition), edition.two_squares_limit)
        behaviour.fold(history[behaviour.turns :])
        self._folded = history, behaviour
        return behaviour
