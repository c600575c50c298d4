"""Truthful answers to the table's questions."""

import re
from collections.abc import Sequence
from typing import Final

from engine.board.geometry import Side, square
from engine.game.rulings import Combat
from tests.hands.board import Ply, Turn
from tests.hands.responses import AGREEMENTS, Ask
from tests.hands.shared_state import SharedState

_PLACE: Final = r"(?:10|[1-9])"
_TURN: Final = re.compile(rf"([a-k]{_PLACE})\s*([-–x×])\s*([a-k]{_PLACE})")
_DECLARED: Final = re.compile(
    r"['\"](?:do|kind|what)['\"]:\s*['\"](move|attack|amend)['\"][^}]*?"
    rf"['\"]source['\"]:\s*['\"]([a-k]{_PLACE})['\"][^}}]*?"
    rf"['\"]target['\"]:\s*['\"]([a-k]{_PLACE})['\"]"
)


def answer(room: SharedState, ask: Ask, plies: Sequence[Ply], heard: Sequence[Turn]) -> bool:
    """Answer one question. Return False if it cannot be answered.

    `plies` are the plies that were really played. `heard` are the turns that the table has
    accepted.
    """
    latest = plies[-1] if plies else None
    match ask.what:
        case "rank":
            return _declare(room, ask, plies, heard)
        case "attack" | "who-attacks":
            places = {square(place) for place in ask.places}
            true = latest is not None and latest.turn.attacks and _fits(latest.turn, places)
            if latest and true and latest.side.value in ask.answers:
                room.give_command(latest.side, "attacker")
            else:
                room.give_command(None, "no-attack")
        case what if what in AGREEMENTS:
            return False
        case "insist":
            return _declare(room, ask, plies, heard, "insist")
        case "settle":
            room.give_command(None, "settle", accepted=True)
        case "can-move":
            room.give_command(None, "answer-cannot-move", able=True)
        case _ if ask.answers:
            number = choose_explanation(ask.answers, [ply.turn for ply in plies], heard)
            if number is None:
                return False
            room.give_command(None, "choose", answer=number)
        case _:
            return False
    return True


def _fits(turn: Turn, places: set[int]) -> bool:
    """Whether a question about the squares `places` can refer to the attack."""
    return turn.target in places


def _declare(
    room: SharedState, ask: Ask, plies: Sequence[Ply], heard: Sequence[Turn], what: str = "declare"
) -> bool:
    """Declare the true rank. If the latest real turn is not the attack that the table has in mind,
    answer that there was no attack."""
    side = Side(ask.to)
    made = plies[-1] if plies else None
    if made is None or made.combat is None or len(heard) != len(plies) or heard[-1] != made.turn:
        room.give_command(side, "no-attack")
        return True
    room.give_command(side, what, rank=rank_of(made.combat, side))
    return True


def rank_of(combat: Combat, side: Side) -> str:
    rank = combat.attacker if side is combat.side else combat.defender
    assert rank is not None
    return rank.name.lower()


def choose_explanation(
    answers: Sequence[str], done: Sequence[Turn], heard: Sequence[Turn]
) -> int | None:
    """Return the number of the true hypothesis, or None if all hypotheses are false.

    The wording of the answers varies, so turns are recognised by their squares. A hypothesis is
    true if the real game results when its turns replace the latest accepted turns.
    """
    best: tuple[int, int] | None = None
    for number, text in enumerate(answers):
        turns = read_turns(text)
        for kept in range(len(heard), -1, -1):
            whole = [*heard[:kept], *turns]
            if whole == list(done[: len(whole)]) and len(whole) >= min(len(heard), len(done)):
                if best is None or len(whole) > best[0]:
                    best = len(whole), number
                break
    return None if best is None else best[1]


def read_turns(text: str) -> list[Turn]:
    """Parse the turns in an answer, written as ``e4-e5`` and ``e4xe5`` or as plain data."""
    found = _DECLARED.findall(text)
    if found:
        return [Turn(square(a), square(b), do == "attack") for do, a, b in found]
    return [Turn(square(a), square(b), way in "x×") for a, way, b in _TURN.findall(text)]
