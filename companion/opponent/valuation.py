"""Values of ranks and attacks, and the position as represented in the search.

One point is a tenth of a scout. Unless a comment says otherwise, all values were chosen by
judgement, not measured. In the league, moderate changes made no difference beyond noise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.board.ranks import IMMOBILE, Army, Rank
from engine.rules.editions import Edition
from engine.rules.movement import CombatResult, resolve

RANKS: Final = range(len(Rank))
Results: TypeAlias = tuple[tuple[int, ...], ...]
"""Result of an attack, indexed by the attacker's rank, then the defender's. 1: the attacker wins;
-1: the attacker falls; 0: both fall."""

FLAG_VALUE: Final = 500.0
"""Value of a flag. It is higher than that of any single exchange, but a 2 % chance of capturing the
flag does not justify the loss of a captain."""
BASE_VALUES: Final = {
    Rank.FLAG: FLAG_VALUE,
    Rank.SPY: 70.0,
    Rank.SCOUT: 10.0,
    Rank.MINER: 24.0,
    Rank.SERGEANT: 14.0,
    Rank.LIEUTENANT: 21.0,
    Rank.CAPTAIN: 33.0,
    Rank.MAJOR: 58.0,
    Rank.COLONEL: 95.0,
    Rank.GENERAL: 180.0,
    Rank.MARSHAL: 300.0,
    Rank.BOMB: 16.0,
    Rank.INFILTRATOR: 40.0,
}
"""Values of the ranks. The spy's value is high because a hidden spy keeps the enemy's marshal away
from all hidden pieces. With a value of 28 for the spy, the marshal level won 91 of 100 games
against PeterNLewis. With 70, it won 95 of the same games."""
_SECRET: Final = {
    Rank.SPY: 20.0,
    Rank.SCOUT: 1.0,
    Rank.MINER: 4.0,
    Rank.SERGEANT: 1.0,
    Rank.LIEUTENANT: 2.0,
    Rank.CAPTAIN: 4.0,
    Rank.MAJOR: 3.0,
    Rank.COLONEL: 6.0,
    Rank.GENERAL: 10.0,
    Rank.MARSHAL: 14.0,
    Rank.BOMB: 5.0,
    Rank.INFILTRATOR: 12.0,
}
_SECRETS: Final[tuple[float, ...]] = tuple(_SECRET.get(rank, 0.0) for rank in Rank)
"""Cost of revealing a rank for the first time."""
_RESERVED: Final = {Rank.MARSHAL: 36.0, Rank.GENERAL: 22.0, Rank.COLONEL: 10.0, Rank.MAJOR: 3.0}
"""Additional cost against a cautious enemy, which keeps its pieces hidden until our known pieces
come to them. With this cost, an earlier version won 46 of 90 games against Demon of Ignorance, and
without it, 14 of 41. Against PeterNLewis, which attacks more often, this cost did harm: the version
won 154 of 170 games with the cost, and 127 of 131 without it."""


def combat_results(edition: Edition) -> Results:
    return _results(edition.aggressor_advantage)


def find_secrets(reserve: float) -> list[float]:
    """Return the cost of revealing each rank for the first time.

    `reserve` says how cautious the enemy is, from 0 to 1.
    """
    costs = list(_SECRETS)
    for rank, cost in _RESERVED.items():
        costs[rank] += cost * reserve
    return costs


@cache
def _results(aggressor_advantage: bool) -> Results:
    codes = {CombatResult.ATTACKER_WINS: 1, CombatResult.DEFENDER_WINS: -1}
    return tuple(
        tuple(
            codes.get(resolve(one, other, aggressor_advantage=aggressor_advantage), 0)
            for other in Rank
        )
        for one in Rank
    )


@dataclass(frozen=True)
class Worth:
    """Values of the ranks of both armies in one position."""

    own: tuple[float, ...]
    enemy: tuple[float, ...]


def remaining(army: Army, captured: Mapping[Rank, int]) -> tuple[int, ...]:
    """Return the number of pieces of each rank that are still in play."""
    return tuple(army.counts.get(rank, 0) - captured.get(rank, 0) for rank in Rank)


def find_worth(own: tuple[int, ...], enemy: tuple[int, ...]) -> Worth:
    """Return the values of the ranks, given the remaining pieces of each rank in both armies."""
    return Worth(_army_worth(own, enemy), _army_worth(enemy, own))


def _army_worth(own: tuple[int, ...], enemy: tuple[int, ...]) -> tuple[float, ...]:
    values = [BASE_VALUES[rank] for rank in Rank]
    if not enemy[Rank.MARSHAL]:
        values[Rank.SPY] = 6.0  # the spy has no target left
    if enemy[Rank.BOMB]:
        # The last miners are valuable, because most flags are surrounded by bombs: in 65 of the 68
        # games against PeterNLewis that were not won, no miner was left at the end. The values 70,
        # 45, 30 and 24 gave the same results within the noise.
        scarce = {1: 160.0, 2: 95.0, 3: 55.0, 4: 35.0}
        values[Rank.MINER] = scarce.get(own[Rank.MINER], values[Rank.MINER])
    else:
        values[Rank.MINER] = 12.0
    _promote(values, own, enemy)
    return tuple(values)


def _promote(values: list[float], own: tuple[int, ...], enemy: tuple[int, ...]) -> None:
    """Raise the values of ranks that no rank in the other army can beat."""
    top = max((rank for rank in range(Rank.SCOUT, Rank.MARSHAL + 1) if enemy[rank]), default=0)
    best = BASE_VALUES[Rank.MARSHAL]
    for rank in range(Rank.SERGEANT, Rank.MARSHAL):
        if own[rank] and rank > top:
            # Invincible pieces decide the game, but if there are several, each is worth less.
            values[rank] = max(values[rank], 0.7 * best / own[rank])
        elif own[rank] and rank == top and enemy[rank]:
            values[rank] = max(values[rank], 0.5 * best / own[rank])


_SCALE: Final = 40.0
"""If the enemy expects no gain from an attack on one of our hidden pieces, the probability of the
attack is one half. It changes by the expected gain divided by this value, within limits. Chosen by
judgement, not measured."""
_INFORMATION: Final = 0.8
"""Value of learning an enemy rank, as a fraction of the cost of revealing that rank. The fraction
is less than 1, because the knowledge is only worth something if it is remembered and used. Chosen
by judgement, not measured."""
_SUSPICION: Final = 2.0
"""If we attack a piece that has not moved, the odds that it is a bomb are multiplied by this
factor. On average over all pieces, the estimate is right, but the pieces that we attack are bombs
more often than estimated. In 30 games against PeterNLewis, 29 % of the pieces attacked by our
captains and higher ranks should have been bombs according to the estimate. In fact, 52 % were."""


class Exchange(NamedTuple):
    """Expected result of an attack."""

    win: float
    """Probability that the attacker wins."""
    lose: float
    tie: float
    gain: float
    """Expected value of the enemy's losses minus ours. Positive if we profit, whichever side
    attacks."""
    win_gain: float
    """The gain if the attacker wins."""
    lose_gain: float
    tie_gain: float


class OwnPiece:
    """One of our pieces."""

    __slots__ = ("is_enemy", "key", "moved", "rank", "shown", "value")

    def __init__(self, rank: Rank, value: float, *, shown: bool, moved: bool) -> None:
        self.is_enemy = False
        self.rank, self.value, self.shown, self.moved = rank, value, shown, moved
        self.key = rank * 4 + 2 * shown + moved


class EnemyPiece:
    """An enemy piece with the probabilities of its possible ranks."""

    __slots__ = (
        "_attacks",
        "_defences",
        "_field",
        "chances",
        "is_enemy",
        "known",
        "mobile",
        "moved",
    )

    def __init__(self, field: "Field", chances: tuple[float, ...], *, moved: bool) -> None:
        self.is_enemy = True
        self._field, self.chances, self.moved = field, chances, moved
        self.known = max(chances) > 0.999
        self.mobile = 1 - chances[Rank.BOMB] - chances[Rank.FLAG]
        self._attacks: dict[int, Exchange] = {}
        self._defences: dict[int, Exchange] = {}

    def attacked_by(self, own: OwnPiece) -> Exchange:
        """Return the expected result if one of our pieces attacks this piece."""
        found = self._attacks.get(own.key)
        if found is None:
            found = self._attacks[own.key] = self._field.attack(own, self)
        return found

    def attacking(self, own: OwnPiece) -> Exchange:
        """Return the expected result if this piece may, but need not, attack our piece."""
        found = self._defences.get(own.key)
        if found is None:
            found = self._defences[own.key] = self._field.defence(own, self)
        return found


Cell: TypeAlias = OwnPiece | EnemyPiece | None


class Field:
    """Evaluates the possible fights of one position, for the choice of a turn."""

    def __init__(
        self,
        results: Results,
        worth: Worth,
        own_hidden: Sequence[Sequence[float]],
        caution: Sequence[float],
        curiosity: float,
        trade: float,
        secrets: Sequence[float],
    ) -> None:
        """Prepare the evaluation of fights.

        Args:
            results: Combat results in the edition.
            worth: Values of the ranks.
            own_hidden: Probabilities of our hidden ranks as the enemy sees them. The first row is
                for unmoved pieces, and the second for moved pieces.
            caution: Factor for our losses in attacks on hidden pieces, by the attacker's rank.
            curiosity: Factor for the value of learning a rank.
            trade: Fraction of our piece's value that does not count as lost if both pieces fall.
            secrets: Cost of revealing one of our ranks, and value of learning one of the enemy's.
        """
        self.results, self.worth = results, worth
        self._caution, self._curiosity = caution, curiosity
        self._trade = trade
        self._secrets = secrets
        self._willing = [[self._will_attack(rank, seen) for rank in RANKS] for seen in own_hidden]

    def _will_attack(self, rank: int, seen: Sequence[float]) -> float:
        """Return the probability that an enemy piece of this rank attacks our hidden piece."""
        if IMMOBILE >> rank & 1:
            return 0.0
        gain, ours, theirs = 0.0, self.worth.own, self.worth.enemy
        for own in RANKS:
            result = self.results[rank][own]
            gain += seen[own] * (
                (ours[own] if result >= 0 else 0.0) - (theirs[rank] if result <= 0 else 0.0)
            )
        return min(0.95, max(0.05, 0.5 + gain / _SCALE))

    def attack(self, own: OwnPiece, enemy: EnemyPiece) -> Exchange:
        row, worth = self.results[own.rank], self.worth.enemy
        win = lose = tie = won = tied = 0.0
        chances = enemy.chances if enemy.moved or enemy.known else _suspect_bomb(enemy.chances)
        for rank, chance in enumerate(chances):
            if not chance:
                continue
            result = row[rank]
            if result > 0:
                win += chance
                won += chance * worth[rank]
            elif result < 0:
                lose += chance
            else:
                tie += chance
                tied += chance * worth[rank]
        secret = 0.0 if own.shown else self._secrets[own.rank]
        learnt = 0.0
        if not enemy.known:
            for rank, chance in enumerate(enemy.chances):
                learnt += chance * self._secrets[rank]
            learnt *= _INFORMATION * self._curiosity
        bomb = chances[Rank.BOMB] / lose if lose and row[Rank.BOMB] < 0 else 0.0
        loss = own.value if enemy.known else own.value * (1 + self._caution[own.rank] * bomb)
        win_gain = (won / win if win else 0.0) - secret + learnt
        lose_gain = -loss + learnt
        tie_gain = (tied / tie if tie else 0.0) - own.value * (1 - self._trade)
        gain = win * win_gain + lose * lose_gain + tie * tie_gain
        return Exchange(win, lose, tie, gain, win_gain, lose_gain, tie_gain)

    def defence(self, own: OwnPiece, enemy: EnemyPiece) -> Exchange:
        worth = self.worth.enemy
        win = lose = tie = lost = tied = 0.0
        for rank, probability in enumerate(enemy.chances):
            if not probability or IMMOBILE >> rank & 1:
                continue
            result = self.results[rank][own.rank]
            chance = probability
            if own.shown:
                # The enemy knows both ranks, and makes no attack that it would lose.
                if result < 0 or (result == 0 and worth[rank] > own.value):
                    continue
            else:
                chance *= self._willing[own.moved][rank]
            if result > 0:
                win += chance
            elif result < 0:
                lose += chance
                lost += chance * worth[rank]
            else:
                tie += chance
                tied += chance * worth[rank]
        secret = 0.0 if own.shown else self._secrets[own.rank]
        loss = -own.value
        lose_gain = (lost / lose if lose else 0.0) - secret
        tie_gain = (tied / tie if tie else 0.0) - own.value * (1 - self._trade)
        gain = win * loss + lose * lose_gain + tie * tie_gain
        return Exchange(win, lose, tie, gain, loss, lose_gain, tie_gain)

    def after_win(self, own: OwnPiece) -> OwnPiece:
        """Return our piece after a fight that has revealed its rank."""
        return own if own.shown else OwnPiece(own.rank, own.value, shown=True, moved=True)

    def survivor(self, own: Rank, enemy: EnemyPiece, *, enemy_attacks: bool) -> EnemyPiece:
        """Return an enemy piece with the ranks that it can still have after beating ours."""
        if enemy.known:
            return enemy
        results = self.results
        kept = [
            chance if (results[rank][own] > 0 if enemy_attacks else results[own][rank] < 0) else 0.0
            for rank, chance in enumerate(enemy.chances)
        ]
        total = sum(kept)
        if not total:
            return enemy
        moved = enemy.moved or enemy_attacks
        return EnemyPiece(self, tuple(chance / total for chance in kept), moved=moved)


def _suspect_bomb(chances: Sequence[float]) -> list[float]:
    """Return the rank probabilities of an attacked piece, with a bomb made more likely."""
    total = 1 + (_SUSPICION - 1) * chances[Rank.BOMB]
    found = [chance / total for chance in chances]
    found[Rank.BOMB] *= _SUSPICION
    return found
