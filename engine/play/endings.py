"""Ends of the game that follow from the board (docs/rules.md)."""

from typing import TYPE_CHECKING, Final

from engine.play.rulings import GameOver, Reason
from engine.ranks import Rank
from engine.rulebook.rules import Citation, Reading, Rule
from engine.sides import Side

_NOT_IN_BOOKS: Final = {Reason.RESIGNATION, Reason.AGREED_DRAW, Reason.TIME, Reason.FORFEIT}

if TYPE_CHECKING:  # a position asks here whether the game is over
    from engine.play.position import Position


def find_end_by_loss(position: "Position", fallen: Rank | None) -> GameOver | bool | None:
    """Return how a combat or a right guess has ended the game, True if it has not.

    None if one side has lost its last movable piece and only the opponent knows whether it can move
    itself: a side without a movable piece has not lost before that is known.

    `fallen` is the rank of a piece that was attacked or infiltrated and has fallen. The turn was
    made by the side that is not to move now.
    """
    if fallen is Rank.FLAG:
        return outcome(position, position.to_move.other, Reason.FLAG_CAPTURED)
    spent = [side for side in Side if not position.has_movable_piece(side)]
    if len(spent) == len(Side):
        # No rulebook covers this case.
        citation = Citation("", Rule.ENDING, reading=Reading.BOTH_SPENT)
        return GameOver(None, Reason.BOTH_IMMOBILE, citation)
    if not spent:
        return True
    left = spent[0].other
    if not position.can_move(left):
        return draw_without_move(position)
    if not position.must_be_able_to_move(left):
        return None
    return outcome(position, left, Reason.NO_MOVABLE_PIECE)


def draw_without_move(position: "Position") -> GameOver:
    reading = None if position.edition.both_immobile_draw else Reading.BOTH_SHUT_IN
    return outcome(position, None, Reason.BOTH_IMMOBILE, reading)


def end_without_move(position: "Position", *, proved: bool) -> GameOver:
    """Return how the game ends if the side to move cannot, as proved or by its own declaration."""
    stuck, opponent = position.to_move, position.to_move.other
    if not position.can_move(opponent):
        return draw_without_move(position)
    if proved and not position.is_shut_in(stuck):
        reading = Reading.REPETITION_LOSES
    else:
        reading = Reading.SHUT_IN_LOSES
    return outcome(position, opponent, Reason.NO_LEGAL_MOVE, reading)


def outcome(
    position: "Position", winner: Side | None, reason: Reason, reading: Reading | None = None
) -> GameOver:
    """Return an end as a ruling; it cites the rulebook if one knows such an end."""
    if reason in _NOT_IN_BOOKS:
        by_organiser = reason in (Reason.TIME, Reason.FORFEIT)
        return GameOver(winner, reason, Citation("", Rule.ENDING, is_organisers=by_organiser))
    rule = Rule.IMMOBILE_PIECE if reason is Reason.MOVED_BOMB else Rule.ENDING
    return GameOver(winner, reason, position.edition.cite(rule, reading))
