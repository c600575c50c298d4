"""Choice of turns: varied, towards the enemy, and with enough attacks."""

from companion.simulator.hands.room import Room
from companion.simulator.hands.truth import Truth, Turn
from engine.board.geometry import WIDTH, Side, Square, SquareSet, line, set_of

_ATTACK, _AHEAD, _ASIDE, _BACK = 4.0, 3.0, 1.0, 0.4
_FAR = 1.6
"""Factor by which a scout prefers long moves."""


def choose_turn(
    room: Room, truth: Truth, avoid: SquareSet = 0, prefer: Square | None = None
) -> Turn | None:
    """Choose a legal turn of the side to move, or return None.

    Args:
        room: The room whose random generator is used.
        truth: The game.
        avoid: Squares that must not be touched because they are in use.
        prefer: The square of a piece that should move on, if it can.
    """
    turns = [turn for turn in truth.legal() if not squares_of(turn) & avoid]
    going_on = [turn for turn in turns if turn.source == prefer and not turn.attacks]
    turns = going_on or turns
    if not turns:
        return None
    side = truth.referee.to_move
    return room.dice.choices(turns, [_weight(turn, side) for turn in turns])[0]


def squares_of(turn: Turn) -> SquareSet:
    """Return the squares that a turn touches."""
    return set_of([turn.source, *(line(turn.source, turn.target) or ())])


def _weight(turn: Turn, side: Side) -> float:
    rows = turn.target // WIDTH - turn.source // WIDTH
    ahead = rows if side is Side.RED else -rows
    weight = _ATTACK if turn.attacks else _AHEAD if ahead > 0 else _ASIDE if ahead == 0 else _BACK
    path = line(turn.source, turn.target)
    return weight * (_FAR if path and len(path) > 1 else 1)
