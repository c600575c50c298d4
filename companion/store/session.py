"""One game being played: the table, its journal and everybody who listens."""

from collections.abc import Callable

from companion.recorder.beginning import Beginning
from companion.recorder.recorder import Recorder
from companion.store.journal import Journal, KeptGame
from companion.table import Step, Table
from companion.table.events import Event
from companion.table.inputs import Input
from engine.play.clocks import NO_CLOCK, TimeControl
from engine.play.moment import OutOfPhaseError
from engine.rulebook.editions import Edition

Listener = Callable[[Event], None]


class Session:
    """Hands inputs to the table; what comes of them goes to disk first, then to the listeners."""

    def __init__(
        self,
        journal: Journal,
        table: Table,
        note: Callable[[], int],
        beginning: Beginning,
    ) -> None:
        """Play a game; `begin` and `resume` are the ways to come by one.

        `note` gives its number in the journal when something of it has to be kept; `beginning` is
        what the table was given.
        """
        self._beginning = beginning
        self._recorder: Recorder | None = None
        self.table = table
        self._journal = journal
        self._note = note
        self._game: int | None = None
        self._listeners: list[Listener] = []
        self._saved = table.saved
        """What is on disk of it."""

    @property
    def number(self) -> int | None:
        """The number of the game in the journal, None if nothing of it is kept yet."""
        return self._game

    @classmethod
    def begin(
        cls, journal: Journal, edition: Edition, seed: int, control: TimeControl = NO_CLOCK
    ) -> "Session":
        """Begin a new game; `seed` shuffles the tiles of the declarations.

        Nothing of it is kept until both armies stand: until then the game before can be taken up.
        """
        table = Table(edition, seed, control=control)
        beginning = Beginning(edition, seed, control)
        return cls(journal, table, lambda: journal.begin(edition, seed, control), beginning)

    @classmethod
    def resume(cls, journal: Journal, kept: KeptGame) -> "Session":
        """Take up a game where it stopped; JournalError if its actions make no game."""
        try:
            table = Table(
                kept.edition,
                kept.seed,
                kept.actions,
                control=kept.control,
                clock=kept.clock,
                saved=kept.saved,
            )
        except OutOfPhaseError as error:
            raise journal.trouble(f"game {kept.id} cannot be followed") from error
        if tuple(table.referee.actions) != kept.actions:
            raise journal.trouble(f"game {kept.id} has an action that the rules forbid")
        beginning = Beginning(
            kept.edition, kept.seed, kept.control, kept.actions, kept.clock, kept.saved
        )
        return cls(journal, table, lambda: kept.id, beginning)

    def record(self, recorder: Recorder) -> None:
        """Let a flight recorder keep this game, before its first input."""
        recorder.begin(self._beginning)
        self._recorder = recorder

    def listen(self, listener: Listener) -> None:
        """Tell every event to `listener` from now on. It decides what it shows to whom."""
        self._listeners.append(listener)

    def handle(self, given: Input) -> Step:
        """Take one input. JournalError if its consequences cannot be saved; nobody is told then.

        After a JournalError the table is ahead of the disk: end the session and resume from there.
        """
        step = self._handle(given)
        if step.actions or (step.saved != self._saved and self.table.referee.actions):
            self._saved = step.saved
            if self._game is None:
                self._game = self._note()
            outcome = self.table.referee.outcome
            self._journal.append(
                self._game, given.at, step.actions, outcome, step.clock, step.saved
            )
        for event in step.events:
            for listener in self._listeners:
                listener(event)
        return step

    def _handle(self, given: Input) -> Step:
        """Give an input to the table; the recorder has it even if the table breaks over it."""
        if self._recorder:
            self._recorder.hear(given)
        step = self.table.handle(given)
        if self._recorder:
            self._recorder.note(step, self.table.due)
        return step
