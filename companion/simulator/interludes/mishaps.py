"""What befalls the pieces, and what people make of it."""

from companion.simulator.interludes.occasion import Answer, Occasion
from companion.table.claim import Claim
from companion.table.inputs import BoardBelieved
from engine.play.actions import AcceptBoard
from engine.ranks import MOVABLE
from engine.sides import Side
from engine.squares import LAKES, SQUARES, Square, squares_in


def accept_board(occasion: Occasion) -> Answer:
    """Agree on a board on which a piece of the other side stands elsewhere; then take that back."""
    people = occasion.people
    way = _find_way(occasion)
    if way is None:
        return Answer.UNFIT
    people.at.hands.move(*way)
    if not people.wait_for(lambda: isinstance(people.table.consent.claim, Claim)):
        return Answer.MISSED
    to_move = occasion.dice.choice([*Side])
    for side in occasion.dice.sample([*Side], 2):
        _believe(occasion, side, to_move)
    if not isinstance(people.referee.actions[-1], AcceptBoard):
        return Answer.MISSED
    return occasion.take_all_back()


def _believe(occasion: Occasion, side: Side, to_move: Side) -> None:
    occasion.people.touch(lambda at: BoardBelieved(at, side, to_move))


def _find_way(occasion: Occasion) -> tuple[Square, Square] | None:
    """Choose a piece of the side that is not to move, but not the one that may still go on."""
    position = occasion.people.referee.position
    latest = position.last_turn(position.to_move.other)
    loose = [
        square
        for square in squares_in(position.enemy)
        if position.ranks_at(square) & MOVABLE and (latest is None or square != latest[1])
    ]
    taken = position.own | position.enemy | LAKES
    free = [square for square in SQUARES if not taken >> square & 1]
    return (occasion.dice.choice(loose), occasion.dice.choice(free)) if loose else None
