"""Estimates the enemy's hidden ranks as probabilities, using its pieces' behaviour as evidence.

Turns are processed one by one, so the evidence from earlier turns can be reused as the game goes
on.

Each hidden piece has a weight for each rank. The weight is 0 if public facts rule out the rank.
Otherwise, it is the probability that people place that rank on the piece's setup square if the
other known pieces stood where they did, times the evidence from the piece's behaviour. The weights
are then balanced (Sinkhorn's algorithm) until every piece has one rank and every rank is as
frequent as in the remaining army.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Final

from companion.opponent.knowledge import Knowledge, PastTurn, side_of
from companion.opponent.setup_choice import of_side
from companion.opponent.setup_patterns import ANY_RANK, HOME, place_chances
from companion.opponent.valuation import BASE_VALUES, RANKS, Results
from engine.board.board import NO_PIECE, Piece
from engine.board.geometry import LAKES, LINES, NEIGHBOURS, WIDTH, Side, Square
from engine.board.ranks import IMMOBILE, Rank, RankSet, only_rank

LAND: Final = tuple(
    tuple(at for at in NEIGHBOURS[square] if not LAKES >> at & 1) for square in range(100)
)
"""Neighbours of each square, excluding lake squares."""

# Likelihood that a piece approaches a known piece, flees from it or stays beside it. The keys are
# the result if the piece attacked the known piece: win (1), tie (0) or loss (-1). Chosen by
# judgement, not measured separately; only the effect of the behavioural evidence as a whole was
# measured. In 184 games against PeterNLewis, our known colonel attacked 47 hidden pieces that had
# just approached it, and 35 of them were generals. Stronger factors (2.5, 1.2 and 0.15) made no
# difference beyond noise in 63 games.
_APPROACHED: Final = {1: 2.0, 0: 0.8, -1: 0.45}
_FLED: Final = {1: 0.5, 0: 0.9, -1: 1.8}
_STAYED: Final = {1: 0.5, 0: 0.8, -1: 0.75}
_STAYED_IMMOBILE: Final = 1.5
_NEARED: Final = {1: 1.3, 0: 1.0, -1: 0.8}
_NEAR: Final = 4
"""Approaching a known piece counts as evidence only within this distance."""
_SHORT_STEP: Final = 0.85
"""Factor for the probability that a piece is a scout. It is applied if the piece has moved only one
square although a scout could have moved further."""
_TURNS_PER_ATTACK: Final = 11
"""An ordinary enemy attacks once in this many turns. An enemy is cautious if it is more than one
attack behind, and fully cautious if it is three behind. In their first 50 turns, PeterNLewis
attacked 7 times (median of 164 games), and Demon of Ignorance twice (107 games)."""
_FIRST_TURNS: Final = 60
"""Only attacks in the enemy's first turns count, because the end of any game is quiet."""
_LEAST: Final = 0.02
"""Minimum factor. People and programs sometimes do the opposite of what a rank suggests."""
_MOST: Final = 30.0


@dataclass
class Behaviour:
    """Evidence that one side has gathered from the turns of a game so far."""

    side: Side
    results: Results
    two_squares_limit: int
    """Number of moves back and forth that the two-squares rule allows."""
    turns: int = 0
    """Number of turns processed so far."""
    factors: dict[Piece, list[float]] = field(default_factory=dict)
    """For each enemy piece, the likelihood of its behaviour under each possible rank."""
    moved: set[Piece] = field(default_factory=set)
    shown: dict[Piece, Rank] = field(default_factory=dict)
    """Ranks of both sides' pieces, as revealed in fights."""
    shown_at: dict[Piece, int] = field(default_factory=dict)
    """For each piece, the number of turns played until its rank was last revealed."""
    last_fight: int = 0
    """Number of turns that had been played when the last fight ended."""
    enemy_turns: int = 0
    early_attacks: int = 0
    """Number of attacks in the enemy's first turns (`_FIRST_TURNS`)."""
    visits: dict[tuple[Piece, Square], int] = field(default_factory=dict)
    """Number of times that each of our pieces has entered each square since the last fight."""
    last_own: PastTurn | None = None
    last_enemy: PastTurn | None = None
    reversals: int = 0
    """Number of consecutive enemy moves that each moved the same piece back."""
    obeys_two_squares: bool = True
    """Whether the enemy has always obeyed the two-squares rule. A program might break it."""

    @property
    def reserve(self) -> float:
        """The enemy's caution, from 0 (attacks as often as usual) to 1 (hardly ever attacks)."""
        usual = min(self.enemy_turns, _FIRST_TURNS) / _TURNS_PER_ATTACK
        return min(1.0, max(0.0, (usual - self.early_attacks - 1) / 2))

    def fold(self, turns: Sequence[PastTurn]) -> None:
        """Process further turns."""
        for turn in turns:
            self.turns += 1
            if turn.side is self.side:
                self.last_own = turn
                key = (turn.piece, turn.target)
                self.visits[key] = self.visits.get(key, 0) + 1
            else:
                self._read(turn)
                self._count_reversals(turn)
                self.enemy_turns += 1
                if self.enemy_turns <= _FIRST_TURNS:
                    self.early_attacks += turn.met is not None and turn.guess is None
            if turn.guess is None:
                self.moved.add(turn.piece)
            if turn.result is not None or turn.is_right:
                self._learn(turn)

    def _count_reversals(self, turn: PastTurn) -> None:
        last, self.last_enemy = self.last_enemy, turn
        if last and turn.piece == last.piece and turn.target == last.source and turn.met is None:
            self.reversals += 1
        else:
            self.reversals = 0
        if self.reversals >= self.two_squares_limit:
            self.obeys_two_squares = False

    def _learn(self, turn: PastTurn) -> None:
        self.last_fight = self.turns
        self.visits.clear()
        for piece, rank in ((turn.piece, turn.attacker), (turn.met, turn.defender)):
            if piece is not None and rank is not None:
                self.shown[piece] = rank
                self.shown_at[piece] = self.turns

    def _read(self, turn: PastTurn) -> None:
        """Update the evidence after an enemy turn."""
        before, mover = turn.before, turn.piece
        if turn.guess is not None:
            return
        if turn.met is None:
            self._read_move(turn)
        last = self.last_own
        if last is None or before[last.target] != last.piece or last.piece not in self.shown:
            return
        rank = self.shown[last.piece]
        for at in LAND[last.target]:
            piece = before[at]
            if piece in (NO_PIECE, mover) or piece in self.shown or side_of(piece) is self.side:
                continue
            self._multiply_meeting(piece, rank, _STAYED)
            factors = self.factors[piece]
            for immobile in (Rank.BOMB, Rank.FLAG):
                factors[immobile] = min(_MOST, factors[immobile] * _STAYED_IMMOBILE)

    def _read_move(self, turn: PastTurn) -> None:
        before, mover = turn.before, turn.piece
        if mover in self.shown:
            return
        for at in LAND[turn.target]:
            met = before[at]
            if at != turn.source and met in self.shown and side_of(met) is self.side:
                self._multiply_meeting(mover, self.shown[met], _APPROACHED)
        for at in LAND[turn.source]:
            met = before[at]
            if met in self.shown and side_of(met) is self.side:
                self._multiply_meeting(mover, self.shown[met], _FLED)
        for piece, rank in self.shown.items():
            at = before.find(piece) if side_of(piece) is self.side else -1
            if at < 0 or at in NEIGHBOURS[turn.target]:
                continue
            near = distance(turn.target, at)
            if near <= _NEAR and near < distance(turn.source, at):
                self._multiply_meeting(mover, rank, _NEARED)
        if turn.target in NEIGHBOURS[turn.source] and self._could_go_on(turn):
            factors = self._factors(mover)
            factors[Rank.SCOUT] = max(0.2, factors[Rank.SCOUT] * _SHORT_STEP)

    def _could_go_on(self, turn: PastTurn) -> bool:
        """Whether a scout could have moved beyond the target."""
        onward = 2 * turn.target - turn.source
        ahead = next((line for line in LINES[turn.source] if line and line[0] == turn.target), None)
        return (
            ahead is not None
            and len(ahead) > 1
            and not LAKES >> onward & 1
            and turn.before[onward] == NO_PIECE
        )

    def _factors(self, piece: Piece) -> list[float]:
        found = self.factors.get(piece)
        if found is None:
            found = self.factors[piece] = [1.0] * len(RANKS)
        return found

    def _multiply_meeting(self, piece: Piece, rank: Rank, likelihood: dict[int, float]) -> None:
        """Update a piece's factors after contact with a known piece of this rank."""
        factors, results = self._factors(piece), self.results
        for own in RANKS:
            new = factors[own] * likelihood[results[own][rank]]
            factors[own] = min(_MOST, max(_LEAST, new))


def distance(one: Square, other: Square) -> int:
    """Return the number of steps between two squares on an empty board without lakes."""
    rows, columns = one // WIDTH - other // WIDTH, one % WIDTH - other % WIDTH
    return abs(rows) + abs(columns)


_ROUNDS: Final = 8
"""Number of balancing rounds. After eight rounds, the frequencies differ from the targets by less
than 1 %."""
_PATIENCE: Final = 70.0
"""A piece that could have moved, but has not, may be a bomb or the flag. After this number of enemy
turns, it is considered twice as likely to be one. Chosen by judgement, not measured."""
_SPY_TO_GENERAL: Final = (1.0, 2.5, 1.05, 0.65)
"""Factors for the probability of a spy. The index is the distance between the setup squares of the
piece and of the known general, at most 3. In the 200 setups in `setup_choice`, the spy stands
beside the general in 58 %. The patterns alone expect fewer. Stronger factors predicted the spy's
square less well."""
_BAIT: Final = 4.0
"""A cautious enemy protects its pieces. If it leaves a piece where one of our known pieces could
capture it, the ranks that could recapture are more likely beside it. The factor is 1 plus the value
of the piece divided by this number. In 63 games against Demon of Ignorance, the estimate without
this factor predicted 9 recapturing pieces beside 114 known pieces that we captured, and 17 beside
186 hidden pieces. The actual numbers were 29 and 36."""
_HIDDEN_BAIT: Final = 14.0
"""Assumed value of a hidden piece that we could capture. Chosen by judgement, not measured."""
_STRONG_PROTECTOR: Final = 2.0
"""Weight of a general or marshal as a protector, instead of 1. In 90 games against Demon of
Ignorance, the estimate predicted recapturing pieces beside 18 % of our colonel's captures and 24 %
of our majors' captures. The actual shares were 33 % and 29 %."""


def estimate(
    knowledge: Knowledge, behaviour: Behaviour, left: Sequence[int], memory: int | None, reads: bool
) -> dict[Square, tuple[float, ...]]:
    """Return the probability of each rank for every enemy piece.

    Args:
        knowledge: The side's knowledge.
        behaviour: Evidence from the history of the game.
        left: Number of enemy pieces of each rank that are still in play.
        memory: Number of turns after which a revealed rank is forgotten, or None.
        reads: Whether to use the evidence from behaviour.
    """
    enemy = knowledge.side.other
    chances: dict[Square, tuple[float, ...]] = {}
    counts = [float(count) for count in left]
    hidden: list[Square] = []
    rows: list[list[float]] = []
    by_place = place_chances(_known_places(knowledge, behaviour) if reads else _UNKNOWN)
    for square, piece in knowledge.pieces.items():
        if square in knowledge.state.ranks or not _is_of(knowledge, square):
            continue
        possible = knowledge.state.possible[square]
        if memory is not None:
            possible = _remembered(possible, behaviour, piece, memory)
        known = only_rank(possible)
        if known is not None:
            chances[square] = _CERTAIN[known]
            counts[known] -= 1
            continue
        hidden.append(square)
        by_rank = by_place[of_side(piece, enemy)]
        row = [chance if possible >> rank & 1 else 0.0 for rank, chance in enumerate(by_rank)]
        if reads:
            _apply_behaviour(row, knowledge, behaviour, square, piece)
        rows.append(row)
    balanced = balance(rows, [max(count, 0.0) for count in counts])
    chances.update(zip(hidden, balanced, strict=True))
    return chances


_CERTAIN: Final = tuple(tuple(float(rank == each) for each in Rank) for rank in Rank)


_UNKNOWN: Final = (ANY_RANK,) * len(HOME)


def _known_places(knowledge: Knowledge, behaviour: Behaviour) -> tuple[RankSet, ...]:
    """For each setup square of the enemy, return the ranks that its piece can have."""
    if knowledge.state.edition.army.size < len(_UNKNOWN):
        return _UNKNOWN
    enemy = knowledge.side.other
    found = list(_UNKNOWN)
    for square, piece in knowledge.pieces.items():
        if _is_of(knowledge, square):
            found[of_side(piece, enemy)] = knowledge.state.possible[square]
    for piece, rank in behaviour.shown.items():
        if side_of(piece) is enemy:
            found[of_side(piece, enemy)] = 1 << rank
    return tuple(found)


def _is_of(knowledge: Knowledge, square: Square) -> bool:
    """Whether the piece on a square belongs to the enemy."""
    return knowledge.side.other.home >> knowledge.pieces[square] & 1 == 1


def _remembered(possible: RankSet, behaviour: Behaviour, piece: int, memory: int) -> RankSet:
    """Return the possible ranks of a piece. Proofs older than `memory` turns are ignored."""
    if only_rank(possible) is None:
        return possible
    age = behaviour.turns - behaviour.shown_at.get(piece, behaviour.turns)
    if age <= memory:
        return possible
    ranks = (1 << len(RANKS)) - 1
    return ranks & ~IMMOBILE if piece in behaviour.moved else ranks


def _apply_behaviour(
    row: list[float], knowledge: Knowledge, behaviour: Behaviour, square: Square, piece: int
) -> None:
    factors = behaviour.factors.get(piece)
    if factors is not None:
        row[:] = map(mul, row, factors)
    if behaviour.reserve:
        row[Rank.SPY] *= _spy_factor(behaviour, piece) ** behaviour.reserve
        _expect_protectors(row, knowledge, behaviour, square)
    if piece not in behaviour.moved and any(at not in knowledge.pieces for at in LAND[square]):
        immobile = 1 + min(behaviour.enemy_turns, 150) / _PATIENCE
        row[Rank.BOMB] *= immobile
        row[Rank.FLAG] *= immobile


def _expect_protectors(
    row: list[float], knowledge: Knowledge, behaviour: Behaviour, square: Square
) -> None:
    """Raise the probability of ranks that would protect a piece beside a square.

    The spy is left out: in 90 games against Demon of Ignorance, a spy stood beside 6 % of our
    marshal's captures. With the spy included, the estimate was 14 %.
    """
    for rank, value in _baits(knowledge, behaviour, square).items():
        for protector in range(Rank.SCOUT, Rank.MARSHAL + 1):
            if behaviour.results[protector][rank] > 0:
                weight = _STRONG_PROTECTOR if protector >= Rank.GENERAL else 1.0
                row[protector] *= 1 + behaviour.reserve * weight * value / _BAIT


def _spy_factor(behaviour: Behaviour, piece: Piece) -> float:
    for general, rank in behaviour.shown.items():
        if rank is Rank.GENERAL and side_of(general) is not behaviour.side:
            away = distance(piece, general)
            return _SPY_TO_GENERAL[min(away, len(_SPY_TO_GENERAL) - 1)]
    return 1.0


def _baits(knowledge: Knowledge, behaviour: Behaviour, square: Square) -> dict[Rank, float]:
    """For each of our known ranks, return the value of its best capture beside a square.

    Ranks that could capture nothing there are left out.
    """
    found: dict[Rank, float] = {}
    state = knowledge.state
    for at in LAND[square]:
        if at not in knowledge.pieces or at in state.ranks:
            continue
        bait = only_rank(state.possible[at])
        if bait is None:
            if knowledge.pieces[at] not in behaviour.moved:
                continue
            value = _HIDDEN_BAIT
        elif IMMOBILE >> bait & 1:
            continue
        else:
            value = BASE_VALUES[bait]
        for near in LAND[at]:
            rank = state.ranks.get(near)
            if rank is None or IMMOBILE >> rank & 1 or only_rank(state.possible[near]) is None:
                continue
            is_strong = Rank.CAPTAIN <= rank <= Rank.MARSHAL
            if is_strong if bait is None else behaviour.results[rank][bait] > 0:
                found[rank] = max(found.get(rank, 0.0), value)
    return found


def balance(rows: Sequence[Sequence[float]], counts: Sequence[float]) -> list[tuple[float, ...]]:
    """Scale a matrix so that each row sums to 1 and, if possible, each column to its count."""
    if not rows:
        return []
    columns = [*zip(*rows, strict=True)]
    by_row, by_column = [1.0] * len(rows), [1.0] * len(counts)
    for _ in range(_ROUNDS):
        for rank, column in enumerate(columns):
            total = sum(map(mul, column, by_row))
            by_column[rank] = counts[rank] / total if total > 0 else 0.0
        for number, row in enumerate(rows):
            total = sum(map(mul, row, by_column))
            by_row[number] = 1 / total if total > 0 else 0.0
    found = []
    for row, factor in zip(rows, by_row, strict=True):
        scaled = tuple(weight * factor for weight in map(mul, row, by_column))
        found.append(scaled if factor else _spread(row))
    return found


def _spread(row: Sequence[float]) -> tuple[float, ...]:
    """Scale a row to a sum of 1, even if its ranks contradict the counts."""
    total = sum(row) or 1.0
    return tuple(weight / total for weight in row)
