"""Submits the recognised turns to the referee.

A turn is submitted once it has been stable for long enough. Until the turn is final, the recognizer
may still change its explanation. In that case, the turn is amended, or withdrawn if its piece is
back where the turn began. A violation is shown until the board changes.
"""

from dataclasses import replace
from itertools import takewhile

from companion.core.events import Lifted, Restored, SetDown, TurnBegan
from companion.core.explanation import Explanation, MisplacedMarker, Turn
from companion.core.game_context import GameContext
from companion.core.lifted_pieces import LiftedPieces
from companion.core.move_recognizer import MoveRecognizer, Recognition
from companion.core.observed_board import ObservedBoard
from companion.core.prompts import PlayerPrompts, PossibleAttacks
from companion.core.recognition_limits import LIMITS
from companion.core.recovery import BoardRecovery, Cleanup
from companion.core.state import NOTHING_ASKED, Cause, Disturbed, ToMove
from engine.board.geometry import Square, set_of
from engine.board.ranks import Rank, only_rank
from engine.game.actions import Action, AdoptBoard, Amend, Attack, Move, TakeBack, WithdrawAttack
from engine.game.referee import Referee
from engine.game.rulings import Moved, Ruling, TakenBack, refuses
from engine.rules.movement import is_long_move
from firmware_bridge.image import Image, ImageDifference, compare


class Turns:
    """Handles the images of the board while a side is to move."""

    def __init__(
        self, context: GameContext, sight: ObservedBoard, reader: MoveRecognizer, cleanup: Cleanup
    ) -> None:
        self.asking = PlayerPrompts(context, reader)
        self.released: float | None = None
        """Release time of the next move to be ruled on, or None. The move counts from that time."""
        self._context = context
        self._referee = context.referee
        self._sight = sight
        self._reader = reader
        self._cleanup = cleanup
        self._recovery = BoardRecovery(context, sight, reader, self.asking)
        self._in_hands = LiftedPieces(context, reader, self.asking)
        self._read_before: Referee | None = None
        """The recognizer's `base` before the latest accepted action, or None if recognition cannot
        resume from that `base`."""
        self._watched = reader.watch
        """The change detector that the recognizer had when the latest action was accepted."""
        self._began: int | None = None
        """Number of plies at the last `TurnBegan`, or None if it has to be emitted again."""
        self._ruled: list[Turn] = []
        """Accepted turns that the recognizer may still change."""
        self._moved: Turn | None = None
        """Latest turn taken on the board."""
        self._withdrawn: Attack | Amend | None = None
        """Attack that was withdrawn in this turn because the players then did something else."""
        self._shown_down: tuple[Square, float] | None = None
        """Square and time of the last reported placement."""
        self._shown_up: set[Square] = set()
        """Squares from which pieces were reported as lifted."""
        context.listen(self._take_answer, hears_refused=True)

    def watch(self, seen: Image) -> None:
        """Recognise the hand actions in an image and handle them."""
        if self._reader.base is None and not self._resumes_reading():
            self._begin_reading(seen)
        self._read_before = None
        if self._began != (plies := self._referee.plies):
            self._began = plies
            self.asking.begin_turn()
            self._withdrawn = None
            self._context.transition(Cause.SHOWN)
            self._context.emit(TurnBegan(self._referee.to_move))
        expected = self._context.expected
        if self.asking.update(seen) or self._finds_its_way_again(seen, expected):
            self._begin_reading(seen)
        difference = compare(seen, expected)
        reading = self._read(seen, difference)
        accepted, was_led = len(self._context.actions), self._is_led
        self._take(reading, seen, difference)
        is_settled = self._reader.base is not None and self._ruled and self._settle()
        if (is_settled or was_led > self._is_led) and len(self._context.actions) == accepted:
            # A turn has become final or a disturbance has ended. The remaining steps may now mean
            # something else, and a turn that had to wait may be ready. The image is processed again
            # at once, because the next frame may be skipped as a repetition. After an action, the
            # image is processed again in any case.
            self._take(self._read(seen, difference), seen, difference)

    @property
    def _is_led(self) -> bool:
        """Whether the players are being guided in restoring the board."""
        return isinstance(self._context.state, Disturbed)

    def _read(self, seen: Image, difference: ImageDifference) -> Recognition:
        """Return the hand actions. Restart recognition if earlier actions no longer matter."""
        reading = self._reader.read()
        is_at_rest = not self._ruled and not self._context.state.asked.answers
        if self._reader.is_in_order_again(reading, difference) or (
            is_at_rest and self._reader.can_forget(reading, difference)
        ):
            self._begin_reading(seen)
            reading = self._reader.read()
        return reading

    def _finds_its_way_again(self, seen: Image, expected: Image) -> bool:
        """Whether the recognizer has stopped after a bump and can resume now."""
        if not self._reader.is_lost:
            return False
        last = self._referee.position.last_move
        return self._reader.can_resume_after_bump(seen, expected, last)

    def excuse_touched(self) -> None:
        """Apply the owner's secret declaration that the touched piece cannot move."""
        if self._referee.excuse_touched() and self._reader.base is not None:
            # A new object as `base` makes the recognizer interpret the changes again.
            self._reader.base = self._reader.base.copy()
            self._reader.base.excuse_touched()

    def _settle(self) -> bool:
        """Forget accepted turns that have become final. Return whether there were any."""
        if self._context.state.waits_for_answer or self.asking.dismissed is not None:
            return False  # the explanation of these turns is in doubt
        reading = self._reader.read()
        turns = reading.explanation.turns if reading.explanation else ()
        same = takewhile(lambda pair: pair[0] == pair[1], zip(self._ruled, turns, strict=False))
        settled = self._reader.settle(reading, len(list(same)))
        del self._ruled[:settled]
        return settled > 0

    def _begin_reading(self, seen: Image) -> None:
        """Start the recognizer from the current game and image."""
        self._ruled = []
        self._reader.begin(self._referee, self._context.expected, seen)

    def _resumes_reading(self) -> bool:
        """Resume recognition from its earlier starting point after the players have answered.

        By then, a fast player may have taken another turn. If recognition restarted, two turns with
        the same piece would look like one. Return whether the earlier starting point fits the game.
        """
        before, self._read_before = self._read_before, None
        # After an attack or the end of the game, recognition restarts from the current image.
        if before is None or not self._referee.phase.is_turn:
            return False
        if self._reader.watch is not self._watched:
            return False  # the board has been reconnected
        self._reader.base = before
        explanation, count = self._reader.read().explanation, self._referee.plies - before.plies
        turns = explanation.turns[:count] if explanation else ()
        after = before.copy()
        is_unique = len(turns) == count > 0
        is_unique = is_unique and not any(refuses(after.apply(each.action)) for each in turns)
        if is_unique and after.position.board == self._referee.position.board:
            self._ruled = list(turns)
            return True
        self._reader.base = None
        return False

    def _take_answer(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        self._in_hands.opened = None  # a refused declaration ends the tracking, too
        if rulings is not self._referee.ruled:
            return
        before = self._reader.base or self._read_before
        self._read_before = before if isinstance(action, Move | Amend) else None
        self._watched = self._reader.watch
        self._reader.base, self._ruled = None, []
        if isinstance(action, AdoptBoard | TakeBack):  # the number of plies may be the same
            self._began = None

    # -- submitting to the referee

    def _take(self, reading: Recognition, seen: Image, difference: ImageDifference) -> None:
        """Submit the stable turns. If no turn is stable, handle misplaced or lifted pieces."""
        if reading.explanation and self.asking.take_hand_answer(reading.explanation):
            return
        # Turns are submitted before disturbances are reported, because a ruling may change how the
        # image has to be interpreted.
        if self._rule(reading, seen):
            return
        self.released = self._released_by(reading.explanation)
        self._show(reading.explanation)
        uncleared = self._cleanup.uncleared
        if uncleared and uncleared.explains(
            self._without_hands(difference, reading.explanation), seen
        ):
            reading = replace(reading, wrong=(), is_unclear=False)
        if not (difference.missing | difference.surplus) & ~self._sight.flickering:
            reading = replace(reading, is_unclear=False)
        is_open = reading.is_unclear and seen != self.asking.dismissed
        # The players know which explanation is right, so they are asked. Reporting a disturbance
        # would make them undo a legal turn.
        if is_open and self.asking.ask_which(reading.rivals, self._ruled, difference):
            return
        is_led_back = bool(difference) and self._recovery.is_taken(difference)
        is_off = reading.is_unclear or is_led_back
        is_off = is_off or (not reading.wrong and self._recovery.is_awaited(difference))
        # Lifted pieces alone are not a disturbance, unless the game waits for them.
        if is_off and not self._recovery.is_in_hands(difference):
            self._recovery.guide(difference)
        elif is_led_back and reading.explanation and (reading.wrong or reading.explanation.turns):
            return  # a piece probably still has to be put back
        elif reading.wrong:
            # If there is no difference, all pieces are in place, and none has to be put back.
            if difference:
                self._recovery.report_violation(reading.wrong[0], self._meant(), difference)
        elif self._context.state.waits_for_answer and self._context.state.difference == difference:
            return
        elif reading.explanation:
            self._take_hands(reading.explanation, seen, difference)

    def _take_hands(
        self, explanation: Explanation, seen: Image, difference: ImageDifference
    ) -> None:
        """Submit a touch or attack indicated by lifted pieces, or offer possible attacks."""
        pending, meant = explanation.turns[len(self._ruled) :], self._meant()
        base, ruled = self._reader.base, self._ruled
        goes_on = not explanation.held or self._in_hands.take(
            explanation, pending, meant, seen, difference
        )
        if self._in_hands.opened:  # keep tracking the hand actions until a rank is declared
            self._reader.base, self._ruled = base, ruled
        if goes_on:
            self._be_quiet(explanation, difference)
            self.asking.offer(meant, explanation)

    def follow_attack(self) -> None:
        """Track the hands during an attack that was recognised from two lifted pieces.

        Until a rank is declared, the attack is withdrawn if both pieces are put back or another
        turn is taken. In these cases, the players were only looking at the pieces.
        """
        opened, by_hands = self._referee.open_attack, self._in_hands.opened
        if not opened or not by_hands or opened.declared or self._reader.base is None:
            self._in_hands.opened = None
            return
        reading = self._reader.read()
        if (explanation := reading.explanation) is None or explanation.hypothesis.unexplained:
            return
        made = explanation.turns[len(self._ruled) :]
        up = {held.piece for held in explanation.held}
        ripe = reading.ruled[len(self._ruled) :]
        if ripe and ripe[0].is_attack and ripe[0].way == (opened.source, opened.target):
            self._in_hands.opened = None  # the hand movements have confirmed the attack
        elif (
            ripe
            or self._in_hands.is_another_up(explanation, by_hands)
            or (
                len(up & set(by_hands.pieces)) == 1
                and self._in_hands.may_be_another(explanation, by_hands)
            )
        ):
            self._withdraw(by_hands.attack)
        elif not made and not explanation.wrong and not up & set(by_hands.pieces):
            squares = [explanation.place_of(piece) for piece in by_hands.pieces]
            back = max(self._reader.watch.since(each).by for each in squares if each is not None)
            if self._reader.has_stood(back, LIMITS.pair_put_back_seconds):
                self._withdraw(by_hands.attack)

    def _withdraw(self, attack: Attack | Amend) -> None:
        """Withdraw an attack that was recognised from lifted pieces, and continue recognition."""
        base, ruled = self._reader.base, self._ruled
        if not refuses(self._context.submit(WithdrawAttack())):
            self._reader.base, self._ruled, self._withdrawn = base, ruled, attack

    def _show(self, explanation: Explanation | None) -> None:
        """Report lifted and placed pieces as soon as they appear in a frame."""
        up = {held.source for held in explanation.held} if explanation else set()
        self._context.emit(*map(Lifted, sorted(up - self._shown_up)))
        self._shown_up = up
        down: list[Turn | MisplacedMarker] = (
            [*explanation.turns, *explanation.wrong] if explanation else []
        )
        latest = max(down, key=lambda each: each.released, default=None)
        if latest and (latest.target, latest.released) != self._shown_down:
            self._shown_down = latest.target, latest.released
            self._context.emit(SetDown(latest.source, latest.target))

    def _released_by(self, explanation: Explanation | None) -> float | None:
        """Return the release time of the first turn that is not stable yet, or None."""
        pending = explanation.turns[len(self._ruled) :] if explanation else ()
        if not explanation or not pending or explanation.is_in_hand_again(pending[0]):
            return None
        if explanation.wrong or explanation.hypothesis.unexplained:
            return None  # the board was knocked, so there may have been no turn
        return pending[0].released

    def _be_quiet(self, explanation: Explanation, difference: ImageDifference) -> None:
        """Clear the warning on the screen if the board is correct or a single piece is lifted."""
        state = self._context.state
        lifted = explanation.held[0].source if explanation.held else None
        was_off = isinstance(state, ToMove) and state.is_off
        is_off = was_off or bool(state.difference)
        if state.violation and not is_off and lifted is None:
            return  # the turn was entered on the screen, so its violation remains
        is_restored = lifted is None and is_off and not difference
        asked = state.asked if isinstance(state, ToMove) else NOTHING_ASKED
        self._context.transition(
            Cause.SHOWN, lifted=lifted, asked=asked, is_off=is_off and not is_restored
        )
        if is_restored:
            self._context.emit(Restored())

    def _rule(self, reading: Recognition, seen: Image) -> bool:
        """Submit the stable turns to the referee. Return whether nothing is left to do."""
        changed = self._reader.watch.changed_at
        # While players put back the pieces that a sleeve knocked over, the board may briefly show
        # what looks like a legal turn.
        if reading.explanation is None or (
            self._is_led and not self._reader.has_stood(changed, LIMITS.board_mended_seconds)
        ):
            return False
        if self._asks_about_unseen(reading.explanation, reading.ruled, seen):
            return True
        accepted = len(self._context.actions)
        turns, ripe = reading.explanation.turns, reading.ruled
        while self._ruled != list(turns[: len(self._ruled)]):
            pairs = zip(self._ruled, turns, strict=False)
            place = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            if self._is_released_again(place, turns, ripe):
                self._ruled[place] = turns[place]
            elif place < len(self._ruled) - 1 or not self._amend(
                reading.explanation, ripe, place, seen
            ):
                break
        if len(self._context.actions) > accepted:
            return True
        if self._context.is_left_to_computer:
            return False
        for turn in ripe[len(self._ruled) :]:
            if self._ruled != list(ripe[: len(self._ruled)]):
                break
            is_answered = turn is not ripe[-1] and reading.explanation.confirms(turn)
            if turn.is_attack and self.asking.dismissed == seen:
                self._recovery.guide(compare(seen, self._context.expected))
                return True
            # An answer by the other side confirms a doubtful turn, because no player replies to a
            # push by a sleeve.
            if not is_answered and self._ask_about(turn, turn.action, seen):
                break
            if not self._carry_out(turn.action, turn.released) or turn.is_attack:
                break
            self._ruled.append(turn)
            self._moved = turn
        return len(self._context.actions) > accepted

    def _is_released_again(
        self, place: int, turns: tuple[Turn, ...], ripe: tuple[Turn, ...]
    ) -> bool:
        """Whether an accepted turn differs only because its piece was lifted and put back."""
        if place >= min(len(turns), len(self._ruled)) or turns[place] not in ripe:
            return False
        old, new = self._ruled[place], turns[place]
        return (old.piece, old.way) == (new.piece, new.way)

    def _asks_about_unseen(
        self, explanation: Explanation, ripe: tuple[Turn, ...], seen: Image
    ) -> bool:
        """Ask about several turns that were taken while the board was disconnected.

        The sensors showed neither the order of these turns nor whether they were turns at all. If
        the players deny them, they are asked to restore the board. Return whether the turns have to
        wait.
        """
        first = self._reader.watch.first_at
        unseen = [turn for turn in explanation.turns[len(self._ruled) :] if turn.released <= first]
        if len(unseen) < 2 or explanation.wrong or explanation.hypothesis.unexplained:
            return False
        if not set(unseen) <= set(ripe):
            return True  # the turns are not stable yet
        return self._ask_whether(explanation, seen)

    def _ask_whether(self, explanation: Explanation, seen: Image) -> bool:
        """Ask whether an explanation is right, or guide the players if they have denied it."""
        difference = compare(seen, self._context.expected)
        if self.asking.dismissed == seen:
            self._recovery.guide(difference)
            return True
        return self.asking.ask_whether(explanation, self._ruled, difference)

    def _amend(
        self, explanation: Explanation, ripe: tuple[Turn, ...], place: int, seen: Image
    ) -> bool:
        """Amend the latest accepted turn, or withdraw it if it turned out not to be a turn."""
        old, turns = self._ruled[place], explanation.turns
        if place < len(turns):
            new = turns[place]
            is_none = explanation.place_of(old.piece) == old.source
            is_none = is_none or any(wrong.piece == old.piece for wrong in explanation.wrong)
            is_other = new.piece != old.piece and new.piece.side is old.piece.side
            if new in ripe and is_other and is_none:
                return self._undo(old, place)
            if new not in ripe or new.piece != old.piece or new.source != old.source:
                return False
            # On a board without colours, an illegal placement by the other side can be misread: the
            # accepted move seems to have been shorter, and another piece seems to have been pushed
            # onto the target. The move is therefore not amended, and the players are asked.
            if any(self._may_be_old(later, old) for later in turns[place + 1 : place + 2]):
                self._ask_whether(explanation, seen)
                return False
            action = Amend(old.target, new.target)
            is_answered = new is not ripe[-1] and explanation.confirms(new)
            if not is_answered and self._ask_about(new, action, seen):
                return False
            if not self._carry_out(action, new.released) or new.is_attack:
                return False
            self._ruled[place:] = [new]
            self._moved = new
            return True
        return self._undo(old, place)

    def _may_be_old(self, answer: Turn, old: Turn) -> bool:
        """Whether the piece that seems to have answered may be the one that moved in `old`."""
        is_hidden = answer.target == old.target and not self._sight.sees_colours
        return is_hidden or self._is_doubtful(answer)

    def _undo(self, old: Turn, place: int) -> bool:
        """Withdraw the latest accepted turn if its piece is back. Return whether this happened."""
        # A hand that only passes over the old square has not put the piece back.
        if not self._reader.has_stood(
            self._reader.watch.since(old.source).by, LIMITS.piece_rested_seconds
        ):
            return False
        if not self._carry_out(Amend(old.target, old.source), None):
            return False
        del self._ruled[place:]
        self._moved = None
        return True

    def _ask_about(self, turn: Turn, action: Move | Attack | Amend, seen: Image) -> bool:
        """Ask about a possible push or step out of turn. Return whether the turn has to wait."""
        if self.asking.asks_about(action) and not self._reader.has_stood(
            self._reader.watch.changed_at, LIMITS.board_mended_seconds
        ):
            self.asking.keep_open(compare(seen, self._context.expected))
            return True  # the players may still be putting pieces back
        if not (self._is_doubtful(turn) or self._would_prove(turn, action.source)):
            return False
        difference = compare(seen, self._context.expected)
        if self.asking.dismissed == seen:
            self._recovery.guide(difference)
        elif self._context.state.waits_for_answer:
            self.asking.keep_open(difference)
        else:
            self.asking.ask([action], difference)
        return True

    def _is_doubtful(self, turn: Turn) -> bool:
        """Whether the turn may be a push by a sleeve, or involve two pieces that look like one."""
        return turn.may_be_pushed or self._reader.lingers(turn)

    def _would_prove(self, turn: Turn, place: Square) -> bool:
        """Whether a turn with a pause would prove the piece on `place` to be a scout.

        If the second step was out of turn, the owner of the piece could never undo the proof.
        """
        if (
            turn.is_attack
            or turn.paused <= LIMITS.scout_proof_pause_seconds
            or not is_long_move(turn.source, turn.target)
        ):
            return False
        return only_rank(self._referee.position.ranks_at(place)) is not Rank.SCOUT

    def _carry_out(self, action: Move | Attack | Amend, released: float | None) -> bool:
        """Submit an action and return whether it was accepted."""
        self.released = released
        base, ruled = self._reader.base, self._ruled
        rulings = self._context.submit(action)
        if rulings is not self._referee.ruled:
            return False  # the action was refused
        if isinstance(rulings[0], Moved | TakenBack) and self._referee.phase.is_turn:
            self._reader.base, self._ruled, self._read_before = base, ruled, None
        return True

    def _without_hands(
        self, difference: ImageDifference, explanation: Explanation | None
    ) -> ImageDifference:
        """Return the difference, leaving out lifted pieces and losers that may still be removed."""
        held = {held.source for held in explanation.held} if explanation else set()
        looked = {
            wrong.source
            for wrong in (explanation.wrong if explanation else ())
            if wrong.piece.side in self._reader.losers and wrong.released < self._reader.cleared_at
        }
        return replace(difference, missing=difference.missing & ~set_of(held | looked))

    def _meant(self) -> PossibleAttacks:
        """Return the turns that the players may have intended in the current state."""
        return PossibleAttacks(
            self._referee,
            self._reader,
            tuple(self._ruled),
            self._context.state.asked,
            self._sight.sees_colours,
            self._sight.flickering,
            self._moved,
            self._withdrawn,
        )
