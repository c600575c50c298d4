"""One game being played: the table, its journal and everybody who listens.

What cannot be saved waits, and nobody is told; what comes of later inputs waits behind it. The
players decide whether it is tried again, or whether they play on and nothing is kept any more.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.store.journal import Journal, KeptGame
from companion.store.notes import Note, is_noted
from companion.store.players import NOBODY, Players
from companion.store.storage_trouble import StorageError
from companion.table import Step
from companion.table.beginning import Beginning
from companion.table.events import Event
from companion.table.inputs import Input
from engine.play.clocks import NO_CLOCK, ClockState, TimeControl
from engine.play.moment import OutOfPhaseError
from engine.play.rulings import GameOver
from engine.rulebook.editions import Edition

if TYPE_CHECKING:  # few evenings are recorded
    from companion.recorder.keeper import Keeper

Listener = Callable[[Event], None]

CLOCK_SECONDS: Final = 1.89
"""So often a clock is kept that runs while nothing else is done. With the frame that tells the time
and the work of the disk, a pulled plug gives back two seconds at most. Frames that come every 20 ms
do not come just then, or a rounded sum would choose between two of them."""


@dataclass(frozen=True)
class _Unsaved:
    """What came of an input, until it is on disk."""

    at: float
    step: Step
    clock: ClockState
    notes: tuple[Note, ...]
    outcome: GameOver | None
    plies: int


class Session:
    """Hands inputs to the table; what comes of them goes to disk first, then to the listeners."""

    def __init__(
        self,
        journal: Journal | None,
        beginning: Beginning,
        note: Callable[[Journal], int],
        players: Players = NOBODY,
    ) -> None:
        """Play a game; use `begin` or `resume` to make one.

        `note` gives its number in the journal when something of it has to be kept.
        """
        self.players = players
        """The players of the game."""
        self._beginning = beginning
        self._recorder: Keeper | None = None
        self.table = beginning.table()
        self.trouble: StorageError | None = None
        """Why something waits that nobody has been told; None if nothing waits."""
        self._journal = journal
        self._note = note
        self._game: int | None = None
        self._listeners: list[Listener] = []
        self._saved = self.table.saved
        """What is on disk of it, or waits to be."""
        self._clock_kept = -math.inf
        """When the clock was given to be kept last."""
        self._unsaved: deque[_Unsaved] = deque()
        self._untold: list[Event] = []

    @property
    def number(self) -> int | None:
        """The number of the game in the journal, None if nothing of it is kept yet."""
        return self._game

    @property
    def is_kept(self) -> bool:
        """Whether what happens is kept; else the game is gone when it is left."""
        return self._journal is not None

    @classmethod
    def begin(
        cls,
        journal: Journal | None,
        edition: Edition,
        seed: int,
        control: TimeControl = NO_CLOCK,
        players: Players = NOBODY,
    ) -> "Session":
        """Begin a new game; `seed` shuffles the tiles of the declarations.

        Without a journal it is not kept. With one, nothing of it is kept until both
        armies stand: until then the game before can be taken up.
        """
        beginning = Beginning(edition, seed, control)

        def note(kept_in: Journal) -> int:
            return kept_in.begin(edition, seed, control, players)

        return cls(journal, beginning, note, players)

    @classmethod
    def resume(cls, journal: Journal, kept: KeptGame) -> "Session":
        """Take up a game where it stopped.

        StorageError if its actions make no game, or another program plays, or has ended it.
        """
        journal.play()
        kept = journal.again(kept)
        try:
            session = cls(journal, kept.beginning, lambda _: kept.id, kept.players)
        except OutOfPhaseError as error:
            raise journal.cannot_follow(f"game {kept.id} cannot be followed") from error
        if tuple(session.table.referee.actions) != kept.beginning.actions:
            raise journal.cannot_follow(f"game {kept.id} has an action that the rules forbid")
        session._game = kept.id
        return session

    def record(self, recorder: "Keeper") -> None:
        """Let a flight recorder keep this game, before its first input."""
        recorder.begin(self._beginning)
        self._recorder = recorder

    def listen(self, listener: Listener) -> None:
        """Tell every event to `listener` from now on. It decides what it shows to whom."""
        self._listeners.append(listener)

    def handle(self, given: Input) -> Step:
        """Take one input. StorageError if what came of it cannot be saved; nobody is told then.

        While something waits the table goes on, and what comes of that waits as well: the disk is
        left alone until somebody says `save_again` or `play_on_unkept`.
        """
        step = self._handle(given)
        is_clock_due = self._clock_is_due(given.at)
        if not step.is_news and not is_clock_due:
            return step
        notes = tuple(event for event in step.events if is_noted(event))
        is_worth_keeping = notes or step.saved != self._saved or is_clock_due
        if step.actions or (is_worth_keeping and self.table.referee.actions):
            self._saved, self._clock_kept = step.saved, given.at
            clock, referee = self.table.shown_clock, self.table.referee
            self._unsaved.append(
                _Unsaved(given.at, step, clock, notes, referee.outcome, referee.plies)
            )
        self._untold.extend(step.events)
        if self.trouble is None:
            self._hand_on()
        return step

    def save_again(self) -> None:
        """Save all that waits, in its order, and then tell it; StorageError if it still waits."""
        self._hand_on()

    def play_on_unkept(self) -> None:
        """Tell all that waits. From now on nothing of this game is kept."""
        self._journal = None
        self._hand_on()

    @property
    def rests_until(self) -> float:
        """Until when frames that show the same again change nothing, neither here nor at the table.

        -inf if the next one may. A clock that runs is kept from time to time, whatever they show.
        """
        kept_at = self._clock_kept + CLOCK_SECONDS if self._keeps_clock else math.inf
        return min(kept_at, self.table.rests_until)

    @property
    def _keeps_clock(self) -> bool:
        """Whether a clock runs that can run out, and nothing keeps it from being kept.

        While armies are set up there is no game to keep it with.
        """
        can_be_kept = self._journal is not None and not self._unsaved
        return can_be_kept and bool(self.table.referee.actions) and self.table.clock.due is not None

    def _clock_is_due(self, at: float) -> bool:
        """Whether a clock runs that was kept too long ago."""
        return at - self._clock_kept >= CLOCK_SECONDS and self._keeps_clock

    def _hand_on(self) -> None:
        try:
            self._save()
        except StorageError as error:
            self.trouble = error
            raise
        self.trouble = None
        told, self._untold = self._untold, []
        for event in told:
            for listener in self._listeners:
                listener(event)

    def _save(self) -> None:
        while self._unsaved:
            if self._journal:
                self._keep(self._journal, self._unsaved[0])
            self._unsaved.popleft()

    def _keep(self, journal: Journal, unsaved: _Unsaved) -> None:
        """Put it on disk; with the first of it the game itself, or neither."""
        step = unsaved.step
        with journal.together():
            game = self._note(journal) if self._game is None else self._game
            journal.append(
                *(game, unsaved.at, step.actions, unsaved.outcome, unsaved.clock, step.saved),
                unsaved.notes,
                unsaved.plies,
            )
        self._game = game

    def _handle(self, given: Input) -> Step:
        """Give an input to the table; the recorder has it even if the table breaks over it."""
        if self._recorder:
            self._recorder.hear(given)
        step = self.table.handle(given)
        if self._recorder:
            self._recorder.note(step, self.table.due)
        return step
