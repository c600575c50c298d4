"""Knowledge of an observer who sees only the ranks that are public."""

from dataclasses import dataclass

from tests.reference.combat import fight
from tests.reference.dealing import possible_ranks
from tests.reference.pieces import Piece, Standing


@dataclass
class Knowledge:
    """Known facts about every piece, on the board or fallen."""

    armies: dict[str, list[Piece]]
    facts: dict[Piece, set[str]]
    """Ranks that cannot be excluded for each piece when it is considered alone."""

    @classmethod
    def at_the_start(cls, standing: Standing) -> "Knowledge":
        """Begin with the armies: the number of pieces of each rank is public."""
        pieces = standing.values()
        armies = {side: [x for x in pieces if x.side == side] for side in ("red", "blue")}
        return cls(armies, {x: {y.rank for y in armies[x.side]} for x in pieces})

    def see_move(self, piece: Piece, steps: int) -> None:
        """Update after a move: flag and bombs never move, and only scouts move several squares."""
        self.facts[piece] -= {"flag", "bomb"}
        if steps > 1:
            self.facts[piece] &= {"scout"}

    def see_fight(
        self, attacker: Piece, defender: Piece, *, named: bool, aggressor_advantage: bool
    ) -> None:
        """Update with the attacker's rank, and the defender's unless it won and stays unnamed.

        The only known fact about an unnamed defender is that it won.
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
        """Update with the infiltrator's rank, and the result of its guess."""
        self.facts[infiltrator] = {"infiltrator"}
        if other.rank == guess:
            self.facts[other] = {guess}
        else:
            self.facts[other] -= {guess}

    def see_proved(self, piece: Piece) -> None:
        """Update with a piece that is laid aside face up, whose rank the whole army has proved."""
        assert self.possible(piece.side)[piece] == {piece.rank}
        self.facts[piece] = {piece.rank}

    def possible(self, side: str) -> dict[Piece, set[str]]:
        """Return the ranks that a side's pieces can have, taking the whole army into account."""
        army = self.armies[side]
        facts = [self.facts[piece] for piece in army]
        return dict(zip(army, possible_ranks([x.rank for x in army], facts), strict=True))
