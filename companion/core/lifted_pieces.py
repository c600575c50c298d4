"""Works out from the lifted pieces whether a piece was touched or an attack was made."""

from dataclasses import dataclass

from companion.core.explanation import Explanation, Turn, from_its_turn
from companion.core.game_context import GameContext
from companion.core.move_recognizer import MoveRecognizer
from companion.core.prompts import GoesOn, PlayerPrompts, PossibleAttacks
from companion.core.recognition_limits import LIMITS
from companion.core.state import Cause, ToMove
from engine.board.geometry import NEIGHBOURS, Side
from engine.game.actions import Amend, Touch
from engine.rules.movement import is_long_move
from firmware_bridge.image import Image, ImageDifference
from firmware_bridge.sensing.hypotheses import LiftedPiece, TrackedPiece


@dataclass(frozen=True)
class OpenedByHands:
    """An attack that was recognised only from two lifted pieces."""

    attack: GoesOn
    pieces: tuple[TrackedPiece, TrackedPiece]


class LiftedPieces:
    """Submits a touch or an attack to the referee if the lifted pieces indicate one."""

    def __init__(self, context: GameContext, reader: MoveRecognizer, asking: PlayerPrompts) -> None:
        self.opened: OpenedByHands | None = None
        """The attack indicated by two lifted pieces, or None. It is unconfirmed until a piece is
        put down."""
        self._context = context
        self._referee = context.referee
        self._reader = reader
        self._asking = asking

    def take(
        self,
        explanation: Explanation,
        pending: tuple[Turn, ...],
        meant: PossibleAttacks,
        seen: Image,
        now: ImageDifference,
    ) -> bool:
        """Handle the lifted pieces. Return False if they caused an action or a question is open.

        Args:
            explanation: The recognised hand actions.
            pending: The turns in the explanation that are still to be ruled on.
            meant: The turns that the players may have intended.
            seen: The image.
            now: How the image differs from the expected image.
        """
        up = [meant.as_ruled(from_its_turn(held, pending)) for held in explanation.held]
        mover = self._referee.to_move
        own = [held for held in up if held.piece.side is mover]
        other = [held for held in up if held.piece.side is not mover]
        if len(own) == 1 and not other and not meant.ruled and self._touches(own[0]):
            return False
        # A question stays open as long as its two pieces are lifted, even if the players look at
        # other pieces.
        if self._asking.is_about({held.source for held in up}):
            self._asking.keep_open(now)
            return False
        pairs = [(a, b) for a in own for b in other if self._may_fight(a, b, meant)]
        # Lifted pieces do not indicate an attack while a turn is in progress, or if more than one
        # pair is possible.
        if len(pairs) == 1 and all(map(explanation.is_in_hand_again, pending)):
            attacker, target = pairs[0]
            if seen == self._asking.dismissed:
                # The players have denied this attack. Pieces that are still lifted are not a
                # disturbance.
                return True
            if not self._has_answered(attacker, target, pending):
                is_first = target.lifted.by < attacker.lifted.by
                hovered = is_first and any(_hovered(target, turn) for turn in meant.ruled)
                # If the side to move has a piece on a new square, this piece is making the move.
                # The side has then lifted its next piece too early, which is no sure attack.
                elsewhere = now.surplus & (seen.of(mover) | seen.unknown)
                is_sure = not (hovered or elsewhere or len(up) > len(Side))
                is_sure = is_sure and not _reconsiders(attacker, target, meant.moved)
                is_sure = is_sure and not _is_looked_at(attacker, target)
                self._take_both(attacker, target, meant, now, is_sure=is_sure)
            elif self._reader.has_stood(
                self._reader.watch.changed_at, LIMITS.pair_question_seconds
            ):
                self._asking.ask_who_began(pending[0], target.source, now)
            return isinstance(self._context.state, ToMove)
        return True

    def is_another_up(self, explanation: Explanation, opened: OpenedByHands) -> bool:
        """Whether the target's side has since lifted another piece beside the attacker."""
        attacker = next((h for h in explanation.held if h.piece == opened.pieces[0]), None)
        target = next((h for h in explanation.held if h.piece == opened.pieces[1]), None)
        if attacker is None or target is None or attacker.piece.side is not self._referee.to_move:
            return False
        later = (
            each
            for each in explanation.held
            if each.piece.side is target.piece.side and each.lifted.by > target.lifted.by
        )
        board = self._referee.position.board
        return any(
            each.source in NEIGHBOURS[attacker.source]
            and board.side_at(each.source) is each.piece.side
            and self._reader.has_stood(each.lifted.by, LIMITS.pair_lifted_seconds)
            for each in later
        )

    def may_be_another(self, explanation: Explanation, opened: OpenedByHands) -> bool:
        """Whether one of the attack's pieces was put back and the other may fight a third piece."""
        (up,) = (held for held in explanation.held if held.piece in opened.pieces)
        others = [each for each in explanation.held if each.piece.side is not up.piece.side]
        back = next(piece for piece in opened.pieces if piece != up.piece)
        place = explanation.place_of(back)
        if place is None or not self._reader.has_stood(
            self._reader.watch.since(place).by, LIMITS.pair_put_back_seconds
        ):
            return False
        is_mover = up.piece.side is self._referee.to_move
        return any(
            not self._referee.find_violation(
                *((up.source, each.source) if is_mover else (each.source, up.source))
            )
            for each in others
        )

    def _may_fight(self, own: LiftedPiece, other: LiftedPiece, meant: PossibleAttacks) -> bool:
        """Whether the rules allow either of two pieces to attack the other."""
        board = self._referee.position.board
        if board.side_at(own.source) is not own.piece.side:
            return False
        if board.side_at(other.source) is not other.piece.side:
            return False
        return bool(meant.attacks_in_hand(own.source, other.source, begun=False))

    def _has_answered(
        self, own: LiftedPiece, other: LiftedPiece, pending: tuple[Turn, ...]
    ) -> bool:
        """Whether the other piece may be attacking the square on which `own` stood briefly."""
        if not pending or pending[0].is_attack or pending[0].piece != own.piece:
            return False
        turn, after = pending[0], self._referee.copy()
        after.apply(turn.action)
        attacked = after.phase.is_turn and not after.find_violation(other.source, turn.target)
        return attacked and not self._referee.find_violation(own.source, other.source)

    def _touches(self, own: LiftedPiece) -> bool:
        """Record the touch of a piece if touch-move applies. Return whether it was recorded."""
        if not self._referee.can_touch(own.source) or not self._reader.has_stood(
            own.lifted.by, LIMITS.longest_shake_seconds
        ):
            return False
        state = self._context.state
        note_touch(self._context, self._reader, Touch(own.source))
        self._context.transition(Cause.SHOWN, lifted=state.lifted)
        return True

    def _take_both(
        self,
        own: LiftedPiece,
        other: LiftedPiece,
        meant: PossibleAttacks,
        now: ImageDifference,
        *,
        is_sure: bool,
    ) -> None:
        """Open the attack that two lifted pieces indicate, or ask which side attacks.

        `is_sure` is False if the attack is less certain because of what else the players have done.
        """
        source, target = own.source, other.source
        beside = target in NEIGHBOURS[source]
        up = max(own.lifted.by, other.lifted.by)
        # A side that lifted its own piece first has begun its turn. There is one exception: the
        # side may have lifted the piece to make room for an enemy piece that has just come close.
        moved = meant.moved
        is_run = moved is not None and is_long_move(moved.source, moved.target)
        window = LIMITS.attack_after_run_seconds if is_run else LIMITS.attack_after_step_seconds
        may_strike = moved is not None and own.lifted.by - moved.released <= window
        begun = own.lifted.by < other.lifted.by and not may_strike
        attacks = meant.attacks_in_hand(source, target, begun=begun)
        match attacks:
            case [attack] if is_sure and beside:
                is_decided = self._referee.is_decided(attack.source, attack.target)
                is_apart = abs(own.lifted.by - other.lifted.by) > LIMITS.pair_lift_interval_seconds
                if is_decided and (is_apart or isinstance(attack, Amend)):
                    if self._reader.has_stood(up, LIMITS.pair_question_seconds):
                        self._asking.ask(attacks, now)
                elif is_decided:
                    # A player who lifts further pieces is only looking at their ranks, and may
                    # have lifted the first two pieces for the same reason.
                    alone = max(up, self._reader.watch.changed_at)
                    if self._reader.has_stood(alone, LIMITS.decided_pair_lifted_seconds):
                        self._context.submit(attack)
                elif not meant.sees_colours and self._reader.watch.changed_at > up:
                    # A piece was set down in the meantime. It may be one of the two lifted pieces.
                    if self._reader.has_stood(
                        self._reader.watch.changed_at, LIMITS.pair_question_seconds
                    ):
                        self._asking.ask(attacks, now)
                elif self._reader.has_stood(up, LIMITS.pair_lifted_seconds):
                    self._context.submit(attack)
                    if self._referee.open_attack:
                        self.opened = OpenedByHands(attack, (own.piece, other.piece))
            case [_, *_] if self._reader.has_stood(up, LIMITS.pair_question_seconds):
                self._asking.ask(attacks, now)


def note_touch(context: GameContext, reader: MoveRecognizer, touch: Touch) -> None:
    """Submit a touch to the referee without restarting recognition."""
    assert reader.base
    base = reader.base.copy()  # a new object triggers a new explanation
    base.apply(touch)
    context.submit(touch)
    reader.base = base


def _reconsiders(own: LiftedPiece, other: LiftedPiece, moved: Turn | None) -> bool:
    """Whether a piece was lifted before its target moved, and the target was lifted again at once.

    In that case, the owner of the first piece has probably lifted it to look at it, and the other
    side may still be moving the target.
    """
    if moved is None or moved.piece != other.piece or own.lifted.by >= moved.released:
        return False
    return other.lifted.by - moved.released <= LIMITS.turn_amendable_seconds


def _is_looked_at(own: LiftedPiece, other: LiftedPiece) -> bool:
    """Whether the target was lifted long before or long after its attacker.

    A piece that was held beside another one for a long time has usually been set down on it, even
    if no sensor reading has changed.
    """
    later = other.lifted.by - own.lifted.by
    return later < -LIMITS.pair_lift_interval_seconds or later > LIMITS.offer_beside_seconds


def _hovered(held: LiftedPiece, turn: Turn) -> bool:
    """Whether a piece moved in an accepted turn and was lifted again almost at once."""
    pause = held.lifted.by - turn.released
    return held.piece == turn.piece and pause < LIMITS.longest_shake_seconds
