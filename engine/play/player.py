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

    __slots__ = ("captured", "dossier", "unnamed")

    dossier: Dossier
    captured: Mapping[Rank, int]
    """The fallen pieces by rank: public, like the sorting trays of the rulebooks."""
    unnamed: Mapping[Piece, Secret[Rank]]
    """The declared ranks of defenders that stayed unnamed."""

    def __init__(
        self,
        dossier: Dossier,
        captured: Mapping[Rank, int] | None = None,
        unnamed: Mapping[Piece, Secret[Rank]] | None = None,
    ) -> None:
        """Begin a game with an army, or go on with it."""
        self.dossier = dossier
        self.captured = captured or {}
        self.unnamed = unnamed or {}

    def knowing(self, dossier: Dossier) -> "Player":
        """Return the player of whose army something else is known."""
        return self if dossier is self.dossier else Player(dossier, self.captured, self.unnamed)

    def losing(self, rank: Rank) -> "Player":
        """Return the player after the loss of a piece."""
        fallen = {**self.captured, rank: self.captured.get(rank, 0) + 1}
        return Player(self.dossier, fallen, self.unnamed)

    def keeping(self, unnamed: Mapping[Piece, Secret[Rank]]) -> "Player":
        """Return the player with other ranks that were declared and stayed unnamed."""
        return Player(self.dossier, self.captured, unnamed)

    @property
    def informed(self) -> Dossier:
        """What is known to one who has also heard the declarations that were not named aloud."""
        if not self.unnamed:
            return self.dossier
        return self.dossier.knowing({p: rank.unseal() for p, rank in self.unnamed.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Player):
            return NotImplemented
        losses = self.captured == other.captured and self.unnamed == other.unnamed
        return losses and self.dossier == other.dossier

    def __hash__(self) -> int:
        return hash(self.dossier)
