"""What is said aloud, and in which order: what matters more cuts short what matters less.

A voice is slower than hands. What waits to be said and is of the same kind as what comes now, or
matters less, is no news by then, and is left out: it stands on the screen.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from companion.table.events import (
    AttackAsked,
    BoardDiffers,
    BoardDisconnected,
    BoardOffered,
    ClearUp,
    CourseAsked,
    LossThreatens,
    WhoAttacks,
)
from companion.table.sayings import (
    AnswerCall,
    CallArbiter,
    GiveTime,
    OfferDraw,
    OfferTakeBack,
    WithdrawCall,
)
from engine.play.rulings import (
    ArmyProved,
    AttackOpened,
    BoardAccepted,
    CanYouMove,
    Combat,
    Corrected,
    Disputed,
    DisputeSettled,
    GameOver,
    Infiltrated,
    InfiltrationOpened,
    Overridden,
    SealsBroken,
    ShowAMove,
    TakenBack,
    Touched,
    TouchedFreed,
)
from engine.rulebook.violation import Violation
from engine.secrecy import Public
from engine.sides import Side


class Weight(IntEnum):
    """How much an announcement matters."""

    NEWS = 0
    """What everybody has just done on the board."""
    TASK = 1
    """What somebody has to do, or to answer, now."""
    RULING = 2
    """What nobody may miss."""


@dataclass(frozen=True)
class ScreenDue(Public):
    """A rank is declared on the screen, and this player is to take it."""

    side: Side


@dataclass(frozen=True)
class PhoneDue(Public):
    """A rank is declared on the phone of this player."""

    side: Side


@dataclass(frozen=True)
class EarphoneDue(Public):
    """A rank is declared by ear, and this player is to take the earphone."""

    side: Side


def takes_end_back(event: object, before: object) -> bool:
    """Whether an event only takes back an end by time, because an arbiter has given time.

    What the arbiter has done says enough: no turn is taken back.
    """
    return isinstance(event, TakenBack) and isinstance(before, GiveTime)


_TASKS: Final = (
    AttackAsked,
    AttackOpened,
    BoardDiffers,
    BoardDisconnected,
    BoardOffered,
    CanYouMove,
    ClearUp,
    CourseAsked,
    EarphoneDue,
    InfiltrationOpened,
    OfferDraw,
    OfferTakeBack,
    PhoneDue,
    ScreenDue,
    ShowAMove,
    Touched,
    TouchedFreed,
    WhoAttacks,
)
_RULINGS: Final = (
    AnswerCall,
    ArmyProved,
    BoardAccepted,
    CallArbiter,
    Combat,
    Corrected,
    Disputed,
    DisputeSettled,
    GameOver,
    Infiltrated,
    LossThreatens,
    Overridden,
    SealsBroken,
    TakenBack,
    Violation,
    WithdrawCall,
)
_MOST: Final = 3
"""So many announcements wait at most: nobody listens longer."""


@dataclass(frozen=True)
class Utterance:
    """A sentence that is due, in the language of the table."""

    text: str
    kind: type[Public]
    """What it tells."""

    @property
    def weight(self) -> Weight:
        """How much it matters."""
        if issubclass(self.kind, _RULINGS):
            return Weight.RULING
        return Weight.TASK if issubclass(self.kind, _TASKS) else Weight.NEWS


class Utterances:
    """What is being said, and what waits behind it."""

    def __init__(self) -> None:
        self.current: Utterance | None = None
        self.waiting: list[Utterance] = []
        self.latest: Utterance | None = None
        """What was said last, to be said again."""

    def add(self, due: Utterance) -> bool:
        """Put in what is due now; return whether what is being said has to stop for it."""
        kept = [w for w in self.waiting if w.weight >= due.weight and w.kind is not due.kind]
        self.waiting = [*kept, due]
        if len(self.waiting) > _MOST:
            # Of those that matter least, the one that has waited longest.
            self.waiting.remove(min(self.waiting, key=lambda each: each.weight))
        stops = self.current is not None and due.weight > self.current.weight
        if stops:
            self.current = None
        return stops

    def begin(self) -> Utterance:
        """Take what is said next; only if something waits."""
        self.current = self.latest = self.waiting.pop(0)
        return self.current

    def end(self) -> None:
        """Note that what was being said has been said."""
        self.current = None

    def clear(self) -> None:
        """Say nothing of all that any more."""
        self.current, self.latest = None, None
        self.waiting.clear()
