"""The more-squares rule (ISF game rules, art. 11): no endless chase.

A piece that is next to the square to which the opponent has just moved, and moves away, evades. A
player whose piece stops next to an opposing one threatens. As long as one side threatens with every
move and the other evades with every move, a chase is running. The chaser may not threaten a piece
that has evaded in this chase if that leads to a position, by the identity of the pieces, that
already occurred during the chase. The chaser may always reverse the move it has just made.

A piece that has fallen threatens no piece: moving away from the square of a fallen attacker is not
evading. An attack ends every chase, and may begin one. Ranks play no part in it.
"""

from typing import Final, TypeAlias

from engine.legality.board import NOBODY, Pieces, PieceSet
from engine.squares import NEIGHBOURS, Square

Chase: TypeAlias = tuple[int, PieceSet]
"""One player's running chase: its length in plies of either side, 0 if none is running, and the
opposing pieces that have evaded."""
Past: TypeAlias = tuple[Pieces, "Past | None"]
"""The pieces on every square after the latest ply, and the same after the ply before it: a linked
list, as far back as a chase has run."""

NO_CHASE: Final[Chase] = (0, 0)
NEW_CHASE: Final[Chase] = (1, 0)
"""Chase of a player who has just threatened a piece without a chase before."""


def repeated(
    pieces: Pieces, chase: Chase, past: Past | None, source: Square, target: Square
) -> int:
    """Return how many plies ago the position after a move occurred if that forbids it, else 0.

    `pieces` are those on every square. The move goes to an empty square, is allowed by all other
    rules, and does not reverse the chaser's latest one.
    """
    plies, evaders = chase
    if plies < 2 or not any(evaders >> pieces[beside] & 1 for beside in NEIGHBOURS[target]):
        return 0
    position = bytearray(pieces)
    position[target], position[source] = position[source], NOBODY
    for plies_ago in range(1, plies):
        past = past and past[1]
        if past and past[0] == position:
            return plies_ago
    return 0


def listed(past: Past | None, plies: int) -> tuple[bytes, ...]:
    """List the positions after the latest plies, the latest first."""
    found: list[bytes] = []
    while past and len(found) < plies:
        found.append(bytes(past[0]))
        past = past[1]
    return tuple(found)
