"""Monitors the inputs and outputs of all tables, and checks the guarantees.

The monitor takes the place of the trace recorder. If there is a real recorder, everything is
forwarded to it.
"""

from contextlib import closing, suppress
from functools import cache
from random import Random
from typing import Final

from companion.core.events import Event
from companion.core.game_context import Step
from companion.core.game_options import GameOptions
from companion.core.inputs import CommandInput, Input
from companion.recorder.recorder import TraceObserver
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import SOURCE, Language, codes
from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal import Journal, SavedGame
from engine.board.visibility import Private, Public, Secret
from tests.soak.differential import DifferentialLies, TableCopy, lie
from tests.soak.invariants import (
    ClockInvariant,
    Invariant,
    SavedGamesInvariant,
    check_pieces,
    check_same_table,
    read_saved,
    require,
)
from tests.soak.rig import SimulatedRig

_COPIES: Final = 0.1
"""Probability that a copy of the table plays along in a game."""
_LIARS: Final = 0.5
"""Probability that, after a declaration, two more tables continue the game. One of them receives
the declared rank, and the other a different one."""


@cache
def _announcer(code: str) -> Announcer:
    return Announcer(Language(code))


class InvariantMonitor:
    def __init__(self, dice: Random, recorder: TraceObserver | None) -> None:
        """Create the monitor before the rig exists. `watch` then attaches the rig."""
        self.steps = 0
        """Total number of inputs across all tables."""
        self._dice, self._recorder = dice, recorder
        self._rig: SimulatedRig | None = None
        self._session: Session | None = None
        self._given: Input | None = None
        self._clocks: ClockInvariant | None = None
        self._kept: SavedGamesInvariant | None = None
        self._copy: TableCopy | None = None
        self._liar_pairs: DifferentialLies | None = None
        self._announcer = _announcer(SOURCE)
        self._options: GameOptions | None = None

    def watch(self, rig: SimulatedRig) -> None:
        self._rig = rig
        rig.announce_first, rig.found = self.check_announcement, self.found

    @property
    def rig(self) -> SimulatedRig:
        assert self._rig
        return self._rig

    # -- as a recorder

    def begin(self, beginning: GameOptions) -> None:
        """Record that a game begins or resumes. The monitor learns of the session only at the first
        input."""
        self._options, self._session = beginning, None
        if self._recorder:
            self._recorder.begin(beginning)

    def hear(self, given: Input) -> None:
        self.steps += 1
        self._given = given
        if self._options:
            self._sit_down(self._options)
        self._listen_for_a_lie(given)
        if self._recorder:
            self._recorder.hear(given)

    def note(self, step: Step, due: float | None) -> None:
        """Check the outcome of an input before it is saved or announced."""
        if self._recorder:
            self._recorder.note(step, due)
        assert self._given
        assert self._session
        assert self._clocks
        table = self._session.table
        self._clocks.note(self._given, step)
        if self._session.error:
            self._clocks.wait(self._given.at)
        if step.actions or step.events:
            check_pieces(table)
        if self._copy:
            self._copy.note(self._given, step, table, self._announcer)
        if self._liar_pairs:
            self._liar_pairs.note(self._given, self._announcer)
            if self._liar_pairs.is_over:
                self._liar_pairs = None

    def _listen_for_a_lie(self, given: Input) -> None:
        """If a hidden rank is declared, sometimes resume the game at two tables. One of them
        receives the declared rank, and the other a different one."""
        assert self._session
        table = self._session.table
        if self._liar_pairs or not isinstance(given, CommandInput):
            return
        other = lie(given, table, self._dice)
        if other and self._dice.random() < _LIARS:
            known, control = table.referee, table.clock.control
            so_far, clock = tuple(known.actions), table.shown_clock
            beginning = GameOptions(known.edition, self._seed, control, so_far, clock, table.saved)
            self._liar_pairs = DifferentialLies(beginning, given, other, table)

    def _sit_down(self, beginning: GameOptions) -> None:
        self.leave()
        session = self.rig.host.session
        assert session
        self._session, self._options = session, None
        self._clocks = ClockInvariant(session.table)
        self._kept = SavedGamesInvariant(self.rig.disk.path, session)
        self._seed = beginning.seed
        self._copy = TableCopy(beginning) if self._dice.random() < _COPIES else None

    # -- announcements

    def check_announcement(self, event: Event) -> None:
        """Check that everything announced is on disk, and that a public announcement contains
        nothing private."""
        if self._kept:
            self._kept.check_saved()
        if isinstance(event, Public):
            sealed = [each for each in vars(event).values() if isinstance(each, Secret | Private)]
            require(Invariant.PRIVATE, not sealed, f"the public event {event!r} has a secret")
            sentence = self._announcer.sentence(event)
            require(Invariant.PRIVATE, "Secret(" not in sentence, f"secret in speech: {sentence!r}")

    # -- events

    def switch_language(self) -> None:
        self._announcer = _announcer(self._dice.choice(codes()))

    def look_on(self) -> None:
        """Open the games as another process would, and try to play them."""
        session, rig = self._session, self.rig
        is_bad_moment = not rig.is_on or rig.is_starting or rig.disk.fault
        if is_bad_moment or rig.disk.is_fused or not session:
            return
        plays = session.is_persistent and session.number is not None
        with (
            suppress(StorageError),
            closing(Journal(rig.disk.path, connect=rig.disk.connect_beside)) as journal,
        ):
            journal.games()
            try:
                journal.play()
            except StorageError as error:
                require(
                    Invariant.ONE_PLAYER,
                    error.kind is StorageErrorKind.LOCKED,
                    f"another program fails with {error.detail!r}",
                )
            else:
                require(Invariant.ONE_PLAYER, not plays, "another program may play the same games")
        if plays and session.error is None and not rig.is_saving:
            self.compare()

    def compare(self) -> None:
        """Compare the game in the file with the running one."""
        assert self._session
        kept = read_saved(self.rig.disk)
        if self._session.table.referee.outcome is None and self._session.table.referee.actions:
            require(Invariant.REPLAYS, kept, "no game is saved")
        if kept and kept.id == self._session.number:
            check_same_table(kept.beginning.table(), self._session.table)

    def found(self, kept: SavedGame | None) -> None:
        """Compare the resumed game with its state at the power cut."""
        before, watched, clocks = self._session, self._kept, self._clocks
        self.leave()
        if (
            before is None
            or watched is None
            or clocks is None
            or not before.is_persistent
            or before.number is None
        ):
            return
        played = before.table
        if kept is None:
            require(Invariant.ON_DISK, watched.may_be_over, "the game is gone")
            return
        if kept.id != before.number:
            return
        actions = kept.beginning.actions
        require(
            Invariant.ON_DISK,
            len(actions) >= watched.announced,
            f"{watched.announced} actions were announced, but {len(actions)} survived the cut",
        )
        require(
            Invariant.REPLAYS,
            list(actions) == list(played.referee.actions)[: len(actions)],
            "the actions that survived the power cut are not those that were played",
        )
        if before.error is None and len(actions) == len(played.referee.actions):
            resumed = kept.beginning.table()
            clocks.check_after_plug(
                resumed.shown_clock, silent=self.rig.was_unheard, saving=self.rig.was_saving
            )
            if not self.rig.was_saving:
                check_same_table(resumed, played)

    def leave(self) -> None:
        if self._kept:
            self._kept.close()
        self._kept = self._clocks = self._copy = self._liar_pairs = self._session = None
