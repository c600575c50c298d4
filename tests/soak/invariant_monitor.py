"""Observes all inputs and outputs of the tables, and checks the program's guarantees.

It replaces the flight recorder, and forwards everything to a real one if there is one.
"""

from contextlib import closing, suppress
from functools import cache
from random import Random
from typing import Final

from companion.core import Step
from companion.core.events import Event
from companion.core.game_options import GameOptions
from companion.core.inputs import CommandInput, Input
from companion.recorder.recorder import TraceObserver
from companion.session.session import Session
from companion.speech.announcer import Announcer
from companion.speech.i18n import SOURCE, Language, codes
from companion.storage.errors import StorageError, StorageTrouble
from companion.storage.journal import Journal, SavedGame
from engine.board.visibility import Private, Public, Secret
from tests.soak.differential import DifferentialLies, Twin, lie
from tests.soak.invariants import (
    ClocksWatched,
    Invariant,
    KeptWatched,
    check_pieces,
    check_same_table,
    insist,
    read_kept,
)
from tests.soak.rig import SimulatedRig

_TWINS: Final = 0.1
"""Probability that a table has a twin."""
_LIARS: Final = 0.5
"""Probability that a declaration is also tried with another rank."""


@cache
def _announcer(code: str) -> Announcer:
    return Announcer(Language(code))


class InvariantMonitor:
    """Observes the tables of one session."""

    def __init__(self, dice: Random, recorder: TraceObserver | None) -> None:
        """Start before the rig exists; then `watch` it."""
        self.steps = 0
        """Number of inputs to all tables."""
        self._dice, self._recorder = dice, recorder
        self._house: SimulatedRig | None = None
        self._session: Session | None = None
        self._given: Input | None = None
        self._clocks: ClocksWatched | None = None
        self._kept: KeptWatched | None = None
        self._twin: Twin | None = None
        self._liars: DifferentialLies | None = None
        self._announcer = _announcer(SOURCE)
        self._beginning: GameOptions | None = None

    def watch(self, house: SimulatedRig) -> None:
        """Observe a rig."""
        self._house = house
        house.told, house.found = self.told, self.found

    @property
    def house(self) -> SimulatedRig:
        """The observed rig."""
        assert self._house
        return self._house

    # -- as a recorder

    def begin(self, beginning: GameOptions) -> None:
        """Record that a game begins or resumes; its session exists from the first input onwards."""
        self._beginning, self._session = beginning, None
        if self._recorder:
            self._recorder.begin(beginning)

    def hear(self, given: Input) -> None:
        self.steps += 1
        self._given = given
        if self._beginning:
            self._sit_down(self._beginning)
        self._listen_for_a_lie(given)
        if self._recorder:
            self._recorder.hear(given)

    def note(self, step: Step, due: float | None) -> None:
        """Check the resulting step before it is saved or announced."""
        if self._recorder:
            self._recorder.note(step, due)
        assert self._given
        assert self._session
        assert self._clocks
        table = self._session.table
        self._clocks.note(self._given, step)
        if self._session.trouble:
            self._clocks.wait(self._given.at)
        if step.actions or step.events:
            check_pieces(table)
        if self._twin:
            self._twin.note(self._given, step, table, self._announcer)
        if self._liars:
            self._liars.note(self._given, self._announcer)
            if self._liars.is_over:
                self._liars = None

    def _listen_for_a_lie(self, given: Input) -> None:
        """Start two tables on the game if a different rank would be indistinguishable now."""
        assert self._session
        table = self._session.table
        if self._liars or not isinstance(given, CommandInput):
            return
        other = lie(given, table, self._dice)
        if other and self._dice.random() < _LIARS:
            known, control = table.referee, table.clock.control
            so_far, clock = tuple(known.actions), table.shown_clock
            beginning = GameOptions(known.edition, self._seed, control, so_far, clock, table.saved)
            self._liars = DifferentialLies(beginning, given, other, table)

    def _sit_down(self, beginning: GameOptions) -> None:
        self.leave()
        session = self.house.host.session
        assert session
        self._session, self._beginning = session, None
        self._clocks = ClocksWatched(session.table)
        self._kept = KeptWatched(self.house.disk.path, session)
        self._seed = beginning.seed
        self._twin = Twin(beginning) if self._dice.random() < _TWINS else None

    # -- announcements

    def told(self, event: Event) -> None:
        """Check an announcement."""
        if self._kept:
            self._kept.told()
        if isinstance(event, Public):
            sealed = [each for each in vars(event).values() if isinstance(each, Secret | Private)]
            insist(Invariant.PRIVATE, not sealed, f"everybody is told {event!r}")
            sentence = self._announcer.sentence(event)
            insist(Invariant.PRIVATE, "Secret(" not in sentence, f"everybody hears {sentence!r}")

    # -- events

    def switch_language(self) -> None:
        self._announcer = _announcer(self._dice.choice(codes()))

    def look_on(self) -> None:
        """Open the games with another program that also tries to play them."""
        session, house = self._session, self.house
        is_bad_moment = not house.is_on or house.is_starting or house.disk.fault
        if is_bad_moment or house.disk.is_fused or not session:
            return
        plays = session.is_persistent and session.number is not None
        with (
            suppress(StorageError),
            closing(Journal(house.disk.path, connect=house.disk.connect_beside)) as journal,
        ):
            journal.games()
            try:
                journal.play()
            except StorageError as error:
                insist(
                    Invariant.ONE_PLAYER,
                    error.trouble is StorageTrouble.LOCKED,
                    f"another program is told {error.detail!r}",
                )
            else:
                insist(Invariant.ONE_PLAYER, not plays, "another program may play the same games")
        if plays and session.trouble is None and not house.is_saving:
            self.compare()

    def compare(self) -> None:
        """Read the whole game from the file, and compare it with the game being played."""
        assert self._session
        kept = read_kept(self.house.disk)
        if self._session.table.referee.outcome is None and self._session.table.referee.actions:
            insist(Invariant.REPLAYS, kept, "no game is kept")
        if kept and kept.id == self._session.number:
            check_same_table(kept.beginning.table(), self._session.table)

    def found(self, kept: SavedGame | None) -> None:
        """Compare the resumed game with the game that was played at the power cut."""
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
            insist(Invariant.ON_DISK, watched.may_be_over, "the game is gone")
            return
        if kept.id != before.number:
            return
        actions = kept.beginning.actions
        insist(
            Invariant.ON_DISK,
            len(actions) >= watched.announced,
            f"{watched.announced} actions were announced, and {len(actions)} outlive the plug",
        )
        insist(
            Invariant.REPLAYS,
            list(actions) == list(played.referee.actions)[: len(actions)],
            "other actions outlive the plug than were played",
        )
        if before.trouble is None and len(actions) == len(played.referee.actions):
            resumed = kept.beginning.table()
            clocks.check_after_plug(
                resumed.shown_clock, silent=self.house.was_unheard, saving=self.house.was_saving
            )
            if not self.house.was_saving:
                check_same_table(resumed, played)

    def leave(self) -> None:
        """Stop observing the current session."""
        if self._kept:
            self._kept.close()
        self._kept = self._clocks = self._twin = self._liars = self._session = None
