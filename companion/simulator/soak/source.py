"""A simulated board at a cable, without port and threads: the source of an evening at a board.

Frames, cable and the conversation of the link are the real ones. Time stands still until somebody
lets it pass.
"""

from collections.abc import Callable, Sequence
from typing import Final

from companion.devices.board_inputs import BoardInputs
from companion.simulator.soak.cable import Cable
from companion.table.inputs import Input
from engine.squares import SquareSet
from firmware_bridge.link import Connected, Statistics, Trouble, TroubleKind
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.link.conversation import Conversation
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.talker import Talker
from firmware_bridge.wire import FROM_HOST, BadFrame, Decoder, HostCommand, Lamps, ResetCause

PORT: Final = "simulated"
HELLO_SECONDS: Final = 3.0
SILENT_SECONDS: Final = 1.0
"""As the link in real time has them."""


class DirectBoard:
    """The board that is plugged in, or not."""

    virtual = None
    """Its pieces are moved by whoever simulates, as on a real board."""
    virtual_port = None

    def __init__(self, board: VirtualBoard, cable: Cable, clock: Callable[[], float]) -> None:
        """Plug a board in at a cable; `clock` is that of the program."""
        self.trouble: Trouble | None = None
        self.statistics = Statistics()
        self.lit: SquareSet = 0
        """What the lamps at its edges show."""
        self._talker = Talker(board)
        self._cable, self._clock = cable, clock
        self._inputs = BoardInputs()
        self._waiting: list[Input] = []
        self._conversation: Conversation | None = None
        self.plug_in()

    @property
    def is_plugged_in(self) -> bool:
        """Whether its cable is."""
        return self._conversation is not None

    def plug_in(self) -> None:
        """Plug the cable in: the board starts."""
        self._open(ResetCause.POWER_ON)

    def unplug(self) -> None:
        """Pull the cable out."""
        self._conversation = None
        self._tell(Trouble(TroubleKind.UNPLUGGED, PORT, "pulled out"))

    def restart(self, cause: ResetCause) -> None:
        """Let the board start anew."""
        if self._conversation:
            self._hear(self._talker.start(cause))

    def begin_anew(self, clock: Callable[[], float]) -> None:
        """Be looked for by another run of the program, which has a clock of its own."""
        self._clock, self._inputs = clock, BoardInputs()
        self._waiting, self.trouble = [], None
        if self._conversation:
            self._open(ResetCause.EXTERNAL)

    def tick(self) -> None:
        """Let the time of a frame go by."""
        frames = self._talker.tick()
        if self._conversation is None:
            return
        now = self._clock()
        if unsent := self._conversation.unsent(now):
            frames = [*self._answers(unsent), *frames]
        for frame in frames:
            self._hear(frame)
        trouble = self._conversation.trouble(now, HELLO_SECONDS, SILENT_SECONDS)
        if trouble:
            self._tell(trouble)
            self._open(ResetCause.EXTERNAL, silent=trouble.kind is TroubleKind.SILENT)

    def let_pass(self, milliseconds: int) -> None:
        """Let time go by in which nothing changes and nobody listens."""
        self._talker.let_pass(milliseconds)

    @property
    def steady_ms(self) -> int:
        """For how long the board repeats what it tells, though something is wrong with it."""
        return self._talker.steady_ms

    def poll(self) -> Sequence[Input]:
        """Return what has come in since the last call, oldest first."""
        came, self._waiting = self._waiting, []
        return came

    def wait(self, seconds: float) -> None:
        """Nobody waits for simulated time."""

    def watch(self, watcher: Callable[[float, LinkEvent], None] | None) -> None:
        """Nobody maintains this board."""

    def ask(self, command: HostCommand) -> bool:
        """Say something to the board; False if there is none."""
        return self._conversation is not None and self._conversation.say(command)

    def let_go(self) -> None:
        """Nobody else wants this board."""

    def take_up(self) -> None:
        """It was never let go of."""

    def feel(self, *, seeks: bool) -> None:
        """Let the board tell what it feels: here no piece stands where no square sees it."""

    def light(self, squares: SquareSet) -> None:
        """Let the lamps at the board's edges show these squares and no others."""
        if squares != self.lit and self.ask(Lamps(squares)):
            self.lit = squares

    def _open(self, cause: ResetCause, *, silent: bool = False) -> None:
        """Open the port, which starts a Nano anew."""
        now = self._clock()
        self._conversation = Conversation(PORT, self.statistics, silent, now)
        self._decoder = Decoder(FROM_HOST)
        self._hear(self._talker.start(cause))

    def _answers(self, said: bytes) -> list[bytes]:
        commands = (each for each in self._decoder.receive(said) if not isinstance(each, BadFrame))
        return [frame for command in commands for frame in self._talker.answer(command)]

    def _hear(self, frame: bytes) -> None:
        assert self._conversation
        came = self._cable.carry(frame)
        if came:
            for event in self._conversation.receive(came, self._clock()):
                self._tell(event)

    def _tell(self, event: LinkEvent) -> None:
        if isinstance(event, Connected):
            self.trouble, self.lit = None, 0
        elif isinstance(event, Trouble):
            self.trouble = event
        self._waiting += self._inputs.take(self._clock(), event)
