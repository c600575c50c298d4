"""Dispatch of actions to their handlers, by the phase of the game."""

from collections.abc import Mapping
from typing import Final

from engine.legality.board import Piece
from engine.play import advance, attacks, consent, corrections, guesses, seals, standstill, turns
from engine.play.actions import (
    AcceptBoard,
    Action,
    AgreeDraw,
    AnswerCannotMove,
    AnswerGuess,
    Attack,
    BreakSeals,
    CannotMove,
    Correct,
    Declare,
    Forfeit,
    FreeTouched,
    Infiltrate,
    Insist,
    Move,
    Override,
    PlaceArmies,
    ProveArmy,
    Resign,
    RunOut,
    SettleDispute,
    Touch,
)
from engine.play.endings import outcome
from engine.play.moment import Judgement, Moment, OutOfPhaseError, Phase
from engine.play.rulings import Reason
from engine.ranks import Rank
from engine.sides import Side

_RUNNING: Final = (
    *(Phase.PLAY, Phase.ATTACK, Phase.DISPUTE),
    *(Phase.GUESS, Phase.STANDSTILL, Phase.SHOWING),
)
_PHASES: Final[Mapping[type[Action], tuple[Phase, ...]]] = {
    PlaceArmies: (Phase.SETUP,),
    Move: (Phase.PLAY, Phase.SHOWING),
    Attack: (Phase.PLAY, Phase.SHOWING),
    Touch: (Phase.PLAY,),
    FreeTouched: (Phase.PLAY,),
    Declare: (Phase.ATTACK,),
    Insist: (Phase.ATTACK,),
    SettleDispute: (Phase.DISPUTE,),
    Infiltrate: (Phase.PLAY,),
    AnswerGuess: (Phase.GUESS,),
    Override: (Phase.PLAY,),
    Correct: (Phase.PLAY,),
    AcceptBoard: (Phase.PLAY, Phase.SHOWING),
    BreakSeals: _RUNNING,
    ProveArmy: (Phase.OVER,),
    CannotMove: (Phase.PLAY,),
    AnswerCannotMove: (Phase.STANDSTILL, Phase.SHOWING),
    Resign: _RUNNING,
    AgreeDraw: _RUNNING,
    RunOut: _RUNNING,
    Forfeit: _RUNNING,
}
"""Phases in which an action is valid."""


def judge(moment: Moment, action: Action, known: Mapping[Piece, Rank]) -> Judgement:
    """Judge an action in a state; OutOfPhaseError if it does not fit the phase.

    `known` are the ranks that are known when the armies are placed.
    """
    phase = moment.phase
    if phase not in _PHASES[type(action)]:
        raise OutOfPhaseError(f"{action} does not fit the phase {phase.value!r}")
    match action:
        case Move() | Attack() if phase is Phase.SHOWING:
            return standstill.show(moment, action)
        case Move():
            return turns.judge_move(moment, action)
        case Attack():
            return turns.judge_attack(moment, action)
        case Declare():
            return attacks.declare(moment, action)
        case PlaceArmies():
            return turns.place_armies(moment, action, known)
        case Touch():
            return turns.judge_touch(moment, action)
        case FreeTouched():
            return turns.free_touched(moment)
        case Insist():
            return attacks.insist(moment, action)
        case SettleDispute():
            return attacks.settle_dispute(moment, accepted=action.accepted)
        case Infiltrate():
            return guesses.infiltrate(moment, action)
        case AnswerGuess():
            return guesses.answer_guess(moment, action)
        case Override():
            return turns.judge_override(moment, action)
        case Correct():
            return corrections.correct(moment, action.mistake)
        case AcceptBoard():
            return consent.accept_board(moment, action)
        case BreakSeals():
            return seals.break_seals(moment, action.side)
        case ProveArmy():
            return seals.prove_army(moment, action)
        case CannotMove():
            return standstill.say_cannot_move(moment)
        case AnswerCannotMove():
            return standstill.answer_cannot_move(moment, able=action.able)
        case Resign():
            return _end(moment, action.side.other, Reason.RESIGNATION)
        case AgreeDraw():
            return _end(moment, None, Reason.AGREED_DRAW)
        case RunOut():
            return _end(moment, action.side.other if action.side else None, Reason.TIME)
        case Forfeit():
            return _end(moment, action.side.other if action.side else None, Reason.FORFEIT)
    raise OutOfPhaseError(f"{action} needs the line of the game")


def _end(moment: Moment, winner: Side | None, reason: Reason) -> Judgement:
    over = outcome(moment.position, winner, reason)
    return Moment(advance.end(moment.position, over)), (over,)
