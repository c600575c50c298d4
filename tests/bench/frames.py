"""CPU cost of processing a board's frames, from the received bytes to the table's decisions.

The table is compared with a referee that waits until an image has been stable for 250 ms. Each of
these two referees processes a recording of a game that was played with it.
"""

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Final, Protocol

from companion.core.inputs import BoardSeen
from companion.core.table import Table
from companion.jsonl.requests import read_line
from engine.board.geometry import ALL, LAKES, Side, square
from engine.rules.editions import DEFAULT
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.link import MessageReceived, Statistics
from firmware_bridge.link.connection import Connection
from firmware_bridge.wire import STATE_INTERVAL_MS, Encoder, State
from tests.bench.recorded_frames import HELLO, Film
from tests.companion.core.table_driver import TableDriver
from tests.hands.baselines import POLICIES, Policy
from tests.hands.responses import Line
from tests.hands.runner import TABLE

COMMON: Final = "wait-250-ms"
_TURNED_OVER: Final = Image(red=ALL & ~LAKES & ~Side.RED.home, blue=Side.RED.home)
"""Image in which every square differs from `ARMIES`, the image before the first move."""
_TIMES: Final = 5
"""Number of image inversions per round."""
_LOOKS: Final = 500
_LOOKED_AT: Final = ("a1", "b2", "c3", "d1", "h3", "k2", "f4")
_FRAMES_A_LOOK: Final = 15
"""Number of frames for which a piece is lifted. It then rests for the same number of frames."""
_AFTER: Final = 50
"""Number of frames that are searched for the slowest one. The first of them shows the change."""


class Referee(Protocol):
    """Consumer of timed images and commands."""

    def see(self, at: float, image: Image) -> None:
        """Process an image."""

    def hear(self, at: float, line: Line) -> None:
        """Process a command line, as ``boomboard table`` does."""


class _Ours:
    def __init__(self) -> None:
        self._table = Table(DEFAULT, 0)

    def see(self, at: float, image: Image) -> None:
        self._table.handle(BoardSeen(at, image))

    def hear(self, at: float, line: Line) -> None:
        self._table.handle(read_line({**line, "at": at}, at, self._table))


class _Common:
    def __init__(self) -> None:
        self._policy = Policy(DEFAULT, POLICIES[COMMON])
        self._image: Image | None = None
        self._text = ""

    def see(self, at: float, image: Image) -> None:
        if image != self._image:
            self._image, self._text = image, image.tokens
        self._policy.take({"at": at, "board": self._text})

    def hear(self, at: float, line: Line) -> None:
        self._policy.take({**line, "at": at})


_REFEREES: Final[Mapping[str, Callable[[], Referee]]] = {TABLE: _Ours, COMMON: _Common}


@dataclass(frozen=True)
class Films:
    """One recorded game for each referee. The same simulated players play all of them."""

    by_referee: Mapping[str, Film]

    @classmethod
    def record(cls) -> "Films":
        return cls({referee: Film.record(referee) for referee in _REFEREES})


def time_frames(films: Films) -> dict[str, float]:
    """Return the CPU loads and the times of the slowest frames.

    Loads are percentages of one core. Times are in milliseconds.
    """
    ours, common = (_share(referee, films.by_referee[referee]) for referee in (TABLE, COMMON))
    ours_worst, common_worst = (_worst(_REFEREES[referee]()) for referee in (TABLE, COMMON))
    return {
        "frames": ours,
        "frames-common": common,
        "worst": ours_worst,
        "worst-common": common_worst,
        "looks": _looks(),
    }


def _looks() -> float:
    """Lift and put back pieces within one turn. Return the time of the slowest frame in
    milliseconds.

    Garbage is collected before the measurement, but not during it.
    """
    table_driver = TableDriver.begun()
    standing, slowest = table_driver.board.image(), 0.0
    gc.collect()
    gc.disable()
    try:
        for number in range(_LOOKS):
            name = _LOOKED_AT[number % len(_LOOKED_AT)]
            for image in (standing.patched(1 << square(name), Image()), standing):
                for _ in range(_FRAMES_A_LOOK):
                    table_driver.now += STATE_INTERVAL_MS / 1000
                    begun = process_time()
                    table_driver.table.handle(BoardSeen(table_driver.now, image))
                    slowest = max(slowest, 1000 * (process_time() - begun))
    finally:
        gc.enable()
    return slowest


def _share(name: str, film: Film) -> float:
    """Return the CPU time of a whole game as a percentage of its duration."""
    listener = _Listener(_REFEREES[name]())
    begun = process_time()
    listener.watch(film)
    return 100 * (process_time() - begun) / film.seconds


def _worst(referee: Referee) -> float:
    """Invert the image and restore it. Return the time of the slowest frame in milliseconds."""
    listener, encoder = _Listener(referee), Encoder()
    listener.receive(0.0, encoder.encode(HELLO))
    referee.hear(0.0, {"found": {"colours": True}})
    now = 0

    def show(image: Image) -> float:
        nonlocal now
        dearest = 0.0
        for _ in range(_AFTER):
            now += STATE_INTERVAL_MS
            data = encoder.encode(State(now, image))
            begun = process_time()
            listener.receive(now / 1000, data)
            dearest = max(dearest, process_time() - begun)
        return 1000 * dearest

    show(ARMIES)
    for side in Side:
        referee.hear(now / 1000, {"say": {"what": "ready", "side": side.value}})
    show(ARMIES)
    taken = [(show(_TURNED_OVER), show(ARMIES)) for _ in range(_TIMES)]
    return max(median(there for there, _ in taken), median(back for _, back in taken))


class _Listener:
    """Passes received bytes to a referee, through the link's `Connection`."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._conversation = Connection("bench", Statistics(), False, 0.0)

    def watch(self, film: Film) -> None:
        for shot in film.shots:
            if shot.line is not None:
                self.referee.hear(shot.at, shot.line)
            else:
                self.receive(shot.at, shot.data)

    def receive(self, at: float, data: bytes) -> None:
        for event in self._conversation.receive(data, at):
            match event:
                case MessageReceived(State(image=image)):
                    self.referee.see(at, image)
