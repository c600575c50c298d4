"""What comes from a pad, read as what that player says at the table."""

from collections.abc import Mapping
from typing import Any

from companion.pads.player_view import mark
from companion.table import Table
from companion.table.inputs import Input, NoAttack, Said
from companion.table.sayings import (
    CallArbiter,
    OfferDraw,
    OfferTakeBack,
    Ready,
    Saying,
    WithdrawCall,
)
from engine.games.notation import read_rank
from engine.play.actions import (
    Action,
    AnswerCannotMove,
    AnswerGuess,
    CannotMove,
    Declare,
    Insist,
)
from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side


def read_word(
    say: Mapping[str, Any], side: Side, game: int, table: Table, at: float
) -> Input | None:
    """Return what a player says; None if it is of another moment, or makes no sense.

    Nobody can speak for the other side here, whatever a page sends.
    """
    if say.get("mark") != mark(game, table):
        return None
    if say.get("do") == "no-attack":
        is_asked = table.conversation.question
        return NoAttack(at) if is_asked and is_asked.owner is side else None
    what = _what(say, side, table)
    return Said(at, what) if what else None


def _what(say: Mapping[str, Any], side: Side, table: Table) -> Action | Saying | None:
    moves = table.view.to_move is side
    match say:
        case {"do": "declare", "rank": str(name)} if rank := _rank(side, name):
            return Declare(rank)
        case {"do": "insist", "rank": str(name)} if rank := _rank(side, name):
            return Insist(rank)
        case {"do": "ready"}:
            return Ready(side)
        case {"do": "draw"}:
            return OfferDraw(side)
        case {"do": "take-back"}:
            return OfferTakeBack(side)
        case {"do": "call-arbiter"}:
            return CallArbiter(side)
        case {"do": "withdraw-call"}:
            return WithdrawCall(side)
        case {"do": "cannot-move"} if moves:
            return CannotMove()
        case {"do": "guess", "right": bool(right)} if not moves:
            return AnswerGuess(right)
        case {"do": "can-move", "able": bool(able)} if not moves:
            return AnswerCannotMove(able)
    return None


def _rank(side: Side, name: str) -> Secret[Rank] | None:
    try:
        return Secret(side, read_rank(name))
    except KeyError:
        return None
