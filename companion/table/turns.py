"""What the sides do on the board in their turns: gestures, put to the referee as actions.

The referee never guesses. What has more than one legal explanation is asked, or led back.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from companion.table.conversation import Conversation
from companion.table.events import (
    AttackAsked,
    BoardDiffers,
    Lifted,
    LossThreatens,
    Restored,
    WhoAttacks,
)
from companion.table.glimpses import Glimpses
from engine.play.actions import Amend, Attack, Move, Touch
from engine.play.referee import Referee
from engine.rulebook.editions import MovedBomb
from engine.rulebook.faults import Fault
from engine.sides import Side
from engine.squares import BETWEEN, NEIGHBOURS, Square
from firmware_bridge.gestures import (
    AtRest,
    Attacked,
    Carried,
    Difference,
    Disturbed,
    Gesture,
    InHand,
    InOrder,
    OutOfTurn,
    Way,
    list_ways,
    read,
)
from firmware_bridge.image import Image

NO_DIFFERENCE: Final = Difference(missing=0, surplus=0)
MOVED_BOMB_PATIENCE: Final = 4.0
"""For how many seconds a bomb or flag whose move loses the game has to stand elsewhere. A sleeve
pushes one too: there has to be time to be told so, and to put it back."""


@dataclass(frozen=True)
class Nudged:
    """A bomb or flag whose move loses the game stands elsewhere, not yet for long."""

    patience: ClassVar[float] = 0.5
    source: Square
    target: Square


Reading: TypeAlias = Gesture | Nudged
_First: TypeAlias = Move | Amend
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
        self.attackers: dict[Side, _Attack] = {}
        """The attacks that each side can be making, if it has to be asked whether and who."""
        self._glimpses = Glimpses()
        self._dismissed: Image | None = None
        """The image that was said to be no attack."""

    @property
    def expected(self) -> Image:
        """What the board must show while nothing is in a hand."""
        return Image(self.referee.position.board.red, self.referee.position.board.blue)

    def _read_gesture(self, at: float, seen: Image) -> Gesture:
        """Tell the gesture of an image, and take note of what is seen in passing."""
        referee = self.referee
        last_move = referee.position.last_move
        latest = last_move[1] if last_move else None
        self._glimpses.see(at, seen, self.expected, referee.to_move, latest)
        return read(seen, self.expected, referee.to_move, self._glimpses.move)

    def _would_lose(self, gesture: Carried | Attacked) -> bool:
        """Whether the gesture moves a bomb or flag, where that loses the game."""
        if self.referee.edition.moved_bomb is not MovedBomb.LOSES:
            return False
        if self.referee.can_strike_on(gesture.target, gesture.source):
            return False  # the scout in front of it is lifted together with it
        violation = self.referee.find_violation(gesture.source, gesture.target)
        return violation is not None and violation.fault is Fault.IMMOBILE

    def _attack_on_screen(self, source: Square, target: Square) -> None:
        """Open an attack by touches, which move no piece: no bomb is lost by that."""
        if self.referee.can_strike_on(source, target):
            self._attempt(Amend(source, target))
        elif self._would_lose(Attacked(source, target, set_down=False)):
            self.violation = self.referee.find_violation(source, target)
            assert self.violation, "it would not lose otherwise"
            self._tell(self.violation)
        else:
            self._attempt(Attack(source, target))

    def _take_gesture(
        self, gesture: Reading, seen: Image, difference: Difference, was_off: bool
    ) -> None:
        match gesture:
            case AtRest():
                if was_off:
                    self._tell(Restored())
            case InHand() if self.referee.can_touch(gesture.square):
                self._attempt(Touch(gesture.square))  # then the same image is read again
            case InHand():
                self.lifted = gesture.square
                self._tell(Lifted(gesture.square))
            case Carried():
                self._attempt_on_board(Move(gesture.source, gesture.target), difference)
            case Nudged():
                self.difference, self.is_nudged = difference, True
                self._tell(LossThreatens(difference, self.expected))
            case Attacked(set_down=True) if not self._dismissed:
                self._attempt_on_board(Attack(gesture.source, gesture.target), difference)
            case Attacked() if not self._dismissed:
                self._take_both_in_hand(gesture, seen, difference)
            case OutOfTurn():
                self._take_out_of_turn(gesture, difference)
            case InOrder(ways) if first := self._only(self._firsts(ways)):
                # What the other side has done is read next, from the same image.
                self._attempt(first)
            case Attacked() | InOrder() | Disturbed():
                self._lead_back(difference)

    def _forget_gesture(self) -> None:
        """The board shows something else, or what it shows was accepted."""
        self.lifted, self.difference = None, NO_DIFFERENCE
        self.attackers, self.is_nudged = {}, False

    def _take_out_of_turn(self, gesture: OutOfTurn, difference: Difference) -> None:
        """Take what the piece of the other side has done, which may still be its turn's end."""
        source, target = gesture.source, gesture.target
        strikes = self.referee.can_strike_on(source, target) and not self._dismissed
        if strikes or self._can_slide_on(source, target):
            self._attempt(Amend(source, target))
        else:
            self.violation = self.referee.find_violation(source, target)
            self.refused = Move(source, target)
            self.difference = difference
            assert self.violation, "nobody may move out of turn"
            self._tell(self.violation)

    def _can_slide_on(self, source: Square, target: Square) -> bool:
        """Whether a piece that stood for a while is still on its way (rules.md §4).

        The board sees no hands, so it cannot tell a piece that was released from one that has only
        paused. As long as the other side leaves its pieces alone, the rules allow one explanation:
        that the move was not made before.
        """
        return not self._glimpses.touched and self.referee.can_slide_on(source, target)

    def _take_both_in_hand(self, gesture: Attacked, seen: Image, difference: Difference) -> None:
        """Take two pieces in the hands: whose attack it is, hands do not tell."""
        source, target = gesture.source, gesture.target
        ways = list_ways(seen, self.expected, self.referee.to_move, self._glimpses.move)
        moved = self._firsts(ways)
        attacks = self._attacks_in_hand(source, target)
        if self._is_on_the_way(moved, gesture):
            attacks = []  # it was set down in front: the same question, a move later
        match attacks, moved:
            case [Attack() as by_mover, Amend() as by_other], []:
                mover = self.referee.to_move
                self.attackers = {mover: by_mover, mover.other: by_other}
                self._tell(WhoAttacks(source, target))
            case [attack], [] if self.referee.is_decided(attack.source, attack.target):
                self._ask_whether(attack)
            case [Amend() as strike], []:
                self._attempt(strike)
            case [], [move]:
                self._attempt(move)
            case _, []:
                self._attempt_on_board(Attack(source, target), difference)
            case _:
                self._lead_back(difference)

    def _ask_whether(self, attack: _Attack) -> None:
        """Ask before a combat that no declaration confirms: people lift pieces to look at them."""
        mover = self.referee.to_move
        self.attackers = {mover if isinstance(attack, Attack) else mover.other: attack}
        self._tell(AttackAsked(attack.source, attack.target))

    def _attacks_in_hand(self, source: Square, target: Square) -> list[_Attack]:
        """List the attacks that the rules allow between two pieces that are in the hands.

        A side that has taken up its own piece first has begun its turn, so the other's is over.
        """
        attacks: list[_Attack] = []
        if not self.referee.find_violation(source, target):
            attacks.append(Attack(source, target))
        begun = bool(attacks) and self._glimpses.touched
        if not begun and self.referee.can_strike_on(target, source):
            attacks.append(Amend(target, source))
        return attacks

    def _is_on_the_way(self, moved: list[_First], attack: Attacked) -> bool:
        """Whether the piece that was seen in passing stood before its target, on its way there."""
        way = BETWEEN[attack.source][attack.target]
        return any(
            way and way >> move.target & 1 and attack.target in NEIGHBOURS[move.target]
            for move in moved
        )

    def _firsts(self, ways: Iterable[Way]) -> list[_First]:
        """List what the rules allow to have come first."""
        firsts: list[_First] = []
        for way in ways:
            source, target = way.source, way.target
            if way.side is not self.referee.to_move:
                if self._can_slide_on(source, target):
                    firsts.append(Amend(source, target))
            elif not self.referee.find_violation(source, target):
                firsts.append(Move(source, target))
        return firsts

    def _only(self, firsts: list[_First]) -> _First | None:
        return firsts[0] if len(firsts) == 1 else None

    def _lead_back(self, difference: Difference) -> None:
        self.difference = difference
        self._tell(BoardDiffers(difference, self.expected))

    def _attempt_on_board(self, action: Move | Attack, difference: Difference) -> None:
        self._attempt(action)
        if self.violation:
            self.difference = difference
