"""The commands: the fields that each has, and the input that it makes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.core.inputs import (
    AdjustClock,
    AnswerCall,
    AttackerNamed,
    BoardAdopted,
    CallArbiter,
    CommandInput,
    CourseChosen,
    IgnoreSquare,
    Input,
    NoAttack,
    OfferDraw,
    OfferUndo,
    Pause,
    Ready,
    Resume,
    RevealDismissed,
    Saying,
    TimePassed,
    WithdrawCall,
)
from companion.core.table import Table
from companion.jsonl.fields import MalformedLineError, read_side_or_null
from engine.board.geometry import SQUARES, Side, name
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import (
    Action,
    AnswerGuess,
    AnswerStalemate,
    Attack,
    ClaimStalemate,
    Correct,
    Correction,
    Declare,
    Forfeit,
    FreeTouched,
    Infiltrate,
    Move,
    NotAScout,
    Override,
    RankCorrection,
    Resign,
    SettleDispute,
    SwapCorrection,
    UpholdDeclaration,
)
from engine.records.serialization import write_rank

# The fields of commands, each with its allowed values.

Values: TypeAlias = Mapping[str, Any]
"""The values of some fields, converted for the table: sides, ranks, squares, truth values."""


@dataclass(frozen=True)
class Field:
    """A field and the parser of its value, which raises ValueError if it is not allowed."""

    name: str
    read: Callable[[object], Any]
    allowed: str
    """The allowed values, as a text."""
    may_be_missing: bool = False
    """Whether it can be left out, which is the same as null."""


def read_fields(said: Mapping[str, Any], fields: Sequence[Field], word: str) -> Values:
    """Return the values of the fields of a command, which must be given, and no others."""
    allowed = dict.fromkeys(["what", "side", *(field.name for field in fields)])
    if not said.keys() <= allowed.keys():
        listed = ", ".join(f'"{field}"' for field in allowed)
        raise MalformedLineError(f'"{word}" has the fields {listed} and no others.')
    if not any(field.name == "side" for field in fields):
        _read_field(_ANYBODY, said, word)
    return {field.name: _read_field(field, said, word) for field in fields}


def _read_field(field: Field, said: Mapping[str, Any], word: str) -> Any:
    try:
        if field.name not in said and not field.may_be_missing:
            raise ValueError
        return field.read(said.get(field.name))
    except ValueError:
        raise MalformedLineError(f'"{field.name}" of "{word}" is {field.allowed}.') from None


def _one_of(values: Mapping[str, Any]) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        if not isinstance(value, str) or value not in values:
            raise ValueError
        return values[value]

    return read


def _read_yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _read_number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError
    return value


def _read_seconds(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError
    return value


def _squares(field: str) -> Field:
    return Field(field, _one_of(_SQUARES), "the name of a square, such as e4")


def _yes_or_no(field: str) -> Field:
    return Field(field, _read_yes_or_no, "true or false")


_SQUARES: Final = {name(square): square for square in SQUARES}
_RANKS: Final = {write_rank(rank): rank for rank in Rank}
_read_side: Final = _one_of({side.value: side for side in Side})
_ANYBODY: Final = Field("side", read_side_or_null, '"red", "blue" or null', may_be_missing=True)
"""The side that gives a command, where that makes no difference: it may be left out."""

SIDE: Final = Field("side", _read_side, '"red" or "blue"')
SIDE_OR_BOTH: Final = Field("side", read_side_or_null, '"red" or "blue", or null for both')
TO_MOVE: Final = Field("to_move", _read_side, '"red" or "blue"')
RANK: Final = Field("rank", _one_of(_RANKS), f"one of {', '.join(_RANKS)}")
SOURCE: Final = _squares("source")
TARGET: Final = _squares("target")
SQUARE: Final = _squares("square")
OTHER: Final = _squares("other")
ABLE: Final = _yes_or_no("able")
RIGHT: Final = _yes_or_no("right")
ACCEPTED: Final = _yes_or_no("accepted")
DOUBTED: Final = _yes_or_no("doubted")
ANSWER: Final = Field("answer", _read_number, "the number of an answer, counted from 0")
SECONDS: Final = Field("seconds", _read_seconds, "a whole number, less than 0 to take time")


_Maker: TypeAlias = Callable[[float, Values, Table], Input]


@dataclass(frozen=True)
class Word:
    """A command with its fields; `make` is called with the time, the values and the table."""

    fields: tuple[Field, ...]
    make: _Maker


def read_said(at: float, said: object, table: Table) -> Input:
    """Return the input of a command given at a time."""
    if not isinstance(said, Mapping):
        raise MalformedLineError('"say" is an object with "what" and the fields of that word.')
    called = said.get("what")
    if called == "correct":
        return _read_correction(at, said, table)
    word = WORDS.get(called) if isinstance(called, str) else None
    if word is None or not isinstance(called, str):
        raise MalformedLineError(f'"what" is one of {", ".join(NAMES)}.')
    return word.make(at, read_fields(said, word.fields, called), table)


def _read_correction(at: float, said: Mapping[str, Any], table: Table) -> Input:
    mistake = said.get("mistake")
    word = MISTAKES.get(mistake) if isinstance(mistake, str) else None
    if word is None:
        raise MalformedLineError(f'"mistake" of "correct" is one of {", ".join(MISTAKES)}.')
    rest = {name: value for name, value in said.items() if name != "mistake"}
    return word.make(at, read_fields(rest, word.fields, "correct"), table)


def _saying(make: Callable[..., Action | Saying], *fields: Field) -> Word:
    """Describe a command that is passed to the table unchanged."""
    return Word(fields, lambda at, values, _: CommandInput(at, make(*values.values())))


def _sealed(make: Callable[[Secret[Any]], Action]) -> Word:
    """Describe a command with a rank that only the referee may know."""
    return Word(
        (SIDE, RANK),
        lambda at, values, _: CommandInput(at, make(Secret(values["side"], values["rank"]))),
    )


def _free_touched(at: float, values: Values, table: Table) -> Input:
    is_owner = values["side"] is table.referee.to_move
    return CommandInput(at, FreeTouched()) if is_owner else TimePassed(at)


def _let_stand(at: float, _: Values, table: Table) -> Input:
    if table.state.refused is None:
        return TimePassed(at)
    return CommandInput(at, Override(table.state.refused.source, table.state.refused.target))


def _correcting(make: Callable[..., Correction], pieces: int, *fields: Field) -> Word:
    """Describe a mistake about the pieces on the first of the squares."""

    def correct(at: float, values: Values, table: Table) -> Input:
        board, given = table.view.board, list(values.values())
        if not all(board.side_at(square) for square in given[:pieces]):
            return TimePassed(at)
        return CommandInput(
            at, Correct(make(*map(board.piece_at, given[:pieces]), *given[pieces:]))
        )

    return Word(fields, correct)


WORDS: Final[Mapping[str, Word]] = {
    "ready": _saying(Ready, SIDE),
    "declare": _sealed(Declare),
    "insist": _sealed(UpholdDeclaration),
    "attack": _saying(Attack, SOURCE, TARGET),
    "move": _saying(Move, SOURCE, TARGET),
    "no-attack": Word((), lambda at, *_: NoAttack(at)),
    "attacker": Word((SIDE,), lambda at, values, _: AttackerNamed(at, values["side"])),
    "read": Word((), lambda at, *_: RevealDismissed(at)),
    "take-back": _saying(OfferUndo, SIDE),
    "accept-board": Word(
        (SIDE, TO_MOVE),
        lambda at, values, _: BoardAdopted(at, values["side"], values["to_move"]),
    ),
    "agree": _saying(OfferDraw, SIDE),
    "resign": _saying(Resign, SIDE),
    "cannot-move": _saying(ClaimStalemate),
    "touched-cannot-move": Word((SIDE,), _free_touched),
    "answer-cannot-move": _saying(AnswerStalemate, ABLE),
    "let-stand": Word((), _let_stand),
    "infiltrate": _saying(Infiltrate, SOURCE, TARGET, RANK),
    "answer-guess": _saying(AnswerGuess, RIGHT),
    "settle": _saying(SettleDispute, ACCEPTED),
    "forfeit": _saying(Forfeit, SIDE_OR_BOTH),
    "doubt": _saying(IgnoreSquare, SQUARE, DOUBTED),
    "pause": _saying(Pause),
    "go-on": _saying(Resume),
    "give-time": _saying(AdjustClock, SIDE, SECONDS),
    "call-arbiter": _saying(CallArbiter, SIDE_OR_BOTH),
    "withdraw-call": _saying(WithdrawCall, SIDE_OR_BOTH),
    "answer-call": _saying(AnswerCall),
    "choose": Word((ANSWER,), lambda at, values, _: CourseChosen(at, values["answer"])),
}
"""All commands but `correct`, which has other fields for every mistake."""
MISTAKES: Final[Mapping[str, Word]] = {
    "wrong-rank": _correcting(RankCorrection, 1, SQUARE, RANK),
    "exchanged": _correcting(SwapCorrection, 2, SQUARE, OTHER),
    "no-long-move": _correcting(NotAScout, 1, SQUARE),
}
"""The mistakes that can be corrected, by the name under `mistake`."""
NAMES: Final = (*WORDS, "correct")
"""The names of all commands, as written under `what`."""
