"""Choice of the computer's setup: people's setups, varied at random."""

import random
from typing import Final

from companion.opponent.setup_frequencies import PLACES, PLANS
from engine.board.geometry import NEIGHBOURS, SQUARES, WIDTH, Side, Square
from engine.board.ranks import SYMBOLS, Army, Rank
from engine.rules.editions import Edition

_HOME: Final = range(4 * WIDTH)
_PLANS: Final = PLANS.split()
_LETTERS: Final = {**SYMBOLS, "S": Rank.SPY, "M": Rank.MARSHAL}


def of_side(square: Square, side: Side) -> Square:
    """Map a square of Red's rows to the same place of a side's rows, or back."""
    return square if side is Side.RED else SQUARES[-1] - square


def choose_setup(edition: Edition, side: Side, chance: random.Random) -> dict[Square, Rank]:
    """Return a complete setup of a side's army, by board square; its flag is never bare.

    The pieces that a handicap takes away are removed from a setup of the whole army.
    """
    army = edition.army
    placed = _full_setup(army, chance) if army.size == len(_HOME) else _short_setup(army, chance)
    if chance.random() < 0.5:
        placed = {at + WIDTH - 1 - 2 * (at % WIDTH): rank for at, rank in placed.items()}
    placed = edition.without_omitted(side, placed)
    return {of_side(at, side): rank for at, rank in placed.items()}


def place_weight(place: Square, rank: Rank) -> int:
    """Return how often people put a rank on a place of Red's rows, in 1/10,000.

    An infiltrator is counted as a scout, which it replaces.
    """
    return PLACES[place][Rank.SCOUT if rank is Rank.INFILTRATOR else rank]


def _full_setup(army: Army, chance: random.Random) -> dict[Square, Rank]:
    """Return one of people's setups, with some pieces of similar use exchanged."""
    plan = chance.choice(_PLANS)
    placed = {at: _LETTERS[letter] for at, letter in enumerate(plan)}
    if army.counts[Rank.INFILTRATOR]:
        scouts = [at for at, rank in placed.items() if rank is Rank.SCOUT]
        placed[chance.choice(scouts)] = Rank.INFILTRATOR
    for _ in range(_EXCHANGES):
        _exchange(placed, chance)
    return placed


_EXCHANGES: Final = 8
"""Attempts to exchange two neighbours. They prevent a player who knows the 200 plans by heart
from deducing the rest of an army from a few pieces. Chosen by judgement, not measured."""
_ORDINARY: Final = range(Rank.SCOUT, Rank.COLONEL + 1)
"""Ranks that may be exchanged: bombs, flag, spy, general and marshal keep their plan."""


def _exchange(placed: dict[Square, Rank], chance: random.Random) -> None:
    """Exchange two neighbouring pieces of ordinary rank."""
    one = chance.choice(_HOME)
    other = chance.choice([at for at in NEIGHBOURS[one] if at in placed])
    if placed[one] in _ORDINARY and placed[other] in _ORDINARY:
        placed[one], placed[other] = placed[other], placed[one]


_CORNERS: Final = (4, 1, 1, 1, 1, 1, 1, 1, 1, 4)
"""Weights of the columns for the flag of a short army. A corner needs only two guards."""
_GUARDS: Final = (Rank.SPY, Rank.SCOUT, Rank.MINER)
"""Ranks placed beside the flag when no bombs are left."""


def _short_setup(army: Army, chance: random.Random) -> dict[Square, Rank]:
    """Return a setup of an army that does not fill its rows.

    The flag is on the back row, and every square beside it is occupied: on an open line a scout
    would capture it at once. In the first league 12 of 40 barrage games were lost in this way.
    """
    flag = chance.choices(range(WIDTH), _CORNERS)[0]
    placed = {flag: Rank.FLAG}
    beside = [at for at in NEIGHBOURS[flag] if at in _HOME]
    chance.shuffle(beside)
    left: list[Rank] = army.pieces
    left.remove(Rank.FLAG)
    others = [rank for rank in left if rank in _GUARDS]
    chance.shuffle(others)
    bombs = [Rank.BOMB] * army.counts[Rank.BOMB]
    guards: list[Rank] = [*bombs, *others]
    for at, rank in zip(beside, guards, strict=False):
        placed[at] = rank
        left.remove(rank)
    for rank in sorted(left, reverse=True):
        free = [at for at in _HOME if at not in placed]
        weights = [place_weight(at, rank) + 1 for at in free]
        placed[chance.choices(free, weights)[0]] = rank
    return placed
