"""A board in real time: what its link tells, as inputs for the table.

The link talks from a thread of its own and stamps what it tells with the time of arrival. The
program that drives the table polls in one thread, when it suits.
"""

import math
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final, Self, TypeAlias

from companion.devices.board_inputs import BoardInputs
from companion.devices.news import News
from companion.table.inputs import Input
from engine.squares import SquareSet
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, Link, Received, Statistics, Trouble, TroubleKind
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.port import VirtualPort
from firmware_bridge.wire import Felt, HostCommand, Lamps, SendFelt, State

Watcher: TypeAlias = Callable[[float, LinkEvent], None]
"""Is told everything that the link tells, with the time of its arrival."""


FEEL_SECONDS: Final = 1.0
"""So often a board in a game is asked what it feels, to be compared with later."""
SEEK_SECONDS: Final = 0.15
"""And so often while a piece is missing. Then a board does not follow how its sensors wander."""
MOST_SOUGHT: Final = 120.0
"""For no longer than so many seconds at a time."""


class LiveBoard:
    """The board that is plugged in, or a simulated one, until it is closed."""

    def __init__(
        self,
        port: str | None = None,
        *,
        simulated: VirtualBoard | None = None,
        clock: Callable[[], float] = time.monotonic,
        haste: float = 1.0,
    ) -> None:
        """Look for a board, at `port` or wherever one is; or plug a simulated one in.

        With a `clock` that is faster than the wall's by `haste`, a simulated board hurries as much.
        """
        self.virtual = simulated
        """The simulated board, whose pieces somebody has to move; None for a real one."""
        self.trouble: Trouble | None = None
        """Why there is no board to read at the moment."""
        self._clock = clock
        self._told: SimpleQueue[tuple[float, LinkEvent]] = SimpleQueue()
        self._inputs = BoardInputs()
        self._watcher: Watcher | None = None
        self._news = News()
        """Set while something has come in that is not the board as it was."""
        self._latest = Image()
        self._lit: SquareSet | None = None
        """What the board was told to light, None if it has been told nothing yet."""
        self._felt_at = -math.inf
        """When the board was last asked what it feels."""
        self._sought_since: float | None = None
        """Since when a piece is looked for."""
        self.virtual_port = VirtualPort(simulated) if simulated else None
        """The port of the simulated board, None for a real one."""
        if self.virtual_port:
            self.virtual_port.run(haste)
            port = str(self.virtual_port.path)
        self._port = port
        self._link = self._start_link()

    def _start_link(self) -> Link:
        """Start a link to the port. A simulated board is in this process and has no time limits.

        A busy computer delays its thread as much as ours, so its silence means nothing. What is
        still reported is that its cable was pulled on the screen.
        """
        if self.virtual:
            link = Link(self._note, self._port, hello_seconds=math.inf, silent_seconds=math.inf)
        else:
            link = Link(self._note, self._port)
        link.start()
        return link

    def close(self) -> None:
        """Put the board's lamps out and let go of it."""
        self.light(0)
        self._link.stop()
        if self.virtual_port:
            self.virtual_port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def poll(self) -> list[Input]:
        """Return what has come in since the last call, oldest first: every frame, too."""
        self._news.forget()
        found: list[Input] = []
        for at, event in self._events():
            found.extend(self._translate(at, event))
            if self._watcher:
                self._watcher(at, event)
        return found

    def wait(self, seconds: float) -> None:
        """Return as soon as the board shows or tells something else, or after so many seconds.

        What has come in since the latest `poll` counts.
        """
        self._news.wait(seconds)

    @property
    def statistics(self) -> Statistics:
        """How well the board is heard; grows all the time."""
        return self._link.statistics

    def watch(self, watcher: Watcher | None) -> None:
        """Let somebody hear what the link tells, in the thread that polls; None for nobody.

        Of a board that is connected already, its introduction comes first.
        """
        self._watcher = watcher
        if watcher and self._inputs.connected:
            watcher(self._clock(), self._inputs.connected)

    def ask(self, command: HostCommand) -> bool:
        """Say something to the board; False if there is none. Returns at once."""
        return self._link.send(command)

    def let_go(self) -> None:
        """Let another program use the board's port, until `take_up`; nothing is heard meanwhile."""
        self._link.stop()
        port = self._inputs.connected.port if self._inputs.connected else self._port
        self._note(Trouble(TroubleKind.BUSY, port, "lent to another program"))

    def take_up(self) -> None:
        """Look for the board again, where it was looked for before."""
        self._link = self._start_link()

    def light(self, squares: SquareSet) -> None:
        """Let the lamps at the board's edges show these squares and no others.

        Say it as often as you like: the board is told when it changes, and again when it has
        introduced itself, for lamps do not outlast a restart.
        """
        if squares != self._lit and self.ask(Lamps(squares)):
            self._lit = squares

    def feel(self, *, seeks: bool) -> None:
        """Let the board tell what it feels, and look for a piece that no square sees, or do not.

        Say it as often as you like, as long as a game goes on.
        """
        now = self._clock()
        self._inputs.seek(seeks=seeks)
        if not seeks:
            self._sought_since = None
        elif self._sought_since is None:
            self._sought_since = now
        is_soon = self._sought_since is not None and now - self._sought_since <= MOST_SOUGHT
        if self._inputs.can_feel and now - self._felt_at >= (
            SEEK_SECONDS if is_soon else FEEL_SECONDS
        ):
            self._felt_at = now
            self.ask(SendFelt())

    def _events(self) -> list[tuple[float, LinkEvent]]:
        """What the link has told since the last call.

        A board that introduces itself again, and has shown nothing in between, counts once. One
        that does nothing else would stop the program: each time the table is told of a new board.
        """
        told: list[tuple[float, LinkEvent]] = []
        while True:
            try:
                at, event = self._told.get_nowait()
            except Empty:
                return told
            if told and isinstance(event, Connected) and told[-1][1] == event:
                told.pop()
            told.append((at, event))

    def _note(self, event: LinkEvent) -> None:
        self._told.put((self._clock(), event))
        match event:
            case Received(State(image=image)) if image == self._latest:
                return
            case Received(Felt()):
                return
            case Received(State(image=image)):
                self._latest = image
        self._news.bring()

    def _translate(self, at: float, event: LinkEvent) -> list[Input]:
        if isinstance(event, Connected):
            self.trouble = self._lit = None
        elif isinstance(event, Trouble):
            self.trouble = event
        return self._inputs.take(at, event)
