"""Prompts that ask the players what they did or meant, and the handling of their answers."""

from collections.abc import Iterable, Sequence, Set

from companion.table.events import AttackAsked, AttackOffered, CourseAsked, WhoAttacks
from companion.table.meant import MOST_OFFERED, Meant
from companion.table.proceedings import Proceedings
from companion.table.question import (
    NOTHING_ASKED,
    Answer,
    Deed,
    Question,
    answer_of,
    answer_of_story,
)
from companion.table.reader import Reader
from companion.table.state import Asked, ToMove
from companion.table.steps import COVERED_STOOD, STOOD
from companion.table.story import Story, Turn
from companion.table.transitions import Cause
from engine.board.geometry import Side, Square
from engine.game.actions import Amend, Attack, Move, TakeBack, WithdrawAttack
from engine.game.rulings import refuses
from firmware_bridge.image import Difference, Image


class Asking:
    """The questions and offers of one turn, and the answers to them."""

    def __init__(self, proceedings: Proceedings, reader: Reader) -> None:
        """Create the prompts of a game."""
        self.dismissed: Image | None = None
        """The image that the players declared to be no attack."""
        self._is_put_back = True
        """Whether all pieces have been back in place since the players last denied something."""
        self._declined: set[Deed] = set()
        """Deeds that the players have denied in this turn."""
        self._asked_at = 0.0
        """Time at which the deed in question was seen: later deeds may be the answer."""
        self._proceedings = proceedings
        self._referee = proceedings.referee
        self._reader = reader

    @property
    def is_open(self) -> bool:
        """Whether the game waits until the players answer what they have done."""
        return isinstance(self._proceedings.state, Asked)

    def is_about(self, up: Set[Square]) -> bool:
        """Whether the game waits for an answer about an attack by two lifted pieces."""
        attackers = self._proceedings.state.asked.attackers
        squares = {square for each in attackers.values() for square in (each.source, each.target)}
        return self.is_open and bool(squares) and squares <= up

    def asks_about(self, deed: Deed) -> bool:
        """Whether the game waits for an answer to whether this was done."""
        answers = self._proceedings.state.asked.answers
        return self.is_open and any(deed in answer.deeds for answer in answers)

    def begin_turn(self) -> None:
        """Allow every offer again."""
        self._declined = set()

    def see(self, seen: Image) -> bool:
        """Update from the current image: a dismissal ends when the image changes.

        Return whether every piece is back on its square as of this image: then all dismissals end,
        and the same gesture counts again.
        """
        if seen != self.dismissed:
            self.dismissed = None
        if self._is_put_back or seen != self._proceedings.expected:
            return False
        self._is_put_back = True
        return True

    def ask(self, deeds: Iterable[Deed], difference: Difference) -> None:
        """Ask which of several deeds was done; the game waits for the answer."""
        self._ask([answer_of(self._referee, deed) for deed in deeds], difference)

    def keep(self, difference: Difference) -> None:
        """Keep the question open, whatever else the hands do in between."""
        asked = self._proceedings.state.asked
        self._proceedings.go(Cause.AMBIGUOUS, asked=asked, difference=difference)

    def ask_who_began(self, turn: Turn, target: Square, difference: Difference) -> None:
        """Ask about two lifted pieces, one of which has been on another square for a moment.

        Either it was on its way to attack `target`, or it was set down, and is attacked from there.
        """
        at_once = answer_of(self._referee, Attack(turn.source, target))
        back = Attack(target, turn.target)
        answered = Answer(turn.piece.side.other, (turn.action, back), f"{turn.action} {back}")
        self._ask([at_once, answered], difference)

    def asks_which(
        self, rivals: Sequence[Story], ruled: Sequence[Turn], difference: Difference
    ) -> bool:
        """Ask which of several stories is right, if the referee would accept each of them."""
        if len(rivals) < 2 or any(story.wrong or story.course.strays for story in rivals):
            return False
        answers = [answer for story in rivals if (answer := answer_of_story(story, ruled))]
        if len(answers) != len(rivals):
            return False
        if self._proceedings.state.asked.answers != tuple(answers):
            self._ask(answers, difference)
        return True

    def asks_whether(self, story: Story, ruled: Sequence[Turn], difference: Difference) -> bool:
        """Ask whether a story is right, if the referee would accept it."""
        answer = answer_of_story(story, ruled)
        if answer and self._proceedings.state.asked.answers != (answer,):
            self._ask([answer], difference)
        return answer is not None

    def offer(self, meant: Meant, story: Story) -> None:
        """Offer the attacks that may have been meant by a piece, held now or before."""
        state = self._proceedings.state
        if not isinstance(state, ToMove):
            return
        found = dict.fromkeys(meant.deeds(story))
        deeds = [deed for deed in found if deed not in self._declined]
        offered = tuple(answer_of(self._referee, deed) for deed in deeds[:MOST_OFFERED])
        if state.asked.answers == offered:
            return
        asked = Question(offered, interrupts=False) if offered else NOTHING_ASKED
        self._proceedings.go(Cause.SHOWN, lifted=state.lifted, asked=asked, is_off=state.is_off)
        if offered:
            self._proceedings.tell(AttackOffered(tuple(answer.text for answer in offered)))

    # -- the answers

    def is_answered(self, story: Story) -> bool:
        """Whether the hands do a deed in question; once the piece is down, that is ruled."""
        for turn in story.turns[-1:] if self.is_open else ():
            if turn.released <= self._asked_at:
                continue
            made = str((Attack if turn.is_attack else Move)(*turn.way))
            need = COVERED_STOOD if turn.covers else STOOD
            for answer in self._proceedings.state.asked.answers:
                if answer.text == made:
                    if self._reader.has_stood(turn.released, need):
                        self._take(answer)
                    return True
        return False

    def name_attacker(self, side: Side) -> None:
        """Handle the players' answer that this side attacks, if that is asked or offered."""
        attack = self._proceedings.state.asked.attackers.get(side)
        if attack:
            self._proceedings.attempt(attack)

    def choose(self, number: int) -> None:
        """Handle the players' choice of an answer by its number, from 0."""
        answers = self._proceedings.state.asked.answers
        if 0 <= number < len(answers):
            self._take(answers[number])

    def confirm(self, source: Square) -> None:
        """Accept the only turn in question: the other side has begun its turn from `source`."""
        answers = self._proceedings.state.asked.answers
        if not self.is_open or len(answers) != 1 or answers[0].attack:
            return
        board, deed = self._referee.position.board, answers[0].deeds[0]
        if isinstance(deed, TakeBack):
            return
        side = board.side_at(deed.source)
        if side and board.side_at(source) is side.other:
            self._take(answers[0])

    def deny(self, seen: Image | None, *, can_withdraw: bool) -> None:
        """Handle the players' answer that it was none of these, or that no attack was meant."""
        state = self._proceedings.state
        if self.is_open:
            self._decline(state.asked)
            self._proceedings.go(Cause.DENIED, is_off=True)
            self._dismiss(seen)
        elif isinstance(state, ToMove) and state.asked.answers:
            self._decline(state.asked)
            self._proceedings.go(Cause.SHOWN, lifted=state.lifted, is_off=state.is_off)
        elif can_withdraw:
            self._proceedings.attempt(WithdrawAttack())
            self._dismiss(seen)

    def is_declined(self, deed: Deed) -> bool:
        """Whether the players have denied this deed in this turn."""
        return deed in self._declined

    def _dismiss(self, seen: Image | None) -> None:
        self.dismissed, self._is_put_back = seen, False

    def _decline(self, asked: Question) -> None:
        self._declined |= {answer.deeds[-1] for answer in asked.answers}

    def _take(self, answer: Answer) -> None:
        """Submit to the referee what the players have answered, as far as it is legal."""
        for deed in answer.deeds:
            if refuses(self._proceedings.attempt(deed)):
                return

    def _ask(self, answers: Iterable[Answer], difference: Difference) -> None:
        question = Question(tuple(answers))
        if self.is_open and self._proceedings.state.asked == question:
            self.keep(difference)
            return
        self._asked_at = self._reader.watch.seen_at
        self._proceedings.go(Cause.AMBIGUOUS, asked=question, difference=difference)
        match [attack for _, attack in sorted(question.attackers.items(), key=self._mover_first)]:
            case [attack]:
                self._proceedings.tell(AttackAsked(attack.source, attack.target))
            case [by_mover, _]:
                self._proceedings.tell(WhoAttacks(by_mover.source, by_mover.target))
            case _:
                texts = tuple(answer.text for answer in question.answers)
                self._proceedings.tell(CourseAsked(texts))

    def _mover_first(self, attacker: tuple[Side, Attack | Amend]) -> bool:
        return attacker[0] is not self._referee.to_move
