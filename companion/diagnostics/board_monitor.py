"""Collects the state of a board from its messages."""

from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import Final

from engine.board.geometry import SQUARES, Square, squares_in
from firmware_bridge.board_hardware import PULL, RESTING, WIRINGS, Wiring
from firmware_bridge.image import Image, Sensed
from firmware_bridge.link import Connected, Event, LinkError, MessageReceived
from firmware_bridge.wire import CHANNELS, Fault, FaultCode, Geometry, Hello, Raw, State, Status

ENOUGH_AT_REST: Final = 10
"""Minimum number of empty squares needed to derive the resting level."""
LOOKS: Final = 16
"""Number of readings per sensor that are used to calculate the noise."""
RATE_SECONDS: Final = 4.0
"""Time in seconds over which the frame rate is averaged."""
FAULT_SECONDS: Final = 8.0
"""Time in seconds after which a fault is considered over unless it is reported again. The board
detects drift over 3 s, and checks the multiplexers' grounds in turn, one per second."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """State of one square's sensor."""

    shows: Sensed
    reading: int
    """Latest reading, from 0 to 1023."""
    strength: int
    """Deflection from the resting level, as a percentage of a typical piece's deflection."""
    noise: int
    """Difference between the highest and the lowest recent reading."""


class BoardMonitor:
    """Collects one board's state."""

    def __init__(self, connected: Connected) -> None:
        self.port: str = connected.port
        self.hello: Hello = connected.hello
        self.restarts = 0
        """Number of restarts during which the board stayed connected."""
        self._is_away = False
        self.supply_mv: int | None = None
        self.image = Image()
        self.unread = set(range(connected.hello.geometry))
        """Multiplexers whose readings have not been reported yet."""
        self._readings: dict[Square, deque[int]] = {n: deque(maxlen=LOOKS) for n in SQUARES}
        self._arrivals: deque[float] = deque()
        self._faults: dict[tuple[FaultCode, int | None], tuple[float, Fault]] = {}
        """Latest report of each fault and its time, keyed by code and by square or multiplexer."""

    def take(self, event: Event, now: float) -> None:
        match event:
            case LinkError():
                self._is_away = True
            case Connected(port, hello):
                if (hello.kind, hello.geometry) == (self.hello.kind, self.hello.geometry):
                    self.restarts += not self._is_away
                else:  # the board was replaced, or has identified its sensors
                    self._forget_readings(hello)
                self.port, self.hello = port, hello
                self._is_away = False
                self._arrivals.clear()
            case MessageReceived(State(image=image)):
                self._see(image, now)
            case MessageReceived(Raw(multiplexer, readings)):
                self._read(multiplexer, readings)
            case MessageReceived(Status(supply_mv)):
                self.supply_mv = supply_mv
            case MessageReceived(Fault() as fault):
                is_of_multiplexer = fault.code is FaultCode.NO_GROUND
                concerned = fault.value if is_of_multiplexer else fault.square
                self._faults[fault.code, concerned] = now, fault

    def _forget_readings(self, hello: Hello) -> None:
        self.unread = set(range(hello.geometry))
        for looks in self._readings.values():
            looks.clear()

    @property
    def wiring(self) -> Wiring:
        """Mapping of sensors to multiplexer inputs."""
        return WIRINGS[self.hello.geometry]

    def frame_rate(self) -> float | None:
        """Return the number of whole-board frames per second, or None until enough have arrived."""
        return (len(self._arrivals) - 1) / self.rated_seconds if self.rated_seconds else None

    @property
    def rated_seconds(self) -> float:
        """Time span of the frames used for the frame rate, in seconds."""
        return self._arrivals[-1] - self._arrivals[0] if self._arrivals else 0.0

    def faults(self, code: FaultCode, now: float) -> list[Fault]:
        """Return the recently reported faults with this code."""
        return [
            fault
            for reported, fault in self._faults.values()
            if fault.code is code and now - reported <= FAULT_SECONDS
        ]

    def sensors(self) -> dict[Square, Sensor]:
        """Return the state of each square's sensor. Empty before the first readings."""
        rest, usual = self._rest(), PULL[self.hello.kind]
        if self.hello.geometry is Geometry.TILES:  # on tiles, red pieces lower the reading
            usual = -usual
        return {
            square: Sensor(
                self.image.at(square),
                looks[-1],
                round(100 * (looks[-1] - rest) / usual),
                max(looks) - min(looks),
            )
            for square, looks in self._readings.items()
            if looks
        }

    def _rest(self) -> float:
        """Return the resting level.

        The level is the median reading of the empty squares, or the data-sheet value if too few
        squares are empty.
        """
        empty = [
            looks[-1]
            for square, looks in self._readings.items()
            if looks and not self.image.occupied >> square & 1
        ]
        if len(empty) >= ENOUGH_AT_REST:
            return median(empty)
        return RESTING[self.hello.kind]

    def _see(self, image: Image, now: float) -> None:
        self._arrivals.append(now)
        while now - self._arrivals[0] > RATE_SECONDS:
            self._arrivals.popleft()
        changed = (
            (image.red ^ self.image.red)
            | (image.blue ^ self.image.blue)
            | (image.unknown ^ self.image.unknown)
        )
        for square in squares_in(changed):  # a change caused by a moved piece is not noise
            self._readings[square].clear()
        self.image = image

    def _read(self, multiplexer: int, readings: tuple[int, ...]) -> None:
        self.unread.discard(multiplexer)
        squares = self.wiring.square_of
        for channel, reading in enumerate(readings, start=CHANNELS * multiplexer):
            if channel in squares:
                self._readings[squares[channel]].append(reading)
