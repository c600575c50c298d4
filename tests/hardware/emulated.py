"""A session at a board whose real firmware runs under emulation."""

from queue import SimpleQueue

from companion.inputs import BoardFound
from companion.session import Session
from companion.simulation import LINK_PATIENCE, SimulatedBoard
from firmware_bridge.link import Connected, Link, Statistics
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.hands import Hands
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.port import EmulatedPort


class EmulatedTable(SimulatedBoard):
    """The same for hands and session as a simulated board, with another port behind it."""

    def __init__(self, session: Session, board: EmulatedBoard) -> None:
        self.session = session
        self.board = VirtualBoard()
        self.hands = Hands(self.board, self.pass_time)
        self.now = 0.0
        self._port = EmulatedPort(self.board, board)  # type: ignore[assignment]  # has all it needs
        self._told: SimpleQueue[LinkEvent] = SimpleQueue()
        self._link = Link(self._told.put, str(self._port.path), silent_seconds=LINK_PATIENCE)
        self._link.start()
        while not isinstance(self._next_event(), Connected):
            pass
        session.handle(BoardFound(self.now, sees_colours=True))

    @property
    def statistics(self) -> Statistics:
        """How well the link hears the board."""
        return self._link.statistics
