"""Recovery: reports misplaced pieces, and guides the players in restoring the board."""

from dataclasses import dataclass, replace
from typing import Final

from companion.core.events import BoardDiffers, BoardOffered, CleanupRequired, LossWarning, Restored
from companion.core.explanation import MisplacedMarker
from companion.core.game_context import GameContext
from companion.core.lifted_pieces import note_touch
from companion.core.move_recognizer import MoveRecognizer
from companion.core.observed_board import ObservedBoard
from companion.core.piece_matching import BoardProposal, Claimed, propose
from companion.core.prompts import GoesOn, PlayerPrompts, PossibleAttacks
from companion.core.recognition_limits import LIMITS
from companion.core.state import (
    NO_DIFFERENCE,
    TRANSITIONS,
    Cause,
    Clearing,
    Disturbed,
    LossPending,
    MovePending,
)
from engine.board.geometry import BESIDE, WIDTH, Side, Square, SquareSet, set_of, squares_in
from engine.game import actions
from engine.game.referee import Referee
from engine.game.rulings import AdoptionRejected, Ruling
from engine.rules.editions import MovedBombPenalty
from engine.rules.rules import ViolationKind
from firmware_bridge.image import Image, ImageDifference, compare


class BoardRecovery:
    """Reports differences between board and position, and guides the players in correcting them."""

    def __init__(
        self,
        context: GameContext,
        sight: ObservedBoard,
        reader: MoveRecognizer,
        asking: PlayerPrompts,
    ) -> None:
        self._context = context
        self._referee = context.referee
        self._sight = sight
        self._reader = reader
        self._asking = asking

    def guide(self, difference: ImageDifference) -> None:
        """Report once that no turn explains the position on the board, and which squares differ."""
        state = self._context.state
        if left := self._what_is_left(difference):
            # The bump may have moved the piece, or the players may have taken their move back. Only
            # the players know.
            if self._reader.has_stood(self._reader.watch.changed_at, LIMITS.undone_move_seconds):
                self._asking.ask([left], difference)
            return
        if state.difference == difference and not state.violation:
            return
        self._context.transition(Cause.UNEXPLAINED, difference=difference)
        self._context.emit(BoardDiffers(difference, self._context.expected))

    def is_taken(self, difference: ImageDifference) -> bool:
        """Whether the board is already disturbed and no further square differs."""
        state = self._context.state
        before = state.difference
        more = difference.missing & ~before.missing | difference.surplus & ~before.surplus
        return isinstance(state, Disturbed) and not more

    def is_awaited(self, difference: ImageDifference) -> bool:
        """Whether the game waits for a missing piece."""
        return bool(difference.missing & self._sight.awaited)

    def is_in_hands(self, difference: ImageDifference) -> bool:
        """Whether no piece is on a wrong square, and hands can hold all the missing pieces."""
        standing = self._context.expected
        return not (difference.surplus or self.is_awaited(difference)) and all(
            (difference.missing & standing.of(side)).bit_count() <= LIMITS.most_lifted_after_bump
            for side in Side
        )

    def report_violation(
        self, wrong: MisplacedMarker, meant: PossibleAttacks, difference: ImageDifference
    ) -> None:
        """Report the rule that a placement violates, or ask about a possible harmless cause."""
        state = self._context.state
        if wrong.violation == state.violation and state.difference == difference:
            return
        if self._context.state.waits_for_answer and state.difference == difference:
            return
        # Harmless causes are checked first, then the loss of the game, and then ordinary
        # violations.
        if shoved := self._shoved(wrong, meant):
            self._asking.ask(shoved, difference)
        elif self._may_be_taken_back(wrong):
            self._asking.ask([actions.TakeBack()], difference)
        elif self._would_lose(wrong):
            self._warn(wrong, difference)
        else:
            # The touch is submitted before the violation is reported, because touch-move applies
            # even if the piece is put back at once.
            if not meant.ruled and self._is_carried_off(wrong):
                note_touch(self._context, self._reader, actions.Touch(wrong.source, carried=True))
            self._context.transition(
                Cause.FORBIDDEN,
                violation=wrong.violation,
                refused=self._as_turn(wrong),
                difference=difference,
                out_of_turn=self._context.side_out_of_turn(wrong.source),
            )
            if state.violation != wrong.violation:
                self._context.emit(wrong.violation)

    def _is_carried_off(self, wrong: MisplacedMarker) -> bool:
        """Whether touch-move applies to a piece because it was set down far from its square.

        Adjacent squares do not count, because a player who only looks at a piece keeps it near its
        square.
        """
        rows = abs(wrong.source // WIDTH - wrong.target // WIDTH)
        columns = abs(wrong.source % WIDTH - wrong.target % WIDTH)
        is_far = max(rows, columns) > 1 and not wrong.is_pushed
        return is_far and self._referee.can_touch(wrong.source, carried=True)

    def _warn(self, wrong: MisplacedMarker, difference: ImageDifference) -> None:
        """Warn that moving a bomb or flag loses the game, or end the game when the time is up."""
        state = self._context.state
        if self._reader.has_stood(wrong.released, LIMITS.moved_bomb_loses_seconds):
            self._context.submit(self._as_turn(wrong))
        elif not isinstance(state, LossPending) or state.difference != difference:
            self._context.transition(Cause.PUSHED, difference=difference)
            self._context.emit(LossWarning(difference, self._context.expected))

    def _shoved(self, wrong: MisplacedMarker, meant: PossibleAttacks) -> list[GoesOn]:
        """List the attacks that may look like this placement on a board without colours.

        The attacker may have shoved its target aside. In that case, the piece on the illegal square
        looks like the attacker but is the target.
        """
        is_mover = wrong.piece.side is self._referee.to_move
        if self._sight.sees_colours or not is_mover or self._asking.dismissed is not None:
            return []
        enemies = self._referee.position.board.of(wrong.piece.side.other)
        beside = squares_in(BESIDE[wrong.target] & enemies)
        return list(meant.attacks_from(wrong.source, beside))

    def _may_be_taken_back(self, wrong: MisplacedMarker) -> bool:
        """Whether the placement may mean that the players have taken the latest move back."""
        position = self._referee.position
        is_back = position.last_move == (wrong.target, wrong.source)
        is_open = not self._asking.is_declined(actions.TakeBack())
        return is_back and position.last_combat is None and is_open

    def _what_is_left(self, difference: ImageDifference) -> actions.TakeBack | actions.Amend | None:
        """Return the one change to the last move that fully explains the board, or None.

        If the moved piece is on the square where the move began, either the players took the move
        back, or the disturbance of the board moved the piece back. If the moved piece is on another
        legal square, the move ended there.

        The result is also None if the players have already denied the change.
        """
        position, left = self._referee.position, difference.surplus
        last = position.last_move
        is_over = isinstance(self._context.state, Disturbed) or self._context.state.waits_for_answer
        if last is None or not is_over or left.bit_count() != 1 or position.last_combat:
            return None
        in_hands = ImageDifference(difference.missing & ~(1 << last[1]), surplus=0)
        if not difference.missing >> last[1] & 1 or not self.is_in_hands(in_hands):
            return None
        (place,) = squares_in(left)
        action = actions.TakeBack() if place == last[0] else actions.Amend(last[1], place)
        if isinstance(action, actions.Amend) and (
            position.board.side_at(place) or not self._referee.can_amend(last[1], place)
        ):
            return None
        return None if self._asking.is_declined(action) else action

    def _as_turn(self, wrong: MisplacedMarker) -> actions.Move | actions.Attack:
        is_attack = self._referee.position.board.side_at(wrong.target) is not None
        return (actions.Attack if is_attack else actions.Move)(wrong.source, wrong.target)

    def _would_lose(self, wrong: MisplacedMarker) -> bool:
        """Whether a bomb or flag was moved in a way that loses the game.

        Moving a bomb or flag whose rank has been open from the start deceives no one, so it does
        not lose the game.
        """
        loses = self._referee.edition.moved_bomb is MovedBombPenalty.LOSES
        if not loses or wrong.violation.fault is not ViolationKind.IMMOBILE:
            return False
        piece = self._referee.position.pieces[wrong.source]
        return piece not in self._referee.ranks_seen


# While a combat is being decided and its pieces are being removed, some differences are tolerated.
# The players may carry the two pieces around or put both back. A shoved piece may be on any square,
# and a loser may be set down anywhere before it is removed.

_OPENS: Final = (actions.Attack, actions.Amend, actions.Infiltrate, actions.Override)


def stopover(referee: Referee) -> SquareSet:
    """Return the square from which the latest attack was made, such as a scout's last stop.

    A scout that ended its move with the attack may stay on that square until the cleanup is
    complete.
    """
    began = next(action for action in reversed(referee.in_force) if isinstance(action, _OPENS))
    return 1 << began.source


def fought_over(referee: Referee) -> SquareSet:
    assert referee.position.last_move
    return set_of(referee.position.last_move) | stopover(referee)


def may_be_fought(
    squares: SquareSet, difference: ImageDifference, seen: Image, expected: Image
) -> bool:
    """Whether the undecided combat on `squares` may explain every difference on the board.

    Players may also look at other pieces during the combat.
    """
    if (difference.missing & ~squares).bit_count() > LIMITS.most_lifted_in_combat:
        return False
    for side in Side:
        own = difference.surplus & (seen.of(side) | seen.unknown)
        away = difference.missing & squares & expected.of(side)
        # If a side's combatant is missing, it may have been shoved or put down on any other square.
        # Any further piece on a wrong square was moved deliberately.
        is_about = away.bit_count() > (own & squares).bit_count()
        if (own & ~squares).bit_count() > is_about:
            return False
    return True


@dataclass(frozen=True)
class UnclearedCombat:
    """A combat that has not been fully resolved yet."""

    target: Square
    sources: SquareSet
    """Square from which the attacker came, and any square where it was set down on the way."""
    attacker: Side
    winner: Side | None

    def explains(self, difference: ImageDifference, seen: Image) -> bool:
        """Whether the combat can account for every difference on the board."""
        if difference.missing & ~(1 << self.target) or not difference.surplus:
            return False
        for side in Side:
            about = difference.surplus & seen.of(side)
            if about.bit_count() > 1:
                return False
            # The winner may be back on its own square. If it is on any other square, it has moved.
            if about and side is self.winner:
                is_back = side is self.attacker and not about & ~self.sources
                if not is_back or not difference.missing:
                    return False
        return difference.surplus.bit_count() <= len(Side)


# After a combat or a take-back, the next turn begins as soon as the board shows the result. Only
# the losers may stay on the board a little longer.


class Cleanup:
    """Ensures that the board shows the referee's position before the game continues."""

    def __init__(self, context: GameContext, sight: ObservedBoard, reader: MoveRecognizer) -> None:
        self.uncleared: UnclearedCombat | None = None
        """The latest combat, while the pieces that lost it may still be on the board."""
        self.due: float | None = None
        """Time by which the losers must be removed, or None."""
        self._context = context
        self._referee = context.referee
        self._sight = sight
        self._reader = reader
        context.listen(self._take_answer)

    def watch(self, seen: Image) -> None:
        """Report what the players still have to change on the board, or continue the game."""
        difference, state = compare(seen, self._context.expected), self._context.state
        if self._has_to_wait(difference):
            if self._sight.is_settled(LIMITS.cleanup_reminder_seconds):
                self._report(difference)
        elif self._sight.has_stood(LIMITS.cleared_board_seconds):
            is_made = isinstance(state, MovePending) and state.is_plain
            self._begin_cleanup()
            self._context.transition(Cause.CLEARED, is_off=bool(state.difference) and not is_made)

    def _report(self, difference: ImageDifference) -> None:
        """Report what still has to be changed, unless this was reported with the move itself."""
        kept: dict[str, object] = {}
        match self._context.state:
            case MovePending(difference=reported) if reported == difference:
                return
            case MovePending(move=move):
                kept = {"move": move}
            case Clearing(reveal=reveal):
                kept = {"reveal": reveal}
        self._context.transition(Cause.DIFFERS, difference=difference, **kept)
        self._context.emit(CleanupRequired(difference, self._context.expected))

    def advance(self) -> None:
        """Check whether the time for removing the losers has expired."""
        if self.due is not None and self._context.at >= self.due:
            self._end_cleanup()

    def _has_to_wait(self, difference: ImageDifference) -> bool:
        """Whether the board still has to change before the game can continue.

        For a pending combat or move, only its own squares count.
        """
        if isinstance(self._context.state, MovePending):
            move = self._context.state.move
            # The player may already have lifted the piece for the next turn.
            differs = difference.missing | difference.surplus
            return bool(differs & set_of((move.source, move.target)))
        if isinstance(self._context.state, Clearing):
            differs = difference.missing | difference.surplus
            # Only the squares of the combat count, because players continue the game while the
            # losers are still on the board.
            return bool(differs & fought_over(self._referee))
        return bool(difference)

    def _begin_cleanup(self) -> None:
        state, combat = self._context.state, self._referee.position.last_combat
        if combat is None or not isinstance(state, Clearing):
            return
        sources = 1 << combat.source | stopover(self._referee)
        self.uncleared = UnclearedCombat(combat.target, sources, combat.side, combat.winner)
        self.due = self._context.at + LIMITS.losers_remain_seconds
        sees_colours = self._sight.sees_colours
        # A board with colours shows which piece won, so a turn by the winner is submitted after the
        # usual time at rest.
        self._reader.cleanup_squares = 0 if sees_colours else fought_over(self._referee)
        self._reader.losers = frozenset(side for side in Side if side is not combat.winner)
        self._reader.cleared_at = self._context.at

    def _end_cleanup(self) -> None:
        self.uncleared = self.due = None
        self._reader.cleanup_squares = 0
        self._reader.losers = frozenset()

    def _take_answer(self, action: actions.Action, _: tuple[Ruling, ...]) -> None:
        if isinstance(action, actions.TakeBack | actions.AdoptBoard):
            self._end_cleanup()


# While a declaration, an answer or a decision is pending, the pieces concerned may be anywhere, but
# all other pieces should stay on their squares.


class DeclarationWatch:
    """Watches the board during a declaration, a dispute, a guess or a stalemate claim."""

    def __init__(self, context: GameContext, sight: ObservedBoard) -> None:
        self._context = context
        self._referee = context.referee
        self._sight = sight

    def watch(self, seen: Image) -> None:
        """Report a disturbance once it has lasted for long enough.

        Only a piece on a wrong square counts, because players often lift pieces just to look at
        them.
        """
        difference = self._disturbance(seen)
        if not difference.surplus:
            difference = NO_DIFFERENCE
        if not self._sight.is_settled(
            LIMITS.declaration_disturbance_seconds if difference else LIMITS.cleared_board_seconds
        ):
            return
        if difference:
            self._context.emit(BoardDiffers(difference, self._context.expected))
        elif self._context.state.difference:
            self._context.emit(Restored())
        self._context.transition(Cause.DIFFERS, difference=difference)

    def _disturbance(self, seen: Image) -> ImageDifference:
        """Return how the board differs from the position before the open attack or infiltration.

        Pieces that take part in the attack or infiltration may be anywhere. While a side is asked
        whether it can move, all pieces must stay on their squares.
        """
        expected = self._context.expected
        difference = compare(seen, expected)
        if opened := self._referee.open_attack or self._referee.open_guess:
            squares = set_of((opened.source, opened.target)) | stopover(self._referee)
            if may_be_fought(squares, difference, seen, expected):
                return NO_DIFFERENCE
            return ImageDifference(difference.missing & ~squares, difference.surplus & ~squares)
        return difference


# One side claims that the board is right, and the other side agrees. Both claims must be about the
# same board and the same side to move. A change on the board cancels the first claim, so that no
# side can agree to a position that it has not seen.


class BoardAdoption:
    """Handles proposals to replace the referee's position with the position on the board."""

    def __init__(self, context: GameContext, sight: ObservedBoard) -> None:
        self.offer: BoardOffered | None = None
        """A proposal by one side that the other side has not agreed to yet, or None."""
        self._context = context
        self._sight = sight
        self._read: tuple[tuple[Image, int], Claimed | None] | None = None
        """The cached claim, with the image and the number of actions that it was derived from."""
        context.listen(self._take_answer)

    @property
    def is_open(self) -> bool:
        """Whether the players may now accept the board as it stands.

        This is possible only if two people play, the board differs from the referee's position and
        nothing is pending.
        """
        if self._context.computer:  # a single person could agree to any change of the position
            return False
        state = self._context.state
        is_turn = self._context.referee.phase.is_turn
        return is_turn and bool(state.difference) and Cause.ACCEPTED in TRANSITIONS[type(state)]

    @property
    def claim(self) -> Claimed | None:
        """The proposed changes, or the reason why the board cannot be accepted as it stands.

        None if nothing differs, or if the players cannot accept the board in the current state.
        """
        seen = self._sight.image
        if not self.is_open or seen is None or not self._sight.is_connected:
            return None
        referee = self._context.referee
        at = seen, len(referee.actions)
        if self._read is None or self._read[0] != at:
            self._read = at, propose(referee.position, seen)
        return self._read[1]

    def hear(self, side: Side, to_move: Side) -> None:
        """Handle the claim by `side` that the board is right and `to_move` has the move."""
        claim = self.claim
        if claim is None:
            return
        if isinstance(claim, AdoptionRejected):
            self._context.emit(claim)
            return
        offer = BoardOffered(side, claim.shifted, claim.removed, to_move)
        if self.offer == replace(offer, side=side.other):
            self._context.submit(claim.board(to_move))
        elif self.offer != offer:
            self.offer = offer
            self._context.emit(offer)

    def see(self) -> None:
        """Drop the open proposal if the board has changed."""
        if self.offer is None:
            return
        offered = BoardProposal(self.offer.shifted, self.offer.removed)
        if self.claim != offered:
            self.offer = None

    def _take_answer(self, _: actions.Action, __: tuple[Ruling, ...]) -> None:
        self.offer = None
