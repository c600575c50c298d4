"""Attack handling from opening to combat: declarations, contradictions, disputes."""

from dataclasses import replace

from engine.knowledge.proofs import Ground, Proof
from engine.legality.movement import is_long_move
from engine.play import advance
from engine.play.actions import Declare, Insist
from engine.play.endings import outcome
from engine.play.matters import OpenedAttack
from engine.play.moment import Judgement, Moment, OutOfPhaseError, settled
from engine.play.player import Player
from engine.play.position import Position
from engine.play.rulings import (
    AttackOpened,
    Contradiction,
    Declared,
    Disputed,
    DisputeSettled,
    Reason,
)
from engine.play.seals import is_as_pledged
from engine.play.unnamed import answer_of, tell_if_disproved
from engine.ranks import IMMOBILE, SCOUTS, sole
from engine.rulebook.editions import MovedBomb
from engine.rulebook.rules import Rule
from engine.secrecy import Secret
from engine.squares import Square


def open_attack(
    moment: Moment, source: Square, target: Square, *, regular: bool = True
) -> Judgement:
    """Open an allowed attack; it is resolved at once if both ranks are proved.

    Facts proved by the attack are not recorded yet: it may still be withdrawn.
    """
    position, side = moment.position, moment.position.to_move
    long_move = regular and is_long_move(source, target)
    ends = {side: (source, SCOUTS if long_move else ~IMMOBILE), side.other: (target, -1)}
    possible, proved = {}, {}
    for owner, (square, ranks) in ends.items():
        player, piece = position.player(owner), position.board.piece_at(square)
        told = player.dossier.possible(piece) & ranks
        # A player who has lied in a silent defence must still be able to declare a rank.
        possible[owner] = player.informed.possible(piece) & ranks or told
        # A defender that has declared before is not asked again. An attacker is asked, whatever it
        # declared: otherwise a bomb, which cannot have attacked, would be recognizable.
        # Public facts take precedence, also after an arbiter has corrected a rank.
        if (rank := sole(told)) is not None:
            proved[owner] = Secret(owner, rank)
        elif owner is not side and (answer := answer_of(player, piece)):
            proved[owner] = answer
    attack = OpenedAttack(side, source, target, possible, proved, regular)
    after, rulings = _resolve_when_declared(Moment(position, attack))
    return after, (AttackOpened(side, source, target, attack.awaited), *rulings)


def declare(moment: Moment, action: Declare) -> Judgement:
    """Process a declaration; an impossible one is refused with the proof."""
    attack, declared = _attack(moment), action.rank
    proof = _refute(moment.position, attack, action)
    if proof:
        citation = moment.position.edition.cite(proof.ground.rule)
        return moment, (Contradiction(declared.owner, proof, citation),)
    after, rulings = _resolve_when_declared(Moment(moment.position, attack.hearing(declared)))
    return after, (Declared(declared.owner), *rulings)


def insist(moment: Moment, action: Insist) -> Judgement:
    """Open a dispute about a declaration that was proved impossible.

    With sealed armies it is published whether the commitment confirms the declaration. This detects
    a player who has moved a bomb (ISF 4.3), and a piece that has been confused with another.
    """
    attack, position, declared = _attack(moment), moment.position, action.rank
    side = declared.owner
    proof = _refute(position, attack, action)
    if not proof:
        raise OutOfPhaseError("nobody contradicts this declaration")
    is_as_sealed = is_as_pledged(position, side, attack.square(side), action.opening)
    disputed = Disputed(side, attack.square(side), is_as_sealed)
    moved_bomb = proof.ground.rule is Rule.IMMOBILE_PIECE
    if moved_bomb and position.edition.moved_bomb is MovedBomb.LOSES:
        lost = outcome(position, side.other, Reason.MOVED_BOMB)
        return Moment(advance.end(position, lost)), (disputed, lost)
    opened = replace(attack, disputed=declared, is_as_sealed=is_as_sealed)
    return Moment(position, opened), (disputed,)


def settle_dispute(moment: Moment, *, accepted: bool) -> Judgement:
    """Apply the decision about a disputed declaration."""
    attack = _attack(moment)
    disputed = attack.disputed
    assert disputed
    side = disputed.owner
    if side is attack.attacker and IMMOBILE >> disputed.unseal() & 1:
        # A bomb or a flag cannot count as an attacker, and the reason must not be published.
        accepted = False
    attack = replace(attack, disputed=None, is_as_sealed=None)
    settled = DisputeSettled(side, accepted)
    if not accepted:
        return Moment(moment.position, attack), (settled,)
    heard = replace(attack.hearing(disputed), conceded=attack.conceded | {side})
    after, rulings = _resolve_when_declared(Moment(moment.position, heard))
    return after, (settled, *rulings)


def count_fallen(player: Player, proof: Proof | None) -> Proof | None:
    """Change the proof to ALL_FALLEN if all pieces of the rank have fallen."""
    if proof is None or proof.ground is not Ground.ALL_FOUND:
        return proof
    fallen = player.captured.get(proof.rank, 0) == proof.count
    return replace(proof, ground=Ground.ALL_FALLEN) if fallen else proof


def _attack(moment: Moment) -> OpenedAttack:
    assert isinstance(moment.matter, OpenedAttack)
    return moment.matter


def _refute(position: Position, attack: OpenedAttack, action: Declare | Insist) -> Proof | None:
    """Return the proof against a declaration; OutOfPhaseError if no declaration is awaited.

    A rank other than the committed one is refused before anything else, because the commitment has
    to be opened in any case.
    """
    side, rank = action.rank.owner, action.rank.unseal()
    if side not in attack.awaited:
        raise OutOfPhaseError(f"no declaration is awaited from {side.value}")
    if is_as_pledged(position, side, attack.square(side), action.opening) is False:
        return Proof(Ground.NOT_AS_SEALED, rank)
    if attack.possible[side] >> rank & 1:
        return None
    player, piece = position.player(side), position.board.piece_at(attack.square(side))
    attacks = side is attack.attacker
    proof = player.informed.refute(piece, rank, attacks=attacks)
    return count_fallen(player, proof)


def _resolve_when_declared(moment: Moment) -> Judgement:
    attack, before = _attack(moment), moment.position
    if attack.awaited:
        return moment, ()
    side, pieces = attack.attacker, before.board
    position = advance.fight(
        before,
        attack.source,
        attack.target,
        attack.rank(side),
        attack.rank(side.other),
        regular=attack.regular,
        conceded=attack.conceded,
    )
    denied = tell_if_disproved(before, position, pieces.piece_at(attack.source))
    fought = position.last_combat
    assert fought
    after, rulings = settled(position)
    return after, (fought, *denied, *rulings)
