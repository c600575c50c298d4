"""Explains a hypothesis as turns, misplaced pieces and held pieces.

The sensors show which squares changed and in which order (`firmware_bridge.sensing`). This module
interprets the changes according to the rules of the game and the habits of players:

- A piece that a hand sets down and lifts again at once was only passing over the square.
- A player may still put the piece of a turn on another square within `turn_amendable_seconds`, as
  long as the other side has touched nothing. If the piece ends where it began, there was no turn.
- A fast player may answer a move before the opponent has released the piece. A premature answer is
  assumed only if the observed order makes no sense otherwise.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.core.explanation import (
    Explanation,
    HandActions,
    MisplacedMarker,
    Turn,
    is_near,
    is_slide,
)
from companion.core.recognition_limits import LIMITS
from engine.board.geometry import NEIGHBOURS, Side, Square, name
from engine.game.actions import Amend, Attack, Move
from engine.game.apply_action import apply as apply_action
from engine.game.game_state import GameState
from engine.game.position import Position
from engine.game.referee import Referee
from engine.rules.movement import could_go
from engine.rules.rules import Violation
from firmware_bridge.sensing.hypotheses import Hypothesis, LiftedPiece, Placement, TrackedPiece


class ContradictionError(Exception):
    """The hypothesis is impossible because it contradicts the game position."""


@dataclass
class _Explainer:
    """Explains one interpretation of a hypothesis by processing its placements in order."""

    base: Referee
    way: HandActions
    now: float
    turns: list[Turn] = field(default_factory=list)
    before: list[GameState] = field(default_factory=list)
    """State of the game before each turn."""
    wrong: dict[TrackedPiece, MisplacedMarker] = field(default_factory=dict)
    done: dict[TrackedPiece, float] = field(default_factory=dict)
    first: dict[TrackedPiece, float] = field(default_factory=dict)
    wrong_then: tuple[MisplacedMarker, ...] = ()
    put_right: set[Placement] = field(default_factory=set)
    may_be_pushed: set[Placement] = field(default_factory=set)
    reordering_seconds: float = 0.0
    open_until: float = 0.0
    rushed: int = 0
    misplaced: int = 0
    """Number of illegal placements, including placements that have since been corrected."""

    @property
    def amendable(self) -> float:
        """Seconds for which a moved piece may still be put on another square; 0 with touch-move."""
        return 0.0 if self.base.edition.touch_move else LIMITS.turn_amendable_seconds

    def run(self) -> None:
        """Process the steps until none is left, an attack has begun or the game is over."""
        state, queue = self.base.game.state, list(self.way.carries)
        while queue:
            # An attacker that leaves its target at once was only held over the target. This check
            # must come first, or a piece carried low over an enemy would count as an attacker.
            if self._has_attacked and (left := self._left_at_once(queue)):
                queue.remove(left)
                state = self._amend(left, state)
                continue
            # After an attack, players lift the two pieces, show them, and set them beside or on the
            # board, in any order. None of these steps is therefore interpreted as a turn.
            if self._has_attacked or not state.phase.is_turn:
                break
            step = queue.pop(0)
            before, self.done = self.done, {**self.done, step.piece: step.released.by}
            stood_wrong = self.wrong.pop(step.piece, None)
            source = stood_wrong.source if stood_wrong else step.source
            if not state.position.squares(step.piece.side) >> source & 1:
                # A different explanation of the same frames may be right, so only this explanation
                # is dropped.
                raise ContradictionError(f"no {step.piece.side.value} piece on {name(source)}")
            # Several times a minute, players lift a piece, look at it and put it back, without
            # taking a turn.
            if step.target == source:
                self._let_go_again(step)
                if stood_wrong:
                    self.put_right.add(step)
                continue
            # Check for an amendment before checking whose turn it is, because a scout that
            # continues its own turn after a stop is not out of turn.
            if self.turns and self._amends(self.turns[-1], step):
                state = self._amend(step, state)
                continue
            if step.piece.side is state.position.to_move:
                # The side may have answered while the opponent was still carrying the piece. In
                # that case, the opponent's step is processed first, although it was completed
                # later.
                if late := self._ended_late(step, queue):
                    self._answer(late, step, queue)
                    self.done = before
                    continue
                made = self._make(state, step, source, stop=source)
                if isinstance(made, Violation):
                    self._note_wrong(step, source, made)
                else:
                    state = made
                continue
            answered = None if stood_wrong else self._answered(step, queue, state.position)
            if answered is not None:
                self._answer(answered, step, queue)
                self.done = before
            # Only the first step is checked here. Later attacks of this kind are amendments, which
            # `_amends` has handled.
            elif not self.turns and self._strikes_on(step):
                self._make(state, step, source, stop=source, strikes_on=True)
            # The next frames may show that this step was a premature answer to a move, so the piece
            # is not reported as misplaced yet.
            elif self._may_be_answered(step, state.position.to_move):
                self.open_until = step.released.by + LIMITS.early_answer_seconds
                self.reordering_seconds += LIMITS.early_answer_seconds
                self.done = before
                break
            else:
                self._take_out_of_turn(step, source, state.position)
        if self._has_attacked:
            self.rushed += self._count_moved_beside(queue)

    def _take_out_of_turn(self, step: Placement, source: Square, position: Position) -> None:
        violation = position.find_violation(source, step.target)
        if violation is None:
            raise ContradictionError(f"no rule forbids the out-of-turn move from {name(source)}")
        self._note_wrong(step, source, violation)

    def _count_moved_beside(self, later: Iterable[Placement]) -> int:
        """Count the pieces that were moved during a combat without taking part in it."""
        attack = self.turns[-1]
        fighters, moved = {attack.piece}, set()
        for step in later:
            if step.source == attack.target or step in self.way.shoved:
                fighters.add(step.piece)
            elif step.source != step.target and step.piece not in fighters:
                moved.add(step.piece)
        return len(moved)

    def _left_at_once(self, later: Iterable[Placement]) -> Placement | None:
        """Return the step with which the attacker left its target at once, or None.

        An attacker that leaves so soon was only held over its target.
        """
        attack, before = self.turns[-1], self.before[-1].position
        for step in later:
            if step.piece == attack.piece and step.source == attack.target:
                # The square was never seen empty, so the limit for placing one piece on top of
                # another applies.
                is_soon = step.lifted.by - attack.released < LIMITS.covering_piece_rested_seconds
                is_back = step.target == attack.source
                is_legal = is_back or not before.find_violation(attack.source, step.target)
                return step if is_soon and is_legal else None
        return None

    def _answer(self, first: Placement, step: Placement, queue: list[Placement]) -> None:
        """Put `first` before `step` in the queue, although `first` was completed after `step`."""
        early = max(0.0, first.released.by - step.released.by)
        self.reordering_seconds += early
        is_beside = any(is_near(step, end) for end in (first.source, first.target))
        # If a piece slid beside the mover's hand, the sleeve may have pushed it, and the slide may
        # not be an answer. The players are therefore asked.
        if early and is_slide(step) and is_beside:
            self.may_be_pushed.add(step)
        queue.remove(first)
        queue[:0] = [first, step]

    @property
    def _has_attacked(self) -> bool:
        """Whether the remaining steps belong to a combat or its cleanup."""
        return bool(self.turns) and self.turns[-1].is_attack

    def _note_wrong(self, step: Placement, source: Square, violation: Violation) -> None:
        self.misplaced += 1
        self.wrong[step.piece] = MisplacedMarker(
            step.piece,
            source,
            step.target,
            violation,
            step.released.by,
            step in self.way.pushed,
        )

    def _make(
        self,
        state: GameState,
        step: Placement,
        source: Square,
        *,
        stop: Square,
        paused: float = 0.0,
        strikes_on: bool = False,
    ) -> GameState | Violation:
        """Add a turn. Return the state after the turn, or the violation if the turn is illegal."""
        is_attack = bool(state.position.squares(step.piece.side.other) >> step.target & 1)
        kind = Amend if strikes_on else Attack if is_attack else Move
        action = kind(source, step.target)
        if isinstance(action, Amend):
            game = self.base.copy()
            rulings, after = game.apply(action), game.game.state
        elif state is self.base.game.state:
            after, rulings = self.base.judge(action)
        else:
            after, rulings = apply_action(state, action, {})
        if isinstance(rulings[0], Violation):
            return rulings[0]
        self.rushed += self._is_rushed(step)
        turn = Turn(
            step.piece,
            source,
            step.target,
            stop,
            is_attack,
            action,
            step.lifted.by,
            max(step.lifted.by, step.released.by),
            step.covers,
            paused,
            step in self.may_be_pushed or self._is_beside_a_hand(step),
            max(0.0, step.lifted.by - step.released.by),
        )
        self.turns.append(turn)
        self.before.append(state)
        if len(self.turns) == 1:
            self.first, self.wrong_then = self.done, tuple(self.wrong.values())
        return after

    def _is_rushed(self, step: Placement) -> bool:
        """Whether a step follows the previous turn of its piece too soon to be a separate turn.

        This is the case if the piece slid on at once, or stopped on a square only briefly. A
        premature reply by the other side in the meantime makes no difference.
        """
        before = next((turn for turn in reversed(self.turns) if turn.piece == step.piece), None)
        if before is None or before is self.turns[-1]:
            return False
        answer = self.turns[-1].released
        pause = min(step.lifted.by, step.released.by) - max(before.lifted, before.released)
        if is_slide(step):
            return pause <= LIMITS.slide_continues_seconds
        # Fast players lift the piece again as soon as the opponent has answered. A hand that is
        # only passing over a square moves on before the answer.
        carried = step.released.by - step.lifted.by
        is_on_its_way = carried < LIMITS.passing_over_seconds or answer < before.released
        return pause < LIMITS.piece_rested_seconds and is_on_its_way

    def _is_beside_a_hand(self, step: Placement) -> bool:
        """Whether a piece slid while its owner was holding another piece near it."""
        if not is_slide(step):
            return False
        side = step.piece.side
        if any(h.piece.side is side and h.lifted.by <= step.released.by for h in self.way.held):
            return True
        up = [
            (each.source, each.lifted.by, each.released.by)
            for each in self.way.carries
            if each.source == each.target
        ]
        return any(
            lifted < step.released.by < released
            and is_near(step, place)
            and self.base.position.squares(side) >> place & 1
            for place, lifted, released in up
        )

    def _strikes_on(self, step: Placement) -> bool:
        """Whether a scout attacks after its move, before the other side has touched a piece."""
        side = step.piece.side.other
        touched = self.touched(-math.inf, step, attacked=step.target)
        return side not in touched and self.base.can_strike_on(step.source, step.target)

    def _amends(self, latest: Turn, step: Placement) -> bool:
        """Whether a step amends the latest turn."""
        if step.piece == latest.piece and latest.may_be_pushed and step.target == latest.source:
            return True  # a piece may be put back at any time
        left = step.lifted.by if latest.left is None else latest.left
        if step.piece != latest.piece or left - latest.released > self.amendable:
            return False
        if step.lifted.by - left > self.amendable:
            return False
        pause = min(step.lifted.by, step.released.by) - max(latest.lifted, latest.released)
        if self.amendable and pause <= LIMITS.slide_continues_seconds and is_slide(step):
            return True
        touched = self.touched(latest.released, step, attacked=step.target)
        return latest.piece.side.other not in touched

    def touched(
        self, after: float, step: Placement | None = None, *, attacked: Square | None = None
    ) -> Mapping[Side, float]:
        """Return when each side first lifted a piece to begin a turn.

        Only pieces that were lifted after `after` and before `step` count. If a piece is still
        lifted at the time of `step`, its player may only be looking at it. Such a piece therefore
        counts only if it is beside the piece that has just moved, because it may be attacking that
        piece. A player does not begin a turn by lifting the piece on `attacked`, by straightening a
        piece, or by putting a piece back where it belongs.
        """
        by = until = self.now
        if step:
            # A piece that was lifted in the same frame as the piece moved by `step` does not count
            # as lifted before `step`.
            by, until = min(step.lifted.by, step.released.by) - 1e-9, step.released.by
        # If the other side completed its turn only after the step, that turn does not count,
        # because the step may still belong to the previous turn. A step to a neighbouring square,
        # however, may also be the piece's next turn, taken slightly too early.
        may_be_next = step is None or step.target in NEIGHBOURS[step.source]
        until += LIMITS.early_answer_seconds if may_be_next else 0.0
        beside = NEIGHBOURS[self.turns[-1].target] if self.turns else ()
        nothing = self.way.shoved | self.put_right
        lifts = [
            (each.piece.side, each.lifted.by)
            for each in self.way.carries
            if each.source != each.target
            and each not in nothing
            and (each.released.by <= until or each.source in beside)
        ]
        lifts += [
            (held.piece.side, held.lifted.by)
            for held in self.way.held
            if not held.covered
            and (held.source in beside or not self.turns)
            and held.source != attacked
            and held.piece not in self.wrong
            and self.now - held.lifted.by > LIMITS.longest_shake_seconds
        ]
        found: dict[Side, float] = {}
        for side, at in lifts:
            if after < at <= by:
                found[side] = min(at, found.get(side, at))
        return found

    @property
    def settled(self) -> tuple[Mapping[TrackedPiece, float], tuple[MisplacedMarker, ...]]:
        """The pieces that had settled after the first turn, and those that were misplaced.

        The settled pieces come with their release times.
        """
        if len(self.turns) == 1:
            return self.done, tuple(self.wrong.values())
        return self.first, self.wrong_then

    def _let_go_again(self, step: Placement) -> None:
        """Record the new release time if the latest turn's piece was lifted and put back."""
        latest = self.turns[-1] if self.turns else None
        if latest and latest.target == step.target and self._amends(latest, step):
            self.turns[-1] = replace(latest, released=step.released.by, left=None)

    def _amend(self, step: Placement, state: GameState) -> GameState:
        """Amend the latest turn so that it ends with `step`, if legal. Return the new state."""
        latest, before = self.turns[-1], self.before[-1]
        # If the piece ends where it began, the player has reconsidered and there was no turn.
        if step.target == latest.source:
            self.turns.pop()
            return self.before.pop()
        self.turns.pop()
        self.before.pop()
        paused = max(latest.paused, step.lifted.by - latest.released)
        made = self._make(before, step, latest.source, stop=latest.target, paused=paused)
        if not isinstance(made, Violation):
            return made
        self._note_wrong(step, latest.target, made)
        if latest.left is None:
            latest = replace(latest, left=step.lifted.by)
        self.turns.append(latest)
        self.before.append(before)
        return state

    def _ended_late(self, step: Placement, later: list[Placement]) -> Placement | None:
        """Return the placement that completed the latest turn only after the answer to it.

        `step` is the other side's answer. Return None if there is no such placement.
        """
        latest = self.turns[-1] if self.turns else None
        for each in later if latest else ():
            if each.released.by - step.released.by > LIMITS.early_answer_seconds:
                return None
            assert latest
            was_up = each.piece == latest.piece and each.lifted.by < step.released.by
            # If the piece was lifted only after the other side began its answer, a step within the
            # same row or column may be the piece's next turn.
            was_first = each.lifted.by <= step.lifted.by
            if was_up and (was_first or not could_go(0, 0, each.source, each.target)):
                legal = not self.before[-1].position.find_violation(latest.source, each.target)
                return each if legal and self._amends(latest, each) else None
        return None

    def _answered(
        self, step: Placement, later: list[Placement], position: Position
    ) -> Placement | None:
        """Return the move that `step` answered before the opponent released the moved piece.

        Return None if there is no such move.
        """
        for each in later:
            if each.released.by - step.released.by > LIMITS.early_answer_seconds:
                return None
            # A hand touches a sliding piece before the sensors show a change.
            taken_up = each.lifted.after - (LIMITS.slide_gap_seconds if is_slide(each) else 0.0)
            if taken_up > step.released.by:
                continue  # the piece was lifted after the step, so the step cannot answer its move
            if each.piece.side is position.to_move and each.source != each.target:
                legal = each.piece not in self.wrong and not position.find_violation(
                    each.source, each.target
                )
                return each if legal else None
        return None

    def _may_be_answered(self, step: Placement, mover: Side) -> bool:
        """Whether the step may be an answer to a move that the opponent has not completed."""
        if not could_go(0, 0, step.source, step.target):
            return False
        return self.now - step.released.by < LIMITS.early_answer_seconds and any(
            held.piece.side is mover and not held.covered and held.lifted.by <= step.released.by
            for held in self.way.held
        )


def explain(
    hypothesis: Hypothesis,
    ways: Iterable[HandActions],
    base: Referee,
    wrong: tuple[MisplacedMarker, ...],
    now: float,
    dropped: list[str] | None = None,
) -> Iterator[Explanation]:
    """Yield the explanations of a hypothesis, one for each interpretation in `ways`.

    Args:
        hypothesis: The changes on the board since the position in `base`.
        ways: The interpretations of the hypothesis.
        base: The state of the game before these changes.
        wrong: The pieces that were already misplaced before these changes.
        now: Time up to which the board has been observed, in seconds.
        dropped: A list to which the reason is appended if an interpretation contradicts the game.
            Such an interpretation yields no explanation.
    """
    for way in ways:
        explainer = _Explainer(base, way, now, wrong={each.piece: each for each in wrong})
        try:
            explainer.run()
        # No sequence of observations may crash the process. `boomboard trace replay` prints why
        # interpretations were dropped.
        except ContradictionError as contradiction:
            if dropped is not None:
                dropped.append(str(contradiction))
            continue
        last = explainer.turns[-1] if explainer.turns else None
        latest = last.released if last else 0.0
        in_hand = {each.piece for each in way.held}
        yield Explanation(
            hypothesis,
            tuple(explainer.turns),
            tuple(w for piece, w in explainer.wrong.items() if piece not in in_hand),
            _left_over(way.held, explainer),
            *explainer.settled,
            tuple(
                tap
                for tap in way.taps
                # A scout may tap its target and then return to the square on which it had stopped
                # before.
                if tap.at > (last.lifted if last and tap.piece == last.piece else latest)
            ),
            explainer.reordering_seconds,
            explainer.open_until,
            explainer.touched(latest),
            way,
            explainer.amendable,
            explainer.rushed,
            explainer.misplaced,
        )


def _left_over(held: Iterable[LiftedPiece], explainer: _Explainer) -> tuple[LiftedPiece, ...]:
    """Return the held pieces, except those taken off the board because of an attack.

    A piece that was already misplaced counts as lifted from the square where it belongs.
    """
    taken = {(turn.target, turn.piece.side.other) for turn in explainer.turns if turn.is_attack}
    left = []
    for each in held:
        wrong = explainer.wrong.get(each.piece)
        source = wrong.source if wrong else each.source
        if (source, each.piece.side) not in taken:
            left.append(replace(each, source=source))
    return tuple(left)
