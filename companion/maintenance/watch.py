"""What a board tells about itself, gathered while somebody watches it. Time is passed in."""

from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import Final

from engine.squares import SQUARES, Square, squares_in
from firmware_bridge.image import Image, Sensed
from firmware_bridge.link import Connected, Event, Received, Trouble
from firmware_bridge.thresholds import PULL, RESTING
from firmware_bridge.wire import (
    CHANNELS,
    Fault,
    FaultCode,
    Geometry,
    Hello,
    Raw,
    State,
    Status,
)
from firmware_bridge.wirings import WIRINGS, Wiring

ENOUGH_AT_REST: Final = 10
"""So many empty squares tell where sensors rest."""
LOOKS: Final = 16
"""How many readings the noise is taken from."""
RATE_SECONDS: Final = 4.0
"""From the frames of so long the frame rate is taken."""
FAULT_SECONDS: Final = 8.0
"""A fault that is not told again for so long is over: drift is watched for 3 s, and the
multiplexers are looked at for their ground in turn, one a second."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """What is known of the sensor of one square."""

    shows: Sensed
    reading: int
    """The latest, 0 to 1023."""
    strength: int
    """How far it is from where sensors rest, in per cent of what a usual piece does."""
    noise: int
    """Between the lowest and the highest of the latest readings."""


class Watch:
    """Everything that was heard of one board so far."""

    def __init__(self, connected: Connected) -> None:
        self.port: str = connected.port
        self.hello: Hello = connected.hello
        self.restarts = 0
        """How often the board started anew without having been unplugged."""
        self._is_away = False
        self.supply_mv: int | None = None
        self.image = Image()
        self.unread = set(range(connected.hello.geometry))
        """The multiplexers whose readings it has not told yet."""
        self._readings: dict[Square, deque[int]] = {n: deque(maxlen=LOOKS) for n in SQUARES}
        self._arrivals: deque[float] = deque()
        self._faults: dict[tuple[FaultCode, int | None], tuple[float, Fault]] = {}
        """By code, and by what it concerns: a square, or a multiplexer."""

    def take(self, event: Event, now: float) -> None:
        """Take in what the link tells."""
        match event:
            case Trouble():
                self._is_away = True
            case Connected(port, hello):
                self.port, self.hello = port, hello
                self.restarts += not self._is_away
                self._is_away = False
                self._arrivals.clear()
            case Received(State(image=image)):
                self._see(image, now)
            case Received(Raw(multiplexer, readings)):
                self._read(multiplexer, readings)
            case Received(Status(supply_mv)):
                self.supply_mv = supply_mv
            case Received(Fault() as fault):
                is_of_multiplexer = fault.code is FaultCode.NO_GROUND
                concerned = fault.value if is_of_multiplexer else fault.square
                self._faults[fault.code, concerned] = now, fault

    @property
    def wiring(self) -> Wiring:
        """How its sensors hang on its multiplexers."""
        return WIRINGS[self.hello.geometry]

    def frame_rate(self) -> float | None:
        """Frames with the whole board a second, None before there are enough."""
        return (len(self._arrivals) - 1) / self.rated_seconds if self.rated_seconds else None

    @property
    def rated_seconds(self) -> float:
        """How long the frames took to come that the frame rate is taken from."""
        return self._arrivals[-1] - self._arrivals[0] if self._arrivals else 0.0

    def faults(self, code: FaultCode, now: float) -> list[Fault]:
        """The faults of one kind that the board has told lately."""
        return [
            fault
            for told, fault in self._faults.values()
            if fault.code is code and now - told <= FAULT_SECONDS
        ]

    def sensors(self) -> dict[Square, Sensor]:
        """What is known of each sensor, by square; nothing before the first readings."""
        rest, usual = self._rest(), PULL[self.hello.kind]
        if self.hello.geometry is Geometry.TILES:  # red reads low there
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
        """Where sensors rest: as most of those on empty squares do, else as data sheets say."""
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
        for square in squares_in(changed):  # a moved piece is not noise
            self._readings[square].clear()
        self.image = image

    def _read(self, multiplexer: int, readings: tuple[int, ...]) -> None:
        self.unread.discard(multiplexer)
        squares = self.wiring.square_of
        for channel, reading in enumerate(readings, start=CHANNELS * multiplexer):
            if channel in squares:
                self._readings[squares[channel]].append(reading)
