"""Dispatch of actions to their handlers, by the phase of the game."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from engine.board import NotationError, OutOfPhaseError
from engine.board.board import Piece
from engine.board.geometry import Side
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Secret
from engine.deduction.commitment import Opening
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
    word_of,
)
from engine.game.game_state import GameState, Judgement, PendingAttack, PendingGuess, Phase
from engine.game.position import Position, outcome
from engine.game.rulings import Reason, refuses

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


def apply(state: GameState, action: Action, known: Mapping[Piece, Rank]) -> Judgement:
    """Judge an action in a state; OutOfPhaseError if it does not fit the phase.

    `known` are the ranks that are known when the armies are placed.
    """
    phase = state.phase
    fitting = _PHASES.get(type(action))
    if fitting is None:
        raise NotationError("an action, or its line of text", action)
    if phase not in fitting:
        due = [
            word_of(kind)
            for kind, phases in _PHASES.items()
            if phase in phases and phases is not _RUNNING
        ]
        raise OutOfPhaseError(f"{', '.join(due)} in the phase {phase.value!r}", action)
    match action:
        case Move() | Attack() if phase is Phase.SHOWING:
            return handle_moves.show(state, action)
        case Move():
            return handle_moves.judge_move(state, action)
        case Attack():
            return handle_moves.judge_attack(state, action)
        case Declare():
            return handle_attacks.declare(state, action)
        case PlaceArmies():
            return handle_moves.place_armies(state, action, known)
        case Touch():
            return handle_moves.judge_touch(state, action)
        case FreeTouched():
            return handle_moves.free_touched(state)
        case UpholdDeclaration():
            return handle_attacks.insist(state, action)
        case SettleDispute():
            return handle_attacks.settle_dispute(state, accepted=action.accepted)
        case Infiltrate():
            return handle_attacks.infiltrate(state, action)
        case AnswerGuess():
            return handle_attacks.answer_guess(state, action)
        case Override():
            return handle_moves.judge_override(state, action)
        case Correct():
            return corrections.correct(state, action.mistake)
        case AdoptBoard():
            return corrections.accept_board(state, action)
        case BreakSeals():
            return sealed_army.break_seals(state, action.side)
        case OpenArmy():
            return sealed_army.prove_army(state, action)
        case ClaimStalemate():
            return handle_moves.say_cannot_move(state)
        case AnswerStalemate():
            return handle_moves.answer_cannot_move(state, able=action.able)
        case Resign():
            return _end(state, action.side.other, Reason.RESIGNATION)
        case AgreeDraw():
            return _end(state, None, Reason.AGREED_DRAW)
        case TimeExpired():
            return _end(state, action.side.other if action.side else None, Reason.TIME)
        case Forfeit():
            return _end(state, action.side.other if action.side else None, Reason.FORFEIT)
    raise AssertionError(f"{action} has phases, so it needs a handler")


Openings: TypeAlias = Mapping[Side, Mapping[Piece, Opening]]
"""With sealed armies: the openings of the pieces of both sides."""


def legal_actions(state: GameState, openings: Openings) -> list[Action]:
    """List the turns of a state, or the answers that it waits for.

    With sealed armies only a piece whose opening is given can be declared.
    """
    position, matter = state.position, state.pending
    match state.phase, matter:
        case Phase.PLAY, _:
            return [*state.legal_turns()]
        case Phase.ATTACK, PendingAttack():
            return [
                each
                for side in matter.awaited
                for each in _declarations(position, matter, side, openings.get(side, {}))
            ]
        case Phase.DISPUTE, _:
            return [SettleDispute(accepted) for accepted in (True, False)]
        case Phase.GUESS, PendingGuess():
            answers = _answers(position, matter, openings.get(position.to_move.other, {}))
            return [each for each in answers if not refuses(apply(state, each, {})[1])]
        case Phase.STANDSTILL, _:
            return [AnswerStalemate(able) for able in (True, False)]
        case Phase.SHOWING, _:
            return [*state.legal_turns(), AnswerStalemate(able=False)]
    return []


def _declarations(
    position: Position, attack: PendingAttack, side: Side, openings: Mapping[Piece, Opening]
) -> Iterator[Declare | UpholdDeclaration]:
    """Yield the possible declarations; the committed rank is upheld if it seems impossible."""
    if position.player(side).commitment is None:
        yield from (Declare(Secret(side, rank)) for rank in ranks_in(attack.possible[side]))
    elif opening := openings.get(position.board.piece_at(attack.square(side))):
        kind = Declare if attack.possible[side] >> opening.rank & 1 else UpholdDeclaration
        yield kind(Secret(side, opening.rank), Secret(side, opening.salt))


def _answers(
    position: Position, opened: PendingGuess, openings: Mapping[Piece, Opening]
) -> Iterator[AnswerGuess]:
    owner = position.to_move.other
    if position.player(owner).commitment is None:
        yield from (AnswerGuess(right) for right in (True, False))
    elif opening := openings.get(position.board.piece_at(opened.target)):
        yield AnswerGuess(opening.rank is opened.guess, Secret(owner, opening))


def _end(state: GameState, winner: Side | None, reason: Reason) -> Judgement:
    over = outcome(state.position, winner, reason)
    return GameState(position_updates.end(state.position, over)), (over,)
