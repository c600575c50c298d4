"""Defence of the flag as a race between enemy pieces and our nearest guards.

An enemy piece needs a number of turns to reach our flag; a miner may also pass through our bombs. A
guard that would beat the piece has to reach the square beside the flag in time. Most games lost in
the first league were lost to a miner that no guard had followed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.opponent.battlefield import Cell, EnemyPiece, OwnPiece
from companion.opponent.behaviour import LAND
from companion.opponent.valuation import FLAG_VALUE
from engine.board.geometry import Square
from engine.board.ranks import IMMOBILE, Rank

_FURTHEST: Final = 14
"""Longer races are not counted."""
_FAR: Final = 99
_FADE: Final = 0.9
"""Factor for each remaining turn of the race. Chosen by judgement, not measured."""
_LOST: Final = {-1: 0.55, 0: 0.12, 1: 0.03}
"""Probability that the race is lost, by the guard's spare turns. Chosen by judgement, not
measured."""

_SCOUT_COMES: Final = 0.15
"""Probability that a scout captures our flag along a line that was opened, once the enemy knows
where the flag is. Chosen by judgement, not measured."""


@dataclass(frozen=True)
class _Race:
    """One enemy piece on its way to the flag."""

    square: Square
    weight: float
    """Worth of the flag, times the probability that this piece can capture it."""
    turns: int
    """Number of turns after which it captures the flag."""
    distances: Sequence[int]
    """Distance of every square from the square beside the flag where the guard has to be."""


class FlagDefence:
    """Races for our flag in one position."""

    def __init__(self, cells: Sequence[Cell], scouts: int) -> None:
        """Find all races; `scouts` is the number of scouts that the enemy has left."""
        self._cells = cells
        self._beside: tuple[Square, ...] = ()
        self._races: list[_Race] = []
        self._opening = 0.0
        own = [(at, each) for at, each in enumerate(cells) if isinstance(each, OwnPiece)]
        flag = next((at for at, each in own if each.rank is Rank.FLAG), None)
        if flag is not None:
            # The fewer of our pieces have never moved, the more easily the enemy finds the flag.
            resting = sum(not each.moved for _, each in own)
            found = min(1.0, 4.0 / resting)
            self._find_races(flag, found)
            self._beside = LAND[flag] if scouts else ()
            self._opening = FLAG_VALUE * found * _SCOUT_COMES
        self._guards = [(at, each) for at, each in own if not IMMOBILE >> each.rank & 1]

    def _find_races(self, flag: Square, found: float) -> None:
        ways = [self._ways_to(flag, through_bombs=each) for each in (True, False)]
        guards: dict[Square, Sequence[int]] = {}
        for square, piece in enumerate(self._cells):
            if not isinstance(piece, EnemyPiece) or not (piece.moved or piece.known):
                continue
            miner = piece.chances[Rank.MINER]
            for chance, way in zip((miner, piece.mobile - miner), ways, strict=True):
                turns, entry = way[square]
                if turns > _FURTHEST or chance < 0.01:
                    continue
                if entry not in guards:
                    guards[entry] = self._distances(entry)
                weight = FLAG_VALUE * chance * found * _FADE ** max(0, turns - 2)
                self._races.append(_Race(square, weight, turns, guards[entry]))

    def _ways_to(self, flag: Square, *, through_bombs: bool) -> list[tuple[int, Square]]:
        """Return, for every square, the turns to the flag and the last square before it."""
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
                # The way ends at an enemy piece: it races itself, and pieces behind it wait.
                if isinstance(met, EnemyPiece) or (is_bomb and not through_bombs):
                    continue
                onward += [(at, entry) for at in LAND[square] if found[at][0] == _FAR]
            front = onward
        return found

    def _distances(self, entry: Square) -> list[int]:
        """Return the distance from every square to an entry, for our guards."""
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
        """Return the expected loss after a piece moves from `source` to `target`."""
        loss = self._opening if source in self._beside else 0.0
        for race in self._races:
            racer = self._cells[race.square]
            assert isinstance(racer, EnemyPiece)
            if race.square == target:
                piece = self._cells[source]
                assert isinstance(piece, OwnPiece)
                hit = racer.attacked_by(piece)
                loss += race.weight * hit.lose * 0.5
                continue
            best = -_FAR
            for at, guard in self._guards:
                distance = race.distances[target if at == source else at]
                spare = race.turns - 1 - distance
                if spare > best:
                    hit = racer.attacked_by(guard)
                    if hit.win + hit.tie > 0.5:
                        best = spare
            loss += race.weight * (0.0 if best > 1 else _LOST.get(best, 1.0))
        return loss
