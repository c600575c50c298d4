"""Mistakes that last until the table reports them: wrong piece, out of turn, illegal move."""

from dataclasses import dataclass
from typing import Final

from companion.simulator.hands.behaviours import Behaviour
from companion.simulator.hands.room import Room
from companion.simulator.hands.truth import Truth
from engine.board.geometry import BESIDE, LAKES, Side, Square, SquareSet, line, squares_in

SLIPS: Final = (Behaviour.WRONG_PIECE, Behaviour.OUT_OF_TURN, Behaviour.ILLEGAL)


@dataclass(frozen=True)
class Slip:
    """A movement that is not a valid turn: the hand's side, the origin and the target."""

    behaviour: Behaviour
    by: Side
    source: Square
    target: Square


def find_slip(room: Room, truth: Truth, behaviour: Behaviour) -> Slip | None:
    """Choose a movement to make by mistake; None if none is possible."""
    mover = truth.referee.to_move
    board = truth.referee.position.board
    if behaviour is Behaviour.ILLEGAL:
        return _choose(room, behaviour, mover, board.of(mover), truth.free, illegal=True)
    last = truth.plies[-1].turn.target if truth.plies else None
    # The piece that was just moved could continue its move: that would not be a separate movement.
    theirs = board.of(mover.other) & ~(0 if last is None else 1 << last)
    by = mover if behaviour is Behaviour.WRONG_PIECE else mover.other
    return _choose(room, behaviour, by, theirs, truth.free, illegal=False)


def _choose(
    room: Room, behaviour: Behaviour, by: Side, pieces: SquareSet, free: SquareSet, *, illegal: bool
) -> Slip | None:
    found = []
    for source in squares_in(pieces):
        if not BESIDE[source] & free:
            continue
        targets = crooked_from(source) & free if illegal else BESIDE[source] & free
        found += [Slip(behaviour, by, source, target) for target in squares_in(targets & ~LAKES)]
    return room.dice.choice(found) if found else None


def crooked_from(source: Square) -> SquareSet:
    """Return the squares near a square that no piece can reach from it."""
    near = 0
    for beside in squares_in(BESIDE[source]):
        near |= BESIDE[beside]
    return sum(1 << each for each in squares_in(near & ~(1 << source)) if not line(source, each))
