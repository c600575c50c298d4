"""Codec between typed values and the plain data used in JSON.

The type of a value fully determines its format:

- A dataclass becomes an object with all its fields. `Named` renames a field, or omits the field if
  it has its default value.
- A dataclass in a union with a `Tag` gets an additional field with its `published_name`.
- An enum member becomes its value if that value is a string. Otherwise it becomes its name in lower
  case with hyphens.
- A `Square` becomes its name, a `SquareSet` a list of names, and an `Image` 100 tokens.
- A tuple becomes a list, and a `Mapping` an object.
- A `Secret` is written as sealed and can never be decoded.
- A type with a `Form` is written and read by the form's functions.

Nothing is converted silently: "3" is not a number, 1 is not true, and an unknown field is an error.
Error messages name known fields but never quote contents, because even a mistyped rank is secret.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, make_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, TypeAlias, TypeVar, Union, get_args, get_origin

from cattrs import (
    AttributeValidationNote,
    BaseValidationError,
    Converter,
    ForbiddenExtraKeysError,
    IterableValidationNote,
    cols,
    gen,
)

from engine.board.geometry import SQUARES, Square, name, set_of, square, squares_in
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.deduction.commitment import ArmyCommitment
from engine.game.actions import Correction
from engine.game.clocks import ClockState, TimeControl
from engine.records import serialization
from engine.rules.editions import Edition
from firmware_bridge.image import Image

_T = TypeVar("_T")
_Hook: TypeAlias = Callable[[Any, Any], Any]
_Writer: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True)
class Named:
    """Field annotation: the name in plain data, and whether the default value is omitted."""

    name: str = ""
    """Name in plain data, or an empty string to use the attribute's name."""
    omits_default: bool = False


@dataclass(frozen=True)
class Unsaved:
    """Annotation for a field that is omitted from plain data and decoded as its default value."""


@dataclass(frozen=True)
class Tag:
    """Annotation for a union of dataclasses. It names the field that identifies the class."""

    field: str


@dataclass(frozen=True)
class Form:
    """Annotation for a value that has its own encoding and decoding functions."""

    one: str
    """Describes one allowed value, to complete “must be …”."""
    many: str
    """Describes several allowed values, to complete “a list of …”."""
    read: Callable[[Any], Any]
    """Converts a plain value to the typed value. Raises ValueError or KeyError if the value is not
    allowed."""
    write: Callable[[Any], Any] = lambda value: value
    """Converts the typed value to a plain value."""
    plain: Any = str
    """Type of the plain value, which is checked before `read` is called."""


def checked(kind: Any, is_allowed: Callable[[Any], object], one: str, many: str = "values") -> Form:
    """Describe how to decode values of type `kind` that satisfy `is_allowed`."""

    def read(value: Any) -> Any:
        if not is_allowed(value):
            raise ValueError
        return value

    return Form(one, many, read, plain=kind)


def limited(least: int, most: int) -> Form:
    """Describe how to decode an integer between two limits, both inclusive."""
    return checked(int, lambda n: least <= n <= most, f"a whole number from {least} to {most}")


def matching(pattern: str, one: str) -> Form:
    """Describe how to decode a string that matches a pattern. Character classes are ASCII-only."""
    return checked(str, re.compile(pattern, re.ASCII).fullmatch, one)


def one_of(*texts: str) -> Form:
    return _one_of({text: text for text in texts}, "strings")


def fields_of(**types: Any) -> type:
    """Return a dataclass with the given fields, for an object that is only used for decoding."""
    return make_dataclass("Fields", types.items(), frozen=True)


def to_plain(value: Any, kind: Any = None) -> Any:
    """Encode a value as plain data.

    Pass its type as `kind` if its class alone does not determine the format.
    """
    return _CONVERTER.unstructure(value, kind)


def from_plain(plain: object, kind: Any, what: str = "") -> Any:
    """Decode plain data as written by `to_plain`.

    `what` names the data as a whole, such as ``the settings``, for the error message. Raise
    MalformedError if the data is malformed.
    """
    try:
        return _CONVERTER.structure(plain, kind)
    except (BaseValidationError, _RefusedError) as error:
        raise MalformedError(_sentence(error, kind, what)) from None


class MalformedError(ValueError):
    """Malformed plain data.

    The message is a single sentence that states the location, the expected value and what was
    found. It never quotes the contents.
    """


class _RefusedError(Exception):
    """A value is not allowed by its type. `found` describes the value without quoting it."""

    def __init__(self, found: str, field: str = "", one: str = "") -> None:
        """Reject a value, or its field `field`. `one` describes the allowed values."""
        super().__init__(found)
        self.found, self.field, self.one = found, field, one


def _sentence(error: Exception, kind: Any, what: str) -> str:
    """Describe the first error: its location, the expected value and what was found."""
    place = one = ""
    found = "values that do not fit together"
    while isinstance(error, BaseValidationError):
        error = error.exceptions[0]
        for note in getattr(error, "__notes__", ()):
            if isinstance(note, AttributeValidationNote):
                kind, place = note.type, f"{place}.{_wire_name(note.type) or note.name}"
            elif isinstance(note, IterableValidationNote):
                if note.startswith("Structuring mapping key"):
                    error = _RefusedError("another key")
                    break  # a wrong key is not quoted
                is_known = note.index in _SQUARE_NAMES  # other keys may contain anything
                key = note.index if is_known else "*"
                place += f"[{note.index}]" if isinstance(note.index, int) else f".{key}"
                kind = note.type
    if isinstance(error, _RefusedError):
        place, one, found = place + error.field, error.one, error.found
    elif isinstance(error, ForbiddenExtraKeysError):
        names = ", ".join(f'"{each}"' for each in field_names(error.cl))
        one, found = f"an object of {names or 'no fields'} and no others", "another field"
    one = one or _expected(kind)
    place = f'"{place.removeprefix(".")}"' if place else ""
    where = " of ".join(filter(None, (place, what))) or "this"
    return f"{where} must be {one}; found {found}"


def _found(plain: object) -> str:
    match plain:
        case None:
            return "null"
        case bool():
            return "true" if plain else "false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
    return "an object" if isinstance(plain, Mapping) else "a list"


def _expected(kind: Any, *, many: bool = False) -> str:
    if form := _form(kind):
        return form.many if many else form.one
    bare = _bare(kind)
    if bare in _SCALARS:
        return _SCALARS[bare][many]
    inner = get_args(bare)
    match get_origin(bare):
        case origin if origin in (Union, UnionType):
            parts = {_expected(each, many=many) for each in inner if each is not NoneType}
            return " or ".join((*sorted(parts), *(["null"] if NoneType in inner else [])))
        case origin if origin is tuple:
            each = _expected(inner[0], many=True) if inner[1:] == (...,) else f"{len(inner)} values"
            return "lists" if many else f"a list of {each}"
        case origin if origin is Mapping and Any not in inner and not many:
            keys, values = (_expected(each, many=True) for each in inner)
            return f"an object of {keys} and {values}"
    return "objects" if many else "an object"


_SCALARS: Final = {
    str: ("a string", "strings"),
    bool: ("true or false", "truth values"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
}
_SQUARE_NAMES: Final = frozenset(map(name, SQUARES))
_LARGEST: Final = 2.0**1023
"""Upper limit (exclusive) for numbers. Any smaller integer can be converted to a float."""


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _mark(kind: Any, marker: type[_T]) -> _T | None:
    """Return a type's annotation of class `marker`, if any."""
    marks = getattr(kind, "__metadata__", ())
    return next((mark for mark in marks if isinstance(mark, marker)), None)


def _wire_name(kind: Any) -> str:
    mark = _mark(kind, Named)
    return mark.name if mark else ""


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields, including their annotations."""
    types = serialization.field_types(kind)
    return {name: types[name] for name in types if not _mark(types[name], Unsaved)}


@cache
def field_names(kind: Any) -> list[str]:
    """Return the names of a dataclass's fields in plain data."""
    return [_wire_name(hint) or name for name, hint in _hints(kind).items()]


def _one_of(members: Mapping[str, Any], many: str) -> Form:
    """Describe how to encode and decode values that are represented by their names."""
    names = {member: text for text, member in members.items()}
    return Form(f"one of {', '.join(members)}", many, members.__getitem__, names.__getitem__)


def _enum_form(kind: type[Enum]) -> Form:
    def text(member: Enum) -> str:
        is_text = isinstance(member.value, str)
        return member.value if is_text else member.name.lower().replace("_", "-")

    return _one_of({text(member): member for member in kind}, f"values of {kind.__name__}")


_OBJECT: Final = Mapping[str, Any]
_FORMS: Final[dict[Any, Form]] = {
    "square": Form("the name of a square", "squares", square, name),
    "squares": Form("a list of squares", "lists", set_of, squares_in, tuple[Square, ...]),
    Rank: _one_of({rank.name.lower(): rank for rank in Rank}, "ranks"),
    Image: Form(
        'a string of 100 characters, each one of ". r b ?", row 10 first',
        "boards",
        Image.of_tokens,
        lambda image: image.tokens,
    ),
    ArmyCommitment: Form(
        "an object of squares and their commitments",
        "commitments of armies",
        ArmyCommitment,
        lambda army: army.commitments,
        Mapping[Square, str],
    ),
    Edition: Form(
        "an edition",
        "editions",
        serialization.read_edition,
        serialization.write_edition,
        _OBJECT,
    ),
    TimeControl: Form(
        "a time control",
        "time controls",
        serialization.read_control,
        serialization.write_control,
        _OBJECT,
    ),
    ClockState: Form(
        "a clock", "clocks", serialization.read_clock, serialization.write_clock, _OBJECT
    ),
}
"""Descriptions of how to encode and decode each class, keyed by class. For an integer type, the key
is the string with which the engine annotates this type."""
_TAGS: Final[Mapping[Any, str]] = {Correction: "mistake"}
"""The engine's unions, each with the field that identifies the class."""


def _form(kind: Any) -> Form | None:
    """Return the form of a type, as determined by its annotation or its class."""
    for mark in (*reversed(getattr(kind, "__metadata__", ())), kind):
        if isinstance(mark, Form):
            return mark
        if isinstance(mark, type) and issubclass(mark, Enum) and mark not in _FORMS:
            _FORMS[mark] = _enum_form(mark)
        if isinstance(mark, str | type) and mark in _FORMS:
            return _FORMS[mark]
    return None


# Each hook of the converter first checks the type of the plain data. Without this check, cattrs
# would silently convert other types.


def _checked(kind: type, inner: _Hook) -> _Hook:
    """Return a hook that accepts only plain data of type `kind`."""

    def hook(plain: Any, target: Any) -> Any:
        if type(plain) is not kind:
            raise _RefusedError(_found(plain))
        return inner(plain, target)

    return hook


def _read_number(plain: Any, _: Any) -> Any:
    if type(plain) not in (int, float):
        raise _RefusedError(_found(plain))
    if not abs(plain) < _LARGEST:
        raise _RefusedError("another number")
    return plain


def _read_form(kind: Any) -> _Hook:
    form: Any = _form(kind)
    check, read, plain_kind = _CONVERTER.get_structure_hook(form.plain), form.read, form.plain

    def hook(plain: Any, _: Any) -> Any:
        checked = check(plain, plain_kind)
        try:
            return read(checked)
        except (ValueError, LookupError):
            raise _RefusedError(f"another {_found(plain).split()[-1]}") from None

    return hook


def _write_form(kind: Any) -> _Writer:
    form: Any = _form(kind)
    write: _Writer = form.write
    if form.plain in _SCALARS:
        return write
    further = _CONVERTER.get_unstructure_hook(form.plain)
    return lambda value: further(write(value))


def _tag_field(kind: Any) -> str:
    tag = _mark(kind, Tag)
    return tag.field if tag else _TAGS.get(kind, "")


def _read_tagged(kind: Any) -> _Hook:
    field, union = _tag_field(kind), _bare(kind)
    kinds = {serialization.published_name(each): each for each in get_args(union) or (union,)}
    hooks = {tag: _CONVERTER.get_structure_hook(each) for tag, each in kinds.items()}

    def hook(plain: Any, _: Any) -> Any:
        rest = dict(plain)
        tag = rest.pop(field, ...)
        if not isinstance(tag, str) or tag not in kinds:
            found = "nothing" if tag is ... else _found(tag).replace("a string", "another string")
            raise _RefusedError(found, f".{field}", f"one of {', '.join(kinds)}")
        return hooks[tag](rest, kinds[tag])

    return _checked(dict, hook)


def _write_tagged(kind: Any) -> _Writer:
    field, name_of = _tag_field(kind), serialization.published_name
    return lambda value: {field: name_of(type(value)), **_CONVERTER.unstructure(value)}


def _overrides(kind: type) -> dict[str, Any]:
    hints = _hints(kind)
    marks = {each.name: _mark(hints.get(each.name), Named) for each in fields(kind)}
    return {
        name: gen.override(
            rename=mark.name or None if mark else None,
            omit_if_default=mark.omits_default if mark else None,
            omit=name not in hints,
        )
        for name, mark in marks.items()
    }


def _read_fields(kind: Any) -> _Hook:
    read = gen.make_dict_structure_fn(kind, _CONVERTER, **_overrides(kind))
    required = {
        _wire_name(hint) or name: hint
        for name, hint in _hints(kind).items()
        if not (mark := _mark(hint, Named)) or not mark.omits_default
    }

    def hook(plain: Any, _: Any) -> Any:
        for field, hint in required.items():
            if field not in plain:
                raise _RefusedError("nothing", f".{field}", _expected(hint))
        return read(plain, kind)

    return _checked(dict, hook)


def _write_list(kind: Any) -> _Writer:
    write = _CONVERTER.get_unstructure_hook(get_args(kind)[0])
    return lambda values: [write(each) for each in values]


def _origin(kind: Any) -> Any:
    """Return a type's generic class, which is `list` for tuples of variable length."""
    if get_origin(kind) is tuple and get_args(kind)[1:] == (...,):
        return list
    return get_origin(kind)


_CONVERTER: Final = Converter(forbid_extra_keys=True)
for _scalar in (str, bool, int):
    _CONVERTER.register_structure_hook(_scalar, _checked(_scalar, lambda plain, _: plain))
_CONVERTER.register_structure_hook(float, _read_number)
_CONVERTER.register_structure_hook(Rank, _read_form(Rank))
_CONVERTER.register_unstructure_hook(Rank, _FORMS[Rank].write)
_CONVERTER.register_unstructure_hook_func(
    lambda kind: _origin(kind) is Secret, lambda _: {"sealed": True}
)
_HOOKS: Final[
    Sequence[tuple[Callable[[Any], bool], Callable[[Any], _Hook], Callable[[Any], _Writer]]]
] = (
    (
        is_dataclass,
        _read_fields,
        lambda kind: gen.make_dict_unstructure_fn(kind, _CONVERTER, **_overrides(kind)),
    ),
    (
        lambda kind: _origin(kind) is list,
        lambda kind: _checked(list, cols.homogenous_tuple_structure_factory(kind, _CONVERTER)),
        _write_list,
    ),
    (
        lambda kind: _origin(kind) is tuple,
        lambda kind: _checked(list, gen.make_hetero_tuple_structure_fn(kind, _CONVERTER)),
        lambda kind: gen.make_hetero_tuple_unstructure_fn(kind, _CONVERTER, list),
    ),
    (
        lambda kind: _origin(kind) is Mapping,
        lambda kind: _checked(dict, gen.mapping_structure_factory(kind, _CONVERTER)),
        lambda kind: gen.mapping_unstructure_factory(kind, _CONVERTER, dict),
    ),
    (lambda kind: _form(kind) is not None, _read_form, _write_form),
    (lambda kind: bool(_tag_field(kind)), _read_tagged, _write_tagged),
)
for _takes, _reader, _writer in _HOOKS:
    _CONVERTER.register_structure_hook_factory(_takes, _reader)
    _CONVERTER.register_unstructure_hook_factory(_takes, _writer)
