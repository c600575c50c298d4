"""Tracks the setup: the pieces already placed and the sides that report that they are ready."""

from collections.abc import Mapping

from companion.core.events import ArmiesSealed, SealsMissing, SetupSeen
from companion.core.inputs import Ready
from engine.board.geometry import Side, Square, SquareSet, set_of, squares_in
from engine.board.ranks import Rank
from engine.deduction.commitment import ArmyCommitment
from engine.game.actions import PlaceArmies
from engine.rules.editions import Edition
from firmware_bridge.image import Image


class SetupWatch:
    """Counts the pieces of both armies during setup."""

    def __init__(self, edition: Edition) -> None:
        self.seen = SetupSeen(red=0, blue=0, astray=())
        self.ready: frozenset[Side] = frozenset()
        """The sides that have reported that their army is complete."""
        self.red: SquareSet = 0
        self.blue: SquareSet = 0
        self.commitments: dict[Side, ArmyCommitment] = {}
        self.seen_ranks: dict[Side, Mapping[Square, Rank]] = {}
        """Ranks that the referee can see on the pieces of each side."""
        self._edition = edition

    @property
    def placing(self) -> PlaceArmies | None:
        """The action that begins the game, once both sides are ready and no piece is misplaced."""
        if len(self.ready) < len(Side) or self.seen.astray:
            return None
        return PlaceArmies(self.red, self.blue, self.commitments, self.ranks)

    def count(self, image: Image) -> bool:
        """Count the pieces in an image. Return whether the counts have changed.

        A side whose army is no longer complete is no longer ready.
        """
        self.red, self.blue = (_standing(image, side) for side in Side)
        # A piece in the middle or in the other side's rows belongs to no army yet.
        astray = tuple(squares_in(image.occupied & ~(self.red | self.blue)))
        found = SetupSeen(self.red.bit_count(), self.blue.bit_count(), astray)
        is_news, self.seen = found != self.seen, found
        # A side that has lifted a piece must report again that it is ready, or the game could begin
        # without that piece.
        self.ready = frozenset(
            side for side in self.ready if self._is_complete(side) and not self.unsealed(side)
        )
        return is_news

    def take_seals(self, side: Side, commitment: ArmyCommitment) -> ArmiesSealed | None:
        """Accept a side's seals, which replace any earlier seals of the side.

        If the rules do not require seals, only the computer's army is sealed. The seals of the
        computer are final: any later seals are ignored, and the method returns None.
        """
        if not self._edition.sealed_armies and self.commitments:
            return None
        self.commitments[side] = commitment
        # New seals mean a new setup, so the side has to report again that it is ready.
        self.ready -= {side}
        return ArmiesSealed(side)

    def take_ready(self, command: Ready) -> Ready | SetupSeen | SealsMissing:
        """Accept a side's report that its army is complete, or return the problem with the army."""
        side = command.side
        if not self._is_complete(side) or self.seen.astray:
            return self.seen
        if unsealed := self.unsealed(side):
            return SealsMissing(side, tuple(squares_in(unsealed)))
        self.ready |= {side}
        return command

    def unsealed(self, side: Side) -> SquareSet:
        """Return the squares where a side's army differs from its seals.

        The result is empty for a side that needs no seals and has none.
        """
        commitment = self.commitments.get(side)
        if commitment is None and not self._edition.sealed_armies:
            return 0
        return self.standing(side) ^ (commitment.squares if commitment else 0)

    @property
    def ranks(self) -> dict[Square, Rank]:
        """Ranks that the referee has seen, for each army that has not changed its squares since."""
        return {
            square: rank
            for side, ranks in self.seen_ranks.items()
            # If the army has changed since its ranks were seen, they may be wrong.
            if set_of(ranks) == self.standing(side)
            and sorted(ranks.values()) == sorted(self._edition.army_of(side).pieces)
            for square, rank in ranks.items()
        }

    def standing(self, side: Side) -> SquareSet:
        """Return the squares of a side's pieces in its own rows."""
        return self.red if side is Side.RED else self.blue

    # Only the number of pieces is checked, because a small army may be anywhere in its rows.
    def _is_complete(self, side: Side) -> bool:
        standing = self.seen.red if side is Side.RED else self.seen.blue
        return standing == self._edition.army_of(side).size


def _standing(image: Image, side: Side) -> SquareSet:
    """Return the squares of a side's pieces in its own rows."""
    return (image.of(side) | image.unknown) & side.home
