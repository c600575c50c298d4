"""Journals for tests: the file and its rows."""

from collections.abc import Callable

from companion.store.journal import Journal
from companion.store.layouts import seal_all
from engine.play.actions import (
    Action,
    Attack,
    Declare,
    Move,
    PlaceArmies,
)
from engine.play.clocks import ClockState
from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import square

OPENING: list[Action] = [
    PlaceArmies(Side.RED.home, Side.BLUE.home),
    Move(square("e4"), square("e5")),
    Move(square("e7"), square("e6")),
    Attack(square("e5"), square("e6")),
    Declare(Secret(Side.RED, Rank.CAPTAIN)),
]


CLOCK = ClockState()


Open = Callable[..., Journal]


def spoil(journal: Journal, statement: str) -> None:
    """Change rows in the file as a program would have written them, with valid checksums."""
    journal.file.connection.execute(statement)
    seal_all(journal.file.connection)
