"""Session rig: computer, board, cable, and simulated time.

The program is real except for its window. It reads the board's frames and receives touches.

An unchanged frame tells the program nothing but the time, so most unchanged frames are skipped. Two
kinds are passed on: the first frame after a deadline that the table or its session has announced,
and the last frame before an event. A blocked program receives the skipped frames later. While the
cable is faulty, no frame is skipped.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

from companion.core.events import Event
from companion.core.inputs import Input
from companion.core.table import Table
from companion.recorder.recorder import TraceObserver
from companion.session.game_host import GameHost
from companion.storage.errors import StorageError
from companion.storage.journal import SavedGame
from companion.storage.journal_provider import JournalProvider
from engine.game.clocks import TimeControl
from engine.rules.editions import Edition
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.hands import Hands
from firmware_bridge.wire import STATE_INTERVAL_MS
from tests.soak.board_source import NEARLY, Cable, DirectBoard
from tests.soak.faulty_disk import Disk, PlugPulledError

FRAME_MS: Final = STATE_INTERVAL_MS
_NEVER: Final = 10**12


class SimulatedRig:
    def __init__(self, disk: Disk, dice: Random, observer: TraceObserver) -> None:
        """Switch everything on. `observer` receives all inputs and outputs."""
        self.disk = disk
        disk.wait = self._wait_for_disk
        self.is_saving = False
        """Whether the program is waiting for the disk."""
        self.is_starting = False
        self.board = SimulatedBoard()
        self.hands = Hands(self.board, self.pass_time)
        self.cable = Cable(dice)
        self.on_tick: Callable[[int], None] = lambda _: None
        """Triggers the events that are due. The argument is the current time in milliseconds."""
        self.due_ms = _NEVER
        """Time of the next event in milliseconds."""
        self.ms = 0
        """Current time in milliseconds since the session began."""
        self.plugs = 0
        """Number of times that the computer has lost power."""
        self.boot_ms: int | None = 0
        """Time in milliseconds at which the computer starts, or None while it is running."""
        self.late_ms = 0
        """The program is blocked until this time, in milliseconds."""
        self.complaints = 0
        """Number of faults that the board currently reports."""
        self.was_saving = self.was_unheard = False
        """Circumstances of the latest power cut: whether it interrupted a save, and whether frames
        may have been missing."""
        self.listeners: list[Callable[[Event], None]] = []
        """Listeners for announced events, replaced for each game."""
        self.announce_first: Callable[[Event], None] = lambda _: None
        """Called with every announced event, before the listeners."""
        self.found: Callable[[SavedGame | None], None] = lambda _: None
        """Called with the unfinished game, or None, when the program starts."""
        self._dice, self._observer = dice, observer
        self._table: Table | None = None
        self._zero, self._started_ms = 0.0, 0
        self.source = DirectBoard(
            self.board, self.cable, lambda: self.now, lambda: self._idle_until
        )
        self.host: GameHost
        self._journals: JournalProvider | None = None
        self.boot()

    # -- user interface

    @property
    def session(self) -> "SimulatedRig":
        """Return the rig itself, because it outlives restarts of the program."""
        return self

    @property
    def table(self) -> Table:
        """Table of the current game. While no game is in progress, the latest table."""
        self._table = self.host.table or self._table
        assert self._table, "no game has been played"
        return self._table

    @property
    def now(self) -> float:
        """The program's clock, in seconds. It starts at a random value in every process."""
        return self._zero + (self.ms - self._started_ms) / 1000

    @property
    def is_plugged_in(self) -> bool:
        """Whether a board is plugged in and the computer is running."""
        return self.is_on and self.source.is_plugged_in

    @property
    def is_on(self) -> bool:
        return self.boot_ms is None

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Make this the only listener for events."""
        self.listeners = [listener]

    def handle(self, given: Input) -> None:
        """Pass a touch to the program. After a disk failure, a dialog receives it instead."""
        while self.ms < self.late_ms:
            self.pass_time(FRAME_MS)
        self.run(lambda: None if self.host.unsaved else self.host.submit(given))

    def pass_time(self, milliseconds: int) -> None:
        """Advance time by at least `milliseconds`, in whole frames."""
        end = self.ms + -(-milliseconds // FRAME_MS) * FRAME_MS
        while self.ms < end:
            self._go_on(end)

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Advance time until a condition holds. Return False if the limit is reached first."""
        end = self.ms + limit_ms
        while not wanted() and self.ms < end:
            self._go_on(end)
        return wanted()

    # -- the program

    def begin(self, edition: Edition, control: TimeControl) -> None:
        self.run(lambda: self.host.begin(edition, control))

    def run(self, doing: Callable[[], object]) -> None:
        """Run a step of the program if the computer is on. A power cut may interrupt the step."""
        if self.is_on:
            try:
                doing()
            except PlugPulledError:
                self._go_dark(saving=True)

    def pull_plug(self) -> None:
        if self.is_on:
            self.disk.pull_plug()
            if not self.is_saving:  # a save in progress detects the power cut on its own
                self._go_dark(saving=False)

    def _wait_for_disk(self, milliseconds: int) -> None:
        """Advance time while the program waits for the disk. Raise PlugPulledError if power is
        lost."""
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
        """Start the program, as on a Pi, and resume the unfinished game."""
        if self._journals:
            self._journals.close()
            self.disk.power_up()
        self.boot_ms, self.late_ms, self.is_starting = None, 0, True
        self._zero, self._started_ms = self._dice.uniform(0, 100_000), self.ms
        self.source.reconnect(lambda: self.now)
        try:
            self._journals = JournalProvider(self.disk.path, connect=self.disk.connect)
            draw = self._dice.getrandbits
            self.host = GameHost(
                self._journals, self.source, lambda: self.now, lambda: draw(32), self._observer
            )
            self.host.listen(self._announce)
            self._take_up()
        except PlugPulledError:
            self._go_dark(saving=True)
        finally:
            self.is_starting = False

    def look_again(self) -> None:
        """Check again whether the games can be read."""

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
        if self._journals:
            self._journals.close()

    def _announce(self, event: Event) -> None:
        self.announce_first(event)
        for listener in self.listeners:
            listener(event)

    # -- time

    def _go_on(self, end: int) -> None:
        """Advance to the next frame that may have an effect, but not beyond `end`."""
        quiet = self._next_frame(end) - FRAME_MS - self.ms if self._is_at_rest else 0
        if quiet > 0:
            self.source.advance(quiet, is_late=self._is_late)
            self.ms += quiet
        self.ms += FRAME_MS
        if self.ms >= self.due_ms:
            self.on_tick(self.ms)
        if self.boot_ms is not None and self.ms >= self.boot_ms:
            self.boot()
        self.source.tick()
        if not self._is_late:
            self.run(self.host.poll)

    @property
    def _is_late(self) -> bool:
        return self.is_saving or self.ms < self.late_ms

    @property
    def _idle_until(self) -> float:
        """Repeated frames have no effect until this time."""
        return self.host.session.idle_until if self.host.session else math.inf

    @property
    def _is_unheard(self) -> bool:
        """Whether frames may be missing although the board is plugged in."""
        is_lost = self.is_plugged_in and self.host.found is None
        return self.cable.fault is not None or is_lost

    @property
    def _is_at_rest(self) -> bool:
        """Whether the next frame repeats the latest image."""
        is_known = not self.is_plugged_in or self.source.repeats
        return is_known and self.cable.fault is None

    def _next_frame(self, end: int) -> int:
        """Return the time in milliseconds of the next frame that may have an effect.

        This is either the last frame before an event, the last frame before the board's report
        changes, or the first frame after a deadline of the program.
        """
        coming: float = min(end, self.due_ms - FRAME_MS)
        if self.complaints:
            coming = min(coming, self.ms + self.source.steady_ms)
        if self.boot_ms is not None:
            coming = min(coming, self.boot_ms)
        elif self.ms < self.late_ms:
            coming = min(coming, self.late_ms)
        elif not self.is_saving:
            coming = min(coming, self.ms + 1000 * (self._idle_until - self.now - NEARLY))
        return math.ceil(max(coming, self.ms) / FRAME_MS) * FRAME_MS


def retry_save(rig: SimulatedRig) -> None:
    """Retry a save. If it fails again, the dialog stays open."""
    with suppress(StorageError):
        rig.run(rig.host.retry_save)
