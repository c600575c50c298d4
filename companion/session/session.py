"""Sessions: each runs one game, saves the table's steps and reports them to listeners.

If a step cannot be saved, this step and all later steps are queued and not reported. The players
decide whether to try again or to play on without saving.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.core.events import Event
from companion.core.game_context import Step
from companion.core.game_options import GameOptions
from companion.core.inputs import Input
from companion.storage.errors import StorageError
from companion.storage.game_rows import NO_NAMES, Note, PlayerNames, is_noted
from companion.storage.journal import Journal, SavedGame
from engine.board import OutOfPhaseError
from engine.game.clocks import NO_CLOCK, ClockState, TimeControl
from engine.game.rulings import GameOver
from engine.rules.editions import Edition

if TYPE_CHECKING:  # not imported at runtime, because most games are not recorded
    from companion.recorder.recorder import TraceObserver

Listener = Callable[[Event], None]

CLOCK_SECONDS: Final = 1.89
"""Interval in seconds at which a running clock is saved while nothing else happens. After a power
cut, a player gets back at most two seconds: the sum of this interval, the delay until the next
frame, and the time of the disk write. The value is not a multiple of the 20 ms frame interval,
because otherwise rounding would decide which of two frames saves the clock."""


@dataclass(frozen=True)
class _Unsaved:
    """Result of an input, not yet saved to disk."""

    at: float
    step: Step
    clock: ClockState
    notes: tuple[Note, ...]
    outcome: GameOver | None
    plies: int


class Session:
    """Passes inputs to the table, saves the results, and reports them to the listeners."""

    def __init__(
        self,
        journal: Journal | None,
        beginning: GameOptions,
        note: Callable[[Journal], int],
        players: PlayerNames,
    ) -> None:
        """Use `begin` or `resume` to create a session.

        `note` is called when the game is first saved, and returns the game's number in the journal.
        """
        self.players = players
        self._options = beginning
        self._recorder: TraceObserver | None = None
        self.table = beginning.table()
        self.error: StorageError | None = None
        """The error that has caused steps to be queued instead of reported, or None."""
        self._journal = journal
        self._note = note
        self._game: int | None = None
        self._listeners: list[Listener] = []
        self._saved = self.table.saved
        """Saved state that is on disk or queued."""
        self._clock_saved = -math.inf
        """Time when the clock was last saved or queued."""
        self._unsaved: deque[_Unsaved] = deque()
        self._unreported: list[Event] = []

    @property
    def number(self) -> int | None:
        """Number of the game in the journal, or None if no part of the game has been saved."""
        return self._game

    @property
    def is_persistent(self) -> bool:
        """Whether the game is saved. An unsaved game is lost when the players leave it."""
        return self._journal is not None

    @classmethod
    def begin(
        cls,
        journal: Journal | None,
        edition: Edition,
        seed: int,
        control: TimeControl = NO_CLOCK,
        players: PlayerNames = NO_NAMES,
    ) -> "Session":
        """Begin a new game. `seed` determines the order of the tiles used to declare a rank.

        Without a journal, the game is not saved. With a journal, nothing is saved until both armies
        are placed, and the previous game can still be resumed until then.
        """
        beginning = GameOptions(edition, seed, control, computer=players.computer)

        def note(saved_in: Journal) -> int:
            return saved_in.begin(edition, seed, control, players)

        return cls(journal, beginning, note, players)

    @classmethod
    def resume(cls, journal: Journal, kept: SavedGame) -> "Session":
        """Resume a game.

        Raise StorageError if its actions are not a valid game, or if another process is playing the
        game or has ended it.
        """
        journal.play()
        kept = journal.reload(kept)
        try:
            session = cls(journal, kept.beginning, lambda _: kept.id, kept.players)
        except OutOfPhaseError as error:
            raise journal.cannot_follow(f"game {kept.id} cannot be replayed") from error
        if tuple(session.table.referee.actions) != kept.beginning.actions:
            raise journal.cannot_follow(f"game {kept.id} has an action that the rules forbid")
        session._game = kept.id
        return session

    def record(self, recorder: "TraceObserver") -> None:
        """Register a recorder for this game. Must be called before the first input."""
        recorder.begin(self._options)
        self._recorder = recorder

    def listen(self, listener: Listener) -> None:
        """Call `listener` for every later event. The listener must not disclose private events."""
        self._listeners.append(listener)

    def handle(self, received: Input) -> Step:
        """Process one input and report its result.

        If the result cannot be saved, queue it and raise StorageError without reporting anything.
        While anything is queued, the game goes on, but the results of all later inputs are queued
        as well. The disk is not accessed until `retry_save` or `continue_unsaved` is called.
        """
        step = self._handle(received)
        is_clock_due = self._clock_is_due(received.at)
        if not step.is_news and not is_clock_due:
            return step
        notes = tuple(event for event in step.events if is_noted(event))
        is_worth_keeping = notes or step.saved != self._saved or is_clock_due
        if step.actions or (is_worth_keeping and self.table.referee.actions):
            self._saved, self._clock_saved = step.saved, received.at
            clock, referee = self.table.shown_clock, self.table.referee
            self._unsaved.append(
                _Unsaved(received.at, step, clock, notes, referee.outcome, referee.plies)
            )
        self._unreported.extend(step.events)
        if self.error is None:
            self._save_and_report()
        return step

    def retry_save(self) -> None:
        """Save all queued results in order and report them. Raise StorageError on failure."""
        self._save_and_report()

    def continue_unsaved(self) -> None:
        """Report all queued results, and stop saving this game."""
        self._journal = None
        self._save_and_report()

    @property
    def idle_until(self) -> float:
        """Time before which repeated frames have no effect, or -inf if every frame may matter.

        A running clock is saved at intervals, with the next frame.
        """
        saved_at = self._clock_saved + CLOCK_SECONDS if self._keeps_clock else math.inf
        return min(saved_at, self.table.idle_until)

    @property
    def _keeps_clock(self) -> bool:
        """Whether a clock with a time limit is running and can be saved.

        During setup the clock cannot be saved, because the game itself is not saved yet.
        """
        can_be_saved = self._journal is not None and not self._unsaved
        return (
            can_be_saved and bool(self.table.referee.actions) and self.table.clock.due is not None
        )

    def _clock_is_due(self, at: float) -> bool:
        """Whether a running clock is due to be saved again."""
        return at - self._clock_saved >= CLOCK_SECONDS and self._keeps_clock

    def _save_and_report(self) -> None:
        try:
            self._save()
        except StorageError as error:
            self.error = error
            raise
        self.error = None
        events, self._unreported = self._unreported, []
        for event in events:
            for listener in self._listeners:
                listener(event)

    def _save(self) -> None:
        while self._unsaved:
            if self._journal:
                self._save_step(self._journal, self._unsaved[0])
            self._unsaved.popleft()

    def _save_step(self, journal: Journal, unsaved: _Unsaved) -> None:
        """Save the step. The first step also creates the game row, in the same transaction."""
        step = unsaved.step
        with journal.transaction():
            game = self._note(journal) if self._game is None else self._game
            journal.append(
                *(game, unsaved.at, step.actions, unsaved.outcome, unsaved.clock, step.saved),
                unsaved.notes,
                unsaved.plies,
            )
        self._game = game

    def _handle(self, received: Input) -> Step:
        """Pass an input to the table. The recorder gets the input even if the table fails."""
        if self._recorder:
            self._recorder.hear(received)
        step = self.table.handle(received)
        if self._recorder:
            self._recorder.note(step, self.table.next_deadline)
        return step
