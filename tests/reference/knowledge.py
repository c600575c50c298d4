"""Knowledge of an observer who sees only public ranks."""

from dataclasses import dataclass

from tests.reference.combat import fight
from tests.reference.dealing import possible_ranks
from tests.reference.pieces import Piece, Standing


@dataclass
class Knowledge:
    """Facts about all pieces, on the board or captured."""

    armies: dict[str, list[Piece]]
    facts: dict[Piece, set[str]]
    """Ranks of each piece that are compatible with the facts about that piece alone."""

    @classmethod
    def at_the_start(cls, standing: Standing) -> "Knowledge":
        """Begin with both armies, whose rank counts are public."""
        pieces = standing.values()
        armies = {side: [x for x in pieces if x.side == side] for side in ("red", "blue")}
        return cls(armies, {x: {y.rank for y in armies[x.side]} for x in pieces})

    def see_move(self, piece: Piece, steps: int) -> None:
        """Record a move. Bombs and flags never move, and only scouts move more than one step."""
        self.facts[piece] -= {"flag", "bomb"}
        if steps > 1:
            self.facts[piece] &= {"scout"}

    def see_fight(
        self, attacker: Piece, defender: Piece, *, named: bool, aggressor_advantage: bool
    ) -> None:
        """Record the attacker's rank and, if named, the defender's rank.

        If the defender's rank is not named, the observer knows only that the defender won.
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
        """Record the infiltrator's rank and the result of its guess."""
        self.facts[infiltrator] = {"infiltrator"}
        if other.rank == guess:
            self.facts[other] = {guess}
        else:
            self.facts[other] -= {guess}

    def see_proved(self, piece: Piece) -> None:
        """Record the rank of a piece laid aside face up. The facts about its army must already
        prove this rank."""
        assert self.possible(piece.side)[piece] == {piece.rank}
        self.facts[piece] = {piece.rank}

    def possible(self, side: str) -> dict[Piece, set[str]]:
        """Return the possible ranks of a side's pieces, taking the whole army into account."""
        army = self.armies[side]
        facts = [self.facts[piece] for piece in army]
        return dict(zip(army, possible_ranks([x.rank for x in army], facts), strict=True))
