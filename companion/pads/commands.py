"""Converts a pad's messages to inputs of the table."""

from collections.abc import Mapping
from typing import Any

from companion.core import Table
from companion.core.inputs import (
    ArmySealed,
    CallArbiter,
    Command,
    CommandInput,
    Input,
    NoAttack,
    OfferDraw,
    OfferUndo,
    Ready,
    WithdrawCall,
)
from companion.pads.player_view import mark
from engine.board.geometry import Side, square
from engine.board.ranks import Army
from engine.deduction.commitment import ArmyCommitment
from engine.game.actions import Action, AnswerStalemate, ClaimStalemate, FreeTouched
from engine.records.serialization import read_action


def read_word(
    say: Mapping[str, Any], side: Side, game: int, table: Table, at: float
) -> Input | None:
    """Return a player's message as an input; None if it is outdated or malformed.

    The side is always the seat's side, so a message can never act for the other side.
    """
    if say.get("mark") != mark(game, table):
        return None
    match say:
        case {"do": "no-attack"}:
            is_asked = table.conversation.question
            return NoAttack(at) if is_asked and is_asked.owner is side else None
        case {"do": "seal", "commitments": str(sums)}:
            commitment = _commitment(side, sums, table.view.edition.army_of(side))
            return ArmySealed(at, side, commitment) if commitment else None
    what = _what(say, side, table)
    return CommandInput(at, what) if what else None


def _what(say: Mapping[str, Any], side: Side, table: Table) -> Action | Command | None:
    moves = table.view.to_move is side
    match say:
        case {"do": "declare" | "insist" as do, "rank": str()}:
            return _opened({"do": do, "side": side.value}, say)
        case {"do": "ready"}:
            return Ready(side)
        case {"do": "draw"}:
            return OfferDraw(side)
        case {"do": "take-back"}:
            return OfferUndo(side)
        case {"do": "call-arbiter"}:
            return CallArbiter(side)
        case {"do": "withdraw-call"}:
            return WithdrawCall(side)
        case {"do": "cannot-move"} if moves:
            return ClaimStalemate()
        case {"do": "touched-cannot-move"} if moves:
            return FreeTouched()
        case {"do": "guess", "right": bool(right)} if not moves:
            answer = {"do": "answer-guess", "right": "yes" if right else "no"}
            return _opened({**answer, "side": side.value}, say)
        case {"do": "prove", "army": str(army)}:
            return _read({"do": "prove-army", "side": side.value, "army": army})
        case {"do": "can-move", "able": bool(able)} if table.view.stuck is side.other:
            return AnswerStalemate(able)
    return None


def _opened(action: Mapping[str, str], say: Mapping[str, Any]) -> Action | None:
    """Read an action with its data about a piece: the rank, and the salt with sealed armies."""
    return _read({**action, **{key: say[key] for key in ("rank", "salt") if key in say}})


def _read(action: Mapping[str, Any]) -> Action | None:
    try:
        return read_action(action)
    except ValueError:
        return None


def _commitment(side: Side, sums: str, army: Army) -> ArmyCommitment | None:
    """Read the commitments to a whole army on its side's own rows: ``a1:<sum> b1:<sum> …``."""
    try:
        told = [each.split(":") for each in sums.split()]
        commitment = ArmyCommitment({square(at): digest for at, digest in told})
    except ValueError:
        return None
    is_whole = len(commitment.commitments) == len(told) == army.size
    return commitment if is_whole and not commitment.squares & ~side.home else None
