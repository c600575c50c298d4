"""Random frames, with and without colours, raise no exception in any edition."""

import random
from typing import Final

from companion.core import inputs
from companion.core.table import Table
from engine.board.geometry import NEIGHBOURS, SQUARES, Side, Square
from engine.board.visibility import Secret
from engine.game.actions import Declare, PlaceArmies
from engine.rules.editions import EDITIONS
from firmware_bridge.image import Image
from tests.campaigns import Campaign

FRAMES: Final = Campaign("random-frames", part=2_000, whole=100_000)
GAME: Final = 500
"""Number of frames per random game."""
ARMIES: Final = Image(Side.RED.home, Side.BLUE.home)


class _RandomBoard:
    """Board that changes at random, mostly in ways in which a player's hands could change it."""

    def __init__(self, chance: random.Random, *, has_colours: bool) -> None:
        self.chance, self.has_colours = chance, has_colours
        self.pieces = {s: side for side in Side for s in SQUARES if side.home >> s & 1}
        self.up: list[tuple[Square, Side]] = []

    @property
    def image(self) -> Image:
        red = sum(1 << s for s, side in self.pieces.items() if side is Side.RED)
        blue = sum(1 << s for s, side in self.pieces.items() if side is Side.BLUE)
        return Image(red, blue) if self.has_colours else Image(unknown=red | blue)

    def change(self) -> None:
        roll = self.chance.random()
        if roll < 0.45 and self.pieces:
            square = self.chance.choice(list(self.pieces))
            self.up.append((square, self.pieces.pop(square)))
        elif roll < 0.9 and self.up:
            home, side = self.up.pop(self.chance.randrange(len(self.up)))
            near = [home, *NEIGHBOURS[home], self.chance.choice(SQUARES)]
            self.pieces[self.chance.choice(near)] = side
        elif roll < 0.97:
            self.pieces[self.chance.choice(SQUARES)] = self.chance.choice(list(Side))
        elif roll < 0.98:  # a bump lifts many pieces
            for square in self.chance.sample(list(self.pieces), min(12, len(self.pieces))):
                self.up.append((square, self.pieces.pop(square)))
        else:
            self.pieces = {s: side for side in Side for s in SQUARES if side.home >> s & 1}
            self.up = []


def speak(table: Table, at: float, chance: random.Random) -> None:
    """Send commands that the current state allows."""
    if question := table.conversation.question:
        table.handle(
            inputs.CommandInput(at, Declare(Secret(question.owner, chance.choice(question.tiles))))
        )
    table.handle(inputs.AttackerNamed(at, chance.choice(list(Side))))
    table.handle(
        inputs.NoAttack(at)
        if chance.random() < 0.5
        else inputs.CommandInput(at, inputs.OfferUndo(Side.RED))
    )
    table.handle(inputs.CommandInput(at, inputs.OfferUndo(Side.BLUE)))


def play(seed: int, frames: int) -> None:
    chance = random.Random(seed)
    edition = chance.choice(list(EDITIONS.values()))
    has_colours = chance.random() < 0.5
    board = _RandomBoard(chance, has_colours=has_colours)
    table = Table(edition, seed, [PlaceArmies(ARMIES.red, ARMIES.blue)])
    at = 0.0
    table.handle(inputs.BoardFound(at, sees_colours=has_colours))
    for _ in range(frames):
        at += chance.choice([0.02, 0.02, 0.02, 0.1, 0.4, 2.0])
        if chance.random() < 0.4:
            board.change()
        table.handle(inputs.BoardSeen(at, board.image))
        if chance.random() < 0.02:
            speak(table, at, chance)


@FRAMES
def test_random_frames_never_raise() -> None:
    for seed in range(FRAMES.size // GAME):
        play(seed, GAME)


def test_explanation_that_contradicts_the_game_is_dropped() -> None:
    """A hypothesis is dropped if it moves a piece that the position does not contain."""
    table = Table(EDITIONS["original-1992"], 1, [PlaceArmies(ARMIES.red, ARMIES.blue)])
    table.handle(inputs.BoardFound(0, sees_colours=True))
    table.handle(inputs.BoardSeen(0.02, ARMIES))
    reader = table._reader
    assert reader.base
    reader.base = reader.base.copy()
    reader.base.push("e4-e5")  # in the hypotheses, the piece is still on e4
    table.handle(inputs.BoardSeen(0.1, Image(ARMIES.red & ~(1 << 34), ARMIES.blue)))
    table.handle(inputs.BoardSeen(0.6, Image(ARMIES.red & ~(1 << 34) | 1 << 44, ARMIES.blue)))
    assert not any(explanation.turns or explanation.wrong for explanation in table.explanations)
    assert reader.dropped == ("no red piece on e4",)
