"""Accidents with the pieces, and how people deal with them."""

from companion.simulator.interludes.occasion import Answer, Occasion
from companion.table.claim import Claim
from companion.table.inputs import BoardBelieved
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square, squares_in
from engine.board.ranks import MOVABLE
from engine.game.actions import AcceptBoard, FreeTouched, Override
from engine.rules.editions import MovedBomb


def accept_board(occasion: Occasion) -> Answer:
    """Agree on a board on which an opposing piece was moved; then undo that."""
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


def carry_off(occasion: Occasion) -> Answer:
    """With touch-move: carry off a bomb or flag, put it back, and declare that it cannot move."""
    people = occasion.people
    way = _find_far_way(occasion)
    if way is None:
        return Answer.UNFIT
    people.at.hands.move(*way)
    if not people.wait_for(lambda: people.view.excusable == way[0]):
        return Answer.MISSED
    people.at.hands.move(*reversed(way))
    if not people.wait_for(lambda: people.table.state.violation is None):
        return Answer.MISSED
    accepted = len(people.referee.actions)
    people.say(FreeTouched())
    return Answer.DONE if len(people.referee.actions) == accepted else Answer.WRONG


def _find_far_way(occasion: Occasion) -> tuple[Square, Square] | None:
    """Choose a bomb or flag that is not known as one, and a free square far from it."""
    people = occasion.people
    position = people.referee.position
    turn = occasion.turn
    if position.edition.moved_bomb is MovedBomb.LOSES or isinstance(turn, Override):
        return None
    immobile = [
        square
        for square in squares_in(position.own)
        if not 1 << people.rank_at(square) & MOVABLE
        and people.referee.can_touch(square, carried=True)
    ]
    taken = position.own | position.enemy | LAKES
    ways = [
        (source, target)
        for source in immobile
        for target in SQUARES
        if not taken >> target & 1
        and abs(source % WIDTH - target % WIDTH) > 1
        and source // WIDTH != target // WIDTH
    ]
    return occasion.dice.choice(ways) if ways else None


def _believe(occasion: Occasion, side: Side, to_move: Side) -> None:
    occasion.people.touch(lambda at: BoardBelieved(at, side, to_move))


def _find_way(occasion: Occasion) -> tuple[Square, Square] | None:
    """Choose a piece of the side not to move, except one that may still continue its move."""
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
