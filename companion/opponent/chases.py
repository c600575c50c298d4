"""Evaluates chases: races to our flag, and pursuits of single pieces by both sides.

In a race, an enemy piece heads for our flag, a miner even through our bombs. A guard that would
beat the piece has to reach the square beside the flag in time. In the first league, most losses
were to a miner that no guard had followed.

In a pursuit, a strong piece hunts a weaker one until the weaker one cannot escape. A pursuit lasts
much longer than the search looks ahead, so it is solved separately, for two pieces at a time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from companion.opponent.belief import LAND, distance
from companion.opponent.valuation import FLAG_VALUE, Cell, EnemyPiece, OwnPiece
from engine.board.geometry import (
    LAKES,
    LINES,
    SQUARES,
    WIDTH,
    Square,
    SquareSet,
    set_of,
    squares_in,
)
from engine.board.ranks import IMMOBILE, Rank

_FURTHEST: Final = 14
"""Maximum length of a race in turns. Longer races are ignored."""
_FAR: Final = 99
_FADE: Final = 0.9
"""Discount factor for each remaining turn of the race. Chosen by judgement, not measured."""
_LOST: Final = {-1: 0.55, 0: 0.12, 1: 0.03}
"""Probability of losing the race, keyed by the guard's number of spare turns. Chosen by judgement,
not measured."""

_EXPOSED: Final = 0.8
"""Probability that the enemy finds our flag if one of our known bombs or an enemy piece is
beside it. Chosen by judgement, not measured."""
_SCOUT_COMES: Final = 0.25
"""Probability that a scout captures our flag although it still has to move to an open line first.
Chosen by judgement, not measured."""


@dataclass(frozen=True)
class _Race:
    """An enemy piece's race to our flag."""

    square: Square
    weight: float
    """Value of the flag, times the probability that this piece can capture it."""
    turns: int
    """Number of turns that the piece needs in order to capture the flag."""
    distances: Sequence[int]
    """Distance from each square to the square that a guard has to reach, beside the flag."""


class FlagDefence:
    """The enemy pieces that race to our flag in a position, and our pieces that can guard it."""

    def __init__(self, cells: Sequence[Cell], scouts: int) -> None:
        """Find all races. `scouts` is the number of the enemy's remaining scouts."""
        self._cells = cells
        self._races: list[_Race] = []
        self._lines: _Lines | None = None
        own = [(at, each) for at, each in enumerate(cells) if isinstance(each, OwnPiece)]
        flag = next((at for at, each in own if each.rank is Rank.FLAG), None)
        if flag is not None:
            found = self._chance_of_discovery(flag, [each for _, each in own])
            self._find_races(flag, found)
            self._lines = _Lines(cells, flag, FLAG_VALUE * found) if scouts else None
        self._guards = [(at, each) for at, each in own if not IMMOBILE >> each.rank & 1]

    def _chance_of_discovery(self, flag: Square, own: Iterable[OwnPiece]) -> float:
        """Return the probability that the enemy knows or guesses where our flag is."""
        # The flag is among our pieces that have never moved. If there are at most four of them, the
        # enemy is assumed to know the flag. This number was chosen by judgement, not measured.
        found = min(1.0, 4.0 / sum(not each.moved for each in own))
        for at in LAND[flag]:
            met = self._cells[at]
            is_shown_bomb = isinstance(met, OwnPiece) and met.rank is Rank.BOMB and met.shown
            if is_shown_bomb or isinstance(met, EnemyPiece):
                return max(found, _EXPOSED)
        return found

    def _find_races(self, flag: Square, found: float) -> None:
        ways = [self._ways_to(flag, through_bombs=each) for each in (True, False)]
        guards: dict[Square, Sequence[int]] = {}
        for square, piece in enumerate(self._cells):
            if not isinstance(piece, EnemyPiece) or not (piece.moved or piece.known):
                continue
            miner = piece.chances[Rank.MINER]
            for chance, way in zip((miner, piece.mobile - miner), ways, strict=True):
                turns, entry = way[square]
                # Very unlikely races are skipped to save time. The limit was chosen by judgement,
                # not measured.
                if turns > _FURTHEST or chance < 0.01:
                    continue
                if entry not in guards:
                    guards[entry] = self._distances(entry)
                weight = FLAG_VALUE * chance * found * _FADE ** max(0, turns - 2)
                self._races.append(_Race(square, weight, turns, guards[entry]))

    def _ways_to(self, flag: Square, *, through_bombs: bool) -> list[tuple[int, Square]]:
        """For each square, return the number of turns to the flag and the last square before it."""
        found = [(_FAR, flag)] * len(self._cells)
        front = [(at, at) for at in LAND[flag]]
        for turns in range(1, _FURTHEST + 1):
            onward = []
            for square, entry in front:
                if found[square][0] <= turns:
                    continue
                met = self._cells[square]
                found[square] = turns, entry
                is_bomb = isinstance(met, OwnPiece) and met.rank is Rank.BOMB
                # Stop at an enemy piece, which blocks the pieces behind it.
                if isinstance(met, EnemyPiece) or (is_bomb and not through_bombs):
                    continue
                onward += [(at, entry) for at in LAND[square] if found[at][0] == _FAR]
            front = onward
        return found

    def _distances(self, entry: Square) -> list[int]:
        """Return the number of steps that one of our guards needs from each square to `entry`."""
        found = [_FAR] * len(self._cells)
        found[entry] = 0
        front = [entry]
        for steps in range(1, _FURTHEST + 3):
            onward = []
            for square in front:
                for at in LAND[square]:
                    if found[at] != _FAR:
                        continue
                    met = self._cells[at]
                    if isinstance(met, OwnPiece) and IMMOBILE >> met.rank & 1:
                        continue
                    found[at] = steps
                    if not isinstance(met, EnemyPiece):
                        onward.append(at)
            front = onward
        return found

    def danger(self, source: Square, target: Square) -> float:
        """Return the expected loss from enemy races to the flag, after one of our moves."""
        loss = self._lines.danger(source, target) if self._lines else 0.0
        for race in self._races:
            racer = self._cells[race.square]
            assert isinstance(racer, EnemyPiece)
            weight, attacker = race.weight, None
            if race.square == target:
                # The race goes on only if this attack on the racer fails. The other guards remain.
                attacker = self._cells[source]
                assert isinstance(attacker, OwnPiece)
                weight *= racer.attacked_by(attacker).lose
            best = -_FAR
            for at, guard in self._guards:
                if guard is attacker:
                    continue
                distance = race.distances[target if at == source else at]
                spare = race.turns - 1 - distance
                if spare > best:
                    hit = racer.attacked_by(guard)
                    # Count a guard only if it is likely to beat the racer.
                    if hit.win + hit.tie > 0.5:
                        best = spare
            loss += weight * (0.0 if best > 1 else _LOST.get(best, 1.0))
        return loss


class _Lines:
    """The lines along which a scout could capture our flag in one turn."""

    def __init__(self, cells: Sequence[Cell], flag: Square, value: float) -> None:
        self._cells, self._flag, self._value = cells, flag, value

    def danger(self, source: Square, target: Square) -> float:
        """Return the expected loss to scouts after a move from `source` to `target`."""
        piece, met = self._cells[source], self._cells[target]
        assert isinstance(piece, OwnPiece)
        tie = met.attacked_by(piece).tie if isinstance(met, EnemyPiece) else 0.0
        danger = (1 - tie) * self._chance(source, target)
        if tie:  # both fall, and leave the line open
            danger += tie * self._chance(source, target, is_blocked=False)
        return self._value * danger

    def _chance(self, source: Square, target: Square, *, is_blocked: bool = True) -> float:
        """Return a scout's chance to capture the flag with `target` blocked or, if not, open."""
        worst = 0.0
        for line in LINES[self._flag]:
            open_squares = []
            for at in line:
                if LAKES >> at & 1:
                    break
                met = None if at in (source, target) else self._cells[at]
                if (at == target and is_blocked) or isinstance(met, OwnPiece):
                    break
                if met is None:
                    open_squares.append(at)
                    continue
                worst = max(worst, met.chances[Rank.SCOUT])
                break
            for at in open_squares:
                worst = max(worst, _SCOUT_COMES * self._arrival(at, source, target))
        return worst

    def _arrival(self, square: Square, source: Square, target: Square) -> float:
        """Return the highest probability that a piece in line with a square is a scout."""
        best = 0.0
        for line in LINES[square]:
            for at in line:
                if LAKES >> at & 1 or at == target:
                    break
                met = None if at == source else self._cells[at]
                if met is None:
                    continue
                if isinstance(met, EnemyPiece):
                    best = max(best, met.chances[Rank.SCOUT])
                break
        return best


# -- Pursuits

_REACH: Final = 7
"""Maximum distance between the two pieces in a pursuit. Chosen by judgement, not measured
separately."""
_LONGEST: Final = 10
"""Maximum number of the hunter's turns that are considered when a pursuit is solved."""
_LEAST: Final = 18.0
"""Minimum gain from the capture that makes a piece worth hunting."""
_CAUGHT: Final = 0.7
"""Fraction of our piece's value that is lost if the piece cannot escape. In 116 games against
PeterNLewis, its attacks on our spies and on our pieces from the major upwards cost us 231 points
per game. In 320 games in which our player ignored pursuits, they cost us 260 points per game. The
difference between the scores is within the noise."""
_CAUGHT_LATER: Final = 0.8
"""Discount factor for each turn of the pursuit, because the enemy may have other plans. Not
measured separately: in 57 games with 0.94 and without deterrence by hidden guards, a game took 656
plies on average instead of 436. The difference between the scores was within the noise."""
_CATCH: Final = 0.4
"""Fraction of an enemy piece's value that we gain if the piece cannot escape. Chosen by judgement:
the scores with this gain (90 % in 51 games) and without it (91 % in 111 games) are equal within the
noise."""
_CATCH_LATER: Final = 0.85
"""Discount factor for each turn of our pursuit. Chosen by judgement, not measured separately."""
_PROTECTED: Final = 0.6
"""A piece counts as protected if a recapture regains at least this fraction of its value. Chosen by
judgement, not measured separately."""
_ATTACKED: Final = 0.3
"""A hunted piece avoids a square if a third piece could attack it there and is expected to gain at
least this fraction of the hunted piece's value. Chosen by judgement, not measured separately."""
_SURE: Final = 0.7
"""Our piece hunts only if its probability of winning is at least this high. Chosen by judgement,
not measured separately."""

_ALL_LAND: Final = set_of(SQUARES) & ~LAKES
_BESIDE: Final = tuple(set_of(near) for near in LAND)
_NOT_FIRST_COLUMN: Final = _ALL_LAND & ~set_of(range(0, len(SQUARES), WIDTH))
_NOT_LAST_COLUMN: Final = _ALL_LAND & ~set_of(range(WIDTH - 1, len(SQUARES), WIDTH))

_Caught: TypeAlias = dict[Square, SquareSet]
"""For each square of the hunter, the squares from which the hunted piece cannot escape."""


class _Solution(NamedTuple):
    """Solution of a pursuit. Index `n` of both lists holds the result for `n + 1` hunter turns."""

    hunter_to_move: list[_Caught]
    hunted_to_move: list[_Caught]


def solve_pursuit(
    free: SquareSet, protected: SquareSet, attacked: SquareSet, *, two_squares: bool
) -> _Solution:
    """Solve a pursuit in which only the hunter and the hunted piece move.

    Args:
        free: Squares that are empty or occupied by one of the two pieces.
        protected: Squares on which the hunter refrains from capturing.
        attacked: Squares that the hunted piece must not enter because of other pieces.
        two_squares: Whether a hunted piece that can only move back and forth between two squares
            is caught, because the two-squares rule stops it before the hunter.
    """
    squares = tuple(squares_in(free))
    steps = {at: tuple(squares_in(_BESIDE[at] & free)) for at in squares}
    caught = {at: _BESIDE[at] & free & ~protected for at in squares}
    solution = _Solution([caught], [dict.fromkeys(squares, 0)])
    safe_land = free & ~attacked
    repeating: _Caught = dict.fromkeys(squares, 0)
    while len(solution.hunter_to_move) < _LONGEST:
        lost = {}
        for at in squares:
            safe = safe_land & ~caught[at] & ~(1 << at)
            sideways = (safe & _NOT_LAST_COLUMN) << 1 | (safe & _NOT_FIRST_COLUMN) >> 1
            escaping = (safe | safe << WIDTH | safe >> WIDTH | sideways | 1 << at) & ~repeating[at]
            lost[at] = free & ~escaping
        solution.hunted_to_move.append(lost)
        later = {}
        for at in squares:
            now = caught[at]
            for to in steps[at]:
                now |= lost[to]
            later[at] = now & ~(1 << at)
        if later == caught:
            more = _forced_repetitions(caught, lost, safe_land, steps) if two_squares else repeating
            if all(not more[at] & ~repeating[at] for at in squares):
                break
            repeating = {at: repeating[at] | more[at] for at in squares}
        solution.hunter_to_move.append(later)
        caught = later
    return solution


def _forced_repetitions(
    caught: _Caught,
    lost: _Caught,
    safe_land: SquareSet,
    steps: Mapping[Square, Sequence[Square]],
) -> _Caught:
    """Return the squares on which a hunted piece that must move can only go back and forth."""
    only: dict[tuple[Square, Square], Square] = {}
    for hunter, threatened in caught.items():
        for hunted in squares_in(threatened & ~lost[hunter] & safe_land):
            safe = _BESIDE[hunted] & safe_land & ~threatened & ~(1 << hunter)
            if safe and not safe & safe - 1:
                only[hunter, hunted] = safe.bit_length() - 1
    found = dict.fromkeys(caught, 0)
    for (hunter, hunted), square in only.items():
        for onward in steps[hunter]:
            if only.get((onward, square)) == hunted:
                found[hunter] |= 1 << hunted
    return found


def _turns(tables: Iterable[_Caught], hunter: Square, hunted: Square) -> int:
    """Return how many turns the hunter needs for the capture, or 0 if the hunted piece escapes."""
    for turns, caught in enumerate(tables, 1):
        if caught.get(hunter, 0) >> hunted & 1:
            return turns
    return 0


class _Pursuit(NamedTuple):
    """A piece that may be hunted, with its hunter."""

    hunter: Square
    hunted: Square
    gain: float
    """Expected gain from the capture for the hunter's side."""
    tables: list[_Caught]


class Pursuits:
    """Pursuits in one position."""

    def __init__(
        self,
        cells: Sequence[Cell],
        last_repetition: tuple[Square, Square] | None = None,
        binds_enemy: bool = True,
    ) -> None:
        """Find all pursuits.

        After the move `last_repetition`, the two-squares rule forbids us to move back.
        `binds_enemy` tells whether the rule binds the enemy, too.
        """
        self._cells, self._last_repetition = cells, last_repetition
        self._binds_enemy = binds_enemy
        self._occupied = set_of(at for at, each in enumerate(cells) if each is not None)
        self._own = [
            (at, each)
            for at, each in enumerate(cells)
            if isinstance(each, OwnPiece) and not IMMOBILE >> each.rank & 1
        ]
        # Pieces that are probably bombs or the flag neither hunt nor flee.
        self._enemies = [
            (at, each)
            for at, each in enumerate(cells)
            if isinstance(each, EnemyPiece) and each.mobile > 0.5
        ]
        self._flights: list[_Pursuit] = []
        self._hunts: list[_Pursuit] = []
        for at, own in self._own:
            for square, enemy in self._enemies:
                if distance(at, square) > _REACH:
                    continue
                loss = -enemy.attacking(own).gain * enemy.mobile
                if min(loss, own.value) >= _LEAST:
                    solution = self._solve_flight(at, own, square, self._occupied)
                    self._flights.append(_Pursuit(square, at, loss, solution.hunter_to_move))
                hit = enemy.attacked_by(own)
                if (enemy.moved or enemy.known) and hit.win >= _SURE and hit.gain >= _LEAST:
                    solution = self._solve_hunt(at, own, square, hit.gain)
                    self._hunts.append(_Pursuit(at, square, hit.gain, solution.hunted_to_move))

    def danger(self, source: Square, target: Square) -> float:
        """Return the expected loss from pursuits after a move from `source` to `target`."""
        losses: dict[Square, float] = {}
        for flight in self._flights:
            hunter, hunted = flight.hunter, flight.hunted
            share = 1.0
            if target == hunter:
                if source == hunted:
                    continue
                enemy, attacker = self._cells[hunter], self._cells[source]
                assert isinstance(enemy, EnemyPiece)
                assert isinstance(attacker, OwnPiece)
                share = enemy.attacked_by(attacker).lose
            place = target if source == hunted else hunted
            turns = _turns(flight.tables, hunter, place)
            if (source, target) == self._last_repetition and source == hunted:
                turns = self._turns_without_return(flight, source, target)
            helps = target != hunter and self._may_help(hunted, source, target)
            if turns and place == hunted and helps:
                own = self._cells[hunted]
                assert isinstance(own, OwnPiece)
                occupied = self._occupied & ~(1 << source) | 1 << target
                solution = self._solve_flight(hunted, own, hunter, occupied, (source, target))
                turns = _turns(solution.hunter_to_move, hunter, hunted)
            if turns:
                loss = share * flight.gain * _CAUGHT * _CAUGHT_LATER**turns
                losses[place] = max(losses.get(place, 0.0), loss)
        return sum(losses.values())

    def prospect(self, source: Square, target: Square) -> float:
        """Return the expected gain from our pursuits after a move from `source` to `target`."""
        best = 0.0
        for hunt in self._hunts:
            if hunt.hunter == source and hunt.hunted != target:
                turns = _turns(hunt.tables, target, hunt.hunted)
                if turns:
                    best = max(best, hunt.gain * _CATCH * _CATCH_LATER ** (turns - 1))
        return best

    def _turns_without_return(self, flight: _Pursuit, source: Square, target: Square) -> int:
        own = self._cells[source]
        assert isinstance(own, OwnPiece)
        solution = self._solve_flight(source, own, flight.hunter, self._occupied, closed=source)
        return _turns(solution.hunter_to_move, flight.hunter, target)

    @staticmethod
    def _may_help(hunted: Square, source: Square, target: Square) -> bool:
        """Whether another piece's move may open an escape, protect the piece or block a path."""
        return source in LAND[hunted] or distance(target, hunted) <= 2

    def _solve_flight(
        self,
        at: Square,
        own: OwnPiece,
        hunter: Square,
        occupied: SquareSet,
        moved: tuple[Square, Square] | None = None,
        closed: Square | None = None,
    ) -> _Solution:
        """Solve a pursuit in which our piece is hunted.

        `moved` is a move that another of our pieces makes first. `closed` is a square that the
        hunted piece must not enter.
        """
        enemy = self._cells[hunter]
        assert isinstance(enemy, EnemyPiece)
        protected = attacked = 0
        for square, guard in self._own:
            if guard is not own and self._protects(guard, own, enemy):
                protected |= _BESIDE[moved[1] if moved and square == moved[0] else square]
        for square, other in self._enemies:
            if other is not enemy and -other.attacking(own).gain >= _ATTACKED * own.value:
                attacked |= _BESIDE[square]
        attacked &= ~protected
        if closed is not None:
            attacked |= 1 << closed
        free = _ALL_LAND & ~occupied | 1 << at | 1 << hunter
        return solve_pursuit(free, protected, attacked, two_squares=True)

    @staticmethod
    def _protects(guard: OwnPiece, own: OwnPiece, hunter: EnemyPiece) -> bool:
        """Whether the hunter refrains from capturing beside a guard.

        A hidden guard deters the enemy, which cannot know that the guard is weak.
        """
        return not guard.shown or hunter.attacked_by(guard).gain >= _PROTECTED * own.value

    def _solve_hunt(self, at: Square, own: OwnPiece, prey: Square, gain: float) -> _Solution:
        enemy = self._cells[prey]
        assert isinstance(enemy, EnemyPiece)
        protected = attacked = 0
        for square, guard in enumerate(self._cells):
            if not isinstance(guard, EnemyPiece) or guard is enemy:
                continue
            if -guard.attacking(own).gain * guard.mobile >= _PROTECTED * gain:
                protected |= _BESIDE[square]
        for square, helper in self._own:
            if helper is not own and enemy.attacked_by(helper).gain >= _ATTACKED * gain:
                attacked |= _BESIDE[square]
        free = _ALL_LAND & ~self._occupied | 1 << at | 1 << prey
        return solve_pursuit(free, protected, attacked & ~protected, two_squares=self._binds_enemy)
