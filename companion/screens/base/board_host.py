"""An evening at one board: games one after another, between the board's source and the screens.

The program that shows it calls `tick` again and again. Nothing here knows how anything is drawn.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from companion.devices.edge_lamps import lit, look
from companion.recorder.recorder import Recorder
from companion.simulator.dealing import Dealt, deal_again
from companion.store.archive import Archive
from companion.store.journal import Journal, JournalError, KeptGame
from companion.store.session import Session
from companion.table import Table
from companion.table.events import ColoursDrawn, Event
from companion.table.inputs import BoardFound, BoardLost, BoardSeen, Input, TimePassed
from companion.table.lots import draw_colours
from engine.play.clocks import NO_CLOCK, TimeControl
from engine.rulebook.editions import Edition
from engine.sides import Side
from engine.squares import Square, SquareSet
from firmware_bridge.image import Image
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.link import Statistics, Trouble
from firmware_bridge.sensing.watch import STEADY
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.wire import HostCommand, LearnStep


class Source(Protocol):
    """Where a board is heard; `companion.devices.live_board.LiveBoard` is the one of every day."""

    @property
    def trouble(self) -> Trouble | None:
        """Why there is no board to read at the moment, as far as it is known."""

    @property
    def virtual(self) -> VirtualBoard | None:
        """The simulated board, None for a real one."""

    def poll(self) -> Sequence[Input]:
        """What has come in since the last call, oldest first."""

    @property
    def statistics(self) -> Statistics:
        """How well the board is heard; grows all the time."""

    def watch(self, watcher: Callable[[float, LinkEvent], None] | None) -> None:
        """Let somebody hear, from `poll`, everything that is heard of the board; None for nobody.

        Of a board that is connected already, its introduction comes first.
        """

    def ask(self, command: HostCommand) -> bool:
        """Say something to the board; False if there is none. Returns at once."""

    def light(self, squares: SquareSet) -> None:
        """Let the lamps at the board's edges show these squares and no others."""


class BoardHost:
    """The game that is being played, if any, and the board under it."""

    def __init__(
        self,
        journal: Journal,
        source: Source,
        clock: Callable[[], float],
        draw: Callable[[], int],
        recorder: Recorder | None = None,
    ) -> None:
        """Sit down at a board. `draw` gives the seed of each new game, and the lots.

        A flight recorder keeps every game from its beginning.
        """
        self._recorder = recorder
        self.source = source
        self.session: Session | None = None
        self.seed = 0
        """The seed of the game that is being played."""
        self.problem = ""
        """Why the last game could not be saved or read, in one plain sentence."""
        self.found: BoardFound | None = None
        """How the board introduced itself, None while it is lost."""
        self.seen = Image()
        """What the board showed last."""
        self.calibrating: LearnStep | None = None
        """The step of a calibration for which pieces are handled, None if there is none."""
        self.tried: Square | None = None
        """The square whose lamps somebody tries while no game is played."""
        self.changes = 0
        """Grows whenever there is something new to show."""
        self._trouble: Trouble | None = None
        self._journal = journal
        self._clock = clock
        self._draw = draw
        self._latest = clock()
        self._heard = -math.inf
        """When the board sent its latest frame."""
        self._listeners: list[Callable[[Event], None]] = []
        self.archive = Archive(journal)
        self.kept: KeptGame | None = None
        """The unfinished game that could be taken up when no game was played."""
        self._look_for_kept()

    @property
    def number(self) -> int | None:
        """The number of the game in the journal, None if nothing of it is kept."""
        return self.session.number if self.session else None

    @property
    def table(self) -> Table | None:
        """The table of the game that is being played."""
        return self.session.table if self.session else None

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Tell the events of every game to `listener`."""
        self._listeners.append(listener)

    def begin(self, edition: Edition, control: TimeControl = NO_CLOCK) -> None:
        """Begin a new game; the kept one is given up only when both armies stand."""
        seed = self._draw()
        self._open(lambda: Session.begin(self._journal, edition, seed, control), seed)

    def draw_colours(self, one: str, other: str) -> ColoursDrawn:
        """Let the lot fall between two people, for everybody to hear."""
        lot = draw_colours(one, other, self._draw)
        self._tell(lot)
        return lot

    def resume(self) -> None:
        """Take up the game that was not finished."""
        kept = self.kept
        if kept:
            self._open(lambda: Session.resume(self._journal, kept), kept.seed)

    def leave(self) -> None:
        """Leave the game as it is; unless it is over it can be taken up again."""
        self.changes += 1
        self.session = None
        self._look_for_kept()

    def deal_again(self, side: Side) -> Dealt:
        """Deal to the pieces of a side, on a simulated board, what they can be by now."""
        assert self.table
        return deal_again(self.table.referee, side, self.seed)

    def give(self, given: Input) -> None:
        """Put an input to the table.

        The board's inputs carry the moment of their arrival, which can lie a little before a touch
        that was handled meanwhile; moments never go back, so such an input counts as of now.
        """
        self._latest = max(self._latest, given.at)
        if self.session is None:
            self.changes += 1
            return
        try:
            self.changes += self.session.handle(replace(given, at=self._latest)).is_news
        except JournalError as error:
            # The table is ahead of the disk: what is on disk can be taken up again.
            self.leave()
            self.problem = str(error)

    def tick(self) -> None:
        """Put to the table what has come meanwhile.

        While frames come they tell it the time, by the board's own clock.
        """
        if self._trouble is not self.source.trouble:
            self._trouble = self.source.trouble
            self.changes += 1
        for given in self.source.poll():
            is_new = self._remember(given)
            if is_new or self.session:
                self.give(given)
        now = self._clock()
        due = self.table.due if self.table else None
        is_heard = now - self._heard < STEADY
        if due is not None and due <= max(now, self._latest) and not is_heard:
            self.give(TimePassed(now))
        self.source.light(self._lit)

    @property
    def _lit(self) -> SquareSet:
        """The squares that the lamps at the board's edges show."""
        if self.table:
            return lit(look(self.table))
        return 0 if self.tried is None else 1 << self.tried

    def _remember(self, given: Input) -> bool:
        """Remember what the board has told last; say whether it is news."""
        match given:
            case BoardFound():
                self.found = given
            case BoardLost():
                self.found = None
            case BoardSeen():
                before, self.seen, self._heard = self.seen, given.image, given.at
                return given.image != before
        return True

    def _open(self, session: Callable[[], Session], seed: int) -> None:
        self.changes += 1
        try:
            self.session = session()
        except JournalError as error:
            self.problem = str(error)
            return
        self.problem, self.seed = "", seed
        self.session.listen(self._tell)
        if self._recorder:
            self.session.record(self._recorder)
        # The board said who it is before this game began.
        if self.found:
            now = self._clock()
            self.give(replace(self.found, at=now))
            self.give(BoardSeen(now, self.seen))

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)

    def _look_for_kept(self) -> None:
        try:
            self.kept = self._journal.unfinished()
        except JournalError as error:
            self.kept, self.problem = None, str(error)
