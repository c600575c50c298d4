"""Parsing of moves, ranks and boards for the library interface."""

import re
from collections.abc import Mapping
from typing import Final, Protocol

from engine.board import board_text
from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet, name, set_of, square
from engine.board.ranks import SYMBOLS, Rank
from engine.game.rulings import Contradiction, CorrectionRefused, Ruling
from engine.rules.editions import EDITIONS, Edition

_WAY: Final = re.compile(r"\s*(\w+)\s*[-x]\s*(\w+)\s*")
_SIDES: Final = {"r": Side.RED, "b": Side.BLUE}


class NotationError(ValueError):
    """A text is malformed. The message names the column, what was expected and what was found."""

    def __init__(self, position: int, expected: str, found: str) -> None:
        super().__init__(f"column {position}: expected {expected}, found {found}")
        self.position = position
        """Column of the text, counted from 1."""
        self.expected = expected
        self.found = found


class Recorded(Protocol):
    """A recorded game, as far as a referee needs it."""

    @property
    def ranks(self) -> Mapping[Square, Rank]:
        """Rank set up on each square."""

    @property
    def red(self) -> SquareSet:
        """Squares on which the red army was set up."""

    @property
    def blue(self) -> SquareSet:
        """Squares on which the blue army was set up."""


def way(told: str) -> tuple[Square, Square]:
    """Parse ``"a4-a5"`` or ``"a5xa6"``; ValueError if the text is malformed."""
    found = _WAY.fullmatch(told)
    if not found:
        raise ValueError(f"{told!r} is no way such as a4-a5")
    source, target = (square(place.lower()) for place in found.groups())
    return source, target


def rank(told: Rank | str) -> Rank:
    """Parse a rank by its English name; ValueError if it is unknown."""
    if isinstance(told, Rank):
        return told
    try:
        return Rank[told.strip().upper()]
    except KeyError:
        known = ", ".join(each.name.lower() for each in Rank)
        raise ValueError(f"no rank is called {told!r}; there are {known}") from None


def edition(told: Edition | str, army: str | None) -> Edition:
    """Return an edition by its id, with one of its armies; ValueError if it is unknown."""
    if isinstance(told, str):
        if told not in EDITIONS:
            raise ValueError(f"no edition is called {told!r}; there are {', '.join(EDITIONS)}")
        told = EDITIONS[told]
    return told.with_army(army) if army else told


def armies(drawn: str) -> tuple[list[SquareSet], dict[Piece, Rank]]:
    """Parse the squares of both armies from a picture, and the ranks that it shows."""
    places: dict[Side, list[Square]] = {side: [] for side in Side}
    known = {}
    for place, token in board_text.read(drawn).items():
        if token[0] not in _SIDES or token[1:] not in {*SYMBOLS, "?"}:
            raise ValueError(f"{name(place)}: {token!r} is not a piece such as r10, bB or r?")
        places[_SIDES[token[0]]].append(place)
        if token[1:] != "?":
            known[place] = SYMBOLS[token[1:]]
    return [set_of(squares) for squares in places.values()], known


def tell_refusal(ruling: Ruling) -> str:
    """Return a sentence for developers that says what a ruling refuses, and why."""
    if not isinstance(ruling, Contradiction | CorrectionRefused):
        return str(ruling)
    proof = ruling.proof
    ply = f", at ply {proof.ply}" if proof.ply else ""
    return (
        f"this piece is no {proof.rank.name.lower()} ({proof.ground.word}{ply}) – {ruling.citation}"
    )
