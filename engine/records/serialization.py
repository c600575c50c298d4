"""Codec for actions as plain data of texts and numbers, for journals and files."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Final, TypeAlias

from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet, name, names, set_of, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game.actions import (
    Action,
    AdoptBoard,
    AgreeDraw,
    Amend,
    AnswerGuess,
    AnswerStalemate,
    Attack,
    BreakSeals,
    ClaimStalemate,
    Correct,
    Correction,
    Declare,
    Forfeit,
    FreeTouched,
    Infiltrate,
    Move,
    NotAScout,
    OpenArmy,
    Override,
    PlaceArmies,
    RankCorrection,
    Relocation,
    Resign,
    SettleDispute,
    SwapCorrection,
    TakeBack,
    TimeExpired,
    Touch,
    UpholdDeclaration,
    WithdrawAttack,
)
from engine.game.clocks import ClockState, Limit, TimeControl
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty

Plain: TypeAlias = dict[str, str]


_BOTH = "both"
_ANSWERS = {"yes": True, "no": False}


def write_action(action: Action) -> Plain:
    """Return an action as plain data. It includes its secret values, so keep it secret."""
    match action:
        case PlaceArmies():
            armies = {"red": names(action.red), "blue": names(action.blue)}
            extra = {**_write_pledges(action.pledges), **_write_shown(action.ranks)}
            return {"do": "place-armies", **armies, **extra}
        case Move():
            return {"do": "move", **_write_move(action)}
        case Attack():
            return {"do": "attack", **_write_move(action)}
        case Amend():
            return {"do": "amend", **_write_move(action)}
        case Touch():
            carried = {"carried": "yes"} if action.carried else {}
            return {"do": "touch", "square": name(action.square), **carried}
        case FreeTouched():
            return {"do": "free-touched"}
        case WithdrawAttack():
            return {"do": "withdraw-attack"}
        case Declare():
            return {"do": "declare", **_write_sealed(action)}
        case UpholdDeclaration():
            return {"do": "insist", **_write_sealed(action)}
        case SettleDispute():
            return {"do": "settle-dispute", "accepted": _write_answer(action.accepted)}
        case Infiltrate():
            return {"do": "infiltrate", **_write_move(action), "guess": write_rank(action.guess)}
        case AnswerGuess():
            right = _write_answer(action.right)
            return {"do": "answer-guess", "right": right, **_write_answered(action)}
        case Override():
            return {"do": "override", **_write_move(action)}
        case Correct():
            return {"do": "correct", **_write_mistake(action.mistake)}
        case AdoptBoard():
            return {"do": "accept-board", **_write_board(action)}
        case BreakSeals():
            return {"do": "break-seals", "side": action.side.value}
        case OpenArmy():
            return {"do": "prove-army", "side": action.side.value, **_write_army(action.army)}
        case TakeBack():
            return {"do": "take-back"}
        case ClaimStalemate():
            return {"do": "cannot-move"}
        case AnswerStalemate():
            return {"do": "answer-cannot-move", "able": _write_answer(action.able)}
        case Resign():
            return {"do": "resign", "side": action.side.value}
        case AgreeDraw():
            return {"do": "agree-draw"}
        case TimeExpired():
            return {"do": "run-out", "side": action.side.value if action.side else _BOTH}
        case Forfeit():
            return {"do": "forfeit", "side": action.side.value if action.side else _BOTH}


def read_action(plain: Mapping[str, Any]) -> Action:
    """Return the action encoded by `write_action`; ValueError if it is malformed."""
    for key, value in plain.items():
        if not isinstance(value, str):
            raise ValueError(f"{key!r} must be a text; found {type(value).__name__}")
    action = plain.get("do", "")
    reader = _READERS.get(action)
    if reader is None:
        raise ValueError(f"no action is called {action!r}")
    try:
        return reader(plain)
    except KeyError as missing:
        # The message does not quote the whole action: a declared rank may be in it.
        raise ValueError(f"{missing} is missing or unknown in the action {action!r}") from None


def write_rank(rank: Rank) -> str:
    """Return the name of a rank."""
    return rank.name.lower()


def read_rank(name: str) -> Rank:
    """Return the rank with this name; KeyError if there is no such rank."""
    return Rank[name.upper()]


def _read_move(plain: Mapping[str, str]) -> tuple[Square, Square]:
    return square(plain["source"]), square(plain["target"])


def _read_sealed(plain: Mapping[str, str]) -> tuple[Secret[Rank], Secret[str] | None]:
    side = Side(plain["side"])
    salt = Secret(side, plain["salt"]) if "salt" in plain else None
    return Secret(side, read_rank(plain["rank"])), salt


_READERS: Final[Mapping[str, Callable[[Mapping[str, str]], Action]]] = {
    "place-armies": lambda p: PlaceArmies(
        _read_squares(p["red"]), _read_squares(p["blue"]), _read_pledges(p), _read_shown(p)
    ),
    "move": lambda p: Move(*_read_move(p)),
    "attack": lambda p: Attack(*_read_move(p)),
    "amend": lambda p: Amend(*_read_move(p)),
    "touch": lambda p: Touch(square(p["square"]), _ANSWERS[p.get("carried", "no")]),
    "free-touched": lambda _: FreeTouched(),
    "withdraw-attack": lambda _: WithdrawAttack(),
    "declare": lambda p: Declare(*_read_sealed(p)),
    "insist": lambda p: UpholdDeclaration(*_read_sealed(p)),
    "settle-dispute": lambda p: SettleDispute(_ANSWERS[p["accepted"]]),
    "infiltrate": lambda p: Infiltrate(*_read_move(p), read_rank(p["guess"])),
    "answer-guess": lambda p: AnswerGuess(_ANSWERS[p["right"]], _read_answered(p)),
    "override": lambda p: Override(*_read_move(p)),
    "correct": lambda p: Correct(_MISTAKES[p["mistake"]](p)),
    "accept-board": lambda p: AdoptBoard(
        _read_shifts(p["shifted"]), _read_squares(p["removed"]), Side(p["to_move"])
    ),
    "break-seals": lambda p: BreakSeals(Side(p["side"])),
    "prove-army": lambda p: OpenArmy(Side(p["side"]), _read_army(p)),
    "take-back": lambda _: TakeBack(),
    "cannot-move": lambda _: ClaimStalemate(),
    "answer-cannot-move": lambda p: AnswerStalemate(_ANSWERS[p["able"]]),
    "resign": lambda p: Resign(Side(p["side"])),
    "agree-draw": lambda _: AgreeDraw(),
    "run-out": lambda p: TimeExpired(_read_side_or_both(p["side"])),
    "forfeit": lambda p: Forfeit(_read_side_or_both(p["side"])),
}
WORDS: Final = tuple(_READERS)
"""Names of all actions, as written under `do`."""
_MISTAKES: Final[Mapping[str, Callable[[Mapping[str, str]], Correction]]] = {
    "wrong-rank": lambda p: RankCorrection(square(p["piece"]), read_rank(p["rank"])),
    "exchanged": lambda p: SwapCorrection(square(p["piece"]), square(p["other"])),
    "no-long-move": lambda p: NotAScout(square(p["piece"])),
}


def _write_move(action: Move | Attack | Amend | Infiltrate | Override) -> Plain:
    return {"source": name(action.source), "target": name(action.target)}


def _write_mistake(mistake: Correction) -> Plain:
    match mistake:
        case RankCorrection(piece, rank):
            return {"mistake": "wrong-rank", "piece": name(piece), "rank": write_rank(rank)}
        case SwapCorrection(piece, other):
            return {"mistake": "exchanged", "piece": name(piece), "other": name(other)}
        case NotAScout(piece):
            return {"mistake": "no-long-move", "piece": name(piece)}


def _write_board(board: AdoptBoard) -> Plain:
    shifted = " ".join(map(str, board.shifted))
    return {"shifted": shifted, "removed": names(board.removed), "to_move": board.to_move.value}


def _read_shifts(written: str) -> tuple[Relocation, ...]:
    """Read relocated pieces, such as ``e5-e6 f7-g7``."""
    ways = (shift.split("-") for shift in written.split())
    return tuple(Relocation(square(source), square(target)) for source, target in ways)


def _read_side_or_both(text: str) -> Side | None:
    return None if text == _BOTH else Side(text)


def _write_sealed(action: Declare | UpholdDeclaration) -> Plain:
    salt = {"salt": action.salt.unseal()} if action.salt else {}
    return {"side": action.rank.owner.value, "rank": write_rank(action.rank.unseal()), **salt}


def _write_pledges(pledges: Mapping[Side, ArmyCommitment]) -> Plain:
    """Write the commitments of each side in the order of their squares."""
    return {
        f"{side.value}_sealed": " ".join(each for _, each in sorted(pledge.commitments.items()))
        for side, pledge in pledges.items()
    }


def _read_pledges(plain: Mapping[str, str]) -> dict[Side, ArmyCommitment]:
    pledges = {}
    for side in Side:
        sealed = plain.get(f"{side.value}_sealed")
        if sealed is not None:
            squares, sums = squares_in(_read_squares(plain[side.value])), sealed.split()
            pledges[side] = ArmyCommitment(dict(zip(squares, sums, strict=True)))
    return pledges


def _write_shown(ranks: Mapping[Piece, Rank]) -> Plain:
    """Write the ranks visible from the start, as ``a1:flag b1:bomb``; may be empty."""
    if not ranks:
        return {}
    return {"ranks": " ".join(f"{name(at)}:{write_rank(r)}" for at, r in sorted(ranks.items()))}


def _read_shown(plain: Mapping[str, str]) -> dict[Piece, Rank]:
    shown = (each.split(":") for each in plain.get("ranks", "").split())
    return {square(where): read_rank(rank) for where, rank in shown}


def _write_answered(answer: AnswerGuess) -> Plain:
    if answer.opening is None:
        return {}
    opening = answer.opening.unseal()
    side = answer.opening.owner.value
    return {"side": side, "rank": write_rank(opening.rank), "salt": opening.salt}


def _read_answered(plain: Mapping[str, str]) -> Secret[Opening] | None:
    if "salt" not in plain:
        return None
    return Secret(Side(plain["side"]), Opening(read_rank(plain["rank"]), plain["salt"]))


def _write_army(army: Mapping[Piece, Opening]) -> Plain:
    """Write all openings of an army, as ``a1:miner:00112233445566778899aabbccddeeff``."""
    opened = (f"{name(at)}:{write_rank(o.rank)}:{o.salt}" for at, o in sorted(army.items()))
    return {"army": " ".join(opened)}


def _read_army(plain: Mapping[str, str]) -> dict[Piece, Opening]:
    army = {}
    for opened in plain["army"].split():
        where, rank, salt = opened.split(":")
        army[square(where)] = Opening(read_rank(rank), salt)
    return army


def _write_answer(yes: bool) -> str:
    return "yes" if yes else "no"


def _read_squares(names: str) -> SquareSet:
    return set_of(map(square, names.split()))


def write_edition(edition: Edition) -> dict[str, Any]:
    """Return an edition, with the options chosen by the players, as plain data."""
    return {
        "id": edition.id,
        "army": edition.army.name,
        "two_squares_limit": edition.two_squares_limit,
        "moved_bomb": edition.moved_bomb.value,
        "silent_defence": edition.silent_defence,
        "aggressor_advantage": edition.aggressor_advantage,
        "touch_move": edition.touch_move,
        # The published format has this key only in games with sealed armies.
        **({"sealed_armies": True} if edition.sealed_armies else {}),
    }


def read_edition(plain: Mapping[str, Any]) -> Edition:
    """Return the edition encoded by `write_edition`; ValueError if it is malformed."""
    called = plain.get("id")
    known = EDITIONS.get(called) if isinstance(called, str) else None
    if known is None:
        raise ValueError(f"no edition is called {called!r}")
    chosen = {key: value for key, value in plain.items() if key not in ("id", "army")}
    for key, value in chosen.items():
        if key not in _CHOICES or type(value) is not _CHOICES[key]:
            raise ValueError(f"{key!r} cannot be {value!r} in any edition")
    limit = chosen.pop("two_squares_limit", known.two_squares_limit)
    moved_bomb = MovedBombPenalty(chosen.pop("moved_bomb", known.moved_bomb.value))
    played = known.with_army(plain.get("army", known.army.name)).with_limit(limit)
    return replace(played.with_moved_bomb(moved_bomb), **chosen)


_CHOICES: Final = {
    "two_squares_limit": int,
    "moved_bomb": str,
    "silent_defence": bool,
    "aggressor_advantage": bool,
    "touch_move": bool,
    "sealed_armies": bool,
}


def write_control(control: TimeControl) -> dict[str, Any]:
    """Return a time control as plain data; times in seconds."""
    return asdict(control)


def read_control(plain: Mapping[str, Any]) -> TimeControl:
    """Return the time control encoded by `write_control`; ValueError if it is malformed."""
    seconds = {key: value for key, value in plain.items() if key != "id"}
    known = {field.name for field in fields(TimeControl)}
    for key, value in plain.items():
        endless = value is None and key != "delay"
        if key not in known or not (key == "id" or endless or _is_duration(value)):
            raise ValueError(f"not a time control: {key!r} is {value!r}")
    return TimeControl(str(plain.get("id", "")), **seconds)


def write_clock(clock: ClockState) -> dict[str, Any]:
    """Return the state of a clock as plain data; times in seconds."""
    return {
        "used": {limit.value: clock.used[limit] for limit in Limit},
        "running": clock.running.value if clock.running else None,
        "turn": clock.turn,
        "waiting": clock.waiting,
    }


def read_clock(plain: Mapping[str, Any]) -> ClockState:
    """Return the state encoded by `write_clock`; ValueError if it is malformed."""
    try:
        used = {limit: plain["used"][limit.value] for limit in Limit}
        running = Limit(plain["running"]) if plain["running"] else None
        turn, waiting = plain["turn"], plain["waiting"]
    except (KeyError, TypeError) as wrong:
        raise ValueError(f"not a clock: {wrong} is missing") from None
    are_sides = map(_is_time, (used[Limit.RED], used[Limit.BLUE]))  # negative if time was added
    others = used[Limit.SETUP], used[Limit.WHOLE], turn, waiting or 0
    if not (all(are_sides) and all(map(_is_duration, others))):
        raise ValueError("the times of a clock must be numbers of seconds")
    return ClockState(used, running, turn, waiting)


def _is_duration(value: Any) -> bool:
    return _is_time(value) and value >= 0


def _is_time(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value)
