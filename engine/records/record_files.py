"""Reads recorded games in four formats (docs/records.md), and writes our own format.

The format of a file is detected from its content. Readers raise `RecordError`, with the line
number, for anything that they cannot read. `gravon` reads and writes Gravon XML.

Boomboard's own files contain whole games with all rulings, in JSON. The rulings are for other
programs. When Boomboard reads a file, it derives the rulings again, and rejects the file if they
differ.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from enum import Enum
from reprlib import repr as short  # a hostile file may contain very long strings
from typing import Any, Final, get_args

from engine.board.geometry import SQUARES, WIDTH, Square, SquareSet, name, names, square
from engine.board.ranks import Rank
from engine.deduction.possible_ranks import Evidence
from engine.game.actions import Action, Correct, Correction, TakeBack
from engine.game.rulings import GameOver, Ruling, refuses
from engine.records import serialization
from engine.records.gravon import EMPTY, read_field, read_gravon_xml, read_move, read_result
from engine.records.record import GameKind, Record, RecordedMove, RecordError
from engine.records.transcript import Transcript, TranscriptError, transcribe
from engine.rules.rules import Citation, ViolationKind

# `str.splitlines` would also split at characters that may occur in chat.
_LINE_END: Final = re.compile(r"\r\n?|\n")


class LineReader(Iterator[str]):
    """Yields the non-blank lines in order, without trailing white space.

    Bytes that are not UTF-8 may occur only in names and chat. Elsewhere, the replacement character
    is rejected.
    """

    def __init__(self, data: bytes) -> None:
        text = data.decode("utf-8-sig", "replace")
        self.number = 1
        """Number of the last line read, counted from 1."""
        self._numbered = enumerate(_LINE_END.split(text), start=1)

    def __next__(self) -> str:
        for number, line in self._numbered:
            if line.strip():
                self.number = number
                return line.rstrip()
        raise StopIteration

    def expect(self, what: str) -> str:
        """Return the next line. Raises RecordError if the file ends before `what`."""
        line = next(self, None)
        if line is None:
            raise self.error(f"expected {what}, but the file ends here")
        return line

    def error(self, message: str) -> RecordError:
        """Return an error that cites the last line read."""
        return RecordError(message, self.number)


SIGNATURE: Final = "#X38FA11"
"""Start of the first line, followed by a version."""
_VERSION: Final = re.compile(r"Stratego-Notation (\S+)")
_VERSIONS: Final = ("v1", "v2")
_TYPE: Final = re.compile(r"type ([0-9]{1,3})")
_KINDS: Final = {
    "0": GameKind.CLASSIC,
    "1": GameKind.BARRAGE,
    "2": GameKind.CLASSIC_FREE,
    "3": GameKind.ULTIMATE_LIGHTNING,
}
"""Game types by number. No number is known for `duell`."""
_END: Final = "END"
_MOVE_LENGTH: Final = 5


def read_gsn(data: bytes) -> Record:
    """Read a .gsn file. Raises RecordError if it is damaged or in another format.

    Rescues in Ultimate Lightning are written like chat, so they are skipped. The public converter
    for these files does the same. The record of such a game may therefore lack moves.
    """
    lines = LineReader(data)
    head = lines.expect(SIGNATURE)
    if not head.startswith(SIGNATURE):
        raise lines.error(
            f"the line does not begin with {SIGNATURE}, so this is not a Gravon .gsn record"
        )
    kind, unknown_kind = _read_kind(lines)
    version = _VERSION.search(head)
    if version and version[1] not in _VERSIONS:
        known = " and ".join(_VERSIONS)
        raise lines.error(f"this is Stratego-Notation {short(version[1])}; only {known} are known")
    field = lines.expect("the setup")
    if field == _END:
        raise lines.error("the game ended before the armies were set up")
    setup = read_field(field, lines.number)
    moves = tuple(_read_moves(lines))
    players, result = _read_ending(lines)
    for line in lines:
        raise lines.error(f"expected the end of the file, found {short(line)}")
    return replace(
        setup,
        moves=moves,
        result=result,
        kind=kind,
        unknown_kind=unknown_kind,
        players=players,
    )


def _read_kind(lines: LineReader) -> tuple[GameKind | None, str]:
    """Return the game type. If its number is unknown, also return the line."""
    line = lines.expect("the type of the game")
    found = _TYPE.fullmatch(line)
    if not found:
        raise lines.error(f"expected the type of the game, found {short(line)}")
    return _KINDS.get(found[1]), "" if found[1] in _KINDS else line


def _read_moves(lines: LineReader) -> Iterator[RecordedMove]:
    number = 1
    while (line := lines.expect(_END)) != _END:
        # A line with a colon as its third character is chat or a rescue, even if it looks like a
        # move. Row 10 is also written as a colon, but in moves the colon is the second or the fifth
        # character: A:-A9.
        if line[2:3] == ":":
            continue
        if len(line) != _MOVE_LENGTH:
            raise lines.error(f"expected move {number}, found {short(line)}")
        yield read_move(number, line[:2], line[-2:], lines.number)
        number += 1


def _read_ending(lines: LineReader) -> tuple[tuple[str, str] | None, GameOver]:
    """Read the players and the result, `A vs B result E winner W`.

    Names may themselves contain these words. If the line can be split in several ways, the names
    are omitted.
    """
    line = lines.expect("the result")
    names, _, ending = line.rpartition(" result ")
    kind, separator, winner = ending.partition(" winner ")
    red, versus, blue = names.partition(" vs ")
    if not versus or not separator:
        raise lines.error(f"expected the result, found {short(line)}")
    open_to_doubt = names.rpartition(" vs ") != (red, versus, blue)
    players = None if open_to_doubt else (red, blue)
    return players, read_result(kind, winner, lines.number, red=0)


_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_SQUARES: Final = len(SQUARES)
_VERTICAL: Final = _SQUARES * (WIDTH - 1)
"""Number of possible vertical moves, which equals the number of horizontal moves."""


def read_chase(data: bytes) -> Record:
    """Read a chase game in the format of the Ataraxos test suite: a board, then action numbers.

    These games test the more-squares rule and end without a result. Raises RecordError if the file
    is damaged or in another format.
    """
    lines = LineReader(data)
    board = lines.expect("the board").replace(EMPTY.lower(), EMPTY)
    setup = read_field(board, lines.number)
    moves = tuple(_read_action(ply, text, lines) for ply, text in enumerate(lines))
    return replace(setup, moves=moves)


def _read_action(ply: int, text: str, lines: LineReader) -> RecordedMove:
    if not _NUMBER.fullmatch(text) or int(text) >= 2 * _VERTICAL:
        raise lines.error(
            f"move {ply + 1} must be a number from 0 to {2 * _VERTICAL - 1}; found {short(text)}"
        )
    source, target = _ends(int(text))
    if ply % 2:  # Blue's moves are numbered on the rotated board.
        source, target = _SQUARES - 1 - source, _SQUARES - 1 - target
    return RecordedMove(source, target)


def _ends(action: int) -> tuple[Square, Square]:
    """Return the source and the target of a move.

    In an action number, the count of rows skips the source's row, and the count of columns skips
    the source's column.
    """
    code, source = divmod(action % _VERTICAL, _SQUARES)
    row, column = divmod(source, WIDTH)
    if action < _VERTICAL:
        row = code + (code >= row)
    else:
        column = code + (code >= column)
    return source, WIDTH * row + column


FORMAT: Final = "boomboard-game"
VERSION: Final = 2
_KEYS: Final = (
    *("format", "version", "begun", "players", "edition"),
    *("time_control", "ranks", "actions", "outcome"),
)
_BEGUN: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)
_LONGEST: Final = 1e12
"""Largest accepted number, in seconds: about thirty thousand years."""

_MAX_REAPPLIED: Final = 20_000
"""Maximum number of corrections that are reapplied after take-backs. A real game needs less than a
hundredth of this number."""

Object = Mapping[str, Any]


# White space, byte order marks and the zero bytes of UTF-16.
_BLANK: Final = b" \t\r\n\xef\xbb\xbf\xff\xfe\0"


def read(data: bytes) -> Record | Transcript:
    """Read a recorded game in any format.

    Raises RecordError if the data are damaged or not a game record.
    """
    if data.lstrip(_BLANK).startswith(b"{"):
        return read_transcript(data)
    if data.lstrip(_BLANK).startswith(b"<"):
        return read_gravon_xml(data)
    lines = LineReader(data)
    first = next(lines, None)
    if first is None:
        raise RecordError("the file is empty", 1)
    if first.startswith(SIGNATURE):
        return read_gsn(data)
    if len(first) == len(SQUARES):
        return read_chase(data)
    raise lines.error(
        "unknown kind of record: Gravon XML begins with <, "
        f"Gravon .gsn with {SIGNATURE}, our own files with {{, "
        f"and a chase with the {len(SQUARES)} characters of its board"
    )


def write_transcript(transcript: Transcript) -> str:
    """Return a transcript as JSON, one action per line.

    Raises RecordError if the last action is illegal. The transcript contains declared ranks, so it
    must not be used before the end of the game.
    """
    if transcript.entries and refuses(transcript.entries[-1].rulings):
        raise RecordError("the last action breaks a rule, so no referee has accepted it")
    begun, players, outcome = transcript.begun, transcript.players, transcript.outcome
    plain = {
        "format": FORMAT,
        "version": VERSION,
        "begun": begun,
        "players": dict(zip(("red", "blue"), players, strict=True)) if players else None,
        "edition": serialization.write_edition(transcript.edition),
        "time_control": serialization.write_control(transcript.control),
        "ranks": {
            name(p): serialization.write_rank(rank) for p, rank in sorted(transcript.ranks.items())
        },
        "actions": [
            {
                "at": entry.at,
                **serialization.write_action(entry.action),
                "rulings": [*map(_write_ruling, entry.rulings)],
            }
            for entry in transcript.entries
        ],
        "outcome": _write_ruling(outcome) if outcome else None,
    }
    return "{\n" + ",\n".join(_write_line(key, value) for key, value in plain.items()) + "\n}\n"


def read_transcript(data: bytes) -> Transcript:
    """Read a transcript. Raises RecordError if it is damaged, invalid or of another version."""
    plain = _load(data)
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise RecordError(f"this JSON is not a game: “format” must be “{FORMAT}”", 1)
    version = plain.get("version")
    if version != VERSION or not isinstance(version, int) or isinstance(version, bool):
        raise RecordError(f"the file has version {short(version)}; this program reads {VERSION}")
    for key in (*_KEYS, *plain):
        if key not in plain or key not in _KEYS:
            problem = "is missing" if key in _KEYS else "is not a key of a game"
            raise RecordError(f"“{_truncate(key)}” {problem}")
    if not isinstance(plain["actions"], list):
        raise RecordError("“actions” must be a list")
    try:
        timed = list(_read_actions(plain["actions"]))
        _check_work(timed)
        transcript = transcribe(
            serialization.read_edition(_read_values(plain, "edition")),
            timed,
            serialization.read_control(_read_values(plain, "time_control")),
            _read_begun(plain["begun"]),
            _read_players(plain["players"]),
            _read_ranks(_read_values(plain, "ranks")),
        )
    except RecordError:
        raise
    except TranscriptError as error:
        raise RecordError(str(error)) from error
    except ValueError as error:
        raise RecordError(_truncate(str(error))) from error
    _check_rulings(transcript, plain)
    return transcript


def _load(data: bytes) -> Any:
    try:
        return json.loads(data, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RecordError(f"this is not well-formed JSON ({error.msg})", error.lineno) from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"the text cannot be decoded ({error.reason})", line) from error
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this JSON cannot be read ({short(str(error))})", 1) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object. Raises RecordError if a key occurs twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, _ in pairs if counts[key] > 1)
        raise RecordError(f"“{_truncate(twice)}” occurs twice in one object", 1)
    return made


def _refuse_constant(constant: str) -> None:
    raise RecordError(f"{constant} is not a JSON number", 1)


def _truncate(text: str) -> str:
    """Truncate untrusted text before it is quoted in an error message."""
    return text if len(text) <= 200 else f"{text[:200]}…"


def _read_values(plain: Object, key: str) -> Object:
    """Return an object whose values are all scalars within safe limits."""
    found = plain[key]
    if not isinstance(found, dict):
        raise RecordError(f"“{key}” must be an object")
    for each, value in found.items():
        number = isinstance(value, int | float)  # a bool is an int
        if not (isinstance(value, str) or value is None or (number and abs(value) <= _LONGEST)):
            raise RecordError(
                f"“{_truncate(each)}” in “{key}” must be a string or a number; found {short(value)}"
            )
    return found


def _read_begun(written: Any) -> str:
    if not isinstance(written, str) or not _BEGUN.fullmatch(written):
        raise RecordError(f"“begun” must be a time in ISO 8601 format; found {short(written)}")
    return written


def _read_players(written: Any) -> tuple[str, str] | None:
    match written:
        case None:
            return None
        case {"red": str(red), "blue": str(blue)} if len(written) == 2:
            return red, blue
    raise RecordError("“players” must have the two names “red” and “blue”")


def _read_actions(written: list[Any]) -> Iterator[tuple[float, Action]]:
    for number, entry in enumerate(written, start=1):
        if not isinstance(entry, dict) or not isinstance(entry.get("rulings"), list):
            raise RecordError(f"action {number} must be an object with “rulings”")
        at = entry.get("at")
        if isinstance(at, bool) or not isinstance(at, int | float) or abs(at) > _LONGEST:
            raise RecordError(f"“at” of action {number} must be a time in seconds")
        fields = {key: value for key, value in entry.items() if key not in ("at", "rulings")}
        try:
            action = serialization.read_action(fields)
        except ValueError as error:
            raise RecordError(_truncate(f"action {number}: {error}")) from error
        if odd := fields.keys() - serialization.write_action(action).keys():
            raise RecordError(f"action {number} has the unexpected key “{_truncate(min(odd))}”")
        yield at, action


def _check_work(timed: list[tuple[float, Action]]) -> None:
    """Reject a hostile file that would take minutes to replay."""
    counts = Counter(type(action) for _, action in timed)
    if counts[Correct] * counts[TakeBack] > _MAX_REAPPLIED:
        raise RecordError(
            f"too many corrections ({counts[Correct]}) and take-backs ({counts[TakeBack]})"
        )


def _read_ranks(written: Object) -> dict[Square, Rank]:
    ranks = {}
    for place, rank in written.items():
        try:
            ranks[square(place)] = serialization.read_rank(rank)
        except (ValueError, KeyError, AttributeError):
            raise RecordError(
                f"“ranks” must map squares to ranks; found {short(rank)} on {short(place)}"
            ) from None
    return ranks


def _check_rulings(transcript: Transcript, plain: Object) -> None:
    entries = zip(transcript.entries, plain["actions"], strict=True)
    for number, (entry, written) in enumerate(entries, start=1):
        if written["rulings"] != [*map(_write_ruling, entry.rulings)]:
            raise RecordError(f"the rulings on action {number} differ from the referee's")
    outcome = transcript.outcome
    if plain["outcome"] != (_write_ruling(outcome) if outcome else None):
        raise RecordError("“outcome” differs from the last ruling")


def _write_line(key: str, value: Any) -> str:
    if key != "actions" or not value:
        return f' "{key}": {json.dumps(value)}'
    return f' "{key}": [\n' + ",\n".join(f"  {json.dumps(entry)}" for entry in value) + "\n ]"


def _write_ruling(ruling: Ruling) -> dict[str, Any]:
    return {"ruling": serialization.published_name(type(ruling)), **_write_fields(ruling)}


def _write_fields(instance: Any) -> dict[str, Any]:
    kind: Any = type(instance)
    written = {}
    for field, hint in serialization.field_types(kind).items():
        # Only the rule is written, because the wording of titles and interpretations may change.
        if field == "reading":
            continue
        value = getattr(instance, field)
        key = "rule" if isinstance(value, Citation) else field
        written[key] = _write_value(hint, value)
    return written


def _write_value(hint: Any, value: Any) -> Any:
    """Return one value of a ruling as plain data. Squares, ranks and enum members become names."""
    match value:
        case Citation():
            return value.rule.value
        case Rank():
            return serialization.write_rank(value)
        case Evidence():
            return value.word
        case ViolationKind():
            return value.name.lower().replace("_", "-")
        case Enum():
            return value.value
        case bool() | None | str():
            return value
        case int():
            write = _NUMBERS.get(hint)
            return write(value) if write else value
        case tuple():
            return [_write_value(get_args(hint)[0], each) for each in value]
    assert is_dataclass(value)
    kind = {"kind": serialization.published_name(type(value))} if hint == Correction else {}
    return {**kind, **_write_fields(value)}


_NUMBERS: Final[Mapping[Any, Callable[[int], str]]] = {Square: name, SquareSet: names}
"""Converters from numbers to square names, by annotated type."""
