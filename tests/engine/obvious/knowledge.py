"""What is known to those who see no rank but the ranks that are shown to all."""

from dataclasses import dataclass

from tests.engine.obvious.combat import fight
from tests.engine.obvious.dealing import possible_ranks
from tests.engine.obvious.pieces import Piece, Standing


@dataclass
class Knowledge:
    """What has been seen of every piece, standing or fallen."""

    armies: dict[str, list[Piece]]
    facts: dict[Piece, set[str]]
    """The ranks that nobody can exclude, for each piece by itself."""

    @classmethod
    def at_the_start(cls, standing: Standing) -> "Knowledge":
        """Begin with the armies: how many pieces there are of each rank is known to all."""
        pieces = standing.values()
        armies = {side: [x for x in pieces if x.side == side] for side in ("red", "blue")}
        return cls(armies, {x: {y.rank for y in armies[x.side]} for x in pieces})

    def see_move(self, piece: Piece, steps: int) -> None:
        """Neither the flag nor a bomb moves, and only a scout goes further than one square."""
        self.facts[piece] -= {"flag", "bomb"}
        if steps > 1:
            self.facts[piece] &= {"scout"}

    def see_fight(
        self, attacker: Piece, defender: Piece, *, named: bool, aggressor_advantage: bool
    ) -> None:
        """See the attacker's rank, and the defender's unless it won and is not named.

        Of a defender that is not named, nothing is known but that it won.
        """
        self.facts[attacker] = {attacker.rank}
        if named:
            self.facts[defender] = {defender.rank}
        else:
            self.facts[defender] = {
                rank
                for rank in self.facts[defender]
                if fight(attacker.rank, rank, aggressor_advantage) == "defender"
            }

    def see_guess(self, infiltrator: Piece, other: Piece, guess: str) -> None:
        """See who the infiltrator is, and whether it guessed right."""
        self.facts[infiltrator] = {"infiltrator"}
        if other.rank == guess:
            self.facts[other] = {guess}
        else:
            self.facts[other] -= {guess}

    def possible(self, side: str) -> dict[Piece, set[str]]:
        """Return the ranks that the pieces of a side can have, as its whole army proves it."""
        army = self.armies[side]
        facts = [self.facts[piece] for piece in army]
        return dict(zip(army, possible_ranks([x.rank for x in army], facts), strict=True))
