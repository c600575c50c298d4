"""A game on the emulated board, during which the sensors drift with temperature.

The command prints figures in the format of hardware/firmware/measurements.md. Its second argument
is the speed-up factor:

    python -m tests.hardware.drifting hardware/firmware/build/boomboard.elf 12
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from companion.commands.simulate import load_game
from companion.simulator.random_games import RecordedGame
from engine.board.board import Board
from engine.board.geometry import SQUARES, Side, squares_in
from engine.game import position_updates
from engine.game.position import Position
from engine.rules.editions import DEFAULT
from firmware_bridge.image import Image
from firmware_bridge.wire import Fault, FaultCode, State
from hardware.emulator.board import EmulatedBoard, Heard
from hardware.emulator.physics import USUAL
from hardware.magnetics.found_file import CHOSEN
from tests.hardware.calibrating import SETTLED_US
from tests.hardware.placing import Hands, Placed

SAMPLE: Final = Path(__file__).parents[2] / "companion" / "samples" / "classic-2004.xml"
WHOLE: Final = 206
"""Number of plies in the whole game."""
GAME_S: Final = 4 * 3600
PACE: Final = 12
"""Speed-up factor of the session. Faster drift is harder to track."""
LAG_S: Final = 1800
"""Thermal time constant of the box, in seconds. After this time, the box has completed about two
thirds of a temperature change."""
AIRED: Final = (0.6, 0.7)
"""Start and end of a period during which a window is open. They are fractions of the session. While
the window is open, the temperature rise is halved."""
OWN: Final = 0.2
"""Maximum deviation of a sensor's drift from the average, as a fraction of the average."""
STEP_US: Final = 500_000
"""Time step of the temperature model, in microseconds."""
SPREAD_MM: Final = 3
"""Standard deviation of placements along each axis, in millimetres."""
DRIFTS: Final = (60, -60, 0)
"""Final drift of the sensors, in counts."""


@dataclass
class DriftResult:
    placed: Placed = field(default_factory=Placed)
    frames: int = 0
    set_down: int = 0
    straightened: int = 0
    """Number of times that a piece was set down again because the board had not detected it."""
    furthest: float = 0.0
    """Largest value that the average drift of the sensors has reached, in counts."""
    drifted: int = 0
    """Number of squares for which the board has reported drift."""

    def __str__(self) -> str:
        placed = self.placed
        cells = (self.frames, placed.unseen, placed.wrong_squares, placed.wrong_colours)
        straightened = f"{self.straightened} of {self.set_down}"
        return " | ".join(
            [f"{self.furthest:.0f}", *map(str, cells), straightened, f"{self.drifted}"]
        )


class Warmth:
    """Temperature drift of one board's sensors."""

    def __init__(self, hands: Hands, counts: float, seed: int) -> None:
        self._field, self._counts = hands.field, counts
        self._cold = list(hands.field.sensors)
        dice = random.Random(f"{seed} warmth")
        self._own = [counts * dice.uniform(-OWN, OWN) for _ in SQUARES]
        self._share = 0.0
        self.counts = 0.0

    def pass_by(self, seconds: float, fraction: float) -> None:
        """Advance by `seconds`. `fraction` is the fraction of the game played so far."""
        room = 0.5 if AIRED[0] <= fraction < AIRED[1] else 1.0
        self._share += (room - self._share) * seconds / LAG_S
        self.counts = self._share * self._counts
        self._field.drift = self.counts
        self._field.sensors = [
            replace(cold, offset=cold.offset + self._share * own)
            for cold, own in zip(self._cold, self._own, strict=True)
        ]


def positions(plies: int) -> Iterator[Image]:
    """Yield the initial position, then the position after each ply of the recorded game."""
    game, edition = load_game(SAMPLE, DEFAULT)
    assert isinstance(game, RecordedGame)
    record = game.record
    armies = ({square: square for square in squares_in(army)} for army in (record.red, record.blue))
    position = Position(edition, Board(*armies), record.ranks)
    for move in (*record.moves[:plies], None):
        yield Image(red=position.squares(Side.RED), blue=position.squares(Side.BLUE))
        if move:
            position = position_updates.after_turn(position, move)


class Player:
    """Plays the game on a board and compares the images with the pieces."""

    def __init__(self, board: EmulatedBoard, hands: Hands) -> None:
        self._board, self._hands = board, hands
        self.standing, self.result = Image(), DriftResult()
        self._drifted: set[int | None] = set()

    def show(self, after: Image) -> None:
        """Move pieces until the position matches the image `after`. Set a piece down again if the
        board has not detected it."""
        before, self.standing = self.standing, after
        self._hands.lift(self._board, squares_in(before.differing(after) & before.occupied))
        changed = before.differing(after)
        self._set_down(Image(after.red & changed, after.blue & changed))
        unseen = after.occupied & ~self._seen().occupied & changed
        if unseen:
            self._set_down(Image(after.red & unseen, after.blue & unseen))
            self.result.straightened += unseen.bit_count()

    def wait(self, microseconds: int) -> None:
        """Advance time and compare every frame with the pieces."""
        self._board.update_sensors()
        for image in self._images(self._board.run(microseconds)):
            self.result.frames += 1
            self.result.placed.add(self.standing, image)
        self.result.drifted = len(self._drifted)

    def _set_down(self, pieces: Image) -> None:
        self._hands.set_down(self._board, pieces, SPREAD_MM)
        self.result.set_down += pieces.occupied.bit_count()

    def _seen(self) -> Image:
        return [*self._images(self._board.run(SETTLED_US))][-1]

    def _images(self, heard: list[Heard]) -> Iterator[Image]:
        for each in heard:
            if isinstance(each.message, State):
                yield each.message.image
            elif isinstance(each.message, Fault) and each.message.code is FaultCode.DRIFT:
                self._drifted.add(each.message.square)


def play(elf: Path, counts: float, plies: int, pace: float = PACE, seed: int = 1) -> DriftResult:
    """Calibrate a cold board and play the first `plies` plies of the game."""
    hands = Hands(USUAL, CHOSEN.counts, seed)
    ply_s = GAME_S / WHOLE
    with EmulatedBoard(elf, hands.field, seed=seed) as board:
        board.power_on()
        hands.calibrate(board)
        board.power_off()
        board.run(STEP_US)
        board.power_on()
        player, warmth = Player(board, hands), Warmth(hands, counts, seed)
        steps = max(1, round(1_000_000 * ply_s / pace / STEP_US))
        for ply, image in enumerate(positions(plies)):
            player.show(image)
            for _ in range(steps):
                warmth.pass_by(ply_s / steps, ply / WHOLE)
                player.result.furthest = max(player.result.furthest, abs(warmth.counts))
                player.wait(STEP_US)
    return player.result


def main(elf: str, pace: str) -> None:
    for counts in DRIFTS:
        result = play(Path(elf), counts, WHOLE, float(pace))
        sys.stdout.write(f"| {counts:+} | {result} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
