"""Proposals to adopt the board: one side claims that it is right, and the other agrees.

Both claim it of the same board and name the same side to move. As soon as the board shows something
else, the first claim is void: no side can agree to a position that it could not see.
"""

from dataclasses import replace

from companion.table.claim import Claim, Claimed, read_claim
from companion.table.events import BoardOffered
from companion.table.proceedings import Proceedings
from companion.table.sight import Sight
from companion.table.transitions import TRANSITIONS, Cause
from engine.board.geometry import Side
from engine.game.actions import Action
from engine.game.rulings import BoardRefused, Ruling, refuses
from firmware_bridge.image import Image


class Consent:
    """Proposals to adopt the board as it is, where it differs from the referee's position."""

    def __init__(self, proceedings: Proceedings, sight: Sight) -> None:
        """Create the proposals of a game."""
        self.offer: BoardOffered | None = None
        """The proposal of one side that waits for the agreement of the other."""
        self._proceedings = proceedings
        self._sight = sight
        self._read: tuple[tuple[Image, int], Claimed | None] | None = None
        """Cache: the latest image and number of actions, with the claim that was read from them."""
        proceedings.listen(self._take_answer)

    @property
    def is_open(self) -> bool:
        """Whether the board differs from the referee, and nothing else has to be settled first."""
        state = self._proceedings.state
        is_turn = self._proceedings.referee.phase.is_turn
        return is_turn and bool(state.difference) and Cause.ACCEPTED in TRANSITIONS[type(state)]

    @property
    def claim(self) -> Claimed | None:
        """The claim that both sides would agree to, or why they cannot; None if nothing differs."""
        seen = self._sight.image
        if not self.is_open or seen is None or not self._sight.is_connected:
            return None
        referee = self._proceedings.referee
        at = seen, len(referee.actions)
        if self._read is None or self._read[0] != at:
            self._read = at, read_claim(referee.position, seen)
        return self._read[1]

    def hear(self, side: Side, to_move: Side) -> None:
        """Handle a side's claim that the board is right, and whose turn it is."""
        claim = self.claim
        if claim is None:
            return
        if isinstance(claim, BoardRefused):
            self._proceedings.tell(claim)
            return
        offer = BoardOffered(side, claim.shifted, claim.removed, to_move)
        if self.offer == replace(offer, side=side.other):
            self._proceedings.attempt(claim.board(to_move))
        elif self.offer != offer:
            self.offer = offer
            self._proceedings.tell(offer)

    def see(self) -> None:
        """Update from the board: a proposal is void once the board shows something else."""
        if self.offer is None:
            return
        offered = Claim(self.offer.shifted, self.offer.removed)
        if self.claim != offered:
            self.offer = None

    def _take_answer(self, _: Action, rulings: tuple[Ruling, ...]) -> None:
        if not refuses(rulings):
            self.offer = None
