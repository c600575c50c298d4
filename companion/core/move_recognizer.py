"""The recognizer, which derives the players' turns from the images.

A turn is final once it can no longer be amended. The recognizer keeps every hypothesis that fits
all images since the last final turn. It derives explanations of each hypothesis and chooses one
explanation. It determines when a turn is stable and can be ruled on, and for how long the player
may still put the piece on another square. The recognizer submits nothing to the referee.
"""

import math
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from companion.core.explainer import explain
from companion.core.explanation import (
    Explanation,
    HandActions,
    MisplacedMarker,
    Turn,
    alternatives,
    rested_seconds,
)
from companion.core.recognition_limits import LIMITS
from engine.board.geometry import Side, Square, SquareSet, set_of, squares_in
from engine.game.referee import Referee
from engine.rules.movement import is_long_move
from firmware_bridge.image import Image, ImageDifference, Sensed
from firmware_bridge.sensing.change_detector import ChangeDetector, Interval
from firmware_bridge.sensing.hypotheses import (
    Hypothesis,
    Placement,
    TrackedPiece,
    differences,
    extend_all,
    initial,
)
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS


@dataclass(frozen=True)
class Recognition:
    """Result of recognition for one image."""

    explanation: Explanation | None
    """The chosen explanation, or None if there is no explanation or several are equally likely."""
    rivals: tuple[Explanation, ...] = ()
    """The explanations that are equally likely, if there are several."""
    ruled: tuple[Turn, ...] = ()
    """Turns of `explanation` that have been stable for long enough to be ruled on."""
    wrong: tuple[MisplacedMarker, ...] = ()
    """Pieces that have been misplaced for long enough to be reported."""
    is_unclear: bool = False
    """Whether an unexplained change has lasted long enough to be reported."""


class MoveRecognizer:
    """Tracks the images and recognises turns. The caller passes in all times, in seconds."""

    def __init__(self) -> None:
        self.due: float | None = None
        """Time at which the result may change even if nothing changes on the board, or None."""
        self.watch = ChangeDetector()
        self.lag = 0.0
        """Maximum delay between the detection of changes on different squares, in seconds."""
        self.cleanup_squares: SquareSet = 0
        """Squares with pieces from the latest combat. The players may still move these pieces."""
        self.losers: frozenset[Side] = frozenset()
        """Sides with a piece that lost the latest combat and may still be on the board."""
        self.cleared_at = -math.inf
        """Time at which the board was cleared after the latest combat."""
        self.base: Referee | None = None
        """The game before any of the hypothesised turns."""
        self.is_lost = False
        """Whether more squares have changed than hands can change during play. If so, recognition
        waits until the whole board is restored."""
        self.dropped: tuple[str, ...] = ()
        """Contradictions that made the last recognition drop interpretations."""
        self._hypotheses: list[Hypothesis] = []
        self._ways: list[tuple[HandActions, ...]] = []
        """The interpretations of each hypothesis."""
        self._explanations: list[Explanation] = []
        """Explanations of all hypotheses from the last recognition, most likely first."""
        self._cache_key: tuple[object, ...] = ()
        """The inputs from which `_explanations` was derived."""
        self._wrong: tuple[MisplacedMarker, ...] = ()
        """Pieces that were already misplaced before the hypothesised changes and must be put
        back."""
        self._reading: tuple[tuple[object, ...], Recognition] | None = None
        """The cached result for the current input, with its cache key."""

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """Explanations from the last recognition, most likely first.

        The result is empty while recognition is stopped.
        """
        return () if self.base is None else tuple(self._explanations)

    def begin_input(self) -> None:
        """Start processing an input, and clear the deadline so that the input can set a new one."""
        self.due = self._reading = None

    def look(
        self, at: float, image: Image, ignored: SquareSet, spans: Mapping[Square, Interval]
    ) -> None:
        """Process a frame. `spans` gives more precise times for some of its changes."""
        changes = self.watch.see(at, image, spans)
        if not changes or self.base is None or self.is_lost:
            return
        # A bump is not tracked: when all squares had changed at once, recognition took seconds and
        # found nothing.
        self.is_lost = len(changes) > LIMITS.most_squares_changed
        if not self.is_lost:
            wrong = {each.piece for each in self._wrong}
            since = at - LIMITS.look_forgotten_seconds
            recent = (_recent(hypothesis, since, wrong) for hypothesis in self._hypotheses)
            self._follow(extend_all(recent, changes, ignored))
            self.is_lost = all(_is_heap(hypothesis) for hypothesis in self._hypotheses)

    def lose_sight(self) -> None:
        """Stop recognition because the board was disconnected."""
        self.watch = ChangeDetector()
        self.base = None

    def begin(self, referee: Referee, expected: Image, seen: Image) -> None:
        """Start recognition from a game and the image that the referee expects.

        `seen` is the actual image.
        """
        self.base = referee.copy()
        changed = len(differences(expected, seen, self.watch.since))
        self.is_lost = changed > LIMITS.most_squares_changed
        self._follow(initial(expected, *(() if self.is_lost else (seen, self.watch.since))))
        self._wrong = ()

    def can_resume_after_bump(
        self, seen: Image, expected: Image, last: tuple[Square, Square] | None
    ) -> bool:
        """Whether play can resume from the current image after a bump.

        Play can resume if no piece is on a wrong square and two people can hold all the missing
        pieces. It can also resume if there is only one difference: the `last` move is undone, or
        the side to move has made a move.
        """
        missing = expected.occupied & ~seen.occupied
        changed = seen.differing(expected) & ~missing
        # A bump right after a move often pushes the moved piece back. The players are asked whether
        # they took the move back, which requires recognition to be running.
        if last and not missing & ~(1 << last[1]) and changed == 1 << last[0] and missing:
            return self.has_stood(self.watch.changed_at, LIMITS.board_in_order_seconds)
        if changed.bit_count() == 1 and self._is_a_move(missing, changed, seen):
            return self.has_stood(self.watch.changed_at, LIMITS.board_in_order_seconds)
        if any(
            seen.at(each) is not Sensed.UNKNOWN or expected.at(each) is Sensed.EMPTY
            for each in squares_in(changed)
        ):
            return False
        up = ((missing & expected.of(side)).bit_count() for side in Side)
        return max(up) <= LIMITS.most_lifted_after_bump and self.has_stood(
            self.watch.changed_at, LIMITS.piece_rested_seconds
        )

    def _is_a_move(self, missing: SquareSet, changed: SquareSet, seen: Image) -> bool:
        """Whether the difference is a legal move by the side to move."""
        assert self.base
        (target,) = squares_in(changed)
        if (
            seen.at(target).side not in (None, self.base.to_move)
            or missing.bit_count() > LIMITS.most_lifted_after_bump
        ):
            return False
        return any(
            self.base.find_violation(source, target) is None for source in squares_in(missing)
        )

    def _follow(self, hypotheses: list[Hypothesis]) -> None:
        self._hypotheses, self._ways = (
            hypotheses,
            [tuple(alternatives(each)) for each in hypotheses],
        )

    def settle(self, reading: Recognition, ruled: int) -> int:
        """Drop the accepted turns that can no longer be amended.

        Recognition continues from the position after these turns. `ruled` is the number of accepted
        turns. Return the number of dropped turns.
        """
        settled = 0
        while (
            settled < ruled
            and (explanation := reading.explanation)
            and explanation.turns
            and self._is_settled(explanation)
        ):
            assert self.base
            turn = explanation.turns[0]
            self.base = self.base.copy()
            self.base.apply(turn.action)
            # All explanations that begin with this turn stay possible, whatever follows it.
            alike = [each for each in self._explanations if each.begins_like(explanation)]
            self._follow([_without(each) for each in alike])
            self._wrong = explanation.misplaced_after_first
            settled += 1
            reading = self.read()
        return settled

    def _is_settled(self, explanation: Explanation) -> bool:
        """Whether the first turn is final and can be undone only by agreement."""
        turn = explanation.turns[0]
        if len(explanation.turns) > 1:
            # If the other side seems to have answered prematurely, a trembling hand may still be
            # holding the piece of the turn.
            answer = explanation.turns[1].released
            is_up = any(h.piece == turn.piece and h.lifted.by <= answer for h in explanation.held)
            if is_up and not self.has_stood(answer, LIMITS.trembling_pass_seconds):
                return False
            return self._was_let_go(explanation, 0) and self.has_stood(
                turn.released, LIMITS.slide_continues_seconds
            )
        if turn.left is not None and not self.has_stood(turn.left, explanation.amendable):
            return False  # the hand may still put the piece on a legal square
        if explanation.is_in_hand_again(turn):
            return False
        return self.has_stood(turn.released, explanation.amendable)

    def read(self) -> Recognition:
        """Choose the most likely explanation and determine its stable turns."""
        clearing = self.cleanup_squares, self.losers, self.cleared_at
        inputs = (self.watch.seen_at, self.base, self._wrong, self._hypotheses, self.lag, clearing)
        if self._reading is None or self._reading[0] != inputs:
            self._reading = inputs, self._read()
        return self._reading[1]

    def _read(self) -> Recognition:
        assert self.base
        if not self.is_lost:
            self._update_explanations(self.base)
        # The time for a premature answer may pass. Another explanation may then become the most
        # likely one. The deadline ensures that the result is updated.
        for explanation in self._explanations:
            if explanation.open_until > self.watch.seen_at:
                self._wait_until(explanation.open_until)
        if self.is_lost or not self._explanations:
            unclear = self.has_stood(
                self.watch.changed_at, LIMITS.unexplained_report_seconds + self.lag
            )
            return Recognition(None, is_unclear=unclear)
        likeliest = [s for s in self._explanations if s.is_as_likely_as(self._explanations[0])]
        # Explanations with the same turns lead to the same rulings, even if their lifted pieces
        # differ. The order is reversed, so that the most likely explanation comes last and is kept.
        distinct = {explanation.released_ways: explanation for explanation in reversed(likeliest)}
        if len(distinct) > 1:
            patience = LIMITS.unexplained_report_seconds
            if any(explanation.held for explanation in likeliest):
                patience = LIMITS.unclear_placement_question_seconds
            unclear = self.has_stood(self.watch.changed_at, patience + self.lag)
            return Recognition(None, tuple(distinct.values()), is_unclear=unclear)
        return self._assess(likeliest[0])

    def _update_explanations(self, base: Referee) -> None:
        """Recompute the explanations of all hypotheses, unless their inputs are unchanged."""
        key = self.watch.seen_at, base, self._wrong, self._hypotheses
        if key == self._cache_key:
            return
        self._cache_key = key
        dropped: list[str] = []
        explanations = (
            explanation
            for hypothesis, taken in zip(self._hypotheses, self._ways, strict=True)
            for explanation in explain(
                hypothesis, taken, base, self._wrong, self.watch.seen_at, dropped
            )
        )
        self._explanations = sorted(explanations, key=lambda explanation: explanation.cost)
        self.dropped = tuple(dict.fromkeys(dropped))

    def _assess(self, explanation: Explanation) -> Recognition:
        """Determine which turns and misplaced pieces of an explanation are stable."""
        if len(explanation.wrong) > 1:  # pieces were knocked over, so no turn was taken
            unclear = self.has_stood(
                self.watch.changed_at, LIMITS.unexplained_report_seconds + self.lag
            )
            return Recognition(explanation, (explanation,), is_unclear=unclear)
        ruled = list(self._stable_turns(explanation))
        for each in explanation.held:
            # This call only sets the deadline after which the held piece counts as touched.
            self.has_stood(each.lifted.by, LIMITS.longest_shake_seconds)
        wrong = tuple(
            each
            for each in explanation.wrong
            if self.has_stood(self._since(each), LIMITS.misplaced_report_seconds + self.lag)
        )
        # Players hold pieces to look at them. It is a fault only if a piece is on a wrong square,
        # or if more pieces are lifted than hands can hold.
        up = (sum(each.piece.side is side for each in explanation.held) for side in Side)
        unclear = (
            bool(explanation.hypothesis.unexplained)
            and self.has_stood(self.watch.changed_at, LIMITS.unexplained_report_seconds + self.lag)
        ) or (
            max(up) > LIMITS.most_lifted_of_one_side
            and self.has_stood(self.watch.changed_at, LIMITS.many_lifted_report_seconds)
        )
        return Recognition(explanation, (explanation,), tuple(ruled), wrong, unclear)

    def _stable_turns(self, explanation: Explanation) -> Iterator[Turn]:
        """Yield, in order, the turns that have been stable for long enough to be ruled on."""
        for number, turn in enumerate(explanation.turns[:-1]):
            if not self._was_let_go(explanation, number):
                return
            yield turn
            if turn.is_slid and not self.has_stood(turn.released, LIMITS.slide_continues_seconds):
                return  # the piece may still be sliding if the other side has answered prematurely
        if explanation.turns and self._is_stable(explanation, explanation.turns[-1]):
            yield explanation.turns[-1]

    def _was_let_go(self, explanation: Explanation, number: int) -> bool:
        """Whether the piece moved in an earlier turn was released, or was attacked at once."""
        turn, answer = explanation.turns[number], explanation.turns[number + 1]
        if any(h.piece == turn.piece and h.lifted.by <= answer.lifted for h in explanation.held):
            return False  # the piece was lifted again before the other side lifted one
        if answer.is_attack and answer.target == turn.target:
            return True
        lifts = [each.lifted.by for each in explanation.way.carries if each.piece == turn.piece]
        lifts += [each.lifted.by for each in explanation.way.held if each.piece == turn.piece]
        need = rested_seconds(covers=turn.covers)
        until = min((at for at in lifts if at > turn.released), default=None)
        if until is None:
            return self.has_stood(self._since(turn), need)
        if until - turn.released >= need - 1e-9:
            return True
        # The piece did not stay long enough, so its turn has to be confirmed: by a later turn with
        # the same piece, or by the other side's answer if that stays unchanged for a while. An
        # answer does not confirm a long move, because a long move would prove that the piece is a
        # scout.
        again = next((t for t in explanation.turns[number + 1 :] if t.piece == turn.piece), None)
        if again is None:
            is_long = is_long_move(turn.source, turn.target)
            return not is_long and self.has_stood(answer.released, LIMITS.answer_unchanged_seconds)
        return self.has_stood(again.released, LIMITS.piece_rested_seconds)

    def _may_be_sleeve_push(self, explanation: Explanation, turn: Turn) -> bool:
        """Whether the player's sleeve may have pushed the piece while the hand held another one."""
        if not turn.is_slid:
            return False
        up = [held for held in explanation.held if held.piece != turn.piece]
        if any(held.piece.side is not turn.piece.side for held in up):
            return False  # the other side is attacking the piece prematurely
        return any(held.lifted.by <= turn.released for held in up)

    def _is_stable(self, explanation: Explanation, turn: Turn) -> bool:
        """Whether the latest turn has been stable long enough to be ruled on."""
        assert self.base
        is_up = any(held.piece == turn.piece for held in explanation.held)
        if explanation.is_in_hand_again(turn) or (turn.is_attack and is_up):
            return False
        need = rested_seconds(covers=turn.covers)
        if turn.is_attack and self.base.is_decided(turn.source, turn.target):
            need = LIMITS.decided_attack_rested_seconds
            if turn.covers:
                need = LIMITS.decided_covering_attack_rested_seconds
        elif turn.is_attack and not turn.covers:
            need = LIMITS.attack_rested_seconds
        # On a board without colours, a turn by the winning piece looks like the removal of a loser.
        if self.cleanup_squares >> turn.source & 1:
            need = max(need, LIMITS.possible_loser_rested_seconds)
        if turn.piece.side in self.losers and turn.released < self.cleared_at:
            # The piece may be a losing piece that was laid aside.
            need = max(
                need, self.cleared_at + LIMITS.possible_loser_rested_seconds - self._since(turn)
            )
        # A misplaced piece of the same side may be the piece that the player meant to move, unless
        # a sleeve pushed it.
        mine = [each for each in explanation.wrong if each.piece.side is turn.piece.side]
        if not all(each.is_pushed for each in mine):
            return False
        # The player probably wants to move the held piece and needs time to set it down.
        if self._may_be_sleeve_push(explanation, turn):
            need = max(need, LIMITS.possible_push_rested_seconds)
        if self.lingers(turn):
            need = max(need, LIMITS.long_overlap_rested_seconds)
        # Players usually lift a piece just to look at it, but a player who holds a second piece may
        # be swapping the two.
        if explanation.hypothesis.unexplained or any(
            h.piece.side is turn.piece.side for h in explanation.held
        ):
            need += LIMITS.second_piece_lifted_extra_seconds
        return self.has_stood(self._since(turn), need)

    def lingers(self, turn: Turn) -> bool:
        """Whether the piece, detected on two squares for unusually long, may be two pieces."""
        usual = LIMITS.slide_overlap_usual_seconds
        if turn.piece.side in self.losers:
            usual = SENSING_LIMITS.slide_overlap_seconds
        return turn.lingered > usual

    def _since(self, done: Turn | MisplacedMarker) -> float:
        """Return the time at which a piece last came to rest on its square."""
        # A hand that trembles over the square has not released the piece, so the resting time
        # restarts whenever the piece briefly leaves the square.
        return max(done.released, self.watch.since(done.target).by)

    def is_in_order_again(self, reading: Recognition, difference: ImageDifference) -> bool:
        """Whether the board is correct even though no good explanation was found.

        Pieces of one colour are interchangeable to the sensors, so the players need not correct
        anything.
        """
        explanation = reading.explanation
        is_mess = explanation is None or bool(
            explanation.wrong or explanation.hypothesis.unexplained or explanation.held
        )
        if not is_mess or difference:
            return False
        return self.has_stood(self.watch.changed_at, LIMITS.board_in_order_seconds)

    def can_forget(self, reading: Recognition, difference: ImageDifference) -> bool:
        """Whether recognition may restart because all pieces except held ones are in place.

        Without restarts, each magnet that passes the edge of a square would make the true
        hypothesis less likely, until recognition drops that hypothesis.
        """
        explanation = reading.explanation
        if (
            explanation is None
            or explanation.turns
            or explanation.wrong
            or explanation.hypothesis.unexplained
        ):
            return False
        if any(each.taps for each in self._explanations):
            return False  # a tap may mean an attack, which will be offered
        if len(self._hypotheses) == 1 and not explanation.hypothesis.penalty:
            return False
        if difference.surplus or difference.missing != set_of(
            each.source for each in explanation.held
        ):
            return False
        ended = max(
            (carry.released.by for carry in explanation.hypothesis.carries), default=-math.inf
        )
        return self.has_stood(ended, LIMITS.look_forgotten_seconds)

    def has_stood(self, since: float, need: float) -> bool:
        """Return whether `need` seconds have passed after the time `since`.

        If not, make sure that the result is checked again as soon as they have passed.
        """
        if self.watch.seen_at - since >= need - 1e-9:
            return True
        self._wait_until(since + need)
        return False

    def _wait_until(self, moment: float) -> None:
        self.due = moment if self.due is None else min(self.due, moment)


def _recent(hypothesis: Hypothesis, since: float, wrong: Set[TrackedPiece]) -> Hypothesis:
    """Return a hypothesis without the pieces that were lifted and put back before a given time.

    If these pieces were kept, every piece that a player looks at would slow recognition down.

    - A piece that was lifted again at once had not been released. If it came back from another
      square, the player only looked at it.
    - If the piece moved in a turn was lifted again, the turn ends when the piece is put back.
    - The `wrong` pieces are kept, because a player may take a turn by putting such a piece back.
    """
    kept: list[Placement] = []
    for carry in hypothesis.carries:
        if carry.released.by >= since or carry.piece in wrong:
            kept.append(carry)
            continue
        whole = carry
        before = next((each for each in reversed(kept) if each.piece == carry.piece), None)
        pause = carry.lifted.by - before.released.by if before else math.inf
        if before and not before.covers and pause < LIMITS.piece_rested_seconds:
            kept.remove(before)
            whole = replace(carry, source=before.source, lifted=before.lifted)
        elif before and carry.source == carry.target and pause <= LIMITS.turn_amendable_seconds:
            kept[kept.index(before)] = replace(before, released=carry.released)
        if whole.source != whole.target:
            kept.append(whole)
    return (
        hypothesis
        if len(kept) == len(hypothesis.carries)
        else replace(hypothesis, carries=tuple(kept))
    )


def _is_heap(hypothesis: Hypothesis) -> bool:
    """Whether more pieces are lifted or unexplained than the players can hold."""
    return len(hypothesis.held) + len(hypothesis.unexplained) > LIMITS.most_squares_changed


def _without(explanation: Explanation) -> Hypothesis:
    """Return an explanation's hypothesis without the first turn and the steps before it."""
    carries = tuple(
        carry
        for carry in explanation.hypothesis.carries
        if carry.released.by > explanation.first.get(carry.piece, -math.inf)
    )
    return replace(explanation.hypothesis, carries=carries)
