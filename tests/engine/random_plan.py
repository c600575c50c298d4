"""Plan of a random game, determined by the game's number."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.board.geometry import Side
from engine.board.ranks import IMMOBILE, Army, Rank
from engine.rules.editions import EDITIONS, Edition, Handicap, MovedBombPenalty, Omission
from tests.engine.games import Game, shuffled

MOVABLE = [rank for rank in Rank if not IMMOBILE >> rank & 1 and rank is not Rank.INFILTRATOR]
CARELESS = 7
"""In one game out of this many, the players accept boards that differ from the referee's
position."""


HANDICAPPED = 1 / 3
"""Fraction of the games with full armies that are played with a handicap."""


@dataclass(frozen=True)
class Plan:
    number: int
    edition: Edition
    """Edition with the game's army and options."""
    kind: str
    """"whole" (armies as in the rulebook), "few" (few pieces), "chase", or "walled" (few movable
    pieces among bombs)."""
    rows: int
    columns: int
    plies: int
    """Maximum number of plies."""

    def __str__(self) -> str:
        edition = self.edition
        army = " ".join(f"{n}x{r.name.lower()}" for r, n in edition.army.counts.items() if n)
        chosen = [name for name in ("silent_defence", "aggressor_advantage") if vars(edition)[name]]
        if edition.moved_bomb_choices and edition.moved_bomb is MovedBombPenalty.LOSES:
            chosen.append("moved_bomb_loses")
        return (
            f"game {self.number} ({self.kind}) by {edition.id}, limit {edition.two_squares_limit}, "
            f"options: {', '.join(chosen) or 'none'}; each army {edition.army.name}: {army}; "
            f"handicap: {edition.handicap}"
        )

    def begin(self) -> Game:
        chance = random.Random(f"game {self.number}")
        edition = self.edition
        setup = shuffled(edition.army, chance, self.rows, self.columns, edition.handicap)
        peaceful, careless = self.kind == "chase", self.number % CARELESS == 0
        return Game(setup, self.edition, chance, peaceful=peaceful, careless=careless)


def plan(number: int) -> Plan:
    """Return the plan of the game with this number. Consecutive numbers cover all editions and
    kinds of games evenly."""
    chance = random.Random(f"plan {number}")
    number_of_kind, place = divmod(number, len(EDITIONS))
    edition = list(EDITIONS.values())[place]
    edition = replace(
        edition,
        two_squares_limit=chance.choice(edition.limits or (edition.two_squares_limit,)),
        moved_bomb=chance.choice(edition.moved_bomb_choices or (edition.moved_bomb,)),
        silent_defence=chance.random() < 0.3,
        aggressor_advantage=chance.random() < 0.3,
    )
    match number_of_kind % 4:
        case 0:
            edition = replace(edition, army=chance.choice(edition.armies))
            edition = with_handicap(edition, number)
            return Plan(number, edition, "whole", rows=4, columns=10, plies=400)
        case 1:
            army = _small(edition, chance, movable=4, bombs=2)
            return Plan(number, replace(edition, army=army), "few", 2, 10, plies=200)
        case 2:
            army = _small(edition, chance, movable=3, bombs=0, among=[Rank.SCOUT, Rank.MINER])
            return Plan(number, replace(edition, army=army), "chase", 2, 3, plies=200)
        case _:
            army = _small(edition, chance, movable=3, bombs=10)
            return Plan(number, replace(edition, army=army), "walled", 4, 4, plies=120)


def with_handicap(edition: Edition, number: int) -> Edition:
    """Return the edition, with a handicap added in one game out of three.

    The handicap has its own random generator, so choosing it does not affect the other random
    choices for a game.
    """
    chance = random.Random(f"handicap {number}")
    if chance.random() > HANDICAPPED:
        return edition
    omission = chance.choice([each for each in Omission if each is not Omission.NOTHING])
    return replace(edition, handicap=Handicap(chance.choice([*Side]), omission))


def _small(
    edition: Edition,
    chance: random.Random,
    movable: int,
    bombs: int,
    among: Sequence[Rank] = MOVABLE,
) -> Army:
    """Return a small army of random pieces, with the infiltrators that the edition provides."""
    ranks = [Rank.FLAG, *chance.choices(among, k=chance.randint(1, movable))]
    ranks += [Rank.BOMB] * chance.randint(bombs // 2, bombs)
    if any(army.counts[Rank.INFILTRATOR] for army in edition.armies):
        ranks += [Rank.INFILTRATOR] * chance.randint(0, 2)
    counts = Counter(ranks)
    return Army("small", {rank: counts[rank] for rank in Rank})
