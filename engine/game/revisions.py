"""Actions that change the history of a game: amendments, withdrawn attacks, take-backs.

Every accepted action is stored with the state before it. Undoing an action therefore restores a
stored state, and no action is ever replayed.
"""

from collections.abc import Sequence
from typing import Final

from engine.board import OutOfPhaseError
from engine.board.geometry import Square
from engine.game import actions
from engine.game.apply_action import apply_attack, apply_move
from engine.game.corrections import can_correct, correct
from engine.game.game_state import Game, GameState, PendingAttack, Phase
from engine.game.rulings import AttackWithdrawn, Ruling, TakenBack, refuses
from engine.game.sealed_army import break_seals

_TURNS: Final = (
    actions.Move,
    actions.Attack,
    actions.Infiltrate,
    actions.Override,
    actions.AdoptBoard,
    actions.ClaimStalemate,
)
"""Actions that start a turn. Adopting a board counts as a turn."""


def amend(game: Game, action: actions.Amend) -> tuple[Ruling, ...]:
    """Change the target of the latest move. A move onto an opposing piece becomes an attack.

    A move back to the square where the turn began cancels the turn.

    Raises OutOfPhaseError if no turn is due, or if the piece was not just set down. If a rule
    forbids the move, the violation is returned and nothing changes.
    """
    phase, source, target = game.state.phase, action.source, action.target
    if phase is not Phase.PLAY:
        raise OutOfPhaseError(
            "the phase 'play', in which a turn can be amended", f"the phase {phase.value!r}"
        )
    begun = turn_begun(game, source)
    if begun is None or target == source:
        violation = game.state.position.find_violation(source, target)
        if violation is None:
            raise OutOfPhaseError("an amendment by the piece that was just set down", action)
        return (violation,)
    came_from = _move(game).source
    if target == came_from:
        game.pop()
        return (TakenBack(),)
    attacks = begun.position.board.side_at(target) is not None
    if attacks:
        after, rulings = apply_attack(begun, actions.Attack(came_from, target))
    else:
        after, rulings = apply_move(begun, actions.Move(came_from, target))
    if refuses(rulings):
        return rulings
    if attacks:
        # The move stays in the history, so that withdrawing the attack leaves the piece on its
        # square.
        game.push(action, after)
    else:
        game.pop()
        game.push(actions.Move(came_from, target), after)
    return rulings


def can_amend(game: Game, source: Square, target: Square) -> bool:
    """Whether the piece that was just set down on `source` may end its turn on `target` instead.

    The turn may also end on the square where it began, which cancels the turn.
    """
    begun = turn_begun(game, source)
    if begun is None or source == target:
        return False
    if target == _move(game).source:
        return True
    return begun.position.find_violation(_move(game).source, target) is None


def turn_begun(game: Game, square: Square) -> GameState | None:
    """Return the state before the turn that has just ended on this square.

    Return None if no move has just ended there, or if a decision is pending.
    """
    latest = game.latest
    if (
        latest is None
        or not isinstance(latest.action, actions.Move)
        or latest.action.target != square
    ):
        return None
    return latest.before if game.state.phase is Phase.PLAY else None


def withdraw_attack(game: Game) -> tuple[Ruling, ...]:
    """Withdraw the open attack. Raises OutOfPhaseError once a rank has been declared."""
    matter = game.state.pending
    if not isinstance(matter, PendingAttack):
        raise OutOfPhaseError("an open attack", "none")
    if matter.declared or matter.disputed:
        raise OutOfPhaseError("an attack in which no rank has been declared", "a declaration")
    undone = [game.pop()]
    while not isinstance(undone[-1], actions.Attack | actions.Amend | actions.Override):
        undone.append(game.pop())
    _reapply_corrections(game, undone)
    return (AttackWithdrawn(),)


def take_back(game: Game) -> tuple[Ruling, ...]:
    """Undo the latest turn. If the game is over, undo the action that ended it.

    Facts proved by the undone actions are dropped. Other corrections among the undone actions still
    stand, and voided commitments remain void.
    """
    phase = game.state.phase
    # The stored states of a game that was read as text may all be after its end.
    is_ended_before = all(state.phase is Phase.OVER for state in game.states)
    if phase is Phase.SETUP or is_ended_before:
        raise OutOfPhaseError("an action to take back", "none")
    if phase is not Phase.OVER and not any(isinstance(a, _TURNS) for a in game.in_force):
        raise OutOfPhaseError("a turn to take back", "none")
    undone: list[actions.Action] = []
    while True:
        undone.append(game.pop())
        if game.state.phase is Phase.OVER:
            continue  # an army was opened after the game
        if phase is Phase.OVER or isinstance(undone[-1], _TURNS):
            break
    # The last of them is the turn or the ending itself. A correction can also end a game.
    _reapply_corrections(game, undone[:-1])
    return (TakenBack(),)


def _reapply_corrections(game: Game, undone: Sequence[actions.Action]) -> None:
    """Of the undone actions, reapply `BreakSeals` and the corrections that are still possible."""
    for action in reversed(undone):
        if isinstance(action, actions.BreakSeals):
            game.push(action, break_seals(game.state, action.side)[0])
        elif isinstance(action, actions.Correct) and can_correct(
            game.state.position, action.mistake
        ):
            after, rulings = correct(game.state, action.mistake)
            if not refuses(rulings):
                game.push(action, after)


def change(
    game: Game, action: actions.Amend | actions.WithdrawAttack | actions.TakeBack
) -> tuple[Ruling, ...]:
    match action:
        case actions.Amend():
            return amend(game, action)
        case actions.WithdrawAttack():
            return withdraw_attack(game)
        case actions.TakeBack():
            return take_back(game)


def _move(game: Game) -> actions.Move:
    assert game.latest
    assert isinstance(game.latest.action, actions.Move)
    return game.latest.action
