"""Where an evening takes place: computer, board and cable, with a plug each, and simulated time.

The program is the one of the window without the window: the host of an evening at a board. It reads
the board's frames as they come, and is asked by people as they touch the screen. Where nothing can
happen for long, time is skipped: a few frames come before it goes on, as the table hears nothing
new in any case; but a clock that runs is heard of as often as it is kept.
"""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

from companion.recorder.keeper import Keeper
from companion.screens.base.board_host import BoardHost
from companion.simulator.soak.cable import Cable
from companion.simulator.soak.disk import Disk, PlugPulledError
from companion.simulator.soak.source import DirectBoard
from companion.store.journal import KeptGame
from companion.store.session import CLOCK_SECONDS
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
_SHARP_MS: Final = 160
"""So long after something has happened every frame comes; then every second one, which the reader
of frames holds for a board that is heard well."""
_QUIET_MS: Final = 1_000
"""So long after it nothing comes of it any more that has not told when it is due."""
_BEFORE_MS: Final = 200
"""So long before it goes on frames come again."""
_BEAT_MS: Final = (round(1000 * CLOCK_SECONDS) // FRAME_MS + 1) * FRAME_MS
"""A frame comes so often at least while a clock runs, which is kept then."""
_NEVER: Final = 10**12


class House:
    """A computer and a board."""

    def __init__(self, disk: Disk, dice: Random, keeper: Keeper) -> None:
        """Switch everything on; `keeper` hears what every table hears."""
        self.disk = disk
        disk.wait = self._wait_for_disk
        self._is_saving = False
        """Whether the program waits for the disk."""
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
        self.unsteady = 0
        """How many sensors show now this, now that."""
        self.was_saving = self.was_unsteady = False
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
        self._busy_ms = 0
        """When something has happened last."""
        self._saved_ms = self._writes = 0
        """When something was saved last, and how many times until then."""
        self._image = self.board.image()
        self.source = DirectBoard(self.board, self.cable, lambda: self.now)
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
        self.stir()
        self.run(lambda: None if self.host.unsaved else self.host.give(given))

    def pass_time(self, milliseconds: int) -> None:
        """Let time go by, in whole frames."""
        end = self.ms + -(-milliseconds // FRAME_MS) * FRAME_MS
        while self.ms < end:
            has_skipped = self._skip(end)
            self.ms += FRAME_MS
            self._pass_frame(is_wanted=has_skipped)

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Let time go by until something holds; False if it never does."""
        end = self.ms + limit_ms
        while not wanted() and self.ms < end:
            self.pass_time(FRAME_MS)
        return wanted()

    # -- the program

    def begin(self, edition: Edition, control: TimeControl) -> None:
        """Begin a new game."""
        self.stir()
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
            if not self._is_saving:  # what waits for the disk finds it out
                self._go_dark(saving=False)

    def _wait_for_disk(self, milliseconds: int) -> None:
        """Let time go by for everything but the program, which waits; the plug may be pulled."""
        end, self._is_saving = self.ms + milliseconds, True
        try:
            while self.ms < end and not self.disk.is_dark:
                self.late_ms = max(self.late_ms, self.ms + 2 * FRAME_MS)
                self.pass_time(FRAME_MS)
        finally:
            self._is_saving = False
        if self.disk.is_dark:
            raise PlugPulledError

    def _go_dark(self, *, saving: bool) -> None:
        self.stir()
        self.plugs += 1
        self.was_saving, self.was_unsteady = saving, self._is_unsteady
        self.boot_ms = self.ms + self._dice.randrange(2_000, 40_000, FRAME_MS)

    def boot(self) -> None:
        """Start the program, as it is started on a Pi, and take up the game that was cut off."""
        if self._shelf:
            self._shelf.close()
            self.disk.power_up()
        self.stir()
        self.boot_ms, self.late_ms = None, 0
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

    def look_again(self) -> None:
        """Look once more whether the games can be read."""

        def look() -> None:
            self.host.look_again()
            self._take_up()

        self.stir()
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

    def stir(self) -> None:
        """Something has happened: for a while every frame may tell something."""
        self._busy_ms = self.ms

    def _pass_frame(self, *, is_wanted: bool) -> None:
        if self.ms >= self.due_ms:
            self.stir()
            self.befall(self.ms)
        if self.boot_ms is not None and self.ms >= self.boot_ms:
            self.boot()
        image = self.board.image()
        if image is not self._image:
            self._image = image
            self.stir()
        is_sharp = self.ms - self._busy_ms <= _SHARP_MS or self._is_unsteady
        if is_wanted or is_sharp or self.ms % (2 * FRAME_MS) == 0:
            self.source.tick()
            if self.ms >= self.late_ms:
                self.run(self.host.tick)
            if self.disk.writes != self._writes:
                self._writes, self._saved_ms = self.disk.writes, self.ms
        else:
            self.source.let_pass(FRAME_MS)

    @property
    def _is_unsteady(self) -> bool:
        """Whether any frame may tell something else than the one before."""
        is_lost = self.is_on and self.source.is_plugged_in and self.host.found is None
        return self.cable.fault is not None or is_lost or self.unsteady > 0

    def _skip(self, end: int) -> bool:
        """Skip what is left of a time in which nothing happens; say whether anything was."""
        if self.ms - self._busy_ms < _QUIET_MS or self._is_unsteady or self.ms < self.late_ms:
            return False
        targets = [end - _BEFORE_MS, self.due_ms - FRAME_MS]
        if self.boot_ms is not None:
            targets.append(self.boot_ms - FRAME_MS)
        elif table := self.host.table:
            if table.due is not None:
                due = round((table.due - self.now) * 1000)
                targets.append(self.ms + due - _BEFORE_MS)
            if table.clock.due is not None:
                targets.append(self._saved_ms + _BEAT_MS - FRAME_MS)
        target = min(targets) // FRAME_MS * FRAME_MS
        if target <= self.ms:
            return False
        self.source.let_pass(target - self.ms)
        self.ms = target
        return True


def save_again(house: House) -> None:
    """Let people ask for it to be tried again; if that fails, the cover stays."""
    with suppress(StorageError):
        house.run(house.host.save_again)
