"""An evening at the table for tests: hands on a virtual board, players at the screen, time by hand.

No wire and no clock: images go straight to the table, and time passes when a test says so.
"""

from collections.abc import Iterable
from typing import TypeVar

from companion.events import Event
from companion.inputs import (
    BoardFound,
    BoardLost,
    BoardSeen,
    Input,
    RankDeclared,
    Ready,
    TimePassed,
)
from companion.table import Step, Table
from engine.actions import Action
from engine.editions import DEFAULT, Edition
from engine.ranks import Rank
from engine.referee import Phase
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import square, squares_in
from firmware_bridge.virtual.board import Piece, VirtualBoard
from firmware_bridge.wire import BoardKind

E = TypeVar("E")
LONG = 2.0
"""Seconds after which every gesture has settled."""


class Evening:
    """A table with a board; `begun` has both armies standing and Red to move."""

    def __init__(
        self,
        edition: Edition = DEFAULT,
        seed: int = 1,
        actions: Iterable[Action] = (),
        kind: BoardKind = BoardKind.COLOURS,
    ) -> None:
        self.table = Table(edition, seed, actions)
        self.board = VirtualBoard(kind)
        self.now = 0.0
        self.events: list[Event] = []
        self.actions: list[Action] = []
        self.inputs: list[Input] = []
        self.steps: list[Step] = []
        self.give(BoardFound(self.now, sees_colours=kind is BoardKind.COLOURS))

    @classmethod
    def begun(cls, kind: BoardKind = BoardKind.COLOURS, seed: int = 1) -> "Evening":
        evening = cls(seed=seed, kind=kind)
        for side in Side:
            evening.stand(side, *squares_in(side.home))
        evening.wait()
        for side in Side:
            evening.give(Ready(evening.now, side))
        evening.wait()
        evening.forget()
        return evening

    def give(self, given: Input) -> None:
        self.inputs.append(given)
        step = self.table.handle(given)
        self.steps.append(step)
        self.actions += step.actions
        self.events += step.events

    def forget(self) -> None:
        """Forget what has been told so far."""
        self.events.clear()
        self.actions.clear()

    def told(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    # Hands

    def stand(self, side: Side, *squares: int) -> None:
        for each in squares:
            self.board.stand(side, each)

    def lift(self, name: str) -> Piece:
        piece = self.board.lift(square(name))
        self.show()
        return piece

    def place(self, piece: Piece, name: str) -> None:
        self.board.place(piece, square(name))
        self.show()

    def move(self, source: str, target: str, *, settle: float = LONG) -> None:
        self.place(self.lift(source), target)
        self.wait(settle)

    # Time

    def show(self) -> None:
        self.now += 0.02
        self.give(BoardSeen(self.now, self.board.image()))

    def wait(self, seconds: float = LONG) -> None:
        """Let time go by as it does for real: a frame now, then only what the table asks for."""
        self.show()
        until = self.now + seconds
        while self.table.due is not None and self.table.due <= until:
            self.now = max(self.now, self.table.due)
            self.give(TimePassed(self.now))
        self.now = until
        self.give(TimePassed(self.now))

    def lose_board(self) -> None:
        self.give(BoardLost(self.now))

    # Players

    def declare(self, side: Side, rank: Rank) -> None:
        self.give(RankDeclared(self.now, Secret(side, rank)))


def clash(kind: BoardKind = BoardKind.COLOURS, seed: int = 1) -> Evening:
    """Red's e4 and Blue's e7 have walked until they face each other on e5 and e6; Red to move."""
    evening = Evening.begun(kind, seed)
    evening.move("e4", "e5")
    evening.move("e7", "e6")
    evening.forget()
    assert evening.table.referee.plies == 2
    return evening


def attack(evening: Evening) -> Evening:
    """Red attacks e6 from e5, both pieces in hand."""
    evening.lift("e5")
    evening.lift("e6")
    evening.wait()
    assert evening.table.referee.phase is Phase.ATTACK
    return evening


def fight(attacker: Rank, defender: Rank) -> Evening:
    """Red attacks e6 from e5, both pieces in hand, and both declare."""
    evening = attack(clash())
    evening.declare(Side.RED, attacker)
    evening.declare(Side.BLUE, defender)
    evening.wait()
    return evening
