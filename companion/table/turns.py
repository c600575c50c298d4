"""What the sides do on the board in their turns, as the reader tells it, put to the referee.

A turn is ruled as soon as all that can still come would only amend it. Until it is settled, the
reader may tell it otherwise: then the latest turn is amended, and where it ends where it began,
there was none. What the rules forbid is told, and stays told until the board shows something else.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from companion.table.conversation import TURN_PHASES, Conversation
from companion.table.events import (
    AttackAsked,
    AttackOffered,
    BoardDiffers,
    CourseAsked,
    Lifted,
    LossThreatens,
    Restored,
    SetDown,
    WhoAttacks,
)
from companion.table.meant import MOST_OFFERED, Meant
from companion.table.question import (
    NOTHING_ASKED,
    Answer,
    Deed,
    Question,
    answer_of,
    answer_of_story,
)
from companion.table.reader import Reader, Reading
from companion.table.story import COVERED_STOOD, SHAKE, STOOD, Story, Turn, Wrong, from_its_turn
from companion.table.tidying import Tidying
from engine.play.actions import Amend, Attack, Move, Touch
from engine.play.referee import Referee
from engine.play.rulings import Moved, TakenBack, refuses
from engine.rulebook.editions import MovedBomb
from engine.rulebook.faults import Fault
from engine.sides import Side
from engine.squares import BESIDE, NEIGHBOURS, Square, SquareSet, squares_in
from firmware_bridge.difference import Difference, compare
from firmware_bridge.image import Image
from firmware_bridge.sensing.courses import Held

NO_DIFFERENCE: Final = Difference(missing=0, surplus=0)
MENDED: Final = 1.5
"""Where the players were told to put something right, what is left of it may be a turn once they
have left the board alone for so many seconds."""
MOVED_BOMB_PATIENCE: Final = 4.0
"""For how many seconds a bomb or flag whose move loses the game has to stand elsewhere. A sleeve
pushes one too: there has to be time to be told so, and to put it back."""
LIFTED: Final = 0.1
"""A piece is shown as lifted when it has been up for so many seconds."""
BOTH_UP: Final = 0.3
"""Two opposing pieces side by side that are up for so many seconds are an attack."""
ON_ITS_WAY: Final = 1.0
"""For so many seconds after that the attacker may be set down elsewhere: then it was none."""
BOTH_UP_APART: Final = 0.7
"""Two that stood further apart, or of which everybody knows the ranks, so that nobody would have to
declare: people look at pieces, too, so it is asked about."""
BOTH_UP_REFUSED: Final = 1.0
"""Two that cannot be an attack, before that is told."""

_Attack: TypeAlias = Attack | Amend


class Turns(Conversation):
    """Two sides at a board, and their referee."""

    def __init__(self, referee: Referee, seed: int) -> None:
        """Play before a referee; `seed` shuffles the tiles of the declarations."""
        super().__init__(referee, seed)
        self.lifted: Square | None = None
        self.difference = NO_DIFFERENCE
        """What has to be changed on the board before the game goes on."""
        self.is_nudged = False
        """Whether a bomb or flag stands where it loses the game if it is not put back."""
        self.asked = NOTHING_ASKED
        """What the players are asked about their hands."""
        self.sees_colours = True
        """Whether the board tells red from blue."""
        self._declined: set[Deed] = set()
        """The attacks that nobody meant when they were offered in this turn."""
        self._reader = Reader()
        self._shown_down: tuple[Square, float] | None = None
        """Where a piece was told to be set down, and when that was."""
        self._shown_up: set[Square] = set()
        """From where pieces were told to be taken up."""
        self._ruled: list[Turn] = []
        """The turns that are ruled and that the reader may still tell otherwise."""
        self._released: float | None = None
        """When the turn was let go of that is about to be ruled: that was its time."""
        self._tidying: Tidying | None = None
        """The combat that has just been cleared up, as long as its losers may stand about."""
        self._flickering: SquareSet = 0
        """The squares of which the sensors flicker."""
        self._in_hands_until: float | None = None
        """Until when the attack that was taken from the hands may still turn out to be none."""
        self._dismissed: Image | None = None
        """The image that was said to be no attack."""
        self._is_led_back = False
        """Whether it was told that the board is disturbed, and what has to go where."""
        self._is_off = False
        """Whether it was said or shown that something is not where it should be."""

    @property
    def expected(self) -> Image:
        """What the board must show while nothing is in a hand."""
        return Image(self.referee.position.board.red, self.referee.position.board.blue)

    @property
    def attackers(self) -> Mapping[Side, Attack | Amend]:
        """The attacks that each side can be making, if the game waits for the players to say it."""
        return self.asked.attackers if self.asked.interrupts else {}

    @property
    def is_asking(self) -> bool:
        """Whether the game waits until the players say what they have done."""
        return bool(self.asked.answers) and self.asked.interrupts

    def _attack_on_screen(self, source: Square, target: Square) -> None:
        """Open an attack by touches, which move no piece: no bomb is lost by that."""
        self._in_hands_until = None
        if self.referee.can_strike_on(source, target):
            self._attempt(Amend(source, target))
            return
        violation = self.referee.find_violation(source, target)
        if violation and violation.fault is Fault.IMMOBILE:
            self.violation = violation
            self._tell(violation)
        else:
            self._attempt(Attack(source, target))

    # -- what is read, put to the referee

    def _take_reading(self, reading: Reading, seen: Image) -> None:
        """Rule what is ripe; if nothing is, tell what stands wrongly or is in a hand."""
        if reading.story and self._is_answered(reading.story):
            return
        if self._rule(reading, seen):
            return
        self._released = self._released_by(reading.story)
        self._show(reading.story)
        difference = compare(seen, self.expected)
        self._is_off = self._is_off or bool(self.difference) or self.lifted is not None
        if self._tidying and self._tidying.explains(difference, seen):
            reading = replace(reading, wrong=(), is_unclear=False)
        if not (difference.missing | difference.surplus) & ~self._flickering:
            reading = replace(reading, is_unclear=False)
        is_open = reading.is_unclear and seen != self._dismissed
        if is_open and self._asks_which(reading.rivals, difference):
            return
        if reading.is_unclear or self._is_being_mended(difference):
            self._lead_back(difference)
        elif reading.wrong:
            self._tell_wrong(reading.wrong[0], difference)
        elif self.is_asking and self.difference == difference:
            return
        elif reading.story and self._take_hands(reading.story, seen, difference):
            self._be_quiet(reading.story, difference)
            self._offer(reading.story)

    def _show(self, story: Story | None) -> None:
        """Tell in the same frame what was taken up or set down."""
        up = {held.source for held in story.held} if story else set()
        self._tell(*map(Lifted, sorted(up - self._shown_up)))
        self._shown_up = up
        down: list[Turn | Wrong] = [*story.turns, *story.wrong] if story else []
        latest = max(down, key=lambda each: each.released, default=None)
        if latest and (latest.target, latest.released) != self._shown_down:
            self._shown_down = latest.target, latest.released
            self._tell(SetDown(latest.source, latest.target))

    def _released_by(self, story: Story | None) -> float | None:
        """When the turn was let go of that is not ripe yet, if one was."""
        pending = story.turns[len(self._ruled) :] if story else ()
        if not story or not pending or story.is_in_hand_again(pending[0]):
            return None
        return pending[0].released

    def _is_being_mended(self, difference: Difference) -> bool:
        """Whether what was disturbed is put right piece by piece."""
        before = self.difference
        more = difference.missing & ~before.missing | difference.surplus & ~before.surplus
        return self._is_led_back and bool(difference) and not more

    def _be_quiet(self, story: Story, difference: Difference) -> None:
        """Take back what stands on the screens: nothing is wrong, at most a piece is lifted."""
        before, after = self.lifted, self._in_hand(story)
        if before is after is None and not self._is_off:
            return  # what was said at the screen may stand
        offer = self.asked
        self._forget_gesture()
        self.lifted, self.asked = after, offer
        if self.lifted is None and self._is_off and not difference:
            self._is_off = False
            self._tell(Restored())

    def _in_hand(self, story: Story) -> Square | None:
        up = [held for held in story.held if self._reader.has_stood(held.lifted.by, LIFTED)]
        return up[0].source if up else None

    def _rule(self, reading: Reading, seen: Image) -> bool:
        """Put the turns to the referee that are ripe; say whether the game has changed by it."""
        changed = self._reader.watch.changed_at
        if reading.story is None or (
            self._is_led_back and not self._reader.has_stood(changed, MENDED)
        ):
            return False
        accepted = len(self._actions)
        told, ripe = reading.story.turns, reading.ruled
        while self._ruled != list(told[: len(self._ruled)]):
            same = sum(1 for a, b in zip(self._ruled, told, strict=False) if a == b)
            if len(self._ruled) - same != 1 or not self._retell(
                self._ruled[same], told, ripe, same
            ):
                break
        if len(self._actions) > accepted:
            return True
        for turn in ripe[len(self._ruled) :]:
            if self._ruled != list(ripe[: len(self._ruled)]):
                break
            if turn.is_attack and self._dismissed == seen:
                self._lead_back(compare(seen, self.expected))
                return True
            if not self._carry_out(turn.action, turn.released) or turn.is_attack:
                break
            self._ruled.append(turn)
        return len(self._actions) > accepted

    def _retell(
        self, old: Turn, told: tuple[Turn, ...], ripe: tuple[Turn, ...], place: int
    ) -> bool:
        """Amend the latest turn that was ruled, or find that there was none."""
        if place < len(told):
            new = told[place]
            if new not in ripe or new.piece != old.piece or new.source != old.source:
                return False
            if new.way == old.way:  # it was taken up and put back
                self._ruled[place] = new
                return True
            amended = self._carry_out(Amend(old.target, new.target), new.released)
            if not amended or new.is_attack:
                return False
            self._ruled[place:] = [new]
            return True
        if not self._carry_out(Amend(old.target, old.source), None):
            return False
        del self._ruled[place:]
        return True

    def _carry_out(self, action: Move | Attack | Amend, released: float | None) -> bool:
        """Put to the referee what the reader tells; after a move the reader goes on where it is."""
        self._released = released
        accepted = len(self._actions)
        base, ruled = self._reader.base, self._ruled
        rulings = self._attempt(action)
        if len(self._actions) == accepted:
            return False
        if isinstance(rulings[0], Moved | TakenBack) and self.referee.phase in TURN_PHASES:
            self._reader.base, self._ruled = base, ruled
        return True

    def _tell_wrong(self, wrong: Wrong, difference: Difference) -> None:
        if wrong.violation == self.violation and self.difference == difference:
            return
        if (self.is_asking and self.difference == difference) or self._asks_shove(
            wrong, difference
        ):
            return
        if self._would_lose(wrong):
            if self._reader.has_stood(wrong.released, MOVED_BOMB_PATIENCE):
                self._attempt(self._as_turn(wrong))
                return
            if not self.is_nudged or self.difference != difference:
                self._forget_gesture()
                self.difference, self.is_nudged = difference, True
                self._tell(LossThreatens(difference, self.expected))
            return
        self._forget_gesture()
        is_news = self.violation != wrong.violation
        self.violation, self.refused = wrong.violation, self._as_turn(wrong)
        self.difference = difference
        if is_news:
            self._tell(wrong.violation)

    def _asks_shove(self, wrong: Wrong, difference: Difference) -> bool:
        """Ask whether the attacker has shoved its target aside, where no colours tell them apart.

        Then what seems to be the attacker, where it may not stand, is the target.
        """
        if self.sees_colours or wrong.piece.side is not self.referee.to_move:
            return False
        attacks = self._meant.attacks_from(wrong.source, squares_in(BESIDE[wrong.target]))
        enemies = self.referee.position.board.of(wrong.piece.side.other)
        shoved = [attack for attack in attacks if enemies >> attack.target & 1]
        if not shoved or self._dismissed is not None:
            return False
        self._forget_gesture()
        self._ask([answer_of(self.referee, each) for each in shoved], difference)
        return True

    def _ask(self, answers: Iterable[Answer], difference: Difference) -> None:
        """Let the players say what they have done; the game waits for that."""
        self.asked, self.difference = Question(tuple(answers)), difference
        match [attack for _, attack in sorted(self.asked.attackers.items(), key=self._mover_first)]:
            case [attack]:
                self._tell(AttackAsked(attack.source, attack.target))
            case [by_mover, _]:
                self._tell(WhoAttacks(by_mover.source, by_mover.target))
            case _:
                self._tell(CourseAsked(tuple(answer.text for answer in self.asked.answers)))

    def _mover_first(self, attacker: tuple[Side, _Attack]) -> bool:
        return attacker[0] is not self.referee.to_move

    def _as_turn(self, wrong: Wrong) -> Move | Attack:
        is_attack = self.referee.position.board.side_at(wrong.target) is not None
        return (Attack if is_attack else Move)(wrong.source, wrong.target)

    def _would_lose(self, wrong: Wrong) -> bool:
        """Whether a bomb or flag was moved, where that loses the game."""
        loses = self.referee.edition.moved_bomb is MovedBomb.LOSES
        return loses and wrong.violation.fault is Fault.IMMOBILE

    def _take_hands(self, story: Story, seen: Image, difference: Difference) -> bool:
        """Tell what is in the hands; False if the game has gone on by it, or something is asked."""
        pending = story.turns[len(self._ruled) :]
        up = [from_its_turn(held, pending) for held in story.held]
        own = [held for held in up if held.piece.side is self.referee.to_move]
        other = [held for held in up if held.piece.side is not self.referee.to_move]
        if len(own) == 1 and not other and not self._ruled and self._touches(own[0]):
            return False
        if len(own) == len(other) == 1 and all(map(story.is_in_hand_again, pending)):
            if not self._has_answered(own[0], other[0], pending):
                self._take_both(own[0], other[0], seen, difference)
            elif self._reader.has_stood(self._reader.watch.changed_at, BOTH_UP_REFUSED):
                self._lead_back(difference)
            has_begun = self.referee.phase not in TURN_PHASES
            if has_begun or self.is_asking or self.difference or self.violation:
                return False
        return True

    def _has_answered(self, own: Held, other: Held, pending: tuple[Turn, ...]) -> bool:
        """Whether the other side may be attacking the square where this piece briefly stood."""
        if not pending or pending[0].is_attack or pending[0].piece != own.piece:
            return False
        turn, after = pending[0], self.referee.copy()
        after.apply(turn.action)
        attacked = after.phase in TURN_PHASES and not after.find_violation(
            other.source, turn.target
        )
        return attacked and not self.referee.find_violation(own.source, other.source)

    def _touches(self, own: Held) -> bool:
        """Note, where that binds, that the side to move has taken up a piece."""
        if not self.referee.can_touch(own.source) or not self._reader.has_stood(
            own.lifted.by, SHAKE
        ):
            return False
        base, lifted = self._reader.base, self.lifted
        assert base
        base.apply(Touch(own.source))
        self._attempt(Touch(own.source))
        self._reader.base, self.lifted = base, lifted
        return True

    def _forget_gesture(self) -> None:
        """The board shows something else, or what it shows was accepted."""
        self.lifted, self.difference = None, NO_DIFFERENCE
        self.asked, self.is_nudged, self._is_led_back = NOTHING_ASKED, False, False
        self.violation = self.refused = None

    def _take_both(self, own: Held, other: Held, seen: Image, difference: Difference) -> None:
        """Take two pieces in the hands: whose attack it is, hands do not tell."""
        if seen == self._dismissed:
            self._lead_back(difference)
            return
        source, target = own.source, other.source
        board = self.referee.position.board
        if board.side_at(source) is None or board.side_at(target) is None:
            return
        beside = target in NEIGHBOURS[source]
        up = max(own.lifted.by, other.lifted.by)
        if not self._reader.has_stood(up, BOTH_UP if beside else BOTH_UP_APART):
            return
        attacks = self._meant.attacks_in_hand(source, target, begun=own.lifted.by < other.lifted.by)
        match attacks:
            case [Attack(), Amend()]:
                self._ask([answer_of(self.referee, each) for each in attacks], difference)
            case [attack] if self._is_certain(attack, beside):
                self._attempt(attack)
                self._in_hands_until = self._reader.watch.seen_at + ON_ITS_WAY
            case [attack] if self._reader.has_stood(up, BOTH_UP_APART):
                # No declaration would confirm it, and people lift pieces to look at them.
                self._ask([answer_of(self.referee, attack)], difference)
            case [] if beside and self._reader.has_stood(up, BOTH_UP_REFUSED):
                violation = self.referee.find_violation(source, target)
                assert violation, "there would be an attack otherwise"
                self._tell_wrong(Wrong(own.piece, source, target, violation, up), difference)

    def _is_certain(self, attack: _Attack, beside: bool) -> bool:
        """Whether two pieces that are up can be taken for an attack without asking.

        It can be withdrawn as long as nobody has declared.
        """
        return beside and not self.referee.is_decided(attack.source, attack.target)

    def _asks_which(self, rivals: tuple[Story, ...], difference: Difference) -> bool:
        """Ask which of several stories it was, if each of them could be put to the referee."""
        if len(rivals) < 2 or any(story.wrong or story.course.strays for story in rivals):
            return False
        answers = [answer for story in rivals if (answer := answer_of_story(story, self._ruled))]
        if len(answers) != len(rivals):
            return False
        if self.asked.answers != tuple(answers):
            self._forget_gesture()
            self._ask(answers, difference)
        return True

    def _take_answer(self, answer: Answer) -> None:
        """Put to the referee what the players say that they have done, as far as it is allowed."""
        for deed in answer.deeds:
            if refuses(self._attempt(deed)):
                return

    def _is_answered(self, story: Story) -> bool:
        """Whether the hands do what is asked about; once it stands, it is ruled."""
        for turn in story.turns[-1:]:
            made = str((Attack if turn.is_attack else Move)(*turn.way))
            need = COVERED_STOOD if turn.covers else STOOD
            for answer in self.asked.answers if self.is_asking else ():
                if answer.text == made:
                    if self._reader.has_stood(turn.released, need):
                        self._take_answer(answer)
                    return True
        return False

    # -- what may have been meant

    def _offer(self, story: Story) -> None:
        """Offer the attacks that may have been meant by what is held, or was held over a piece."""
        found = dict.fromkeys(self._meant.deeds(story))
        meant = [deed for deed in found if deed not in self._declined]
        offered = tuple(answer_of(self.referee, deed) for deed in meant[:MOST_OFFERED])
        if self.asked.answers == offered:
            return
        self.asked = Question(offered, interrupts=False) if offered else NOTHING_ASKED
        if offered:
            self._tell(AttackOffered(tuple(answer.text for answer in offered)))

    @property
    def _meant(self) -> Meant:
        """The list of turns the players may have meant, as things stand now."""
        return Meant(
            self.referee,
            self._reader,
            tuple(self._ruled),
            self.asked,
            self.sees_colours,
            self._flickering,
        )

    def _lead_back(self, difference: Difference) -> None:
        if self.difference == difference and not self.violation:
            return
        self._forget_gesture()
        self.difference, self._is_led_back = difference, True
        self._tell(BoardDiffers(difference, self.expected))
