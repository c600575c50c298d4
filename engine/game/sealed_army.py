"""Checks, voids and opens the commitments of sealed armies."""

from collections import Counter
from collections.abc import Mapping

from engine.board import OutOfPhaseError
from engine.board.board import Piece, PieceSet
from engine.board.geometry import Side, Square, set_of
from engine.board.ranks import Army, Rank
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.deduction.possible_ranks import PlayerState
from engine.game import position_updates
from engine.game.actions import OpenArmy, PlaceArmies
from engine.game.game_state import GameState, Judgement
from engine.game.position import Position
from engine.game.rulings import ArmyOpened, OpeningFailed, SealsBroken
from engine.rules.editions import Edition
from engine.rules.rules import Violation, ViolationKind
from engine.rules.setup import Placed


def find_unsealed(edition: Edition, action: PlaceArmies) -> tuple[Violation, ...]:
    """Return a violation for each side whose commitments do not match its army.

    Return an empty tuple if the armies need not be sealed.
    """
    if not edition.sealed_armies:
        return ()
    citation, found = edition.cite(ViolationKind.NOT_SEALED.rule), []
    for side, army in zip(Side, (action.red, action.blue), strict=True):
        commitment = action.commitments.get(side)
        if different := army ^ (commitment.squares if commitment else 0):
            found.append(Violation(ViolationKind.NOT_SEALED, different, citation, side=side))
    return tuple(found)


def with_commitments(position: Position, commitments: Mapping[Side, ArmyCommitment]) -> Position:
    """Return the position with these commitments."""
    for side, commitment in commitments.items():
        player = position.player(side).with_commitment(commitment)
        position = position_updates.with_player(position, side, player)
    return position


def matches_commitment(
    position: Position, side: Side, square: Square, opening: Opening | None
) -> bool | None:
    """Whether an opening matches the commitment to the piece on a square.

    None if the side has no commitments in force.
    """
    commitment = position.player(side).commitment
    if commitment is None:
        return None
    return commitment.holds(side, position.board.piece_at(square), opening)


def break_seals(state: GameState, side: Side) -> Judgement:
    """Void a side's commitments. Raises OutOfPhaseError if the side has none."""
    player = state.position.player(side)
    if player.commitment is None:
        raise OutOfPhaseError(f"commitments of {side.value}", "none")
    position = position_updates.with_player(state.position, side, player.with_commitment(None))
    return GameState(position, state.pending), (SealsBroken(side),)


def prove_army(state: GameState, action: OpenArmy) -> Judgement:
    """Publish the setup of an army. Refuse if the openings do not fit all of its commitments."""
    position, side, army = state.position, action.side, action.army
    player = position.player(side)
    if player.commitment is None or player.proved is not None:
        raise OutOfPhaseError(f"unopened commitments of {side.value}", "none")
    shut = set_of(
        piece
        for piece in player.commitment.commitments
        if not player.commitment.holds(side, piece, army.get(piece))
    )
    if shut:
        return state, (OpeningFailed(side, shut),)
    ranks = {piece: army[piece].rank for piece in sorted(player.commitment.commitments)}
    wrong = _find_wrong(position.edition.army_of(side), player, ranks)
    after = position_updates.with_player(position, side, player.with_opened(ranks))
    shown = tuple(Placed(piece, side, rank) for piece, rank in ranks.items())
    return GameState(after), (ArmyOpened(side, shown, wrong),)


def _find_wrong(army: Army, player: PlayerState, ranks: Mapping[Piece, Rank]) -> PieceSet:
    """Return the pieces whose rank occurs too often in the commitments or contradicts known facts.

    The commitments always cover all pieces of the army. If one rank occurs too rarely, another rank
    therefore occurs too often. Only the pieces with a rank that occurs too often are reported.
    """
    counts = Counter(ranks.values())
    return set_of(
        piece
        for piece, rank in ranks.items()
        if counts[rank] > army.counts[rank] or _is_contradicted(player, piece, rank)
    )


def _is_contradicted(player: PlayerState, piece: Piece, rank: Rank) -> bool:
    """Whether any known fact contradicts this rank of a piece.

    This includes facts that were known before a disputed rank was accepted. It also includes a rank
    that silent defence has kept secret, because the secret is no longer needed.
    """
    facts, declared = player.deduction.facts.get(piece, ()), player.sealed.get(piece)
    is_other = declared is not None and declared.unseal() is not rank
    return is_other or any(not fact.ranks >> rank & 1 for fact in facts)
