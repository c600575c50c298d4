"""Inputs for the table from the events of a board's link.

Events come with the time of their arrival; frames are dated by the board's own clock.
"""

from typing import Final

from companion.devices.board_clock import BoardClock
from companion.table.inputs import (
    BoardComplains,
    BoardFeels,
    BoardFound,
    BoardLost,
    BoardSeen,
    Input,
)
from engine.board.geometry import Side
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, Received, Trouble
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.localization.sampler import Feelings
from firmware_bridge.sensing.confidence_filter import Moments
from firmware_bridge.wire import BoardKind, Fault, FaultCode, Felt, State

_COUNT_IN_A_GAME: Final = frozenset(
    {FaultCode.STUCK_CHANNEL, FaultCode.OPEN_WIRE, FaultCode.DYING, FaultCode.LOW_SUPPLY}
)
"""Faults that matter in a game. Drift and an input that is not at ground are for maintenance: the
squares are still right."""


class BoardInputs:
    """Converts the events of one link."""

    def __init__(self) -> None:
        """Start before the first event."""
        self.connected: Connected | None = None
        """The introduction of the connected board, or None."""
        self._clock = BoardClock()
        self._moments = Moments()
        self._feelings = Feelings()
        self._shown = Image()

    @property
    def can_feel(self) -> bool:
        """Whether the board can measure fields: it is calibrated and has colour sensors."""
        hello = self.connected.hello if self.connected else None
        return hello is not None and hello.kind is BoardKind.COLOURS and bool(hello.calibration)

    def seek(self, *, seeks: bool) -> None:
        """Start or stop the search for a piece that no square detects."""
        self._feelings.seek(seeks=seeks)

    def take(self, at: float, event: LinkEvent) -> list[Input]:
        """Return the inputs for an event that arrived at a time, in seconds."""
        match event:
            case Connected():
                self.connected = event
                self._clock.begin_anew()
                self._moments.begin_anew()
                self._feelings.begin_anew()
                return [BoardFound(at, sees_colours=event.hello.kind is BoardKind.COLOURS)]
            case Trouble():
                was_connected, self.connected = self.connected, None
                return [BoardLost(at)] if was_connected else []
            case Received(State() as state):
                sent = self._clock.moment(state.at_ms, at)
                moments = self._moments.of(sent, state)
                self._shown = state.image
                return [BoardSeen(sent, state.image, moments, state.faint)]
            case Received(Fault() as fault) if fault.code in _COUNT_IN_A_GAME:
                is_dying = fault.code is FaultCode.DYING
                return [BoardComplains(at, fault.square, is_dying=is_dying)]
            case Received(Felt() as felt) if self._feelings.take(felt, self._shown):
                places = self._feelings.places
                return [BoardFeels(at, places.get(Side.RED), places.get(Side.BLUE))]
        return []
