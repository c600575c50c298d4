"""Questions about what the players did or intended, and the handling of their answers."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.core.events import AttackSuggested, ChooseAttacker, ChooseExplanation, ConfirmAttack
from companion.core.explanation import Explanation, Turn, from_its_turn, rested_seconds
from companion.core.game_context import GameContext
from companion.core.move_recognizer import MoveRecognizer
from companion.core.recognition_limits import LIMITS
from companion.core.state import (
    NOTHING_ASKED,
    Candidate,
    Cause,
    OpenQuestion,
    ToMove,
    TurnAction,
    candidate_for,
    candidate_of,
)
from engine.board.geometry import BESIDE, Side, Square, SquareSet, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Amend, Attack, Move, TakeBack, WithdrawAttack
from engine.game.referee import Referee
from engine.game.rulings import refuses
from firmware_bridge.image import Image, ImageDifference
from firmware_bridge.sensing.hypotheses import LiftedPiece

# Attacks that the players may have intended are offered even if the sensors did not show them. A
# tap may have been too light or too short, a piece placed over another may not change any reading,
# and a flickering sensor is debounced for longer.


GoesOn: TypeAlias = Attack | Amend
"""An attack that is either a turn of its own or the end of the previous turn."""


@dataclass(frozen=True)
class PossibleAttacks:
    """Finds turns that the players may have intended, for one state of a game."""

    referee: Referee
    reader: MoveRecognizer
    ruled: tuple[Turn, ...]
    """Accepted turns that may still be amended."""
    asked: OpenQuestion
    """Question or offer that is already open."""
    sees_colours: bool
    flickering: SquareSet
    moved: Turn | None
    withdrawn: Attack | Amend | None = None
    """Attack that was recognised from two lifted pieces and withdrawn in the same turn."""

    def candidates(self, explanation: Explanation) -> Iterator[TurnAction]:
        """Yield the turns that the players may have intended. A turn may be yielded twice."""
        pending = explanation.turns[len(self.ruled) :]
        # A turn that is waiting for its ruling is probably the intended one, so an offer would be
        # premature.
        if not all(map(explanation.is_in_hand_again, pending)):
            return
        # If each side has lifted a piece, these pieces indicate an attack, so the withdrawn attack
        # is not offered.
        if self.withdrawn and len({held.piece.side for held in explanation.held}) < len(Side):
            yield from self.attacks_from(self.withdrawn.source, [self.withdrawn.target])
        for possible in self.reader.explanations:
            if possible.cost != explanation.cost:
                break  # sensors cannot show which lifted piece was on top, so costs are equal
            for tap in possible.taps:
                if (place := possible.place_of(tap.piece)) is not None:
                    yield from self.attacks_from(place, [tap.target])
        # The list is truncated, so the most likely turns come first: taps, earlier offers, and then
        # the squares that a held piece could reach.
        yield from self._strikes_offered(explanation)
        # If several pieces are held, ignore those of the other side, because that side may only be
        # looking at them.
        own = [each for each in explanation.held if each.piece.side is self.referee.to_move]
        others = explanation.held if len(explanation.held) == 1 else ()
        for each in own or others:
            held = self.as_ruled(from_its_turn(each, pending))
            if self.reader.has_stood(held.lifted.by, self._patience(explanation)):
                yield from self._moves_unseen(held)
                yield from self._attacks_unseen(held)

    def _attacks_unseen(self, held: LiftedPiece) -> Iterator[GoesOn]:
        """Yield the attacks that a held piece may have made, unless there are too many."""
        enemies = squares_in(self.referee.position.board.of(held.piece.side.other))
        attacks = list(self.attacks_from(held.source, enemies))
        begun = [turn.source for turn in self.ruled if turn.target == held.source]
        stood = (held.source, *begun)
        beside = [each for each in attacks if any(BESIDE[s] >> each.target & 1 for s in stood)]
        if attacks and (
            beside or self.reader.has_stood(held.lifted.by, LIMITS.offer_distant_seconds)
        ):
            is_scout = self.referee.position.ranks_at(held.source) == 1 << Rank.SCOUT
            # A piece that is not a proved scout most probably attacks a neighbour. Distant targets
            # are left out if there is a neighbour to attack.
            found = attacks if is_scout else beside or attacks
            yield from found if len(found) <= LIMITS.most_offers else ()

    def as_ruled(self, held: LiftedPiece) -> LiftedPiece:
        """Return a held piece, with its source set to its square in the referee's position.

        If the piece was moved in an accepted turn, that square is the target of the turn.
        """
        for turn in self.ruled:
            if turn.piece == held.piece:
                return replace(held, source=turn.target)
        return held

    def _patience(self, explanation: Explanation) -> float:
        if any(map(explanation.is_in_hand_again, explanation.turns)):
            return LIMITS.offer_after_move_seconds
        if self.sees_colours and not self.flickering:
            return LIMITS.offer_beside_seconds
        return LIMITS.offer_beside_colourless_seconds

    def _moves_unseen(self, held: LiftedPiece) -> Iterator[Move]:
        """Yield moves of a piece to flickering squares, where recognition takes longer."""
        if held.piece.side is not self.referee.to_move:
            return
        for target in squares_in(self.flickering & ~self.referee.position.board.occupied):
            if not self.referee.find_violation(held.source, target):
                yield Move(held.source, target)

    def _strikes_offered(self, explanation: Explanation) -> Iterator[GoesOn]:
        """Yield the attacks that have already been offered for the piece that has just moved.

        The piece was lifted again beside its target, but may be back on its square by now. The
        offers stay open until the next turn.
        """
        again = any(map(explanation.is_in_hand_again, explanation.turns))
        for answer in () if again or self.asked.interrupts else self.asked.answers:
            if isinstance(attack := answer.attack, Amend):
                yield from self.attacks_from(attack.source, [attack.target])

    def attacks_from(self, source: Square, targets: Iterable[Square]) -> Iterator[GoesOn]:
        """Yield the legal attacks of a piece, as a new turn or as the end of its previous one."""
        board = self.referee.position.board
        for target in targets:
            if board.side_at(source) is self.referee.to_move:
                if not self.referee.find_violation(source, target):
                    yield Attack(source, target)
            elif board.side_at(target) is self.referee.to_move and self._goes_on(source, target):
                yield Amend(source, target)

    def attacks_in_hand(self, source: Square, target: Square, *, begun: bool) -> list[GoesOn]:
        """List the attacks that the rules allow between two lifted pieces.

        Pass `begun=True` if the side to move has begun its turn by lifting its piece first. An
        attack by the other side is then listed only if the side to move cannot attack.
        """
        attacks: list[GoesOn] = []
        if not self.referee.find_violation(source, target):
            attacks.append(Attack(source, target))
        # The order of lifting does not prove which side began: after a run, a scout may attack a
        # piece that the opponent has just lifted.
        if not (begun and attacks) and self._goes_on(target, source):
            attacks.append(Amend(target, source))
        return attacks

    def _goes_on(self, source: Square, target: Square) -> bool:
        """Whether the piece that has just moved may end its turn with this attack."""
        if self.ruled:
            return self.referee.can_amend(source, target)
        return self.referee.can_strike_on(source, target)


class PlayerPrompts:
    """Asks questions and makes offers during a turn, and handles the answers."""

    def __init__(self, context: GameContext, reader: MoveRecognizer) -> None:
        self.dismissed: Image | None = None
        """Image in which, according to the players, no attack is being made, or None."""
        self._is_put_back = True
        """Whether all pieces have been back on their squares since the players last said “no”."""
        self._declined: set[TurnAction] = set()
        """Actions that the players have said they did not make in this turn."""
        self._asked_at = 0.0
        """Time of the frame that led to the question. Only a later action can answer the
        question."""
        self._context = context
        self._referee = context.referee
        self._reader = reader

    def is_about(self, up: Set[Square]) -> bool:
        """Whether the game is waiting for an answer about an attack between lifted pieces.

        `up` contains the squares from which the pieces were lifted.
        """
        attackers = self._context.state.asked.attackers
        squares = {square for each in attackers.values() for square in (each.source, each.target)}
        return self._context.state.waits_for_answer and bool(squares) and squares <= up

    def asks_about(self, action: TurnAction) -> bool:
        """Whether the game is waiting for an answer about `action`."""
        answers = self._context.state.asked.answers
        return self._context.state.waits_for_answer and any(
            action in answer.actions for answer in answers
        )

    def begin_turn(self) -> None:
        """Forget the players' denials when a new turn begins."""
        self._declined = set()

    def update(self, seen: Image) -> bool:
        """Forget the `dismissed` image when the board shows a different one.

        Return whether all pieces are back on their squares for the first time since the players
        denied an action. From now on, denied actions may be recognised again.
        """
        if seen != self.dismissed:
            self.dismissed = None
        # Players may deny an attack and then make it. The attack is therefore recognised again in
        # the same turn, but only once all pieces have been back on their squares.
        if self._is_put_back or seen != self._context.expected:
            return False
        self._is_put_back = True
        return True

    def ask(self, actions: Iterable[TurnAction], difference: ImageDifference) -> None:
        """Ask which of several actions was performed. The game waits for the answer."""
        self._ask([candidate_of(self._referee, action) for action in actions], difference)

    def keep_open(self, difference: ImageDifference) -> None:
        """Keep the question open, and update the difference between image and position."""
        asked = self._context.state.asked
        self._context.transition(Cause.AMBIGUOUS, asked=asked, difference=difference)

    def ask_who_began(self, turn: Turn, target: Square, difference: ImageDifference) -> None:
        """Ask about two lifted pieces, one of which was briefly on another square.

        Either that piece was on its way to attack `target`, or it was set down on the other square
        and is being attacked by the piece from `target`.
        """
        at_once = candidate_of(self._referee, Attack(turn.source, target))
        back = Attack(target, turn.target)
        answered = Candidate(turn.piece.side.other, (turn.action, back), f"{turn.action} {back}")
        self._ask([at_once, answered], difference)

    def ask_which(
        self, rivals: Sequence[Explanation], ruled: Sequence[Turn], difference: ImageDifference
    ) -> bool:
        """Ask which explanation is right. Return False if one cannot be offered as an answer."""
        if len(rivals) < 2 or any(
            explanation.wrong or explanation.hypothesis.unexplained for explanation in rivals
        ):
            return False
        answers = [
            answer for explanation in rivals if (answer := candidate_for(explanation, ruled))
        ]
        if len(answers) != len(rivals):
            return False
        if self._context.state.asked.answers != tuple(answers):
            self._ask(answers, difference)
        return True

    def ask_whether(
        self, explanation: Explanation, ruled: Sequence[Turn], difference: ImageDifference
    ) -> bool:
        """Ask whether an explanation is right. Return False if no such question is possible."""
        answer = candidate_for(explanation, ruled)
        if answer and self._context.state.asked.answers != (answer,):
            self._ask([answer], difference)
        return answer is not None

    def offer(self, meant: PossibleAttacks, explanation: Explanation) -> None:
        """Offer the attacks that the players may have intended."""
        state = self._context.state
        if not isinstance(state, ToMove):
            return
        found = dict.fromkeys(meant.candidates(explanation))
        # An attack that was denied in this turn is not offered again, however long the piece is
        # held.
        actions = [action for action in found if action not in self._declined]
        offered = tuple(
            candidate_of(self._referee, action) for action in actions[: LIMITS.most_offers]
        )
        # The same offer is announced only once, not with every frame.
        if state.asked.answers == offered:
            return
        asked = OpenQuestion(offered, interrupts=False) if offered else NOTHING_ASKED
        self._context.transition(Cause.SHOWN, lifted=state.lifted, asked=asked, is_off=state.is_off)
        if offered:
            self._context.emit(AttackSuggested(tuple(answer.text for answer in offered)))

    # -- the answers

    def take_hand_answer(self, explanation: Explanation) -> bool:
        """Take a stable hand action as the answer.

        Return whether the latest action matches an answer, even if it is not stable yet.
        """
        for turn in explanation.turns[-1:] if self._context.state.waits_for_answer else ():
            # The placement that caused the question cannot also be the answer to it.
            if turn.released <= self._asked_at:
                continue
            made = str((Attack if turn.is_attack else Move)(*turn.way))
            need = rested_seconds(covers=turn.covers)
            for answer in self._context.state.asked.answers:
                if answer.text == made:
                    if self._reader.has_stood(turn.released, need):
                        self._take(answer)
                    return True
        return False

    def name_attacker(self, side: Side) -> None:
        """Submit the attack by `side`, if the question or offer includes one."""
        attack = self._context.state.asked.attackers.get(side)
        if attack:
            self._context.submit(attack)

    def choose(self, number: int) -> None:
        """Handle the players' choice of answer `number`, counted from 0."""
        answers = self._context.state.asked.answers
        if 0 <= number < len(answers):
            self._take(answers[number])

    def confirm(self, source: Square) -> None:
        """Accept the single turn asked about if the other side begins its own turn on `source`."""
        answers = self._context.state.asked.answers
        if not self._context.state.waits_for_answer or len(answers) != 1 or answers[0].attack:
            return
        board, action = self._referee.position.board, answers[0].actions[0]
        if isinstance(action, TakeBack):
            return
        side = board.side_at(action.source)
        if side and board.side_at(source) is side.other:
            self._take(answers[0])

    def answer_none(self, seen: Image | None, *, can_withdraw: bool) -> None:
        """Handle the answer that all suggestions are wrong or that no attack was intended."""
        state = self._context.state
        if self._context.state.waits_for_answer:
            self._decline(state.asked)
            self._context.transition(Cause.DENIED, is_off=True)
            self._dismiss(seen)
        elif isinstance(state, ToMove) and state.asked.answers:
            self._decline(state.asked)
            self._context.transition(Cause.SHOWN, lifted=state.lifted, is_off=state.is_off)
        elif can_withdraw:
            self._context.submit(WithdrawAttack())
            self._dismiss(seen)

    def is_declined(self, action: TurnAction) -> bool:
        return action in self._declined

    def _dismiss(self, seen: Image | None) -> None:
        self.dismissed, self._is_put_back = seen, False

    def _decline(self, asked: OpenQuestion) -> None:
        self._declined |= {answer.actions[-1] for answer in asked.answers}

    def _take(self, answer: Candidate) -> None:
        """Submit the actions of an answer to the referee, up to the first illegal one."""
        for action in answer.actions:
            # The later actions build on this one, so they would be applied to the wrong position.
            if refuses(self._context.submit(action)):
                return

    def _ask(self, answers: Iterable[Candidate], difference: ImageDifference) -> None:
        question = OpenQuestion(tuple(answers))
        if self._context.state.waits_for_answer and self._context.state.asked == question:
            self.keep_open(difference)
            return
        self._asked_at = self._reader.watch.seen_at
        self._context.transition(Cause.AMBIGUOUS, asked=question, difference=difference)
        match [attack for _, attack in sorted(question.attackers.items(), key=self._mover_first)]:
            case [attack]:
                self._context.emit(ConfirmAttack(attack.source, attack.target))
            case [by_mover, _]:
                self._context.emit(ChooseAttacker(by_mover.source, by_mover.target))
            case _:
                texts = tuple(answer.text for answer in question.answers)
                self._context.emit(ChooseExplanation(texts))

    def _mover_first(self, attacker: tuple[Side, Attack | Amend]) -> bool:
        return attacker[0] is not self._referee.to_move
