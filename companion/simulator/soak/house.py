"""Where an evening takes place: computer, board and cable, with a plug each, and simulated time.

The program is the one of the window without the window: the host of an evening at a board. It reads
the board's frames as they come, and is asked by people as they touch the screen.

Time is skipped where the frames tell nothing. Nothing is missed by that: as long as the board
shows what it has shown, a frame brings the time alone, and so does every later one. The table and
its session say on which moments they wait, and the frame that comes then is passed on; so is the
last one before anything happens, until which what stands has stood. A program that is late, or that
waits for the disk, says so when it comes round to its frames. Those of a cable with a fault come
one by one.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

from companion.recorder.keeper import Keeper
from companion.screens.base.board_host import BoardHost
from companion.simulator.soak.cable import Cable
from companion.simulator.soak.disk import Disk, PlugPulledError
from companion.simulator.soak.source import NEARLY, DirectBoard
from companion.store.journal import KeptGame
from companion.store.shelf import Shelf
from companion.store.storage_trouble import StorageError
from companion.table import Table
from companion.table.events import Event
from companion.table.inputs import Input
from engine.play.clocks import TimeControl
from engine.rulebook.editions import Edition
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.hands import Hands
from firmware_bridge.wire import STATE_INTERVAL_MS

FRAME_MS: Final = STATE_INTERVAL_MS
_NEVER: Final = 10**12


class House:
    """A computer and a board."""

    def __init__(self, disk: Disk, dice: Random, keeper: Keeper) -> None:
        """Switch everything on; `keeper` hears what every table hears."""
        self.disk = disk
        disk.wait = self._wait_for_disk
        self.is_saving = False
        """Whether the program waits for the disk."""
        self.is_starting = False
        """Whether the program is being started: it plays nothing yet."""
        self.board = VirtualBoard()
        self.hands = Hands(self.board, self.pass_time)
        self.cable = Cable(dice)
        self.befall: Callable[[int], None] = lambda _: None
        """Lets happen what is due at a moment, in milliseconds."""
        self.due_ms = _NEVER
        """When something befalls next, in milliseconds."""
        self.ms = 0
        """The moment, in milliseconds since the evening began."""
        self.plugs = 0
        """How often the computer's plug was pulled."""
        self.boot_ms: int | None = 0
        """When the computer is started; None while it runs."""
        self.late_ms = 0
        """Until when the program does not come round to anything."""
        self.complaints = 0
        """How much is wrong with the board, of which it tells by itself."""
        self.was_saving = self.was_unheard = False
        """Whether something was being saved when the plug was pulled, and whether frames were
        missing then."""
        self.listeners: list[Callable[[Event], None]] = []
        """They are told every event that is told; each new game asks anew."""
        self.told: Callable[[Event], None] = lambda _: None
        """Is told all of them, before all others."""
        self.found: Callable[[KeptGame | None], None] = lambda _: None
        """Is told which game was cut off, as the program finds it when it starts."""
        self._dice, self._keeper = dice, keeper
        self._table: Table | None = None
        self._zero, self._started_ms = 0.0, 0
        self.source = DirectBoard(
            self.board, self.cable, lambda: self.now, lambda: self._rests_until
        )
        self.host: BoardHost
        self._shelf: Shelf | None = None
        self.boot()

    # -- what people need

    @property
    def session(self) -> "House":
        """The game, whichever run of the program plays it."""
        return self

    @property
    def table(self) -> Table:
        """The table of the game; while the computer is off, the one that was there."""
        self._table = self.host.table or self._table
        assert self._table, "nobody has played"
        return self._table

    @property
    def now(self) -> float:
        """The moment on the program's clock, in seconds: every run begins anywhere."""
        return self._zero + (self.ms - self._started_ms) / 1000

    @property
    def is_plugged_in(self) -> bool:
        """Whether the program has a board."""
        return self.is_on and self.source.is_plugged_in

    @property
    def is_on(self) -> bool:
        """Whether the computer runs."""
        return self.boot_ms is None

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Tell the events of the game to whoever plays it."""
        self.listeners = [listener]

    def handle(self, given: Input) -> None:
        """Touch the screen. What lies over it in a trouble of the disk takes every touch."""
        while self.ms < self.late_ms:
            self.pass_time(FRAME_MS)
        self.run(lambda: None if self.host.unsaved else self.host.give(given))

    def pass_time(self, milliseconds: int) -> None:
        """Let time go by, in whole frames."""
        end = self.ms + -(-milliseconds // FRAME_MS) * FRAME_MS
        while self.ms < end:
            self._go_on(end)

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Let time go by until something holds; False if it never does."""
        end = self.ms + limit_ms
        while not wanted() and self.ms < end:
            self._go_on(end)
        return wanted()

    # -- the program

    def begin(self, edition: Edition, control: TimeControl) -> None:
        """Begin a new game."""
        self.run(lambda: self.host.begin(edition, control))

    def run(self, doing: Callable[[], object]) -> None:
        """Let the program do something, if it runs; the plug may be pulled meanwhile."""
        if self.is_on:
            try:
                doing()
            except PlugPulledError:
                self._go_dark(saving=True)

    def pull_plug(self) -> None:
        """Take the computer's power away, in whatever it does."""
        if self.is_on:
            self.disk.pull_plug()
            if not self.is_saving:  # what waits for the disk finds it out
                self._go_dark(saving=False)

    def _wait_for_disk(self, milliseconds: int) -> None:
        """Let time go by for everything but the program, which waits; the plug may be pulled."""
        end, self.is_saving = self.ms + milliseconds, True
        try:
            while self.ms < end and not self.disk.is_dark:
                self._go_on(end)
        finally:
            self.is_saving = False
            self.late_ms = max(self.late_ms, self.ms + FRAME_MS)
        if self.disk.is_dark:
            raise PlugPulledError

    def _go_dark(self, *, saving: bool) -> None:
        self.plugs += 1
        self.was_saving, self.was_unheard = saving, self._is_unheard
        self.boot_ms = self.ms + self._dice.randrange(2_000, 40_000, FRAME_MS)

    def boot(self) -> None:
        """Start the program, as it is started on a Pi, and take up the game that was cut off."""
        if self._shelf:
            self._shelf.close()
            self.disk.power_up()
        self.boot_ms, self.late_ms, self.is_starting = None, 0, True
        self._zero, self._started_ms = self._dice.uniform(0, 100_000), self.ms
        self.source.begin_anew(lambda: self.now)
        try:
            self._shelf = Shelf(self.disk.path, connect=self.disk.connect)
            draw = self._dice.getrandbits
            self.host = BoardHost(
                self._shelf, self.source, lambda: self.now, lambda: draw(32), self._keeper
            )
            self.host.listen(self._tell)
            self._take_up()
        except PlugPulledError:
            self._go_dark(saving=True)
        finally:
            self.is_starting = False

    def look_again(self) -> None:
        """Look once more whether the games can be read."""

        def look() -> None:
            self.host.look_again()
            self._take_up()

        self.run(look)

    def _take_up(self) -> None:
        kept = self.host.kept
        if kept or self.host.problem is None:
            self.found(kept)
        if kept:
            self.host.resume()

    def close(self) -> None:
        """Switch everything off."""
        if self._shelf:
            self._shelf.close()

    def _tell(self, event: Event) -> None:
        self.told(event)
        for listener in self.listeners:
            listener(event)

    # -- time

    def _go_on(self, end: int) -> None:
        """Let a frame go by: the next one that may tell something, or that of the end."""
        quiet = self._next_frame(end) - FRAME_MS - self.ms if self._is_at_rest else 0
        if quiet > 0:
            self.source.let_pass(quiet, is_late=self._is_late)
            self.ms += quiet
        self.ms += FRAME_MS
        if self.ms >= self.due_ms:
            self.befall(self.ms)
        if self.boot_ms is not None and self.ms >= self.boot_ms:
            self.boot()
        self.source.tick()
        if not self._is_late:
            self.run(self.host.tick)

    @property
    def _is_late(self) -> bool:
        """Whether the program does not come round to anything at this moment."""
        return self.is_saving or self.ms < self.late_ms

    @property
    def _rests_until(self) -> float:
        """Until when frames that show the same again tell the program nothing."""
        return self.host.session.rests_until if self.host.session else math.inf

    @property
    def _is_unheard(self) -> bool:
        """Whether frames may be missing though the board is plugged in."""
        is_lost = self.is_plugged_in and self.host.found is None
        return self.cable.fault is not None or is_lost

    @property
    def _is_at_rest(self) -> bool:
        """Whether the next frame shows what has been shown already."""
        is_known = not self.is_plugged_in or self.source.repeats
        return is_known and self.cable.fault is None

    def _next_frame(self, end: int) -> int:
        """Return when the next frame comes that may tell something, if nobody does anything.

        That is the frame before something befalls or the board tells something else, or the first
        one after a moment on which the program waits, or at which it is late no more.
        """
        coming: float = min(end, self.due_ms - FRAME_MS)
        if self.complaints:
            coming = min(coming, self.ms + self.source.steady_ms)
        if self.boot_ms is not None:
            coming = min(coming, self.boot_ms)
        elif self.ms < self.late_ms:
            coming = min(coming, self.late_ms)
        elif not self.is_saving:
            coming = min(coming, self.ms + 1000 * (self._rests_until - self.now - NEARLY))
        return math.ceil(max(coming, self.ms) / FRAME_MS) * FRAME_MS


def save_again(house: House) -> None:
    """Let people ask for it to be tried again; if that fails, the cover stays."""
    with suppress(StorageError):
        house.run(house.host.save_again)
