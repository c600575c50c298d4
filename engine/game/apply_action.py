"""Judges actions. Checks the phase of the game, and calls the function for the type of action.

This module contains the functions for the setup, moves, new attacks, touched pieces, stalemate
claims, and turns that an arbiter allows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Final, TypeAlias

from engine.board import NotationError, OutOfPhaseError
from engine.board.board import Board, Piece
from engine.board.geometry import ONLY, Side, Square, squares_in
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Secret
from engine.deduction.commitment import Opening
from engine.game import (
    actions,
    corrections,
    handle_attacks,
    legal_turns,
    position_updates,
    rulings,
    sealed_army,
)
from engine.game.game_state import (
    GameState,
    Judgement,
    PendingAttack,
    PendingGuess,
    Phase,
    Stalemate,
    after_turn,
    notify_if_contradicted,
)
from engine.game.handle_attacks import open_attack
from engine.game.position import Position, Touching
from engine.rules.editions import MovedBombPenalty
from engine.rules.movement import could_go, find_fault, is_long_move
from engine.rules.rules import Violation, ViolationKind
from engine.rules.setup import Placed, find_faults

_RUNNING: Final = (
    *(Phase.PLAY, Phase.ATTACK, Phase.DISPUTE),
    *(Phase.GUESS, Phase.STALEMATE, Phase.SHOWING),
)
_PHASES: Final[Mapping[type[actions.Action], tuple[Phase, ...]]] = {
    actions.PlaceArmies: (Phase.SETUP,),
    actions.Move: (Phase.PLAY, Phase.SHOWING),
    actions.Attack: (Phase.PLAY, Phase.SHOWING),
    actions.Touch: (Phase.PLAY,),
    actions.FreeTouched: (Phase.PLAY,),
    actions.Declare: (Phase.ATTACK,),
    actions.UpholdDeclaration: (Phase.ATTACK,),
    actions.SettleDispute: (Phase.DISPUTE,),
    actions.Infiltrate: (Phase.PLAY,),
    actions.AnswerGuess: (Phase.GUESS,),
    actions.Override: (Phase.PLAY,),
    actions.Correct: (Phase.PLAY,),
    actions.AdoptBoard: (Phase.PLAY, Phase.SHOWING),
    actions.BreakSeals: _RUNNING,
    actions.OpenArmy: (Phase.OVER,),
    actions.ClaimStalemate: (Phase.PLAY,),
    actions.AnswerStalemate: (Phase.STALEMATE, Phase.SHOWING),
    actions.Resign: _RUNNING,
    actions.AgreeDraw: _RUNNING,
    actions.TimeExpired: _RUNNING,
    actions.Forfeit: _RUNNING,
}
"""Phases in which an action is valid."""


def apply(state: GameState, action: actions.Action, known: Mapping[Piece, Rank]) -> Judgement:
    """Judge an action. Raises OutOfPhaseError if it is not allowed in the current phase.

    `known` holds the ranks that are known when the armies are placed.
    """
    phase = state.phase
    if phase is Phase.PLAY:  # checked first for speed: almost all actions in a game are turns
        if type(action) is actions.Move:
            return apply_move(state, action)
        if type(action) is actions.Attack:
            return apply_attack(state, action)
    fitting = _PHASES.get(type(action))
    if fitting is None:
        raise NotationError("an action, or the text of one", action)
    if phase not in fitting:
        due = [
            actions.word_of(kind)
            for kind, phases in _PHASES.items()
            if phase in phases and phases is not _RUNNING
        ]
        raise OutOfPhaseError(f"{', '.join(due)} in the phase {phase.value!r}", action)
    match action:
        case actions.Move() | actions.Attack():
            return show(state, action)
        case actions.Declare():
            return handle_attacks.declare(state, action)
        case actions.PlaceArmies():
            return place_armies(state, action, known)
        case actions.Touch():
            return apply_touch(state, action)
        case actions.FreeTouched():
            return free_touched(state)
        case actions.UpholdDeclaration():
            return handle_attacks.insist(state, action)
        case actions.SettleDispute():
            return handle_attacks.settle_dispute(state, accepted=action.accepted)
        case actions.Infiltrate():
            return handle_attacks.infiltrate(state, action)
        case actions.AnswerGuess():
            return handle_attacks.answer_guess(state, action)
        case actions.Override():
            return apply_override(state, action)
        case actions.Correct():
            return corrections.correct(state, action.mistake)
        case actions.AdoptBoard():
            return corrections.accept_board(state, action)
        case actions.BreakSeals():
            return sealed_army.break_seals(state, action.side)
        case actions.OpenArmy():
            return sealed_army.prove_army(state, action)
        case actions.ClaimStalemate():
            return claim_stalemate(state)
        case actions.AnswerStalemate():
            return answer_cannot_move(state, able=action.able)
        case actions.Resign():
            return _end(state, action.side.other, rulings.Reason.RESIGNATION)
        case actions.AgreeDraw():
            return _end(state, None, rulings.Reason.AGREED_DRAW)
        case actions.TimeExpired():
            return _end(state, action.side.other if action.side else None, rulings.Reason.TIME)
        case actions.Forfeit():
            return _end(state, action.side.other if action.side else None, rulings.Reason.FORFEIT)
    raise AssertionError(f"{action} has phases but no handler")


def place_armies(
    state: GameState, action: actions.PlaceArmies, known: Mapping[Piece, Rank]
) -> Judgement:
    """Begin a game, with the ranks that are known in advance.

    The ranks of an open army are public. Other ranks that the referee can see are not.
    """
    edition = state.position.edition
    opened = edition.open_side.home if edition.open_side else 0
    shown = {**known, **{at: rank for at, rank in action.ranks.items() if opened & ONLY[at]}}
    placed = [Placed(at, side, action.ranks.get(at)) for side, at in action.pieces]
    faults = find_faults(edition, placed)
    if faults:
        return state, faults
    unsealed = sealed_army.find_unsealed(edition, action)
    if unsealed:
        return state, unsealed
    armies = ({piece: piece for piece in squares_in(army)} for army in (action.red, action.blue))
    position = sealed_army.with_commitments(
        Position(edition, Board(*armies), shown), action.commitments
    )
    position = position_updates.with_seen(position, action.ranks)
    after, consequences = after_turn(position)
    return after, (rulings.ArmiesPlaced(), *consequences)


def apply_move(state: GameState, action: actions.Move) -> Judgement:
    position, source, target = state.position, action.source, action.target
    violation = position.find_violation(source, target)
    if violation is None and position.enemy & ONLY[target]:
        violation = position.violation(ViolationKind.ONTO_OPPONENT, source, target)
    return _refuse(state, violation, source, target) if violation else _carry(state, action)


def apply_attack(state: GameState, action: actions.Attack) -> Judgement:
    """Judge an attack, and open it if it is legal."""
    position, source, target = state.position, action.source, action.target
    violation = position.find_violation(source, target)
    if violation is None and not position.enemy & ONLY[target]:
        violation = position.violation(ViolationKind.NOTHING_TO_ATTACK, source, target)
    if violation:
        return _refuse(state, violation, source, target)
    return open_attack(state, source, target)


def apply_override(state: GameState, action: actions.Override) -> Judgement:
    """Allow either side a turn that a rule forbids."""
    position, source, target = state.position, action.source, action.target
    violation = position.find_violation(source, target)
    if violation is None:
        raise OutOfPhaseError("a move or attack that a rule forbids", action)
    side = position.board.side_at(source)
    if side is None or not position.can_stand(source, target):
        return state, (violation,)
    squares = position.squares(side), position.squares(side.other)
    regular = find_fault(*squares, source, target, position.ranks_at(source)) is None
    made = GameState(position_updates.turn_to(position, side))
    if position.board.side_at(target):
        after, consequences = open_attack(made, source, target, regular=regular)
    else:
        after, consequences = _carry(made, actions.Move(source, target), regular=regular)
    return after, (rulings.Overridden(violation), *consequences)


def apply_touch(state: GameState, action: actions.Touch) -> Judgement:
    """Record that the side to move has touched a piece, and must now move it."""
    square, carried = action.square, action.carried
    if not can_touch(state.position, square, carried=carried, proved=False):
        raise OutOfPhaseError("a touch that obliges the player to move the piece", action)
    after = position_updates.touch(state.position, Touching(square, carried))
    return GameState(after), (rulings.Touched(square, carried),)


def can_touch(
    position: Position, square: Square, *, carried: bool = False, proved: bool = True
) -> bool:
    """Whether a player who lifts the piece on a square must move it.

    A piece must be moved only if it is proved to be movable or was carried off. If several pieces
    were touched, only the first must be moved. Any other touches in a record have no effect.
    """
    is_able = legal_turns.must_turn if proved and not carried else legal_turns.can_turn
    own = bool(position.own >> square & 1)
    touched = position.touched
    free = touched is None or not (
        touched.carried or legal_turns.must_turn(position, touched.square)
    )
    return position.edition.touch_move and own and free and is_able(position, square)


def free_touched(state: GameState) -> Judgement:
    """Cancel the obligation to move the piece that was carried off."""
    square = state.position.excusable
    if square is None:
        raise OutOfPhaseError("a piece that was carried off and may be immobile", "none")
    return GameState(position_updates.touch(state.position, None)), (rulings.TouchedFreed(square),)


def _refuse(state: GameState, violation: Violation, source: Square, target: Square) -> Judgement:
    """Reject a move or attack. In some editions, moving a bomb or the flag loses the game."""
    position = state.position
    immobile = violation.fault is ViolationKind.IMMOBILE and not position.outcome
    moved = immobile and could_go(position.own, position.enemy, source, target)
    if not moved or position.edition.moved_bomb is not MovedBombPenalty.LOSES:
        return state, (violation,)
    lost = rulings.GameOver.by_rules(
        position.edition, position.to_move.other, rulings.Reason.MOVED_BOMB
    )
    return GameState(position_updates.end(position, lost)), (violation, lost)


def _carry(state: GameState, action: actions.Move, *, regular: bool = True) -> Judgement:
    """Make a move. An irregular move proves nothing about the piece."""
    before, source, target = state.position, action.source, action.target
    position = position_updates.move(before, source, target, regular=regular)
    long_move = regular and is_long_move(source, target)
    sealed = before.own_player.sealed
    denied = notify_if_contradicted(before, position, before.pieces[source]) if sealed else ()
    after, consequences = after_turn(position)
    moved = _moved(before.to_move, source, target, long_move)
    return after, (moved, *denied, *consequences)


@cache  # There are only a few thousand distinct rulings, and a frozen dataclass is slow to build.
def _moved(side: Side, source: Square, target: Square, long_move: bool) -> rulings.Moved:
    return rulings.Moved(side, source, target, long_move)


# Stalemate claims.
#
# A side that claims to have no legal move loses. It need not prove the claim. If neither side can
# move, the game is a draw, so the opponent is asked first whether it can move. If the rulebook
# requires the question (ISF, art. 12), it is always asked. Otherwise, it is asked unless public
# facts prove that the opponent can move. An opponent that can move must prove it with a legal move,
# and then wins. The same question is asked when a side is proved to be stuck or has lost its last
# movable piece.


def claim_stalemate(state: GameState) -> Judgement:
    """Process a stalemate claim by the side to move."""
    position = state.position
    opponent = position.to_move.other
    always = position.edition.both_immobile_draw
    is_asked = always or not position.must_be_able_to_move(opponent)
    if is_asked and position.can_move(opponent):
        return GameState(position, Stalemate(position.to_move)), (
            rulings.StalemateClaimed(opponent),
        )
    return _finish(position, legal_turns.end_without_move(position, proved=False))


def answer_cannot_move(state: GameState, *, able: bool) -> Judgement:
    """Process the opponent's answer to a stalemate claim.

    `able` says whether the opponent can move. An opponent that has answered "yes" may correct the
    answer to "no" if it then finds no legal move.
    """
    position, matter = state.position, state.pending
    assert isinstance(matter, Stalemate)
    opponent = matter.stuck.other
    if not able:
        return _finish(position, legal_turns.draw_without_move(position))
    shown_by = position_updates.turn_to(position, opponent)
    return GameState(shown_by, replace(matter, showing=True)), (rulings.MoveRequired(opponent),)


def show(state: GameState, action: actions.Move | actions.Attack) -> Judgement:
    """Judge the turn with which a side has to prove that it can move.

    An attack proves this even before the attack is resolved.
    """
    before, matter = state.position, state.pending
    assert isinstance(matter, Stalemate)
    match action:
        case actions.Move():
            after, ruled = apply_move(GameState(before), action)
        case actions.Attack():
            after, ruled = apply_attack(GameState(before), action)
    if rulings.refuses(ruled):
        return state, ruled
    if isinstance(ruled[0], Violation):  # the side lost the game by moving a bomb
        return after, ruled
    if isinstance(action, actions.Attack):
        after, ruled = GameState(before), ()
    ruled = tuple(
        each for each in ruled if not isinstance(each, rulings.GameOver | rulings.StalemateClaimed)
    )
    is_shut_in = legal_turns.has_movable_piece(before, matter.stuck)
    reason = rulings.Reason.NO_LEGAL_MOVE if is_shut_in else rulings.Reason.NO_MOVABLE_PIECE
    won = rulings.GameOver.by_rules(before.edition, matter.stuck.other, reason)
    return GameState(position_updates.end(after.position, won)), (*ruled, won)


def _finish(position: Position, over: rulings.GameOver) -> Judgement:
    return GameState(position_updates.end(position, over)), (over,)


Openings: TypeAlias = Mapping[Side, Mapping[Piece, Opening]]
"""With sealed armies: for each side's pieces, the ranks and salts that open their commitments."""


def legal_actions(state: GameState, openings: Openings) -> list[actions.Action]:
    """List the possible turns, or the answers that the game is waiting for.

    With sealed armies, a rank can be declared only for a piece whose opening is in `openings`.
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
            return [actions.SettleDispute(accepted) for accepted in (True, False)]
        case Phase.GUESS, PendingGuess():
            answers = _answers(position, matter, openings.get(position.to_move.other, {}))
            return [each for each in answers if not rulings.refuses(apply(state, each, {})[1])]
        case Phase.STALEMATE, _:
            return [actions.AnswerStalemate(able) for able in (True, False)]
        case Phase.SHOWING, _:
            return [*state.legal_turns(), actions.AnswerStalemate(able=False)]
    return []


def _declarations(
    position: Position, attack: PendingAttack, side: Side, openings: Mapping[Piece, Opening]
) -> Iterator[actions.Declare | actions.UpholdDeclaration]:
    """Yield the possible declarations.

    If a committed rank was proved impossible, its owner can only stand by it
    (`UpholdDeclaration`).
    """
    if position.player(side).commitment is None:
        yield from (actions.Declare(Secret(side, rank)) for rank in ranks_in(attack.possible[side]))
    elif opening := openings.get(position.board.piece_at(attack.square(side))):
        kind = (
            actions.Declare
            if attack.possible[side] >> opening.rank & 1
            else actions.UpholdDeclaration
        )
        yield kind(Secret(side, opening.rank), Secret(side, opening.salt))


def _answers(
    position: Position, opened: PendingGuess, openings: Mapping[Piece, Opening]
) -> Iterator[actions.AnswerGuess]:
    owner = position.to_move.other
    if position.player(owner).commitment is None:
        yield from (actions.AnswerGuess(right) for right in (True, False))
    elif opening := openings.get(position.board.piece_at(opened.target)):
        yield actions.AnswerGuess(opening.rank is opened.guess, Secret(owner, opening))


def _end(state: GameState, winner: Side | None, reason: rulings.Reason) -> Judgement:
    over = rulings.GameOver.by_rules(state.position.edition, winner, reason)
    return GameState(position_updates.end(state.position, over)), (over,)
