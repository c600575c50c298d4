"""Recovery: reports misplaced pieces and guides the players in restoring the board."""

from typing import Final

from companion.table.asking import Asking
from companion.table.events import BoardDiffers, LossThreatens
from companion.table.in_hands import note_touch
from companion.table.meant import GoesOn, Meant
from companion.table.proceedings import Proceedings
from companion.table.reader import MOST_UP, Reader
from companion.table.sight import Sight
from companion.table.state import Disturbed, LossLooms
from companion.table.story import Wrong
from companion.table.transitions import Cause
from engine.board.geometry import BESIDE, WIDTH, Side, squares_in
from engine.game.actions import Amend, Attack, Move, TakeBack, Touch
from engine.rules.editions import MovedBomb
from engine.rules.violations import Fault
from firmware_bridge.image import Difference

UNDONE: Final = 1.0
"""Time for which the last move has to be undone, amid a disturbance, before the players are asked
whether it was taken back, in seconds: they may not have finished restoring the board."""
MOVED_BOMB_PATIENCE: Final = 4.0
"""Time for which a bomb or flag whose move loses the game has to be on another square, in seconds.
A sleeve may push one too: the players need time to notice the warning, and to put it back."""


class WayBack:
    """Reports an error once, until it is corrected or another one occurs."""

    def __init__(
        self, proceedings: Proceedings, sight: Sight, reader: Reader, asking: Asking
    ) -> None:
        """Create the recovery of a game."""
        self._proceedings = proceedings
        self._referee = proceedings.referee
        self._sight = sight
        self._reader = reader
        self._asking = asking

    def lead(self, difference: Difference) -> None:
        """Report that no turn explains the board, and which pieces have to go where."""
        state = self._proceedings.state
        if left := self._what_is_left(difference):
            if self._reader.has_stood(self._reader.watch.changed_at, UNDONE):
                self._asking.ask([left], difference)
            return
        if state.difference == difference and not state.violation:
            return
        self._proceedings.go(Cause.UNEXPLAINED, difference=difference)
        self._proceedings.tell(BoardDiffers(difference, self._proceedings.expected))

    def is_taken(self, difference: Difference) -> bool:
        """Whether a disturbed board is being restored piece by piece."""
        state = self._proceedings.state
        before = state.difference
        more = difference.missing & ~before.missing | difference.surplus & ~before.surplus
        return isinstance(state, Disturbed) and not self.is_in_hands(difference) and not more

    def is_in_hands(self, difference: Difference) -> bool:
        """Whether no piece is misplaced, and no more are missing than the players may hold."""
        standing = self._proceedings.expected
        return not difference.surplus and all(
            (difference.missing & standing.of(side)).bit_count() <= MOST_UP for side in Side
        )

    def tell_wrong(self, wrong: Wrong, meant: Meant, difference: Difference) -> None:
        """Report the rule that forbids a placement, or ask whether it was a shove."""
        state = self._proceedings.state
        if wrong.violation == state.violation and state.difference == difference:
            return
        if self._asking.is_open and state.difference == difference:
            return
        if shoved := self._shoved(wrong, meant):
            self._asking.ask(shoved, difference)
        elif self._may_be_taken_back(wrong):
            self._asking.ask([TakeBack()], difference)
        elif self._would_lose(wrong):
            self._warn(wrong, difference)
        else:
            if not meant.ruled and self._is_carried_off(wrong):
                note_touch(self._proceedings, self._reader, Touch(wrong.source, carried=True))
            self._proceedings.go(
                Cause.FORBIDDEN,
                violation=wrong.violation,
                refused=self._as_turn(wrong),
                difference=difference,
                out_of_turn=self._proceedings.side_out_of_turn(wrong.source),
            )
            if state.violation != wrong.violation:
                self._proceedings.tell(wrong.violation)

    def _is_carried_off(self, wrong: Wrong) -> bool:
        """Whether touch-move applies to a piece because it was set down far from its square.

        A look at a piece stays near: setting it down on a square around its own does not bind.
        """
        rows = abs(wrong.source // WIDTH - wrong.target // WIDTH)
        columns = abs(wrong.source % WIDTH - wrong.target % WIDTH)
        is_far = max(rows, columns) > 1 and not wrong.is_pushed
        return is_far and self._referee.can_touch(wrong.source, carried=True)

    def _warn(self, wrong: Wrong, difference: Difference) -> None:
        """Give the players time to put back a piece whose move loses the game."""
        state = self._proceedings.state
        if self._reader.has_stood(wrong.released, MOVED_BOMB_PATIENCE):
            self._proceedings.attempt(self._as_turn(wrong))
        elif not isinstance(state, LossLooms) or state.difference != difference:
            self._proceedings.go(Cause.PUSHED, difference=difference)
            self._proceedings.tell(LossThreatens(difference, self._proceedings.expected))

    def _shoved(self, wrong: Wrong, meant: Meant) -> list[GoesOn]:
        """List the targets that the attacker may have shoved aside, on a board without colours.

        Then the piece on the illegal square, which seems to be the attacker, is the target.
        """
        is_mover = wrong.piece.side is self._referee.to_move
        if self._sight.sees_colours or not is_mover or self._asking.dismissed is not None:
            return []
        enemies = self._referee.position.board.of(wrong.piece.side.other)
        beside = squares_in(BESIDE[wrong.target] & enemies)
        return list(meant.attacks_from(wrong.source, beside))

    def _may_be_taken_back(self, wrong: Wrong) -> bool:
        """Whether the piece that has just moved is back where its turn began."""
        position = self._referee.position
        is_back = position.last_move == (wrong.target, wrong.source)
        is_open = not self._asking.is_declined(TakeBack())
        return is_back and position.last_combat is None and is_open

    def _what_is_left(self, difference: Difference) -> TakeBack | Amend | None:
        """Return what the last move may have been, if only its piece is left after a correction.

        On the square where the move began it was taken back, or was part of the disturbance; on
        another legal one it ended there.
        """
        position, is_led = (
            self._referee.position,
            isinstance(self._proceedings.state, Disturbed),
        )
        last, left = position.last_move, difference.surplus
        is_over = is_led or self._asking.is_open
        if last is None or not is_over or left.bit_count() != 1 or position.last_combat:
            return None
        in_hands = Difference(difference.missing & ~(1 << last[1]), surplus=0)
        if not difference.missing >> last[1] & 1 or not self.is_in_hands(in_hands):
            return None
        (place,) = squares_in(left)
        deed = TakeBack() if place == last[0] else Amend(last[1], place)
        if isinstance(deed, Amend) and (
            position.board.side_at(place) or not self._referee.can_amend(last[1], place)
        ):
            return None
        return None if self._asking.is_declined(deed) else deed

    def _as_turn(self, wrong: Wrong) -> Move | Attack:
        is_attack = self._referee.position.board.side_at(wrong.target) is not None
        return (Attack if is_attack else Move)(wrong.source, wrong.target)

    def _would_lose(self, wrong: Wrong) -> bool:
        """Whether a bomb or flag was moved, where that loses the game.

        One that the referee has seen from the start cannot deceive: it is put back.
        """
        loses = self._referee.edition.moved_bomb is MovedBomb.LOSES
        if not loses or wrong.violation.fault is not Fault.IMMOBILE:
            return False
        piece = self._referee.position.pieces[wrong.source]
        return piece not in self._referee.ranks_seen
