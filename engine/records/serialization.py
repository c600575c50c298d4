"""Converts actions to plain data (strings and numbers) and back, for journals and files.

An action becomes an object whose values are strings. The type of each field determines how the
field is encoded. `_PARTS` holds the encoding of each type.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields, replace
from functools import cache
from typing import Any, Final, TypeAlias, get_args, get_type_hints

from engine.board.board import Piece
from engine.board.geometry import Side, Square, SquareSet, name, names, set_of, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.game.actions import Action, Correction, Relocation
from engine.game.clocks import ClockState, Limit, TimeControl
from engine.rules.editions import EDITIONS, Edition, Handicap, MovedBombPenalty

Plain: TypeAlias = dict[str, str]


def write_action(action: Action) -> Plain:
    """Return an action as plain data. Keep the data secret, because it includes secret values."""
    return {"do": _NAMES[type(action)], **_write_fields(action)}


def read_action(plain: Mapping[str, Any]) -> Action:
    """Return the action encoded by `write_action`. Raises ValueError if it is malformed.

    The message quotes no value, because a value may be a declared rank.
    """
    for key, value in plain.items():
        if not isinstance(value, str):
            raise ValueError(f'"{key}" of an action must be a string; found another value')
    called = plain.get("do", "")
    if called not in ACTIONS:
        raise ValueError(f"no action is called {called!r}")
    action: Action = _read_fields(ACTIONS[called], plain, called)
    return action


def published_name(kind: type) -> str:
    """Return the name under which records store a class: ``take-back`` for `TakeBack`.

    A renamed class keeps its published name as `wire_name`.
    """
    if "wire_name" in vars(kind):
        return str(vars(kind)["wire_name"])
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


ACTIONS: Final[Mapping[str, type[Any]]] = {published_name(kind): kind for kind in get_args(Action)}
"""All actions by name, as written under `do`."""
_NAMES: Final = {kind: name for name, kind in ACTIONS.items()}
_MISTAKES: Final = {published_name(kind): kind for kind in get_args(Correction)}


def write_rank(rank: Rank) -> str:
    return rank.name.lower()


def read_rank(name: str) -> Rank:
    """Return the rank with this name. Raises KeyError if there is no such rank."""
    return Rank[name.upper()]


# A field's type determines how it is written. A field with its default value is omitted.


class _RefusedError(ValueError):
    """A field is invalid. The message gives its place, the expected value and the value found."""


@dataclass(frozen=True)
class _Part:
    """Encodes the fields of one type, usually as one string under the field's name."""

    one: str
    """Description of an allowed value, to complete the message “must be …”."""
    write: Callable[[str, Any], Plain]
    read: Callable[[str, Mapping[str, str]], Any]
    """Parser. Raises ValueError or KeyError if the value is not allowed or missing."""
    place: str = ""
    """Key of the first string, if a value is written as several strings. Empty if it is written as
    one string under the field's name. This string may be absent if the field has a default."""


def _text(one: str, write: Callable[[Any], str], read: Callable[[str], Any]) -> _Part:
    return _Part(
        one,
        lambda key, value: {key: write(value)},
        lambda key, p: read(p[key]),
    )


def _by_square(one: str, write: Callable[[Any], str], read: Callable[[str], Any]) -> _Part:
    """Return the encoding of values by square, such as ``a1:flag b1:bomb``."""

    def read_all(text: str) -> dict[Square, Any]:
        parts = (each.partition(":") for each in text.split())
        return {square(at): read(value) for at, _, value in parts}

    def write_all(values: Mapping[Square, Any]) -> str:
        return " ".join(f"{name(at)}:{write(value)}" for at, value in sorted(values.items()))

    return _text(one, write_all, read_all)


def _squares(text: str) -> SquareSet:
    return set_of(map(square, text.split()))


def _opening(text: str) -> Opening:
    rank, salt = text.split(":")
    return Opening(read_rank(rank), salt)


def _relocation(text: str) -> Relocation:
    source, target = text.split("-")
    return Relocation(square(source), square(target))


def _write_pledges(_: str, commitments: Mapping[Side, ArmyCommitment]) -> Plain:
    """Write the commitments of each side, sorted by square."""
    return {
        f"{side.value}_sealed": " ".join(each for _, each in sorted(commitment.commitments.items()))
        for side, commitment in commitments.items()
    }


def _read_pledges(_: str, plain: Mapping[str, str]) -> dict[Side, ArmyCommitment]:
    commitments = {}
    for side in Side:
        sealed = plain.get(f"{side.value}_sealed")
        if sealed is not None:
            squares = squares_in(_squares(plain[side.value]))
            commitments[side] = ArmyCommitment(dict(zip(squares, sealed.split(), strict=True)))
    return commitments


def _read_opening(_: str, plain: Mapping[str, str]) -> Secret[Opening] | None:
    if "salt" not in plain:
        return None
    return Secret(Side(plain["side"]), Opening(read_rank(plain["rank"]), plain["salt"]))


def _read_mistake(_: str, plain: Mapping[str, str]) -> Correction:
    mistake: Correction = _read_fields(_MISTAKES[plain["mistake"]], plain, plain["mistake"])
    return mistake


_PARTS: Final[Mapping[Any, _Part]] = {
    Square: _text("the name of a square", name, square),
    SquareSet: _text("names of squares", names, _squares),
    Rank: _text("the name of a rank", write_rank, read_rank),
    bool: _text(
        "yes or no", lambda yes: "yes" if yes else "no", {"yes": True, "no": False}.__getitem__
    ),
    Side: _text("red or blue", lambda side: side.value, Side),
    Side | None: _text(
        "red, blue or both",
        lambda side: side.value if side else "both",
        lambda text: None if text == "both" else Side(text),
    ),
    tuple[Relocation, ...]: _text(
        "pairs of squares such as e5-e6",
        lambda shifted: " ".join(map(str, shifted)),
        lambda text: tuple(map(_relocation, text.split())),
    ),
    Mapping[Piece, Rank]: _by_square("ranks by square such as a1:flag", write_rank, read_rank),
    Mapping[Piece, Opening]: _by_square(
        "openings by square such as a1:flag:SALT",
        lambda opening: f"{write_rank(opening.rank)}:{opening.salt}",
        _opening,
    ),
    Mapping[Side, ArmyCommitment]: _Part(
        "commitments", _write_pledges, _read_pledges, "red_sealed"
    ),
    Secret[Rank]: _Part(
        "the name of a rank, beside a side",
        lambda _, rank: {"side": rank.owner.value, "rank": write_rank(rank.unseal())},
        lambda _, p: Secret(Side(p["side"]), read_rank(p["rank"])),
        "rank",
    ),
    Secret[str] | None: _Part(
        "a string",
        lambda key, salt: {key: salt.unseal()},
        lambda key, p: Secret(Side(p["side"]), p[key]) if key in p else None,
        "salt",
    ),
    Secret[Opening] | None: _Part(
        "a salt beside a rank and a side",
        lambda _, opening: {
            "side": opening.owner.value,
            "rank": write_rank(opening.unseal().rank),
            "salt": opening.unseal().salt,
        },
        _read_opening,
        "salt",
    ),
    Correction: _Part(
        f"one of {', '.join(_MISTAKES)}",
        lambda key, mistake: {key: mistake.wire_name, **_write_fields(mistake)},
        _read_mistake,
        "mistake",
    ),
}


@cache
def field_types(kind: Any) -> Mapping[str, Any]:
    """Return the types of a dataclass's fields, including their annotations."""
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: hints[each.name] for each in fields(kind)}


@cache
def _fields(kind: Any) -> list[tuple[str, Any, _Part]]:
    """Return the fields of a dataclass with their defaults and encodings."""
    types = field_types(kind)
    return [
        (
            each.name,
            each.default if each.default_factory is MISSING else each.default_factory(),
            _PARTS[types[each.name]],
        )
        for each in fields(kind)
    ]


def _write_fields(instance: Any) -> Plain:
    kind: Any = type(instance)
    plain: Plain = {}
    for key, default, part in _fields(kind):
        value = getattr(instance, key)
        if value != default:
            plain |= part.write(key, value)
    return plain


def _read_fields(kind: Any, plain: Mapping[str, str], called: str) -> Any:
    values = {}
    for key, default, part in _fields(kind):
        if not part.place and key not in plain and default is not MISSING:
            continue
        try:
            values[key] = part.read(key, plain)
        except _RefusedError:  # The correction's own field is malformed.
            raise
        except (KeyError, ValueError):
            place = part.place or key
            found = "another string" if place in plain else "nothing"
            where = f'"{place}" of "{called}"'
            raise _RefusedError(f"{where} must be {part.one}; found {found}") from None
    return kind(**values)


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
        # The published format has these keys only in games with sealed armies or a handicap.
        **({"sealed_armies": True} if edition.sealed_armies else {}),
        **({"handicap": str(edition.handicap)} if edition.handicap else {}),
    }


def read_edition(plain: Mapping[str, Any]) -> Edition:
    """Return the edition encoded by `write_edition`. Raises ValueError if it is malformed."""
    called = plain.get("id")
    known = EDITIONS.get(called) if isinstance(called, str) else None
    if known is None:
        raise ValueError(f"no edition is called {called!r}")
    chosen = {key: value for key, value in plain.items() if key not in ("id", "army")}
    for key, value in chosen.items():
        if key not in _CHOICES or type(value) is not _CHOICES[key]:
            raise ValueError(f"no edition allows {key!r} to be {value!r}")
    limit = chosen.pop("two_squares_limit", known.two_squares_limit)
    moved_bomb = MovedBombPenalty(chosen.pop("moved_bomb", known.moved_bomb.value))
    if "handicap" in chosen:
        chosen["handicap"] = Handicap.parse(chosen["handicap"])
    played = known.with_army(plain.get("army", known.army.name)).with_limit(limit)
    return replace(played.with_moved_bomb(moved_bomb), **chosen)


_CHOICES: Final = {
    "two_squares_limit": int,
    "moved_bomb": str,
    "silent_defence": bool,
    "aggressor_advantage": bool,
    "touch_move": bool,
    "sealed_armies": bool,
    "handicap": str,
}


def write_control(control: TimeControl) -> dict[str, Any]:
    """Return a time control as plain data, with times in seconds."""
    return {key: value for key, value in asdict(control).items() if key != "doubled"}


def read_control(plain: Mapping[str, Any]) -> TimeControl:
    """Return the time control encoded by `write_control`. Raises ValueError if it is malformed."""
    seconds = {key: value for key, value in plain.items() if key != "id"}
    known = {field.name for field in fields(TimeControl)} - {"doubled"}
    for key, value in plain.items():
        endless = value is None and key != "delay"
        if key not in known or not (key == "id" or endless or _is_duration(value)):
            raise ValueError(f"not a time control: {key!r} is {value!r}")
    return TimeControl(str(plain.get("id", "")), **seconds)


def write_clock(clock: ClockState) -> dict[str, Any]:
    """Return the state of a clock as plain data, with times in seconds."""
    return {
        "used": {limit.value: clock.used[limit] for limit in Limit},
        "running": clock.running.value if clock.running else None,
        "turn": clock.turn,
        "waiting": clock.waiting,
    }


def read_clock(plain: Mapping[str, Any]) -> ClockState:
    """Return the state encoded by `write_clock`. Raises ValueError if it is malformed."""
    try:
        used = {limit: plain["used"][limit.value] for limit in Limit}
        running = Limit(plain["running"]) if plain["running"] else None
        turn, waiting = plain["turn"], plain["waiting"]
    except (KeyError, TypeError) as wrong:
        raise ValueError(f"not a clock: {wrong} is missing") from None
    are_sides = map(
        _is_time, (used[Limit.RED], used[Limit.BLUE])
    )  # may be negative if time was added
    others = used[Limit.SETUP], used[Limit.WHOLE], turn, waiting or 0
    if not (all(are_sides) and all(map(_is_duration, others))):
        raise ValueError("the times on a clock must be numbers of seconds")
    return ClockState(used, running, turn, waiting)


def _is_duration(value: Any) -> bool:
    return _is_time(value) and value >= 0


def _is_time(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value)
