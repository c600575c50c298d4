"""What a position remembers of one player besides the moves: what is known of the army."""

from collections.abc import Mapping

from engine.knowledge.dossier import Dossier
from engine.legality.board import Piece
from engine.ranks import Rank
from engine.secrecy import Secret


class Player:
    """One player's army as far as it is known, its losses, and what it has declared in silence.

    A player is a value, like the position it belongs to.
    """

    __slots__ = ("captured", "dossier", "sealed")

    dossier: Dossier
    captured: Mapping[Rank, int]
    """The fallen pieces by rank: public, like the sorting trays of the rulebooks."""
    sealed: Mapping[Piece, Secret[Rank]]
    """The declared ranks of defenders that stayed unnamed, also of those disproved since."""

    def __init__(
        self,
        dossier: Dossier,
        captured: Mapping[Rank, int] | None = None,
        sealed: Mapping[Piece, Secret[Rank]] | None = None,
    ) -> None:
        """Begin a game with an army, or go on with it."""
        self.dossier = dossier
        self.captured = captured or {}
        self.sealed = sealed or {}

    def knowing(self, dossier: Dossier) -> "Player":
        """Return the player of whose army something else is known."""
        return self if dossier is self.dossier else Player(dossier, self.captured, self.sealed)

    def losing(self, rank: Rank) -> "Player":
        """Return the player after the loss of a piece."""
        fallen = {**self.captured, rank: self.captured.get(rank, 0) + 1}
        return Player(self.dossier, fallen, self.sealed)

    def sealing(self, piece: Piece, rank: Secret[Rank]) -> "Player":
        """Return the player after one more declaration that stays unnamed."""
        return Player(self.dossier, self.captured, {**self.sealed, piece: rank})

    @property
    def unnamed(self) -> Mapping[Piece, Secret[Rank]]:
        """The declared ranks of defenders that stayed unnamed, as far as they can be true."""
        possible = self.dossier.possible
        return {p: rank for p, rank in self.sealed.items() if possible(p) >> rank.unseal() & 1}

    @property
    def informed(self) -> Dossier:
        """What is known to one who has also heard the declarations that were not named aloud."""
        if not self.sealed:
            return self.dossier
        return self.dossier.knowing({p: rank.unseal() for p, rank in self.unnamed.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Player):
            return NotImplemented
        losses = self.captured == other.captured and self.sealed == other.sealed
        return losses and self.dossier == other.dossier

    def __hash__(self) -> int:
        return hash(self.dossier)
