"""What a position remembers of one player besides the moves: what is known of the army."""

from collections.abc import Mapping
from typing import Any

from engine.knowledge.dossier import Dossier
from engine.knowledge.pledge import Pledge
from engine.legality.board import Piece
from engine.ranks import Rank
from engine.secrecy import Secret


class Player:
    """One player's army as far as it is known, its losses, and what it has declared in silence.

    A player is a value, like the position it belongs to.
    """

    __slots__ = ("captured", "dossier", "pledge", "proved", "sealed")

    dossier: Dossier
    captured: Mapping[Rank, int]
    """The fallen pieces by rank: public, like the sorting trays of the rulebooks."""
    sealed: Mapping[Piece, Secret[Rank]]
    """The declared ranks of defenders that stayed unnamed, also of those disproved since."""
    pledge: Pledge | None
    """With sealed armies: what the player has promised, as long as it counts."""
    proved: Mapping[Piece, Rank] | None
    """How the army was set up, once the player has opened all seals after the game."""

    def __init__(
        self,
        dossier: Dossier,
        captured: Mapping[Rank, int] | None = None,
        sealed: Mapping[Piece, Secret[Rank]] | None = None,
        pledge: Pledge | None = None,
        proved: Mapping[Piece, Rank] | None = None,
    ) -> None:
        """Begin a game with an army, or go on with it."""
        self.dossier = dossier
        self.captured = captured or {}
        self.sealed = sealed or {}
        self.pledge, self.proved = pledge, proved

    def knowing(self, dossier: Dossier) -> "Player":
        """Return the player of whose army something else is known."""
        return self if dossier is self.dossier else self._with(dossier=dossier)

    def losing(self, rank: Rank) -> "Player":
        """Return the player after the loss of a piece."""
        return self._with(captured={**self.captured, rank: self.captured.get(rank, 0) + 1})

    def sealing(self, piece: Piece, rank: Secret[Rank]) -> "Player":
        """Return the player after one more declaration that stays unnamed."""
        return self._with(sealed={**self.sealed, piece: rank})

    def pledging(self, pledge: Pledge | None) -> "Player":
        """Return the player who has promised this; with None, of whom no promise counts."""
        return self._with(pledge=pledge)

    def proving(self, army: Mapping[Piece, Rank]) -> "Player":
        """Return the player who has shown how the army was set up."""
        return self._with(proved=army)

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
        seals = self.pledge == other.pledge and self.proved == other.proved
        return losses and seals and self.dossier == other.dossier

    def __hash__(self) -> int:
        return hash(self.dossier)

    def _with(self, **changed: Any) -> "Player":
        """Return the same player but for what is changed."""
        player = Player.__new__(Player)
        for name in Player.__slots__:
            setattr(player, name, changed.get(name, getattr(self, name)))
        return player
