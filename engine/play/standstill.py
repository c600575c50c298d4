"""A side that says it cannot move.

That is a loss and needs no proof. But it is a draw if neither side can move, so the opponent is
asked first: always where the rulebook says so (ISF, art. 12), elsewhere unless public facts prove
that it can. If it can move, it shows so by a legal move, and has won. The same question comes up by
itself when a side is proved to be stuck or has lost its last movable piece.
"""

from dataclasses import replace

from engine.play import advance
from engine.play.actions import Attack, Move
from engine.play.endings import draw_without_move, end_without_move, outcome
from engine.play.matters import Standstill
from engine.play.moment import Judgement, Moment
from engine.play.position import Position
from engine.play.rulings import CanYouMove, GameOver, Reason, ShowAMove, refuses
from engine.play.turns import judge_attack, judge_move
from engine.rulebook.violation import Violation


def say_cannot_move(moment: Moment) -> Judgement:
    """Hear that the side to move cannot."""
    position = moment.position
    opponent = position.to_move.other
    always = position.edition.both_immobile_draw
    is_asked = always or not position.must_be_able_to_move(opponent)
    if is_asked and position.can_move(opponent):
        return Moment(position, Standstill(position.to_move)), (CanYouMove(opponent),)
    return _end(position, end_without_move(position, proved=False))


def answer_cannot_move(moment: Moment, *, able: bool) -> Judgement:
    """Hear whether the opponent can move. Having said yes, it may still find that it cannot."""
    position, matter = moment.position, moment.matter
    assert isinstance(matter, Standstill)
    opponent = matter.stuck.other
    if not able:
        return _end(position, draw_without_move(position))
    shown_by = advance.turn_to(position, opponent)
    return Moment(shown_by, replace(matter, showing=True)), (ShowAMove(opponent),)


def show(moment: Moment, action: Move | Attack) -> Judgement:
    """Judge the move that shows that a side can move. An attack shows it without a combat."""
    before, matter = moment.position, moment.matter
    assert isinstance(matter, Standstill)
    match action:
        case Move():
            after, rulings = judge_move(Moment(before), action)
        case Attack():
            after, rulings = judge_attack(Moment(before), action)
    if refuses(rulings):
        return moment, rulings
    if isinstance(rulings[0], Violation):  # a bomb was moved, and that loses here
        return after, rulings
    if isinstance(action, Attack):
        after, rulings = Moment(before), ()
    rulings = tuple(r for r in rulings if not isinstance(r, GameOver | CanYouMove))
    is_shut_in = before.has_movable_piece(matter.stuck)
    reason = Reason.NO_LEGAL_MOVE if is_shut_in else Reason.NO_MOVABLE_PIECE
    won = outcome(before, matter.stuck.other, reason)
    return Moment(advance.end(after.position, won)), (*rulings, won)


def _end(position: Position, over: GameOver) -> Judgement:
    return Moment(advance.end(position, over)), (over,)
