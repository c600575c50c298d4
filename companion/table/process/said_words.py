"""The commands: the fields that each has, and the input that it makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.table.inputs import (
    AttackerNamed,
    BoardBelieved,
    CourseChosen,
    Input,
    NoAttack,
    RevealRead,
    Said,
    TimePassed,
)
from companion.table.process import said_fields as field
from companion.table.process.malformed import MalformedLineError
from companion.table.process.said_fields import Field, Values, read_fields
from companion.table.sayings import (
    AnswerCall,
    CallArbiter,
    Doubt,
    GiveTime,
    GoOn,
    OfferDraw,
    OfferTakeBack,
    Pause,
    Ready,
    Saying,
    WithdrawCall,
)
from companion.table.table import Table
from engine.board.visibility import Secret
from engine.game.actions import (
    Action,
    AnswerCannotMove,
    AnswerGuess,
    Attack,
    CannotMove,
    Correct,
    Declare,
    Exchanged,
    Forfeit,
    FreeTouched,
    Infiltrate,
    Insist,
    Mistake,
    Move,
    NoLongMove,
    Override,
    Resign,
    SettleDispute,
    WrongRank,
)

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
    return Word(fields, lambda at, values, _: Said(at, make(*values.values())))


def _sealed(make: Callable[[Secret[Any]], Action]) -> Word:
    """Describe a command with a rank that only the referee may know."""
    return Word(
        (field.SIDE, field.RANK),
        lambda at, values, _: Said(at, make(Secret(values["side"], values["rank"]))),
    )


def _free_touched(at: float, values: Values, table: Table) -> Input:
    is_owner = values["side"] is table.referee.to_move
    return Said(at, FreeTouched()) if is_owner else TimePassed(at)


def _let_stand(at: float, _: Values, table: Table) -> Input:
    if table.state.refused is None:
        return TimePassed(at)
    return Said(at, Override(table.state.refused.source, table.state.refused.target))


def _correcting(make: Callable[..., Mistake], pieces: int, *fields: Field) -> Word:
    """Describe a mistake about the pieces on the first of the squares."""

    def correct(at: float, values: Values, table: Table) -> Input:
        board, given = table.view.board, list(values.values())
        if not all(board.side_at(square) for square in given[:pieces]):
            return TimePassed(at)
        return Said(at, Correct(make(*map(board.piece_at, given[:pieces]), *given[pieces:])))

    return Word(fields, correct)


WORDS: Final[Mapping[str, Word]] = {
    "ready": _saying(Ready, field.SIDE),
    "declare": _sealed(Declare),
    "insist": _sealed(Insist),
    "attack": _saying(Attack, field.SOURCE, field.TARGET),
    "move": _saying(Move, field.SOURCE, field.TARGET),
    "no-attack": Word((), lambda at, *_: NoAttack(at)),
    "attacker": Word((field.SIDE,), lambda at, values, _: AttackerNamed(at, values["side"])),
    "read": Word((), lambda at, *_: RevealRead(at)),
    "take-back": _saying(OfferTakeBack, field.SIDE),
    "accept-board": Word(
        (field.SIDE, field.TO_MOVE),
        lambda at, values, _: BoardBelieved(at, values["side"], values["to_move"]),
    ),
    "agree": _saying(OfferDraw, field.SIDE),
    "resign": _saying(Resign, field.SIDE),
    "cannot-move": _saying(CannotMove),
    "touched-cannot-move": Word((field.SIDE,), _free_touched),
    "answer-cannot-move": _saying(AnswerCannotMove, field.ABLE),
    "let-stand": Word((), _let_stand),
    "infiltrate": _saying(Infiltrate, field.SOURCE, field.TARGET, field.RANK),
    "answer-guess": _saying(AnswerGuess, field.RIGHT),
    "settle": _saying(SettleDispute, field.ACCEPTED),
    "forfeit": _saying(Forfeit, field.SIDE_OR_BOTH),
    "doubt": _saying(Doubt, field.SQUARE, field.DOUBTED),
    "pause": _saying(Pause),
    "go-on": _saying(GoOn),
    "give-time": _saying(GiveTime, field.SIDE, field.SECONDS),
    "call-arbiter": _saying(CallArbiter, field.SIDE_OR_BOTH),
    "withdraw-call": _saying(WithdrawCall, field.SIDE_OR_BOTH),
    "answer-call": _saying(AnswerCall),
    "choose": Word((field.ANSWER,), lambda at, values, _: CourseChosen(at, values["answer"])),
}
"""All commands but `correct`, which has other fields for every mistake."""
MISTAKES: Final[Mapping[str, Word]] = {
    "wrong-rank": _correcting(WrongRank, 1, field.SQUARE, field.RANK),
    "exchanged": _correcting(Exchanged, 2, field.SQUARE, field.OTHER),
    "no-long-move": _correcting(NoLongMove, 1, field.SQUARE),
}
"""The mistakes that can be corrected, by the name under `mistake`."""
NAMES: Final = (*WORDS, "correct")
"""The names of all commands, as written under `what`."""
