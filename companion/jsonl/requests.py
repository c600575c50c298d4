"""Parses lines into inputs of the table: frames of the board, and commands with their fields."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, TypeAlias

from companion import codec
from companion.core import inputs
from companion.core.table import Table
from engine.board.geometry import WIDTH, Side, Square, SquareSet
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from firmware_bridge.image import Image, PieceLocation

_Make: TypeAlias = Callable[[float, Any, Table], inputs.Input]


@dataclass(frozen=True)
class CommandForm:
    """A command: the dataclass of its fields, and the function that creates the input."""

    form: type
    make: _Make


def read_command(at: float, plain: Mapping[str, Any], table: Table) -> inputs.Input:
    """Return the input for a command given at time `at`.

    Raise MalformedError if the command is malformed.
    """
    rest = dict(plain)
    called, words, where = rest.pop("what", None), COMMANDS, '"what"'
    if called == "correct":
        called, words, where = rest.pop("mistake", None), MISTAKES, '"mistake" of "correct"'
    if not isinstance(called, str) or called not in words:
        listed = ", ".join(words if words is MISTAKES else NAMES)
        raise codec.MalformedError(f"{where} must be one of {listed}; found another value")
    word, where = words[called], f'"{plain["what"]}"'
    if "side" not in codec.field_names(word.form):
        codec.from_plain({"side": rest.pop("side", None)}, _ANYBODY, where)
    return word.make(at, codec.from_plain(rest, word.form, where), table)


def _command(kind: type, **fields: Any) -> CommandForm:
    """Describe a command that is passed to the table. `fields` renames its fields."""
    form = codec.fields_of(**fields) if fields else kind
    return CommandForm(
        form,
        lambda at, read, _: inputs.CommandInput(at, kind(*vars(read).values()) if fields else read),
    )


def _sealed(kind: Callable[[Secret[Any]], actions.Action]) -> CommandForm:
    """Describe a command with a rank that only the referee may know."""
    return CommandForm(
        codec.fields_of(side=Side, rank=Rank),
        lambda at, read, _: inputs.CommandInput(at, kind(Secret(read.side, read.rank))),
    )


def _free_touched(at: float, read: Any, table: Table) -> inputs.Input:
    is_owner = read.side is table.referee.to_move
    return inputs.CommandInput(at, actions.FreeTouched()) if is_owner else inputs.TimePassed(at)


def _let_stand(at: float, _: Any, table: Table) -> inputs.Input:
    if table.state.refused is None:
        return inputs.TimePassed(at)
    return inputs.CommandInput(
        at, actions.Override(table.state.refused.source, table.state.refused.target)
    )


def _correcting(kind: Callable[..., actions.Correction], **fields: Any) -> CommandForm:
    """Describe a correction whose pieces are identified by their squares."""

    def correct(at: float, read: Any, table: Table) -> inputs.Input:
        board, given = table.view.board, vars(read)
        squares = {given[field] for field, hint in fields.items() if hint == Square}
        if not all(map(board.side_at, squares)):
            return inputs.TimePassed(at)
        pieces = (
            board.piece_at(value) if fields[field] == Square else value
            for field, value in given.items()
        )
        return inputs.CommandInput(at, actions.Correct(kind(*pieces)))

    return CommandForm(codec.fields_of(**fields), correct)


_NOTHING: Final = codec.fields_of()
_SIDE: Final = codec.fields_of(side=Side)
_ANYBODY: Final = codec.fields_of(side=Side | None)
"""Fields of a command that has the same effect for both sides. The side is optional."""
_FROM_0: Final = codec.checked(int, lambda number: number >= 0, "the number of an answer from 0 on")

COMMANDS: Final[Mapping[str, CommandForm]] = {
    "ready": _command(inputs.Ready),
    "declare": _sealed(actions.Declare),
    "insist": _sealed(actions.UpholdDeclaration),
    "attack": _command(actions.Attack),
    "move": _command(actions.Move),
    "no-attack": CommandForm(_NOTHING, lambda at, *_: inputs.NoAttack(at)),
    "attacker": CommandForm(_SIDE, lambda at, read, _: inputs.AttackerNamed(at, read.side)),
    "read": CommandForm(_NOTHING, lambda at, *_: inputs.RevealDismissed(at)),
    "take-back": _command(inputs.OfferUndo),
    "accept-board": CommandForm(
        codec.fields_of(side=Side, to_move=Side),
        lambda at, read, _: inputs.BoardClaimed(at, read.side, read.to_move),
    ),
    "agree": _command(inputs.OfferDraw),
    "resign": _command(actions.Resign),
    "cannot-move": _command(actions.ClaimStalemate),
    "touched-cannot-move": CommandForm(_SIDE, _free_touched),
    "answer-cannot-move": _command(actions.AnswerStalemate),
    "let-stand": CommandForm(_NOTHING, _let_stand),
    "infiltrate": _command(actions.Infiltrate, source=Square, target=Square, rank=Rank),
    "answer-guess": _command(actions.AnswerGuess, right=bool),
    "settle": _command(actions.SettleDispute),
    "forfeit": _command(actions.Forfeit),
    "reopen": _command(actions.TakeBack),
    "doubt": _command(inputs.IgnoreSquare),
    "pause": _command(inputs.Pause),
    "go-on": _command(inputs.Resume),
    "give-time": _command(inputs.AdjustClock),
    "call-arbiter": _command(inputs.CallArbiter),
    "withdraw-call": _command(inputs.WithdrawCall),
    "answer-call": _command(inputs.AnswerCall),
    "choose": CommandForm(
        codec.fields_of(answer=Annotated[int, _FROM_0]),
        lambda at, read, _: inputs.ExplanationChosen(at, read.answer),
    ),
}
"""All commands except `correct`, whose fields depend on the mistake."""
MISTAKES: Final[Mapping[str, CommandForm]] = {
    "wrong-rank": _correcting(actions.RankCorrection, square=Square, rank=Rank),
    "exchanged": _correcting(actions.SwapCorrection, square=Square, other=Square),
    "no-long-move": _correcting(actions.NotAScout, square=Square),
}
"""The mistakes that can be corrected, keyed by the value of the field `mistake`."""
NAMES: Final = (*COMMANDS, "correct")
"""The names of all commands, as written in the field `what`."""


@dataclass(frozen=True)
class FrameDetails:
    """Additional details of a frame: change times and uncertain squares."""

    moments: Annotated[Mapping[Square, float], codec.Named(omits_default=True)] = field(
        default_factory=dict
    )
    faint: Annotated[SquareSet, codec.Named(omits_default=True)] = 0


def write_details(moments: Iterable[tuple[Square, float]], faint: SquareSet) -> dict[str, Any]:
    """Return the non-empty optional fields of an input line that contains a board."""
    plain: dict[str, Any] = codec.to_plain(FrameDetails(dict(moments), faint))
    return plain


def _place(values: tuple[float, float, float]) -> PieceLocation:
    column, row, within = values
    if not (-1 < column < WIDTH and -1 < row < WIDTH and 0 <= within < WIDTH):
        raise ValueError
    return PieceLocation(column, row, within)


_PLACE: Final = codec.Form(
    "a list of column, row and uncertainty, such as [4, 4.5, 0.1]",
    "places",
    _place,
    lambda place: (place.column, place.row, place.within),
    tuple[float, float, float],
)


@dataclass(frozen=True)
class Places:
    """For each side, the position of a piece that the board senses between squares."""

    red: Annotated[PieceLocation, _PLACE] | None
    blue: Annotated[PieceLocation, _PLACE] | None


@dataclass(frozen=True)
class BoardFault:
    """A fault that the board reports."""

    square: Square | None
    dying: Annotated[bool, codec.Named(omits_default=True)] = False


@dataclass(frozen=True)
class Colours:
    """Capabilities of a connected board."""

    colours: bool


def read_line(line: Mapping[str, Any], before: float, table: Table) -> inputs.Input:
    """Return the input encoded by a line. `before` is the time of the previous line.

    Raise MalformedError if the line violates the contract.
    """
    at = read_at(line.get("at"), before)
    details = {name: line[name] for name in line if name in DETAILS}
    kinds = [kind for kind in line if kind != "at" and kind not in details]
    if len(kinds) != 1 or kinds[0] not in KINDS:
        raise codec.MalformedError(
            f'A line must have "at" and exactly one of {", ".join(KINDS)}; this line does not'
        )
    (kind,) = kinds
    expected, make = KINDS[kind]
    given = make(at, codec.from_plain(line[kind], expected, f'"{kind}"'), table)
    if not details:
        return given
    if not isinstance(given, inputs.BoardSeen):
        raise codec.MalformedError(
            f'Only a line with "board" may have {" or ".join(DETAILS)}; this line has no "board"'
        )
    finer = codec.from_plain(details, FrameDetails)
    if any(moment > at for moment in finer.moments.values()):
        raise codec.MalformedError('"moments" must not be after "at"; found a later one')
    moments = tuple((where, float(moment)) for where, moment in finer.moments.items())
    return replace(given, moments=moments, faint=finer.faint)


def read_at(value: Any, before: float) -> float:
    """Return the time of a line.

    Raise MalformedError if the time is invalid or earlier than `before`.
    """
    if type(value) in (int, float) and before <= value <= _LATEST:
        return float(value)
    raise codec.MalformedError(
        f'"at" must be a number of seconds, at least {before}; found another value'
    )


def _report_fault(at: float, fault: BoardFault, _: Table) -> inputs.Input:
    if fault.square is None and fault.dying:
        raise codec.MalformedError('"dying" in "complains" requires a square; found null')
    return inputs.BoardFaultReported(at, fault.square, is_dying=fault.dying)


DETAILS: Final = ("moments", "faint")
"""Optional fields of a line with a board."""
_LATEST: Final = 2.0**53
"""Upper limit for times. Above it, a float cannot represent differences of one second."""
_TRUE: Final = Annotated[bool, codec.checked(bool, bool, "true")]

KINDS: Final[Mapping[str, tuple[Any, Callable[[float, Any, Table], inputs.Input]]]] = {
    "board": (Image, lambda at, image, _: inputs.BoardSeen(at, image)),
    "found": (Colours, lambda at, seen, _: inputs.BoardFound(at, sees_colours=seen.colours)),
    "lost": (_TRUE, lambda at, *_: inputs.BoardLost(at)),
    "complains": (BoardFault, _report_fault),
    "feels": (Places, lambda at, felt, _: inputs.PieceLocated(at, felt.red, felt.blue)),
    "time": (_TRUE, lambda at, *_: inputs.TimePassed(at)),
    "say": (Mapping[str, Any], read_command),
}
"""Line types, keyed by the field that identifies them. Each consists of the field's type and the
function that creates the input."""
