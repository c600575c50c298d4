"""The position as used by the search: pieces with rank probabilities, and the worth of attacks."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from companion.opponent.valuation import RANKS, SECRETS, Results, Worth
from engine.board.ranks import IMMOBILE, Rank

_SCALE: Final = 40.0
"""Gain at which an enemy is certain to attack one of our hidden pieces. Chosen by judgement, not
measured."""
_INFORMATION: Final = 0.8
"""Worth of learning a secret, as a share of its price. Less than 1, because what is learned has to
be remembered and used. Chosen by judgement, not measured."""
_SUSPICION: Final = 2.0
"""Factor for the odds of a bomb when we attack a piece that has not moved. The belief is right on
average over all pieces, but we attack the pieces whose chance of a bomb it underrates: in 30 games
against PeterNLewis 29 % of the pieces attacked by captains and higher ranks should have been bombs,
and 52 % were."""


class Exchange(NamedTuple):
    """Expected result of an attack."""

    win: float
    """Probability that the attacker wins."""
    lose: float
    tie: float
    gain: float
    """Expected worth of the enemy's losses minus ours: positive if we profit, whichever side
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
    """An enemy piece with the probabilities of its ranks."""

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
        """Return the expected result if one of our pieces attacks this one."""
        found = self._attacks.get(own.key)
        if found is None:
            found = self._attacks[own.key] = self._field.attack(own, self)
        return found

    def attacking(self, own: OwnPiece) -> Exchange:
        """Return the expected result if the enemy decides to attack our piece with this one."""
        found = self._defences.get(own.key)
        if found is None:
            found = self._defences[own.key] = self._field.defence(own, self)
        return found


Cell: TypeAlias = OwnPiece | EnemyPiece | None


class Field:
    """Evaluates fights for one decision."""

    def __init__(
        self,
        results: Results,
        worth: Worth,
        own_hidden: Sequence[Sequence[float]],
        caution: Sequence[float],
        curiosity: float,
        trade: float,
    ) -> None:
        """Prepare the evaluation of fights.

        Args:
            results: Combat results of the edition.
            worth: Worth of the ranks.
            own_hidden: Probability of each rank of our hidden pieces as the enemy sees it, for a
                piece that has not moved and for one that has.
            caution: Factor for our losses in attacks on hidden pieces, by the attacker's rank.
            curiosity: Factor for the worth of learning a rank.
            trade: Share of our piece's worth that a fight in which both fall does not cost.
        """
        self.results, self.worth = results, worth
        self._caution, self._curiosity = caution, curiosity
        self._trade = trade
        self._willing = [[self._will_attack(rank, seen) for rank in RANKS] for seen in own_hidden]

    def _will_attack(self, rank: int, seen: Sequence[float]) -> float:
        """Return the probability that the enemy attacks a hidden piece of ours with this rank."""
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
        secret = 0.0 if own.shown else SECRETS[own.rank]
        learnt = 0.0
        if not enemy.known:
            for rank, chance in enumerate(enemy.chances):
                learnt += chance * SECRETS[rank]
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
        secret = 0.0 if own.shown else SECRETS[own.rank]
        loss = -own.value
        lose_gain = (lost / lose if lose else 0.0) - secret
        tie_gain = (tied / tie if tie else 0.0) - own.value * (1 - self._trade)
        gain = win * loss + lose * lose_gain + tie * tie_gain
        return Exchange(win, lose, tie, gain, loss, lose_gain, tie_gain)

    def after_win(self, own: OwnPiece) -> OwnPiece:
        """Return our piece after a fight that has revealed its rank."""
        return own if own.shown else OwnPiece(own.rank, own.value, shown=True, moved=True)

    def survivor(self, own: Rank, enemy: EnemyPiece, *, enemy_attacks: bool) -> EnemyPiece:
        """Return an enemy piece after it has beaten one of our pieces."""
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
    """Return the chances of an attacked piece that has not moved, with a bomb more likely."""
    total = 1 + (_SUSPICION - 1) * chances[Rank.BOMB]
    found = [chance / total for chance in chances]
    found[Rank.BOMB] *= _SUSPICION
    return found
