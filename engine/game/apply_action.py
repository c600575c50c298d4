"""Dispatch of actions to their handlers, by the phase of the game."""

from collections.abc import Mapping
from typing import Final

from engine.board.board import Piece
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game import (
    corrections,
    handle_attacks,
    handle_moves,
    position_updates,
    sealed_army,
)
from engine.game.actions import (
    Action,
    AdoptBoard,
    AgreeDraw,
    AnswerGuess,
    AnswerStalemate,
    Attack,
    BreakSeals,
    ClaimStalemate,
    Correct,
    Declare,
    Forfeit,
    FreeTouched,
    Infiltrate,
    Move,
    OpenArmy,
    Override,
    PlaceArmies,
    Resign,
    SettleDispute,
    TimeExpired,
    Touch,
    UpholdDeclaration,
)
from engine.game.game_state import GameState, Judgement, OutOfPhaseError, Phase
from engine.game.position import outcome
from engine.game.rulings import Reason

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
    UpholdDeclaration: (Phase.ATTACK,),
    SettleDispute: (Phase.DISPUTE,),
    Infiltrate: (Phase.PLAY,),
    AnswerGuess: (Phase.GUESS,),
    Override: (Phase.PLAY,),
    Correct: (Phase.PLAY,),
    AdoptBoard: (Phase.PLAY, Phase.SHOWING),
    BreakSeals: _RUNNING,
    OpenArmy: (Phase.OVER,),
    ClaimStalemate: (Phase.PLAY,),
    AnswerStalemate: (Phase.STANDSTILL, Phase.SHOWING),
    Resign: _RUNNING,
    AgreeDraw: _RUNNING,
    TimeExpired: _RUNNING,
    Forfeit: _RUNNING,
}
"""Phases in which an action is valid."""


def apply(moment: GameState, action: Action, known: Mapping[Piece, Rank]) -> Judgement:
    """Judge an action in a state; OutOfPhaseError if it does not fit the phase.

    `known` are the ranks that are known when the armies are placed.
    """
    phase = moment.phase
    if phase not in _PHASES[type(action)]:
        raise OutOfPhaseError(f"{action} does not fit the phase {phase.value!r}")
    match action:
        case Move() | Attack() if phase is Phase.SHOWING:
            return handle_moves.show(moment, action)
        case Move():
            return handle_moves.judge_move(moment, action)
        case Attack():
            return handle_moves.judge_attack(moment, action)
        case Declare():
            return handle_attacks.declare(moment, action)
        case PlaceArmies():
            return handle_moves.place_armies(moment, action, known)
        case Touch():
            return handle_moves.judge_touch(moment, action)
        case FreeTouched():
            return handle_moves.free_touched(moment)
        case UpholdDeclaration():
            return handle_attacks.insist(moment, action)
        case SettleDispute():
            return handle_attacks.settle_dispute(moment, accepted=action.accepted)
        case Infiltrate():
            return handle_attacks.infiltrate(moment, action)
        case AnswerGuess():
            return handle_attacks.answer_guess(moment, action)
        case Override():
            return handle_moves.judge_override(moment, action)
        case Correct():
            return corrections.correct(moment, action.mistake)
        case AdoptBoard():
            return corrections.accept_board(moment, action)
        case BreakSeals():
            return sealed_army.break_seals(moment, action.side)
        case OpenArmy():
            return sealed_army.prove_army(moment, action)
        case ClaimStalemate():
            return handle_moves.say_cannot_move(moment)
        case AnswerStalemate():
            return handle_moves.answer_cannot_move(moment, able=action.able)
        case Resign():
            return _end(moment, action.side.other, Reason.RESIGNATION)
        case AgreeDraw():
            return _end(moment, None, Reason.AGREED_DRAW)
        case TimeExpired():
            return _end(moment, action.side.other if action.side else None, Reason.TIME)
        case Forfeit():
            return _end(moment, action.side.other if action.side else None, Reason.FORFEIT)
    raise OutOfPhaseError(f"{action} needs the line of the game")


def _end(moment: GameState, winner: Side | None, reason: Reason) -> Judgement:
    over = outcome(moment.position, winner, reason)
    return GameState(position_updates.end(moment.position, over)), (over,)
