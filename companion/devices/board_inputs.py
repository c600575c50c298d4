"""Converts the events of a board's link into inputs for the table.

Events carry the time of their arrival; frames carry the time of the board's own clock.
"""

from collections import deque
from typing import Final

from companion.core.inputs import (
    BoardFaultReported,
    BoardFound,
    BoardLost,
    BoardSeen,
    Input,
    PieceLocated,
)
from engine.board.geometry import ALL, Side
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, LinkError, MessageReceived
from firmware_bridge.link import Event as LinkEvent
from firmware_bridge.localization.sampler import FieldSampler
from firmware_bridge.sensing.change_detector import ChangeTimes
from firmware_bridge.wire import BoardKind, Fault, FaultCode, FieldReadings, State

LATELY: Final = 2.0
"""Time window in which the fastest frame is searched, in seconds of the board's clock."""
LATEST: Final = 1.0
"""Maximum delay of a frame, in seconds. A larger delay means that the board's clock has jumped, and
the offset is reset."""
_WRAP_MS: Final = 2**32


class BoardClock:
    """Maps the board's clock to the program's: returns when a frame was sent, not when it arrived.

    A frame may be delayed by the adapter or a busy computer, but it never arrives early. The
    fastest recent frame therefore gives the offset of the two clocks. The board's cheap oscillator
    may be off by half a per cent, so old frames are ignored. All times are seconds of the program's
    clock.
    """

    def __init__(self) -> None:
        """Start before the first frame."""
        self._latest = -float("inf")
        self.begin_anew()

    def begin_anew(self) -> None:
        """Reset the offset, because the board may have restarted; returned times do not go back."""
        self._board_ms: int | None = None
        self._elapsed = 0.0
        """Seconds of the board's clock since its first frame."""
        self._fastest: deque[tuple[float, float]] = deque()
        """Queue for the minimum over the window: the board's time and the offset of each frame that
        is not followed by a frame with a smaller offset."""

    def moment(self, board_ms: int, arrived: float) -> float:
        """Return the time at which a frame was sent: at most `arrived`, and never decreasing."""
        if self._board_ms is not None:
            self._elapsed += (board_ms - self._board_ms) % _WRAP_MS / 1000
        self._board_ms = board_ms
        sent = self._min_offset(arrived - self._elapsed) + self._elapsed
        if sent < arrived - LATEST:
            self.begin_anew()
            return self.moment(board_ms, arrived)
        self._latest = max(self._latest, min(sent, arrived))
        return self._latest

    def _min_offset(self, offset: float) -> float:
        while self._fastest and self._fastest[-1][1] >= offset:
            self._fastest.pop()
        self._fastest.append((self._elapsed, offset))
        while self._fastest[0][0] < self._elapsed - LATELY:
            self._fastest.popleft()
        return self._fastest[0][1]


_GAME_FAULTS: Final = frozenset(
    {FaultCode.STUCK_CHANNEL, FaultCode.OPEN_WIRE, FaultCode.DYING, FaultCode.LOW_SUPPLY}
)
"""Faults that matter in a game. Drift and an input that is not at ground matter only for
maintenance, because the squares are still detected correctly."""


class BoardInputs:
    """Converts the events of one link."""

    def __init__(self) -> None:
        """Start before the first event."""
        self.connected: Connected | None = None
        """The introduction of the connected board, or None."""
        self._clock = BoardClock()
        self._change_times = ChangeTimes()
        self._field = FieldSampler()
        self._shown = Image()

    @property
    def can_feel(self) -> bool:
        """Whether the board can measure fields: it is calibrated and has colour sensors."""
        hello = self.connected.hello if self.connected else None
        return (
            hello is not None
            and hello.kind is BoardKind.COLOURS
            and bool(hello.calibration)
            and not hello.is_camera
        )

    def seek(self, *, seeks: bool) -> None:
        """Start or stop the search for a piece that no square detects."""
        self._field.set_searching(seeks=seeks)

    def take(self, at: float, event: LinkEvent) -> list[Input]:
        """Return the inputs for an event that arrived at time `at`, in seconds."""
        match event:
            case Connected():
                self.connected = event
                self._clock.begin_anew()
                self._change_times.begin_anew()
                self._field.reset()
                return [BoardFound(at, sees_colours=event.hello.kind is BoardKind.COLOURS)]
            case LinkError():
                was_connected, self.connected = self.connected, None
                return [BoardLost(at)] if was_connected else []
            case MessageReceived(State() as state):
                sent = self._clock.moment(state.at_ms, at)
                if self.connected and self.connected.hello.is_camera:
                    # A camera sees a change only after the arm has left. The table must not take
                    # that for the time of the change, and gets no frame in between instead.
                    return [] if state.faint == ALL else [BoardSeen(sent, state.image)]
                moments = self._change_times.of(sent, state)
                self._shown = state.image
                return [BoardSeen(sent, state.image, moments, state.faint)]
            case MessageReceived(Fault() as fault) if fault.code in _GAME_FAULTS:
                is_dying = fault.code is FaultCode.DYING
                return [BoardFaultReported(at, fault.square, is_dying=is_dying)]
            case MessageReceived(FieldReadings() as felt) if self._field.add(felt, self._shown):
                places = self._field.places
                return [PieceLocated(at, places.get(Side.RED), places.get(Side.BLUE))]
        return []
