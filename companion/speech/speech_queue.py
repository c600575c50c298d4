"""Queue of spoken announcements. A higher priority interrupts a lower one.

Players act faster than the voice can speak. A waiting announcement is therefore dropped when
another of the same type or of a higher priority arrives. Its text remains on the screen.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from companion.core import events, inputs
from engine.board.geometry import Side
from engine.board.visibility import Public
from engine.game import rulings
from engine.rules.rules import Violation


class Priority(IntEnum):
    """Priority of an announcement."""

    NEWS = 0
    """An action that was just performed on the board, in sight of both players."""
    TASK = 1
    """A task or a question for a player."""
    RULING = 2
    """A ruling, which players must not miss."""


@dataclass(frozen=True)
class ScreenDue(Public):
    """This player must declare a rank on the screen."""

    side: Side


@dataclass(frozen=True)
class PhoneDue(Public):
    """This player must declare a rank on their phone."""

    side: Side


@dataclass(frozen=True)
class EarphoneDue(Public):
    """This player must put on the earphone and declare a rank."""

    side: Side


def takes_end_back(event: object, before: object) -> bool:
    """Whether an event only takes back a loss on time, because an arbiter has added time.

    In that case, announcing the arbiter's action is enough, because no turn is taken back.
    """
    return isinstance(event, rulings.TakenBack) and isinstance(before, inputs.AdjustClock)


_TASKS: Final = (
    events.ConfirmAttack,
    rulings.AttackOpened,
    events.BoardDiffers,
    events.BoardDisconnected,
    events.BoardOffered,
    rulings.StalemateClaimed,
    events.CleanupRequired,
    events.ChooseExplanation,
    EarphoneDue,
    rulings.InfiltrationOpened,
    inputs.OfferDraw,
    inputs.OfferUndo,
    PhoneDue,
    ScreenDue,
    events.MoveDue,
    rulings.MoveRequired,
    rulings.Touched,
    rulings.TouchedFreed,
    events.ChooseAttacker,
)
_RULINGS: Final = (
    inputs.AnswerCall,
    rulings.ArmyOpened,
    rulings.BoardAdopted,
    inputs.CallArbiter,
    rulings.Combat,
    rulings.Corrected,
    rulings.Disputed,
    rulings.DisputeSettled,
    rulings.GameOver,
    rulings.Infiltrated,
    events.LossWarning,
    rulings.Overridden,
    rulings.SealsBroken,
    rulings.TakenBack,
    Violation,
    inputs.WithdrawCall,
)
_MOST: Final = 3
"""Maximum number of waiting announcements. Players would not listen to any more."""


@dataclass(frozen=True)
class Utterance:
    """A sentence to be spoken, in the table's language."""

    text: str
    kind: type[Public]
    """The type of event that is announced."""

    @property
    def weight(self) -> Priority:
        if issubclass(self.kind, _RULINGS):
            return Priority.RULING
        return Priority.TASK if issubclass(self.kind, _TASKS) else Priority.NEWS


class SpeechQueue:
    """The announcement being spoken, and the announcements waiting to be spoken."""

    def __init__(self) -> None:
        self.current: Utterance | None = None
        self.waiting: list[Utterance] = []
        self.latest: Utterance | None = None
        """The latest announcement, kept for repetition on request."""

    def add(self, due: Utterance) -> bool:
        """Add an announcement, and return whether the current one must be interrupted."""
        kept = [w for w in self.waiting if w.weight >= due.weight and w.kind is not due.kind]
        self.waiting = [*kept, due]
        if len(self.waiting) > _MOST:
            # Drop the oldest announcement with the lowest priority.
            self.waiting.remove(min(self.waiting, key=lambda each: each.weight))
        stops = self.current is not None and due.weight > self.current.weight
        if stops:
            self.current = None
        return stops

    def begin(self) -> Utterance:
        """Start the next announcement, and return it. At least one must be waiting."""
        self.current = self.latest = self.waiting.pop(0)
        return self.current

    def end(self) -> None:
        """Record that the current announcement has been spoken."""
        self.current = None

    def clear(self) -> None:
        self.current, self.latest = None, None
        self.waiting.clear()
