"""What the hands hold: a piece that is touched, or two that may be an attack."""

from typing import Final

from companion.table.asking import Asking
from companion.table.meant import GoesOn, Meant
from companion.table.proceedings import Proceedings
from companion.table.reader import Reader
from companion.table.state import ToMove
from companion.table.steps import SHAKE
from companion.table.story import Story, Turn, Wrong, from_its_turn
from companion.table.transitions import Cause
from companion.table.way_back import WayBack
from engine.play.actions import Action, Amend, Attack, Touch
from engine.play.rulings import Ruling
from engine.squares import NEIGHBOURS
from firmware_bridge.difference import Difference
from firmware_bridge.image import Image
from firmware_bridge.sensing.courses import Held

BOTH_UP: Final = 0.3
"""Two opposing pieces side by side that are up for so many seconds are an attack."""
ON_ITS_WAY: Final = 1.0
"""For so many seconds after that the attacker may be set down elsewhere: then it was none."""
BOTH_UP_APART: Final = 0.7
"""Two that stood further apart, or of which everybody knows the ranks, so that nobody would have to
declare: people look at pieces, too, so it is asked about."""
BOTH_UP_REFUSED: Final = 1.0
"""Two that cannot be an attack, before that is told."""


class InHands:
    """Puts to the referee what is held, where that means something."""

    def __init__(
        self, proceedings: Proceedings, reader: Reader, asking: Asking, way_back: WayBack
    ) -> None:
        """Watch the hands of a game."""
        self.may_be_none_until: float | None = None
        """Until when the attack that was taken from the hands may still turn out to be none."""
        self._proceedings = proceedings
        self._referee = proceedings.referee
        self._reader = reader
        self._asking = asking
        self._way_back = way_back
        proceedings.listen(self._take_answer)

    def take(
        self, story: Story, pending: tuple[Turn, ...], meant: Meant, seen: Image, now: Difference
    ) -> bool:
        """Tell what is in the hands; False if the game has gone on by it, or something is asked.

        Of the turns of the story those are `pending` that are not ruled; `now` is what differs.
        """
        up = [from_its_turn(held, pending) for held in story.held]
        own = [held for held in up if held.piece.side is self._referee.to_move]
        other = [held for held in up if held.piece.side is not self._referee.to_move]
        if len(own) == 1 and not other and not meant.ruled and self._touches(own[0]):
            return False
        if len(own) == len(other) == 1 and all(map(story.is_in_hand_again, pending)):
            if seen == self._asking.dismissed:
                self._way_back.lead(now)
            elif not self._has_answered(own[0], other[0], pending):
                is_first = other[0].lifted.by < own[0].lifted.by
                hovered = is_first and any(_hovered(other[0], turn) for turn in meant.ruled)
                # Whose piece stands elsewhere has only lifted another one, to play on early.
                elsewhere = now.surplus & (seen.of(own[0].piece.side) | seen.unknown)
                is_sure = not (hovered or elsewhere)
                self._take_both(own[0], other[0], meant, now, is_sure=is_sure)
            elif self._reader.has_stood(self._reader.watch.changed_at, BOTH_UP_APART):
                self._asking.ask_who_began(pending[0], other[0].source, now)
            return isinstance(self._proceedings.state, ToMove)
        return True

    def _has_answered(self, own: Held, other: Held, pending: tuple[Turn, ...]) -> bool:
        """Whether the other side may be attacking the square where this piece briefly stood."""
        if not pending or pending[0].is_attack or pending[0].piece != own.piece:
            return False
        turn, after = pending[0], self._referee.copy()
        after.apply(turn.action)
        attacked = after.phase.is_turn and not after.find_violation(other.source, turn.target)
        return attacked and not self._referee.find_violation(own.source, other.source)

    def _touches(self, own: Held) -> bool:
        """Note, where that binds, that the side to move has taken up a piece."""
        if not self._referee.can_touch(own.source) or not self._reader.has_stood(
            own.lifted.by, SHAKE
        ):
            return False
        base, state = self._reader.base, self._proceedings.state
        assert base
        base = base.copy()  # what was told of the one before stays true of it
        base.apply(Touch(own.source))
        self._proceedings.attempt(Touch(own.source))
        self._reader.base = base
        self._proceedings.go(Cause.SHOWN, lifted=state.lifted)
        return True

    def _take_both(
        self, own: Held, other: Held, meant: Meant, now: Difference, *, is_sure: bool
    ) -> None:
        """Take two pieces in the hands: whose attack it is, hands do not tell.

        It is not so sure that it is one if the other piece was up first, and had been let go of
        for a moment only; or if a piece of the attacker stands elsewhere.
        """
        source, target = own.source, other.source
        board = self._referee.position.board
        if board.side_at(source) is None or board.side_at(target) is None:
            return
        beside = target in NEIGHBOURS[source]
        up = max(own.lifted.by, other.lifted.by)
        if not self._reader.has_stood(up, BOTH_UP if beside else BOTH_UP_APART):
            return
        attacks = meant.attacks_in_hand(source, target, begun=own.lifted.by < other.lifted.by)
        match attacks:
            case [Attack(), Amend()]:
                self._asking.ask(attacks, now)
            case [attack] if is_sure and self._is_certain(attack, beside):
                self._proceedings.attempt(attack)
                self.may_be_none_until = self._reader.watch.seen_at + ON_ITS_WAY
            case [attack] if self._reader.has_stood(up, BOTH_UP_APART):
                # No declaration would confirm it, and people lift pieces to look at them.
                self._asking.ask([attack], now)
            case [] if beside and self._reader.has_stood(up, BOTH_UP_REFUSED):
                violation = self._referee.find_violation(source, target)
                assert violation, "there would be an attack otherwise"
                wrong = Wrong(own.piece, source, target, violation, up)
                self._way_back.tell_wrong(wrong, meant, now)

    def _is_certain(self, attack: GoesOn, beside: bool) -> bool:
        """Whether two pieces that are up can be taken for an attack without asking.

        It can be withdrawn as long as nobody has declared.
        """
        return beside and not self._referee.is_decided(attack.source, attack.target)

    def _take_answer(self, _: Action, __: tuple[Ruling, ...]) -> None:
        self.may_be_none_until = None


def _hovered(held: Held, turn: Turn) -> bool:
    """Whether a piece is up again that has stood only for a moment where its turn was ruled."""
    return held.piece == turn.piece and held.lifted.by - turn.released < SHAKE
