"""Encodes a table's inputs, with secret ranks kept separate, and hashes inputs and outcomes.

The hash is used to compare two runs. It excludes private information, because an attacker could
find a hashed rank by trying all twelve ranks.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, TypeAlias, get_args

from companion.codec import MalformedError, Named, checked, fields_of, from_plain, one_of, to_plain
from companion.core import inputs
from companion.core.events import Event, write_event
from companion.core.game_context import Step
from companion.jsonl.requests import Colours, FrameDetails, Places, write_details
from companion.jsonl.table_process import split_secret, write_accepted
from engine.board.geometry import Side, Square, name, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Private
from engine.game.actions import AnswerGuess, Declare, OpenArmy, UpholdDeclaration
from engine.records.serialization import Plain, read_action, write_action, write_clock, write_rank
from firmware_bridge.image import Image, Sensed

_LATEST: Final = 1e10
"""Upper limit for times, in seconds. Unix time reaches it in 2286."""


@dataclass(frozen=True)
class Sealed:
    """An input without its secret part, which only the referee may know."""

    at: float
    side: Side
    """The side that gave the input."""
    public: Mapping[str, Any]
    """The public fields of the action."""

    def with_rank(self, rank: Rank) -> inputs.CommandInput:
        """Return the input with `rank` as its secret rank."""
        return self.whole({"rank": write_rank(rank)})

    def whole(self, secret: Mapping[str, Any]) -> inputs.CommandInput:
        """Return the complete input. Raise ValueError if the secret fields do not belong to it."""
        return inputs.CommandInput(self.at, read_action({**self.public, **secret}))


Given: TypeAlias = inputs.Input | Sealed


def encode_input(given: inputs.Input, shown: Image) -> dict[str, Any]:
    """Encode the public part of an input. Frames are encoded as differences from `shown`."""
    return {"at": given.at, **_write(given, shown)}


def write_secret(given: inputs.Input) -> dict[str, str]:
    """Encode the secret part of an input. Redaction removes the line that contains it."""
    if isinstance(given, inputs.CommandInput) and isinstance(given.what, _SEALING):
        return _split_secret(given.what)[1]
    return {}


def _write(given: inputs.Input, shown: Image) -> dict[str, Any]:
    match given:
        case inputs.BoardSeen():
            changed = squares_in(shown.differing(given.image))
            changes = {name(each): given.image.at(each).value for each in changed}
            return {"board": changes, **write_details(given.moments, given.faint)}
        case inputs.BoardFound():
            return {"found": {"colours": given.sees_colours}}
        case inputs.BoardFaultReported():
            return dict(to_plain(_FaultReported(given.square, given.is_dying)))
        case inputs.PieceLocated():
            return {"feels": to_plain(Places(given.red, given.blue))}
        case inputs.CommandInput(what=command) if isinstance(command, _SEALING):
            public, secret = _split_secret(command)
            return {"seal": public.pop("do"), **public} if secret else {"do": public}
        case inputs.CommandInput(
            what=inputs.Ready() | inputs.OfferDraw() | inputs.OfferUndo() as command
        ):
            return {"say": _COMMANDS[type(command)], "side": command.side.value}
        case inputs.CommandInput(what=inputs.Pause() | inputs.Resume() as command):
            return {"pause": isinstance(command, inputs.Pause)}
    what = given.what if isinstance(given, inputs.CommandInput) else given
    if type(what) not in _KEYS:
        action: Any = what
        return {"do": write_action(action)}
    key, attribute = _KEYS[type(what)]
    plain = to_plain(what)
    plain.pop("at", None)
    return {key: plain.pop(attribute) if attribute else True, **plain}


_Sealing: TypeAlias = Declare | UpholdDeclaration | AnswerGuess | OpenArmy
"""Actions with a secret part."""
_SEALING: Final = get_args(_Sealing)


def _split_secret(word: _Sealing) -> tuple[Plain, Plain]:
    """Split a command into public and secret parts. The openings of seals are also secret."""
    public, secret = split_secret(write_action(word))
    if isinstance(word, OpenArmy):
        secret = {"army": public.pop("army")}
    return public, secret


def read_given(plain: Mapping[str, Any], shown: Image, secret: Mapping[str, Any]) -> Given:
    """Decode an input from its line. Raise ValueError if the line is malformed.

    `secret` contains the input's secret fields, or nothing if they were redacted.
    """
    fields = {key: plain[key] for key in plain if key not in OUTCOME}
    at = from_plain(fields.pop("at", None), Moment, '"at"')
    if "seal" in fields:
        sealed: _Seal = from_plain(fields, _Seal)
        right = {} if sealed.right is None else {"right": sealed.right}
        given = Sealed(at, sealed.side, {"do": sealed.seal, "side": sealed.side.value, **right})
        return given.whole(secret) if secret else given
    for key, (form, make) in _LINES.items():
        if key in fields:
            return make(at, from_plain(fields, form), shown)
    for kind, (key, attribute) in _KEYS.items():
        if key in fields:
            fields[attribute or key] = fields.pop(key)
            if attribute is None and fields.pop(key) is not True:
                raise MalformedError(f'"{key}" must be true; found another value')
            return _input(at, kind, fields)
    raise MalformedError("a line must have an input; none was found")


def _input(at: float, kind: type, fields: Mapping[str, Any]) -> inputs.Input:
    if kind in get_args(inputs.Command):
        command: Any = from_plain(fields, kind)
        return inputs.CommandInput(at, command)
    given: inputs.Input = from_plain({"at": at, **fields}, kind)
    return given


def _board(at: float, line: "_Board", shown: Image) -> inputs.BoardSeen:
    sets = {
        Sensed.RED: shown.red,
        Sensed.BLUE: shown.blue,
        Sensed.UNKNOWN: shown.unknown,
        Sensed.EMPTY: 0,
    }
    for where, now in line.board.items():
        bit = 1 << where
        sets = {
            seen: squares & ~bit | (bit if seen is now else 0) for seen, squares in sets.items()
        }
    image = Image(sets[Sensed.RED], sets[Sensed.BLUE], sets[Sensed.UNKNOWN])
    return inputs.BoardSeen(at, image, tuple(line.moments.items()), line.faint)


# The first field of a line identifies the type of input.

Moment: TypeAlias = Annotated[
    float, checked(float, lambda at: abs(at) <= _LATEST, "a time in seconds, by any clock")
]
OUTCOME: Final = frozenset({"actions", "events", "sum", "sealed"})
"""Fields of a line that are not part of its input."""


@dataclass(frozen=True)
class _Seal:
    seal: Annotated[str, one_of("declare", "insist", "answer-guess", "prove-army")]
    side: Side
    right: Annotated[str | None, Named(omits_default=True)] = None


@dataclass(frozen=True)
class _Board(FrameDetails):
    board: Mapping[Square, Sensed] = field(kw_only=True)
    """The squares that have changed."""


@dataclass(frozen=True)
class _FaultReported:
    complains: Square | None
    dying: Annotated[bool, Named(omits_default=True)] = False


_COMMANDS: Final[Mapping[type[inputs.Ready | inputs.OfferDraw | inputs.OfferUndo], str]] = {
    inputs.Ready: "ready",
    inputs.OfferDraw: "draw",
    inputs.OfferUndo: "take-back",
}
_COMMAND_NAME: Final = Annotated[str, one_of(*_COMMANDS.values())]
_COMMAND_KINDS: Final = {word: kind for kind, word in _COMMANDS.items()}
_LINES: Final[Mapping[str, tuple[type, Callable[[float, Any, Image], inputs.Input]]]] = {
    "board": (_Board, _board),
    "found": (
        fields_of(found=Colours),
        lambda at, line, _: inputs.BoardFound(at, sees_colours=line.found.colours),
    ),
    "complains": (
        _FaultReported,
        lambda at, line, _: inputs.BoardFaultReported(at, line.complains, is_dying=line.dying),
    ),
    "feels": (
        fields_of(feels=Places),
        lambda at, line, _: inputs.PieceLocated(at, line.feels.red, line.feels.blue),
    ),
    "say": (
        fields_of(say=_COMMAND_NAME, side=Side),
        lambda at, line, _: inputs.CommandInput(at, _COMMAND_KINDS[line.say](line.side)),
    ),
    "pause": (
        fields_of(pause=bool),
        lambda at, line, _: inputs.CommandInput(
            at, inputs.Pause() if line.pause else inputs.Resume()
        ),
    ),
    "do": (
        fields_of(do=Mapping[str, str]),
        lambda at, line, _: inputs.CommandInput(at, read_action(line.do)),
    ),
}
_KEYS: Final[Mapping[type, tuple[str, str | None]]] = {
    inputs.BoardLost: ("lost", None),
    inputs.TimePassed: ("time", None),
    inputs.NoAttack: ("no-attack", None),
    inputs.RevealDismissed: ("read", None),
    inputs.GameReviewed: ("reviewed", None),
    inputs.AnswerCall: ("answer-call", None),
    inputs.AttackerNamed: ("attacker", "side"),
    inputs.ExplanationChosen: ("choose", "number"),
    inputs.BoardClaimed: ("believe", "side"),
    inputs.RanksSeen: ("ranks-seen", "ranks"),
    inputs.MoveDecided: ("decides", "source"),
    inputs.PiecesAwaited: ("awaits", "squares"),
    inputs.ArmySealed: ("pledge", "commitment"),
    inputs.IgnoreSquare: ("doubt", "square"),
    inputs.AdjustClock: ("give-time", "seconds"),
    inputs.CallArbiter: ("call-arbiter", "side"),
    inputs.WithdrawCall: ("withdraw-call", "side"),
}
"""Inputs whose fields are written directly. The first field is named after the input."""


_DIGITS: Final = 16


class StepHash:
    """Running hash of all inputs and outcomes, covering every bit of every timestamp."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def take(self, given: inputs.Input, step: Step, due: float | None) -> None:
        """Add an input and the public part of its outcome."""
        outcome = [
            _write_given(given),
            due,
            write_clock(step.clock),
            to_plain(step.saved),
            write_actions(step),
            write_public(step.events),
        ]
        self._hash.update(json.dumps(outcome, sort_keys=True).encode())

    def __str__(self) -> str:
        return self._hash.hexdigest()[:_DIGITS]


def _write_given(given: inputs.Input) -> Any:
    """Encode the public part of an input. Frames are frequent, so they are encoded as numbers."""
    if isinstance(given, inputs.BoardSeen):
        squares = given.at, given.image.red, given.image.blue, given.image.unknown
        finer = write_details(given.moments, given.faint)
        return (*squares, finer) if finer else squares
    return encode_input(given, Image())


def write_actions(step: Step) -> list[dict[str, Any]]:
    """Encode the public part of the accepted actions."""
    return [write_accepted(action) for action in step.actions]


def write_public(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    return [write_event(event) for event in events if not isinstance(event, Private)]


def write_private(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    return [write_event(event) for event in events if isinstance(event, Private)]
