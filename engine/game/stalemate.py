"""Stalemate claims.

A side that claims to have no legal move loses, without a proof. But the game is a draw if neither
side can move, so the opponent is asked first: always where the rulebook requires it (ISF, art. 12),
elsewhere unless public facts prove that the opponent can move. An opponent who can move proves this
by a legal move, and has won. The same question is asked automatically when a side is proved to be
stuck or has lost its last movable piece.
"""

from dataclasses import replace

from engine.game import position_updates
from engine.game.actions import Attack, Move
from engine.game.game_state import GameState, Judgement, Stalemate
from engine.game.handle_moves import judge_attack, judge_move
from engine.game.position import Position, draw_without_move, end_without_move, outcome
from engine.game.rulings import GameOver, MoveRequired, Reason, StalemateClaimed, refuses
from engine.rules.violations import Violation


def say_cannot_move(state: GameState) -> Judgement:
    """Process the claim that the side to move cannot move."""
    position = state.position
    opponent = position.to_move.other
    always = position.edition.both_immobile_draw
    is_asked = always or not position.must_be_able_to_move(opponent)
    if is_asked and position.can_move(opponent):
        return GameState(position, Stalemate(position.to_move)), (StalemateClaimed(opponent),)
    return _end(position, end_without_move(position, proved=False))


def answer_cannot_move(state: GameState, *, able: bool) -> Judgement:
    """Process the opponent's answer. After a yes, it may still find that it cannot move."""
    position, matter = state.position, state.matter
    assert isinstance(matter, Stalemate)
    opponent = matter.stuck.other
    if not able:
        return _end(position, draw_without_move(position))
    shown_by = position_updates.turn_to(position, opponent)
    return GameState(shown_by, replace(matter, showing=True)), (MoveRequired(opponent),)


def show(state: GameState, action: Move | Attack) -> Judgement:
    """Judge the move that proves that a side can move. An attack proves this without a combat."""
    before, matter = state.position, state.matter
    assert isinstance(matter, Stalemate)
    match action:
        case Move():
            after, rulings = judge_move(GameState(before), action)
        case Attack():
            after, rulings = judge_attack(GameState(before), action)
    if refuses(rulings):
        return state, rulings
    if isinstance(rulings[0], Violation):  # a bomb was moved, which loses the game
        return after, rulings
    if isinstance(action, Attack):
        after, rulings = GameState(before), ()
    rulings = tuple(r for r in rulings if not isinstance(r, GameOver | StalemateClaimed))
    is_shut_in = before.has_movable_piece(matter.stuck)
    reason = Reason.NO_LEGAL_MOVE if is_shut_in else Reason.NO_MOVABLE_PIECE
    won = outcome(before, matter.stuck.other, reason)
    return GameState(position_updates.end(after.position, won)), (*rulings, won)


def _end(position: Position, over: GameOver) -> Judgement:
    return GameState(position_updates.end(position, over)), (over,)
