"""Codec for a table's inputs, with secret ranks kept separate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.core.inputs import (
    AdjustClock,
    AnswerCall,
    ArmySealed,
    AttackerNamed,
    BoardAdopted,
    BoardFaultReported,
    BoardFound,
    BoardLost,
    BoardSeen,
    CallArbiter,
    CommandInput,
    CourseChosen,
    IgnoreSquare,
    Input,
    NoAttack,
    OfferDraw,
    OfferUndo,
    Pause,
    PieceLocated,
    RanksSeen,
    Ready,
    Resume,
    RevealDismissed,
    Saying,
    TimePassed,
    WithdrawCall,
)
from companion.jsonl.fields import read_side_or_null, write_side_or_null
from companion.jsonl.requests import read_places, write_finer, write_places
from companion.jsonl.responses import part
from engine.board.geometry import Side, SquareSet, name, set_of, square, squares_in
from engine.board.ranks import Rank
from engine.deduction.commitment import ArmyCommitment
from engine.game.actions import Action, AnswerGuess, Declare, OpenArmy, UpholdDeclaration
from engine.records.serialization import Plain, read_action, read_rank, write_action, write_rank
from firmware_bridge.image import Image, Sensed

_LATEST: Final = 1e10
"""Upper limit of times in seconds: a clock that counts from 1970 reaches it in the year 2286."""


@dataclass(frozen=True)
class Sealed:
    """An input whose secret part, meant for the referee alone, was redacted."""

    at: float
    side: Side
    """The side that gave the input."""
    public: Mapping[str, Any]
    """The public fields of the action."""

    def with_rank(self, rank: Rank) -> CommandInput:
        """Return the input with this rank."""
        return self.whole({"rank": write_rank(rank)})

    def whole(self, secret: Mapping[str, Any]) -> CommandInput:
        """Return the input with its secret fields; ValueError if they do not fit."""
        return CommandInput(self.at, read_action({**self.public, **secret}))


Given: TypeAlias = Input | Sealed


def encode_input(given: Input, shown: Image) -> dict[str, Any]:
    """Encode the public part of an input; a frame as its difference from the image `shown`."""
    return {"at": given.at, **_write(given, shown)}


def write_secret(given: Input) -> dict[str, str]:
    """Encode the secret part of an input, for the line that redaction removes."""
    match given:
        case CommandInput(
            what=Declare() | UpholdDeclaration() | AnswerGuess() | OpenArmy() as word
        ):
            return _part(word)[1]
    return {}


def _write(given: Input, shown: Image) -> dict[str, Any]:
    match given:
        case BoardSeen():
            changes = _write_changes(shown, given.image)
            return {"board": changes, **write_finer(given.moments, given.faint)}
        case BoardFound():
            return {"found": {"colours": given.sees_colours}}
        case BoardLost():
            return {"lost": True}
        case BoardFaultReported(square=where):
            dying = {"dying": True} if given.is_dying else {}
            return {"complains": None if where is None else name(where), **dying}
        case PieceLocated():
            return {"feels": write_places(given)}
        case TimePassed():
            return {"time": True}
        case AttackerNamed():
            return {"attacker": given.side.value}
        case CourseChosen():
            return {"choose": given.number}
        case NoAttack():
            return {"no-attack": True}
        case BoardAdopted():
            return {"believe": given.side.value, "to_move": given.to_move.value}
        case RevealDismissed():
            return {"read": True}
        case ArmySealed():
            sums = given.pledge.commitments.items()
            return {"pledge": {name(at): each for at, each in sums}, "side": given.side.value}
        case RanksSeen():
            seen = {name(at): write_rank(rank) for at, rank in given.ranks.items()}
            return {"ranks-seen": seen, "side": given.side.value}
        case CommandInput():
            return _write_said(given.what)


def _write_said(said: Action | Saying) -> dict[str, Any]:
    match said:
        case Declare() | UpholdDeclaration() | AnswerGuess() | OpenArmy():
            public, secret = _part(said)
            return {"seal": public.pop("do"), **public} if secret else {"do": public}
        case Ready() | OfferDraw() | OfferUndo():
            return {"say": _SAYINGS[type(said)], "side": said.side.value}
        case IgnoreSquare():
            return {"doubt": name(said.square), "doubted": said.doubted}
        case Pause() | Resume():
            return {"pause": isinstance(said, Pause)}
        case AdjustClock():
            return {"give-time": said.seconds, "side": said.side.value}
        case CallArbiter() | WithdrawCall():
            return {_CALLS[type(said)]: write_side_or_null(said.side)}
        case AnswerCall():
            return {"answer-call": True}
        case _:
            return {"do": write_action(said)}


def _part(word: Declare | UpholdDeclaration | AnswerGuess | OpenArmy) -> tuple[Plain, Plain]:
    """Split a command in public and secret; openings are secret until the referee accepts them."""
    public, secret = part(write_action(word))
    if isinstance(word, OpenArmy):
        secret = {"army": public.pop("army")}
    return public, secret


def read_given(plain: Mapping[str, Any], shown: Image, secret: Mapping[str, Any]) -> Given:
    """Decode an input; ValueError, TypeError or KeyError if it is malformed.

    `secret` holds its secret fields, empty if they were redacted.
    """
    at = read_moment(plain["at"])
    for key, read in _READERS.items():
        if key in plain:
            return read(at, plain, shown)
    if plain["seal"] not in _SEALED:
        raise ValueError("nothing that is sealed")
    public = {key: value for key, value in plain.items() if key in _PUBLIC}
    sealed = Sealed(at, Side(plain["side"]), {"do": plain["seal"], **public})
    return sealed.whole(secret) if secret else sealed


def read_moment(at: object) -> float:
    """Return a time as it was written, with every bit.

    TypeError if it is no number, ValueError if it is beyond any clock.
    """
    if isinstance(at, bool) or not isinstance(at, int | float):
        raise TypeError("a moment that is no number")
    if not abs(at) <= _LATEST:
        raise ValueError("a moment that no clock comes to")
    return at


def read_faint(plain: Mapping[str, Any]) -> SquareSet:
    """Return the squares whose state the board was unsure of; without any, the field is absent."""
    return set_of(square(each) for each in plain.get("faint", ()))


def _read_board(at: float, plain: Mapping[str, Any], image: Image) -> BoardSeen:
    told = plain.get("moments", {}).items()
    moments = tuple((square(each), read_moment(moment)) for each, moment in told)
    return BoardSeen(at, image, moments, read_faint(plain))


def _write_changes(before: Image, after: Image) -> dict[str, str]:
    return {name(each): after.at(each).value for each in squares_in(before.differing(after))}


def _read_changes(before: Image, changes: Mapping[str, str]) -> Image:
    sets = {
        Sensed.RED: before.red,
        Sensed.BLUE: before.blue,
        Sensed.UNKNOWN: before.unknown,
        Sensed.EMPTY: 0,
    }
    for where, token in changes.items():
        bit, now = 1 << square(where), Sensed(token)
        sets = {
            seen: squares & ~bit | (bit if seen is now else 0) for seen, squares in sets.items()
        }
    return Image(sets[Sensed.RED], sets[Sensed.BLUE], sets[Sensed.UNKNOWN])


_SAYINGS: Final[Mapping[type[Ready | OfferDraw | OfferUndo], str]] = {
    Ready: "ready",
    OfferDraw: "draw",
    OfferUndo: "take-back",
}
_CALLS: Final[Mapping[type[CallArbiter | WithdrawCall], str]] = {
    CallArbiter: "call-arbiter",
    WithdrawCall: "withdraw-call",
}
_SAID: Final = {word: said for said, word in _SAYINGS.items()}
_SEALED: Final = ("declare", "insist", "answer-guess", "prove-army")
_PUBLIC: Final = ("side", "right")
_READERS: Final[Mapping[str, Callable[[float, Mapping[str, Any], Image], Input]]] = {
    "board": lambda at, p, shown: _read_board(at, p, _read_changes(shown, p["board"])),
    "found": lambda at, p, _: BoardFound(at, sees_colours=bool(p["found"]["colours"])),
    "lost": lambda at, *_: BoardLost(at),
    "complains": lambda at, p, _: BoardFaultReported(
        at,
        None if p["complains"] is None else square(p["complains"]),
        is_dying=bool(p.get("dying", False)),
    ),
    "feels": lambda at, p, _: read_places(at, p["feels"]),
    "time": lambda at, *_: TimePassed(at),
    "attacker": lambda at, p, _: AttackerNamed(at, Side(p["attacker"])),
    "choose": lambda at, p, _: CourseChosen(at, int(p["choose"])),
    "no-attack": lambda at, *_: NoAttack(at),
    "believe": lambda at, p, _: BoardAdopted(at, Side(p["believe"]), Side(p["to_move"])),
    "read": lambda at, *_: RevealDismissed(at),
    "say": lambda at, p, _: CommandInput(at, _SAID[p["say"]](Side(p["side"]))),
    "doubt": lambda at, p, _: CommandInput(at, IgnoreSquare(square(p["doubt"]), p["doubted"])),
    "pause": lambda at, p, _: CommandInput(at, Pause() if p["pause"] else Resume()),
    "give-time": lambda at, p, _: CommandInput(
        at, AdjustClock(Side(p["side"]), int(p["give-time"]))
    ),
    "call-arbiter": lambda at, p, _: CommandInput(
        at, CallArbiter(read_side_or_null(p["call-arbiter"]))
    ),
    "withdraw-call": lambda at, p, _: CommandInput(
        at, WithdrawCall(read_side_or_null(p["withdraw-call"]))
    ),
    "answer-call": lambda at, *_: CommandInput(at, AnswerCall()),
    "do": lambda at, p, _: CommandInput(at, read_action(p["do"])),
    "ranks-seen": lambda at, p, _: RanksSeen(
        at,
        Side(p["side"]),
        {square(where): read_rank(rank) for where, rank in p["ranks-seen"].items()},
    ),
    "pledge": lambda at, p, _: ArmySealed(
        at,
        Side(p["side"]),
        ArmyCommitment({square(where): each for where, each in p["pledge"].items()}),
    ),
}
