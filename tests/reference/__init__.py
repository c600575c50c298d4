"""Second referee. It is slow and simple, and is based on the rulebooks, not on `engine`.

This referee knows every rank, keeps lists where the engine keeps counts, and steps across the board
square by square. If it disagrees with the engine, one of the two is wrong.
"""

from tests.reference.armies import ARMIES
from tests.reference.board import (
    COLUMNS,
    DIRECTIONS,
    LAKES,
    SQUARES,
    ahead,
    crossed,
    next_to,
    path,
)
from tests.reference.combat import STRENGTH, fight
from tests.reference.dealing import possible_ranks_by_trying
from tests.reference.editions import EDITIONS, ReferenceEdition
from tests.reference.game import ReferenceGame
from tests.reference.pieces import Piece
from tests.reference.two_squares import (
    MadeMove,
    goes_between_two_squares,
    moves_to_and_fro,
    shuttles,
    shuttles_in_other_words,
)

__all__ = [
    "ARMIES",
    "COLUMNS",
    "DIRECTIONS",
    "EDITIONS",
    "LAKES",
    "SQUARES",
    "STRENGTH",
    "MadeMove",
    "Piece",
    "ReferenceEdition",
    "ReferenceGame",
    "ahead",
    "crossed",
    "fight",
    "goes_between_two_squares",
    "moves_to_and_fro",
    "next_to",
    "path",
    "possible_ranks_by_trying",
    "shuttles",
    "shuttles_in_other_words",
]
