"""Known facts about one player's army, as part of a position."""

from collections.abc import Mapping
from typing import Any

from engine.board.board import Piece
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment
from engine.deduction.possible_ranks import RankDeduction


class PlayerState:
    """One player's army as far as it is known, its losses, and its secret declarations.

    A player is immutable, like the position it belongs to.
    """

    __slots__ = ("captured", "commitment", "deduction", "proved", "sealed")

    deduction: RankDeduction
    captured: Mapping[Rank, int]
    """Fallen pieces by rank: public, like the sorting trays of the rulebooks."""
    sealed: Mapping[Piece, Secret[Rank]]
    """Declared ranks of defenders that stayed unnamed, including ranks disproved since."""
    commitment: ArmyCommitment | None
    """With sealed armies: the player's commitments, as long as they count."""
    proved: Mapping[Piece, Rank] | None
    """Setup of the army, once the player has opened all commitments after the game."""

    def __init__(
        self,
        deduction: RankDeduction,
        captured: Mapping[Rank, int] | None = None,
        sealed: Mapping[Piece, Secret[Rank]] | None = None,
        commitment: ArmyCommitment | None = None,
        proved: Mapping[Piece, Rank] | None = None,
    ) -> None:
        """Create a player at the beginning of a game or during one."""
        self.deduction = deduction
        self.captured = captured or {}
        self.sealed = sealed or {}
        self.commitment, self.proved = commitment, proved

    def with_deduction(self, deduction: RankDeduction) -> "PlayerState":
        """Return the player with other facts about the army."""
        return self if deduction is self.deduction else self._with(deduction=deduction)

    def with_loss(self, rank: Rank) -> "PlayerState":
        return self._with(captured={**self.captured, rank: self.captured.get(rank, 0) + 1})

    def with_hidden_declaration(self, piece: Piece, rank: Secret[Rank]) -> "PlayerState":
        """Return the player after one more declaration that stays unnamed."""
        return self._with(sealed={**self.sealed, piece: rank})

    def with_commitment(self, commitment: ArmyCommitment | None) -> "PlayerState":
        """Return the player with these commitments; None voids them."""
        return self._with(commitment=commitment)

    def with_opened(self, army: Mapping[Piece, Rank]) -> "PlayerState":
        """Return the player whose army was opened."""
        return self._with(proved=army)

    @property
    def unnamed(self) -> Mapping[Piece, Secret[Rank]]:
        """Declared ranks of defenders that stayed unnamed, as far as they can be true."""
        possible = self.deduction.possible
        return {p: rank for p, rank in self.sealed.items() if possible(p) >> rank.unseal() & 1}

    @property
    def owner_notified(self) -> RankDeduction:
        """Deductions that also use the declarations that stayed unnamed."""
        if not self.sealed:
            return self.deduction
        return self.deduction.with_known({p: rank.unseal() for p, rank in self.unnamed.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlayerState):
            return NotImplemented
        losses = self.captured == other.captured and self.sealed == other.sealed
        seals = self.commitment == other.commitment and self.proved == other.proved
        return losses and seals and self.deduction == other.deduction

    def __hash__(self) -> int:
        return hash(self.deduction)

    def _with(self, **changed: Any) -> "PlayerState":
        """Return a copy with these changes."""
        player = PlayerState.__new__(PlayerState)
        player.deduction, player.captured, player.sealed = (
            self.deduction,
            self.captured,
            self.sealed,
        )
        player.commitment, player.proved = self.commitment, self.proved
        for name, value in changed.items():
            setattr(player, name, value)
        return player
