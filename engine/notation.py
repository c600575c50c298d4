"""Actions as plain data of texts and numbers, for journals and files. Squares and ranks by name."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from engine.actions import (
    Action,
    AgreeDraw,
    CannotMove,
    Declare,
    Move,
    OpenAttack,
    PlaceArmies,
    Resign,
    WithdrawAttack,
)
from engine.ranks import Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import SquareSet, name, names, set_of, square

Plain: TypeAlias = dict[str, str]


def write_action(action: Action) -> Plain:
    """Return an action as plain data. What was sealed is in it: the result is as secret as it."""
    match action:
        case PlaceArmies():
            return {"do": "place-armies", "red": names(action.red), "blue": names(action.blue)}
        case Move():
            return {"do": "move", "source": name(action.source), "target": name(action.target)}
        case OpenAttack():
            return {"do": "attack", "source": name(action.source), "target": name(action.target)}
        case WithdrawAttack():
            return {"do": "withdraw-attack"}
        case Declare():
            rank = action.rank.unseal()
            return {"do": "declare", "side": action.rank.owner.value, "rank": rank.name.lower()}
        case CannotMove():
            return {"do": "cannot-move"}
        case Resign():
            return {"do": "resign", "side": action.side.value}
        case AgreeDraw():
            return {"do": "agree-draw"}


def read_action(plain: Mapping[str, Any]) -> Action:
    """Return the action that `write_action` has written; ValueError if it is something else."""
    for key, value in plain.items():
        if not isinstance(value, str):
            raise ValueError(f"{key!r} is a {type(value).__name__} and not a text")
    try:
        match plain["do"]:
            case "place-armies":
                return PlaceArmies(_read_squares(plain["red"]), _read_squares(plain["blue"]))
            case "move":
                return Move(square(plain["source"]), square(plain["target"]))
            case "attack":
                return OpenAttack(square(plain["source"]), square(plain["target"]))
            case "withdraw-attack":
                return WithdrawAttack()
            case "declare":
                return Declare(Secret(Side(plain["side"]), Rank[plain["rank"].upper()]))
            case "cannot-move":
                return CannotMove()
            case "resign":
                return Resign(Side(plain["side"]))
            case "agree-draw":
                return AgreeDraw()
            case other:
                raise ValueError(f"no action is called {other!r}")
    except KeyError as missing:
        # Not the whole action is told: a declared rank may be in it.
        action = plain.get("do")
        raise ValueError(f"{missing} is missing or unknown in the action {action!r}") from None


def _read_squares(names: str) -> SquareSet:
    return set_of(map(square, names.split()))
