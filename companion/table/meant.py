"""Attacks the players may have intended although the sensors did not show them; offered to them.

A tap may be too light or too short for an attack, a piece may cover another so that no sensor shows
it, and on a flickering sensor a piece is debounced for longer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from companion.table.question import Deed, Question
from companion.table.reader import Reader
from companion.table.story import Story, Turn, from_its_turn
from engine.board.geometry import BESIDE, Side, Square, SquareSet, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Amend, Attack, Move
from engine.game.referee import Referee
from firmware_bridge.sensing.hypotheses import Held

HELD_BESIDE: Final = 2.0
"""Time for which a piece is held beside one it may attack before that attack is offered, in
seconds: one piece may cover the other, or lean on it, without a change of any sensor."""
HELD_BESIDE_COLOURLESS: Final = 1.0
"""The same on a board without colours, in seconds: it never shows that one piece covers another."""
HELD_FAR: Final = 2.5
"""The same where only a scout could attack, from further away, in seconds."""
HELD_AGAIN: Final = 0.8
"""The same for a piece that has just moved, in seconds: it seems to be meant for more."""
MOST_OFFERED: Final = 4
"""Maximum number of attacks that are offered: in a longer list the players would not find the right
one."""

GoesOn: TypeAlias = Attack | Amend
"""An attack, in a turn of its own or as the end of the turn before."""


@dataclass(frozen=True)
class Meant:
    """Lists the turns that may have been meant, at one time of a game."""

    referee: Referee
    reader: Reader
    ruled: tuple[Turn, ...]
    """The turns that are ruled and may still be amended."""
    asked: Question
    """The question or offer that is open already."""
    sees_colours: bool
    flickering: SquareSet
    moved: Turn | None
    """The latest turn that the hands made."""
    withdrawn: Attack | Amend | None = None
    """The attack that was opened from two lifted pieces, and withdrawn, in this turn."""

    def deeds(self, story: Story) -> Iterator[Deed]:
        """List the turns that the hands of a story may have meant, some of them twice."""
        pending = story.turns[len(self.ruled) :]
        if not all(map(story.is_in_hand_again, pending)):
            return
        # Two other lifted pieces are another attack.
        if self.withdrawn and len({held.piece.side for held in story.held}) < len(Side):
            yield from self.attacks_from(self.withdrawn.source, [self.withdrawn.target])
        for told in self.reader.stories:
            if told.unlikeliness != story.unlikeliness:
                break  # which of two lifted pieces was held over another cannot be seen
            for tap in told.taps:
                if (place := told.place_of(tap.piece)) is not None:
                    yield from self.attacks_from(place, [tap.target])
        yield from self._strikes_offered(story)
        # The other side may look at its pieces at the same time, and this side at a second piece.
        own = [each for each in story.held if each.piece.side is self.referee.to_move]
        others = story.held if len(story.held) == 1 else ()
        for each in own or others:
            held = self.as_ruled(from_its_turn(each, pending))
            if self.reader.has_stood(held.lifted.by, self._patience(story)):
                yield from self._moves_unseen(held)
                yield from self._attacks_unseen(held)

    def _attacks_unseen(self, held: Held) -> Iterator[GoesOn]:
        """List the attacks that a held piece may have made, if they are few."""
        enemies = squares_in(self.referee.position.board.of(held.piece.side.other))
        attacks = list(self.attacks_from(held.source, enemies))
        begun = [turn.source for turn in self.ruled if turn.target == held.source]
        stood = (held.source, *begun)
        beside = [each for each in attacks if any(BESIDE[s] >> each.target & 1 for s in stood)]
        if attacks and (beside or self.reader.has_stood(held.lifted.by, HELD_FAR)):
            is_scout = self.referee.position.ranks_at(held.source) == 1 << Rank.SCOUT
            found = attacks if is_scout else beside or attacks
            yield from found if len(found) <= MOST_OFFERED else ()

    def as_ruled(self, held: Held) -> Held:
        """Return a held piece as coming from the target of its ruled turn.

        That is its square in the referee's position, wherever it was since.
        """
        for turn in self.ruled:
            if turn.piece == held.piece:
                return replace(held, source=turn.target)
        return held

    def _patience(self, story: Story) -> float:
        if any(map(story.is_in_hand_again, story.turns)):
            return HELD_AGAIN
        return HELD_BESIDE if self.sees_colours and not self.flickering else HELD_BESIDE_COLOURLESS

    def _moves_unseen(self, held: Held) -> Iterator[Move]:
        """List the moves of a piece to flickering squares, where it is debounced slowly."""
        if held.piece.side is not self.referee.to_move:
            return
        for target in squares_in(self.flickering & ~self.referee.position.board.occupied):
            if not self.referee.find_violation(held.source, target):
                yield Move(held.source, target)

    def _strikes_offered(self, story: Story) -> Iterator[GoesOn]:
        """Continue to offer an attack by the piece that has just moved, until the next turn.

        Such a piece was lifted again beside another one; by now it may be back on its square.
        """
        again = any(map(story.is_in_hand_again, story.turns))
        for answer in () if again or self.asked.interrupts else self.asked.answers:
            if isinstance(attack := answer.attack, Amend):
                yield from self.attacks_from(attack.source, [attack.target])

    def attacks_from(self, source: Square, targets: Iterable[Square]) -> Iterator[GoesOn]:
        """List the attacks that a piece may make in its turn, or in the one it has just made."""
        board = self.referee.position.board
        for target in targets:
            if board.side_at(source) is self.referee.to_move:
                if not self.referee.find_violation(source, target):
                    yield Attack(source, target)
            elif board.side_at(target) is self.referee.to_move and self._goes_on(source, target):
                yield Amend(source, target)

    def attacks_in_hand(self, source: Square, target: Square, *, begun: bool) -> list[GoesOn]:
        """List the attacks that the rules allow between two lifted pieces.

        A side that has lifted its own piece first has begun its turn, so the other's is over.
        """
        attacks: list[GoesOn] = []
        if not self.referee.find_violation(source, target):
            attacks.append(Attack(source, target))
        if not (begun and attacks) and self._goes_on(target, source):
            attacks.append(Amend(target, source))
        return attacks

    def _goes_on(self, source: Square, target: Square) -> bool:
        """Whether the piece that has just moved may end its turn with this attack."""
        if self.ruled:
            return self.referee.can_amend(source, target)
        return self.referee.can_strike_on(source, target)
