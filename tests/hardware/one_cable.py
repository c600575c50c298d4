"""Moves made by hand while the power supply of a tiled board fails, or while a tile is dead. The
images are compared with the pieces. Squares with unpowered sensors are not compared. Reports also
pass through the link and the table, as in the real program.

The command prints figures in the format of hardware/firmware/measurements.md. Its last argument is
the number of boards per fault:

    python -m tests.hardware.one_cable hardware/firmware/build/boomboard.elf 5
"""

import random
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from companion.core.events import BoardDisconnected, LowSupply, SensorFailed
from companion.core.table import Table
from companion.devices.live_board import BoardInputs
from engine.board.geometry import SQUARES, Square, squares_in
from engine.rules.editions import DEFAULT
from firmware_bridge.board_hardware import ON_PER_CENT
from firmware_bridge.image import Sensed
from firmware_bridge.link import Statistics
from firmware_bridge.link.connection import Connection, LinkErrorKind
from firmware_bridge.wire import BoardKind, Fault, FaultCode, Geometry, Hello, State
from hardware.emulator.board import EmulatedBoard, Heard
from hardware.emulator.physics import PIECE, REST
from tests.hardware.cable_faults import TROUBLES, Trouble, squares_of
from tests.hardware.hovering import HoveringHands
from tests.hardware.sensor_faults import calibrated, positions, running_board

HELLO_SECONDS: Final = 3.0
SILENT_SECONDS: Final = 1.0
"""Time without bytes, in seconds, after which the link reports an error. It is the same as in
`firmware_bridge.link`."""
LISTEN_US: Final = 20_000
LATEST_US: Final = 1_200_000
"""Time, in microseconds, for which the board may continue to show a removed piece."""
SEEN_US: Final = 300_000
"""Time, in microseconds, within which the board must show a piece that was set down."""
MISSED_US: Final = 3_500_000
"""Time, in microseconds, after which a lasting fault that has not been announced counts as
missed."""
ANNOUNCED_US: Final = 4_000_000
"""Maximum time, in microseconds, until the program announces a fault. Before that, the program
waits 2.5 s for a second report."""


@dataclass
class Listener:
    """The program's link and table, with a record of announcements to the players."""

    board: EmulatedBoard
    announced: list[tuple[int, SensorFailed | LowSupply | BoardDisconnected]] = field(
        default_factory=list
    )

    def __post_init__(self) -> None:
        self._inputs, self._table = BoardInputs(), Table(DEFAULT, 1)
        self._connect(silent=False)

    def _connect(self, *, silent: bool) -> None:
        self._link = Connection("the board", Statistics(), silent, self.board.now_us / 1e6)

    def listen(self) -> None:
        """Process received bytes and send any bytes that are due."""
        now_us = self.board.now_us
        now = now_us / 1e6
        events = self._link.receive(self.board.take_bytes(), now)
        if error := self._link.error(now, HELLO_SECONDS, SILENT_SECONDS):
            events.append(error)
            self._connect(silent=error.kind is LinkErrorKind.SILENT)
            self.board.reset()  # as a real board does when its port is opened
        for event in events:
            for given in self._inputs.take(now, event):
                for announced in self._table.handle(given).events:
                    if isinstance(announced, SensorFailed | LowSupply | BoardDisconnected):
                        self.announced.append((now_us, announced))
        self.board.send_bytes(self._link.bytes_to_send(now))


@dataclass
class CableResult:
    """Combined results of several boards with the same fault."""

    boards: int = 0
    moves: int = 0
    unseen: int = 0
    """Number of pieces that stood on powered squares, but were not shown in time or were not shown
    at the end."""
    wrong_colours: int = 0
    """Number of squares that showed an impossible colour, summed over all frames. A colour is
    impossible if no piece of that colour has recently been on the square."""
    false_faults: int = 0
    """Number of faults reported for intact squares or an intact power supply."""
    falsely_announced: int = 0
    """Number of false alarms: announcements to the players of faults that did not exist."""
    announced_ms: list[float] = field(default_factory=list)
    missed: int = 0
    bites: list[int] = field(default_factory=list)
    """For each harmful fault: how many squares a simple threshold would misread at the worst
    moment. If the board restarts, the number is 100, because the board forgets all squares."""

    def __str__(self) -> str:
        announced = (
            self.announced_ms
            and f"{median(self.announced_ms):.0f}, at most {max(self.announced_ms):.0f}"
        )
        bites = self.bites and f"{min(self.bites)} to {max(self.bites)}"
        cells = (self.boards, self.moves, bites or "", self.unseen, self.wrong_colours)
        more = (self.false_faults + self.falsely_announced, announced or "", self.missed)
        return " | ".join(map(str, (*cells, *more)))


class CableHands(HoveringHands):
    """Hands that keep moving pieces during a fault."""

    def __init__(self, board: EmulatedBoard, seed: int, trouble: Trouble) -> None:
        super().__init__(board, seed)
        self.figures = CableResult(boards=1)
        self._trouble = trouble
        self._left = list(trouble.plan)
        self.begun_us: int | None = None
        self._listener = Listener(board)
        self._seen: list[dict[Sensed, int]] = [{} for _ in SQUARES]
        """For each square: the latest time at which each colour was over it."""
        self._worst = 0
        self._squares = squares_of(trouble.plugs)
        self._moves: list[tuple[int, Square, Square, Sensed]] = []
        """For each move: the time at which the piece was released, the source, the target and the
        colour."""

    def begin(self, at_us: int) -> None:
        self.begun_us = at_us

    @property
    def ended_us(self) -> float:
        """Time at which the fault ends, or infinity if it never ends."""
        if self.begun_us is None or self._trouble.lasts_us is None:
            return float("inf")
        return self.begun_us + self._trouble.lasts_us

    def watch(self, microseconds: int) -> None:
        """Wait without moving any pieces."""
        self._run(microseconds)

    def wait_for_the_end(self) -> None:
        """Wait until the fault has ended. If it has to be announced, also wait until its
        announcement is overdue."""
        assert self.begun_us is not None
        lasts_us = self._trouble.lasts_us or MISSED_US
        end = self.begun_us + (max(lasts_us, MISSED_US) if self._trouble.is_announced else lasts_us)
        self._run(max(end - self._board.now_us, 0) + LATEST_US)

    def _is_blind(self, square: Square, at_us: float) -> bool:
        """Whether the sensor of the square may be unpowered or disconnected."""
        if self.begun_us is None or square not in self._squares:
            return False
        return self.begun_us <= at_us <= self.ended_us + SEEN_US

    def _run(self, microseconds: int) -> None:
        board = self._board
        end = board.now_us + microseconds
        while board.now_us < end:
            now = board.now_us
            while self._next_us <= now:
                self._left.pop(0)[1](board)
                self._worst = max(self._worst, self._plain_errors())
            self._note(now)
            until = min(end, now + LISTEN_US - now % LISTEN_US, self._next_us)
            heard = board.run(until - now)
            self._listener.listen()
            self._judge_frames(heard)

    @property
    def _next_us(self) -> int:
        """Time of the next change to the power supply or the wires."""
        if self.begun_us is None or not self._left:
            return sys.maxsize
        return self.begun_us + self._left[0][0]

    def _colour(self, square: Square) -> Sensed:
        magnet = self._board.field.magnets.get(square)
        if magnet is None:
            return Sensed.EMPTY
        return Sensed.RED if magnet.north_up else Sensed.BLUE

    def _note(self, now: int) -> None:
        """Record the colours over all squares. If a sensor is blind, its square may continue to
        show the last state."""
        for square in SQUARES:
            seen = self._seen[square]
            if self._is_blind(square, now):
                for colour, latest in seen.items():
                    if latest > now - LATEST_US:
                        seen[colour] = now
            seen[self._colour(square)] = now

    def _plain_errors(self) -> int:
        """Return the number of squares that a simple threshold would misread."""
        field_, wrong = self._board.field, 0
        for square in SQUARES:
            reading = field_.reading(square)
            if self._trouble.is_unplugged and square in self._squares:
                reading = 0.0
            sensor = field_.sensors[square]
            deflection = reading - REST - sensor.offset
            on = ON_PER_CENT[BoardKind.COLOURS] / 100 * PIECE * sensor.sensitivity
            shown = Sensed.EMPTY
            if abs(deflection) >= on:
                shown = Sensed.RED if (deflection > 0) is not field_.face_down else Sensed.BLUE
            wrong += shown is not self._colour(square)
        return wrong

    def _judge_frames(self, heard: list[Heard]) -> None:
        self.heard += heard
        for each in heard:
            match each.message:
                case State(image=image):
                    for square in squares_in(image.occupied):
                        shown = image.at(square)
                        latest = self._seen[square].get(shown, -LATEST_US)
                        self.figures.wrong_colours += each.at_us - latest > LATEST_US + LISTEN_US
                case Fault(code=code, square=square) if code is not FaultCode.DRIFT:
                    self.figures.false_faults += not self._is_true(code, square, each.at_us)

    def _is_true(self, code: FaultCode, square: Square | None, at_us: float) -> bool:
        if self.begun_us is None or at_us > self.ended_us + self._trouble.reported_us:
            return False
        if square is not None:
            return square in self._squares
        return True

    def _judge(self, heard: list[Heard], source: Square, target: Square, stands_us: int) -> None:
        self.figures.moves += 1
        self._moves.append((stands_us, source, target, self._colour(target)))

    def settle(self) -> None:
        """Compare the final image with the pieces and count the announcements."""
        shown = [each.message.image for each in self.heard if isinstance(each.message, State)][-1]
        now = self._board.now_us
        for square in SQUARES:
            if not self._is_blind(square, now) and shown.at(square) is not self._colour(square):
                self.figures.unseen += 1
        self._count_unseen()
        assert self.begun_us is not None
        restarts = [
            each.message.reset_cause
            for each in self.heard
            if isinstance(each.message, Hello) and each.at_us > self.begun_us
        ]
        if self._trouble.cause:
            self._worst = 100 * (self._trouble.cause in restarts)
        if not self._trouble.is_harmless:
            self.figures.bites.append(self._worst)
        announced = [at for at, _ in self._listener.announced if at >= self.begun_us]
        for at, what in self._listener.announced:
            true = self.begun_us <= at <= self.ended_us + ANNOUNCED_US
            if isinstance(what, SensorFailed):
                true &= what.square in self._squares
            self.figures.falsely_announced += not true
        if announced:
            self.figures.announced_ms.append((announced[0] - self.begun_us) / 1000)
        elif self._trouble.is_announced:
            self.figures.missed += 1

    def _count_unseen(self) -> None:
        states = [(e.at_us, e.message.image) for e in self.heard if isinstance(e.message, State)]
        for stands_us, _, target, colour in self._moves:
            latest = stands_us + SEEN_US
            if self._is_blind(target, stands_us) or self._is_blind(target, latest):
                continue
            shown = [image.at(target) for at, image in states if stands_us <= at <= latest]
            self.figures.unseen += colour not in shown


def try_trouble(
    elf: Path, eeprom: bytes, name: str, count: int, seed: int = 0, moves: int = 5
) -> CableResult:
    """Try a fault on several boards, each with different moves."""
    result = CableResult()
    for number, image in zip(range(count), positions(random.Random(seed)), strict=False):
        dice = random.Random(f"{name} {seed} {number}")
        trouble = TROUBLES[name](dice)
        with running_board(elf, eeprom, image, seed + number, Geometry.TILES) as board:
            hands = CableHands(board, seed + number, trouble)
            if trouble.is_from_the_start:
                board.power_off()
                hands.begin(0)
                hands.watch(5_000)
                board.power_on()
                hands.watch(1_000_000)
            else:
                hands.watch(1_000_000)
                hands.begin(board.now_us + dice.randrange(2_500_000))
            for n in range(moves):
                hands.move(hovers=n % 4 == 3)
            hands.wait_for_the_end()
            hands.settle()
        _add(result, hands.figures)
    return result


def _add(result: CableResult, other: CableResult) -> None:
    for each in vars(other):
        setattr(result, each, getattr(result, each) + getattr(other, each))


def main(elf: str, boards: str, *names: str) -> None:
    eeprom = calibrated(Path(elf), Geometry.TILES)
    for name in TROUBLES:
        if not names or any(each in name for each in names):
            sys.stdout.write(f"| {name} | {try_trouble(Path(elf), eeprom, name, int(boards))} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
