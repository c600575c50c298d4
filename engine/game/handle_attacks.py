"""Handles attacks and infiltrations, including declarations, contradictions and disputes.

With silent defence, some declared ranks are known only to the referee and the owner. Public rulings
must not depend on these secret ranks. Turns are therefore judged by public facts alone, and the
consequences of a secret rank are reported only to its owner. Whether the owner is asked again also
depends on public facts alone. Otherwise, the question would reveal that the secret rank was a lie.
"""

from dataclasses import replace

from engine.board import OutOfPhaseError
from engine.board.board import Piece
from engine.board.geometry import Square
from engine.board.ranks import IMMOBILE, SCOUTS, Rank, only_rank
from engine.board.visibility import Secret
from engine.deduction.possible_ranks import Evidence, PlayerState, Proof
from engine.game import position_updates, rulings
from engine.game.actions import AnswerGuess, Declare, Infiltrate, UpholdDeclaration
from engine.game.game_state import (
    GameState,
    Judgement,
    PendingAttack,
    PendingGuess,
    after_turn,
    notify_if_contradicted,
)
from engine.game.position import Position
from engine.game.sealed_army import matches_commitment
from engine.rules.editions import MovedBombPenalty
from engine.rules.movement import is_long_move
from engine.rules.rules import Rule


def hidden_rank_of(player: PlayerState, piece: Piece) -> Secret[Rank] | None:
    """Return the secret rank declared for a piece, or None if its owner has to be asked.

    The owner is asked again if a later turn of the piece has revealed a new fact. This is the case
    even if the new fact does not disprove the declaration.
    """
    sealed = player.sealed.get(piece)
    return sealed if sealed and not player.deduction.has_moved_after_winning(piece) else None


def open_attack(
    state: GameState, source: Square, target: Square, *, regular: bool = True
) -> Judgement:
    """Open an allowed attack, and resolve it immediately if both ranks are proved.

    Facts proved by the attack are not recorded yet, because the attack may still be withdrawn.
    """
    position, side = state.position, state.position.to_move
    long_move = regular and is_long_move(source, target)
    ends = {side: (source, SCOUTS if long_move else ~IMMOBILE), side.other: (target, -1)}
    possible, proved = {}, {}
    for owner, (square, ranks) in ends.items():
        player, piece = position.player(owner), position.pieces[square]
        public = player.deduction.possible(piece) & ranks
        # A player who lied in a silent defence must still be able to declare a rank.
        possible[owner] = player.with_unnamed_declarations.possible(piece) & ranks or public
        # A defender that has declared before is not asked again. An attacker is always asked,
        # even if it has declared before. Otherwise, only an attacker that had declared a bomb would
        # be asked again. The question would expose the lie. Public facts take precedence, even
        # after an arbiter has corrected a rank.
        if (rank := only_rank(public)) is not None:
            proved[owner] = Secret(owner, rank)
        elif owner is not side and (answer := hidden_rank_of(player, piece)):
            proved[owner] = answer
    attack = PendingAttack(side, source, target, possible, proved, regular)
    after, consequences = _resolve_when_declared(GameState(position, attack))
    return after, (rulings.AttackOpened(side, source, target, attack.awaited), *consequences)


def declare(state: GameState, action: Declare) -> Judgement:
    """Process a declaration, or reject it and return the proof that it is impossible."""
    attack, declared = _attack(state), action.rank
    proof = _refute(state.position, attack, action)
    if proof:
        citation = state.position.edition.cite(proof.ground.rule)
        return state, (rulings.Contradiction(declared.owner, proof, citation),)
    after, consequences = _resolve_when_declared(
        GameState(state.position, attack.with_declaration(declared))
    )
    return after, (rulings.Declared(declared.owner), *consequences)


def insist(state: GameState, action: UpholdDeclaration) -> Judgement:
    """Open a dispute about a declaration that was proved impossible.

    With sealed armies, the ruling says whether the commitment confirms the declaration. This can
    reveal that a player has moved a bomb (ISF 4.3), or that a piece was confused with another.
    """
    attack, position, declared = _attack(state), state.position, action.rank
    side = declared.owner
    proof = _refute(position, attack, action)
    if not proof:
        raise OutOfPhaseError("a declaration that was proved impossible", action)
    is_as_sealed = matches_commitment(position, side, attack.square(side), action.opening)
    disputed = rulings.Disputed(side, attack.square(side), is_as_sealed)
    moved_bomb = proof.ground.rule is Rule.IMMOBILE_PIECE
    if moved_bomb and position.edition.moved_bomb is MovedBombPenalty.LOSES:
        lost = rulings.GameOver.by_rules(position.edition, side.other, rulings.Reason.MOVED_BOMB)
        return GameState(position_updates.end(position, lost)), (disputed, lost)
    opened = replace(attack, disputed=declared, is_as_sealed=is_as_sealed)
    return GameState(position, opened), (disputed,)


def settle_dispute(state: GameState, *, accepted: bool) -> Judgement:
    """Apply the decision about a disputed declaration."""
    attack = _attack(state)
    disputed = attack.disputed
    assert disputed
    side = disputed.owner
    if side is attack.attacker and IMMOBILE >> disputed.unseal() & 1:
        # A bomb or flag can never be accepted as an attacker. The ruling does not give this reason,
        # because the reason would reveal the rank.
        accepted = False
    attack = replace(attack, disputed=None, is_as_sealed=None)
    settled = rulings.DisputeSettled(side, accepted)
    if not accepted:
        return GameState(state.position, attack), (settled,)
    heard = replace(attack.with_declaration(disputed), conceded=attack.conceded | {side})
    after, consequences = _resolve_when_declared(GameState(state.position, heard))
    return after, (settled, *consequences)


def count_fallen(player: PlayerState, proof: Proof | None) -> Proof | None:
    """Change the evidence to ALL_FALLEN if all pieces of the rank have been captured."""
    if proof is None or proof.ground is not Evidence.ALL_FOUND:
        return proof
    fallen = player.captured.get(proof.rank, 0) == proof.count
    return replace(proof, ground=Evidence.ALL_FALLEN) if fallen else proof


def _attack(state: GameState) -> PendingAttack:
    assert isinstance(state.pending, PendingAttack)
    return state.pending


def _refute(
    position: Position, attack: PendingAttack, action: Declare | UpholdDeclaration
) -> Proof | None:
    """Return the proof against a declaration, or None if the declaration is possible.

    The rank is compared with the committed rank first, because the commitment must be opened in any
    case. Raises OutOfPhaseError if the side does not have to declare a rank.
    """
    side, rank = action.rank.owner, action.rank.unseal()
    if side not in attack.awaited:
        awaited = " or ".join(each.value for each in attack.awaited)
        raise OutOfPhaseError(f"a declaration from {awaited}", action)
    if matches_commitment(position, side, attack.square(side), action.opening) is False:
        return Proof(Evidence.NOT_AS_SEALED, rank)
    if attack.possible[side] >> rank & 1:
        return None
    player, piece = position.player(side), position.board.piece_at(attack.square(side))
    attacks = side is attack.attacker
    proof = player.with_unnamed_declarations.refute(piece, rank, attacks=attacks)
    return count_fallen(player, proof)


def _resolve_when_declared(state: GameState) -> Judgement:
    attack, before = _attack(state), state.position
    if attack.awaited:
        return state, ()
    side = attack.attacker
    position = position_updates.after_combat(
        before,
        attack.source,
        attack.target,
        attack.rank(side),
        attack.rank(side.other),
        regular=attack.regular,
        conceded=attack.conceded,
    )
    denied = notify_if_contradicted(before, position, before.pieces[attack.source])
    fought = position.last_combat
    assert fought
    after, consequences = after_turn(position)
    return after, (fought, *denied, *consequences)


def infiltrate(state: GameState, action: Infiltrate) -> Judgement:
    """Judge an infiltration.

    If public facts leave the result open, the owner of the piece is asked. If the owner has already
    declared the rank in a silent defence, that declaration is the answer.
    """
    position, source, target = state.position, action.source, action.target
    violation = position.find_infiltration_violation(source, target)
    if violation:
        return state, (violation,)
    side, guess = position.to_move, action.guess
    piece, ranks = position.board.piece_at(target), position.ranks_at(target)
    sealed = hidden_rank_of(position.enemy_player, piece)
    could_be, must_be = bool(ranks >> guess & 1), ranks == 1 << guess
    opened = GameState(position, PendingGuess(source, target, guess))
    if could_be and not must_be and sealed is None:
        return opened, (rulings.InfiltrationOpened(side, source, target, guess, side.other),)
    right = must_be or (could_be and sealed is not None and sealed.unseal() is guess)
    after, consequences = _resolve(opened, right=right)
    return after, (rulings.InfiltrationOpened(side, source, target, guess, None), *consequences)


def answer_guess(state: GameState, action: AnswerGuess) -> Judgement:
    """Process the answer to a guess. Only the owner learns why an impossible answer is refused."""
    position, opened = state.position, state.pending
    assert isinstance(opened, PendingGuess)
    proof = _refute_guess(position, opened, action)
    if proof:
        citation = position.edition.cite(proof.ground.rule)
        return state, (rulings.Contradiction(position.to_move.other, proof, citation),)
    return _resolve(state, right=action.right)


def _refute_guess(position: Position, pending: PendingGuess, action: AnswerGuess) -> Proof | None:
    """Return the proof against an answer, or None if the answer is possible."""
    owner, piece = position.to_move.other, position.board.piece_at(pending.target)
    opening = action.opening.unseal() if action.opening else None
    if matches_commitment(position, owner, pending.target, opening) is False:
        return Proof(Evidence.NOT_AS_SEALED, pending.guess)
    if opening and action.right is not (opening.rank is pending.guess):
        ground = Evidence.NOT_AS_SEALED if action.right else Evidence.AS_SEALED
        return Proof(ground, pending.guess)
    if action.right:
        return position.enemy_player.with_unnamed_declarations.refute(
            piece, pending.guess, attacks=False
        )
    return None


def _resolve(state: GameState, *, right: bool) -> Judgement:
    before, opened = state.position, state.pending
    assert isinstance(opened, PendingGuess)
    source, target, guess = opened.source, opened.target, opened.guess
    position = position_updates.infiltrate(before, source, target, guess, right=right)
    infiltrated = rulings.Infiltrated(before.to_move, source, target, guess, right)
    after, consequences = after_turn(position)
    return after, (infiltrated, *consequences)
