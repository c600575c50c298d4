"""Trace files: gzip-compressed JSON lines, in a folder of limited size.

Each write is a separate gzip member with its own checksum, and any gzip tool reads the members as a
single stream. A power cut therefore loses at most the last member, and a damaged member can be
distinguished from a truncated one. Once a file is full, the trace continues in the next one. If
there are too many files, the oldest is deleted.

The first line has `trace` (the version, 1), `program`, `begun`, `stripped` (whether secrets were
removed), `after` (the file that this one continues, which a replay needs in the same folder),
`board` and `faint` as in ``boomboard table``, `game` (`edition`, `seed`, `control`, `clock`,
`saved`, and the side of the `computer`, if any), and the `actions` of a resumed game. The last line
has `end`. Every other line is an input with the time `at` and one of the following:

- `board`: the squares that have changed, ``{"e4": "."}``, with `moments` and `faint`; `found`,
  `lost`, `time`, `feels`: as in ``boomboard table``
- `same`, instead of `at`: the times of frames that changed nothing and had no effect; `faint` is
  unchanged
- `complains`: the square whose sensor fails, or null for the power supply; `dying`
- `do`: an action as in docs/records.md; `say`: a command with its `side`
- `doubt`: a square that is `doubted` or not; `pause`: true if it begins, false if it ends;
  `give-time`: the seconds for a `side`; `call-arbiter`, `withdraw-call`: the side; `answer-call`;
  `attacker`, `choose`, `no-attack`, `read`; `believe`: the side that claims that the board is right
  or agrees, with `to_move`; `awaits`: the squares whose pieces the players have to put back
- `ranks-seen`: the printed ranks of a `side`; `decides`: the source of the computer's move, with
  `target`; `pledge`: the commitment of a `side`'s army; `reviewed`: the players review the game
- `seal`: `declare`, `insist`, `answer-guess` (with `right`) or `prove-army`, with its `side`

The line also has the outcome of the input: `actions` and `events` as in ``boomboard table``, and
`sum`, a checksum of all inputs and outputs so far, which is missing if the table failed. Private
information is on separate lines, under `sealed`, which contain nothing else. A trace is redacted by
removing these lines.
"""

import gzip
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from companion.codec import Named, to_plain
from companion.core.game_context import Step
from companion.core.game_options import GameOptions, SavedState
from companion.core.inputs import BoardSeen, Input
from companion.jsonl.requests import write_details
from companion.jsonl.table_process import write_accepted
from companion.recorder import input_codec
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.actions import Action, Declare, UpholdDeclaration
from engine.game.clocks import ClockState, TimeControl
from engine.game.referee import Referee
from engine.game.rulings import Combat
from engine.records.serialization import read_action, write_action, write_rank
from engine.rules.editions import Edition
from firmware_bridge.image import Image


def encode_public(edition: Edition, actions: Sequence[Action]) -> list[dict[str, Any]]:
    """Encode the public part of accepted actions, including ranks that combats have revealed.

    A declared rank that was undone or never revealed stays secret.
    """
    referee = Referee.waiting(edition)
    public = [write_accepted(action) for action in actions]
    declared: dict[Side, int] = {}
    for number, action in enumerate(actions):
        if isinstance(action, Declare | UpholdDeclaration):
            declared[action.rank.owner] = number
        for ruling in referee.apply(action):
            if isinstance(ruling, Combat):
                for side, rank in shown_by(ruling).items():
                    if side in declared:
                        public[declared[side]] = _with_rank(public[declared[side]], rank)
        if not referee.open_attack:
            declared = {}
    return public


def shown_by(combat: Combat) -> dict[Side, Rank]:
    """Return the ranks that a combat reveals, leaving out a rank that stays undeclared."""
    ranks = {combat.side: combat.attacker, combat.side.other: combat.defender}
    return {side: rank for side, rank in ranks.items() if rank is not None}


def _with_rank(plain: dict[str, Any], rank: Rank) -> dict[str, Any]:
    return {key: value for key, value in plain.items() if key != "sealed"} | {
        "rank": write_rank(rank)
    }


@dataclass(frozen=True)
class RecordedStart:
    """The initial state of a table. The actions are left out, because they contain ranks."""

    edition: Edition
    seed: int
    control: TimeControl
    clock: ClockState | None
    saved: SavedState
    computer: Annotated[Side | None, Named(omits_default=True)] = None

    @classmethod
    def of(cls, options: GameOptions) -> "RecordedStart":
        saved, computer = options.saved, options.computer
        return cls(options.edition, options.seed, options.control, options.clock, saved, computer)

    def with_actions(self, actions: Sequence[Mapping[str, Any]]) -> GameOptions:
        """Add the actions from which the game is resumed.

        Raise ValueError if they are malformed.
        """
        taken = tuple(map(read_action, actions))
        return GameOptions(
            *(self.edition, self.seed, self.control, taken, self.clock, self.saved, self.computer)
        )


Line: TypeAlias = Mapping[str, Any]
FORMAT: Final = 1
"""Version of the line format."""
MOST_ALIKE: Final = 100
"""Maximum number of frames that share a line."""


@dataclass(frozen=True)
class InputOutcome:
    """Result of processing an input."""

    step: Step
    due: float | None
    """Time at which the table wants to be called again, or None."""


class TraceLines:
    """Encodes the inputs and outcomes of a table during one game as lines."""

    def __init__(self, beginning: GameOptions, program: str, begun: str) -> None:
        """Start a trace. `program` is the version that writes it, `begun` the start time in UTC."""
        self._options = beginning
        self._program, self._begun = program, begun
        self._sum = input_codec.StepHash()
        self._given: Input | None = None
        """The input whose outcome is pending."""
        self._shown = BoardSeen(0.0, Image())
        """The latest frame."""
        self._alike: list[float] = []
        """Times of the latest frames, which are alike and will be written as one line."""

    def header(self, after: str | None) -> list[Line]:
        """Return the first lines of a file. `after` names the file that this file continues."""
        actions = self._options.actions
        public = encode_public(self._options.edition, actions)
        head = {
            "trace": FORMAT,
            "program": self._program,
            "begun": self._begun,
            "after": after,
            "stripped": False,
            "board": self._shown.image.tokens,
            **write_details((), self._shown.faint),
            "game": to_plain(RecordedStart.of(self._options)),
            "actions": public,
        }
        whole = [write_action(action) for action in actions]
        return [head] if public == whole else [head, {"sealed": {"actions": whole}}]

    def begin_input(self, given: Input) -> Iterator[Line]:
        """Take an input.

        Yield the previous input if it has no outcome because the table failed.
        """
        yield from self.flush_failed()
        self._given = given

    def end_input(self, noted: InputOutcome) -> Iterator[Line]:
        """Add the outcome of the input, and yield the finished lines."""
        given, self._given = self._given, None
        assert given, "expected an input before its outcome"
        is_alike = isinstance(given, BoardSeen) and given == replace(self._shown, at=given.at)
        if not is_alike or noted.step.actions or noted.step.events:
            yield from self.flush()
            yield from self._write(given, noted)
            return
        self._sum.take(given, noted.step, noted.due)
        self._alike.append(given.at)
        if len(self._alike) == MOST_ALIKE:
            yield from self.flush()

    def flush(self) -> Iterator[Line]:
        """Yield one line for the frames that are still unwritten because they are alike, if any."""
        if self._alike:
            yield {"same": self._alike, "sum": str(self._sum)}
            self._alike = []

    def flush_failed(self) -> Iterator[Line]:
        """Yield the input for which the table raised an exception, if any."""
        if self._given:
            yield from self.flush()
            yield input_codec.encode_input(self._given, self._shown.image)
            yield from _seal(self._given, None)
            self._given = None

    def _write(self, given: Input, noted: InputOutcome) -> Iterator[Line]:
        self._sum.take(given, noted.step, noted.due)
        line = input_codec.encode_input(given, self._shown.image)
        if noted.step.actions:
            line["actions"] = input_codec.write_actions(noted.step)
        if public := input_codec.write_public(noted.step.events):
            line["events"] = public
        line["sum"] = str(self._sum)
        yield line
        yield from _seal(given, noted.step)
        if isinstance(given, BoardSeen):
            self._shown = replace(given, moments=())


def _seal(given: Input, step: Step | None) -> Iterator[Line]:
    """Yield the line that contains the private part, if any."""
    sealed: dict[str, Any] = {**input_codec.write_secret(given)}
    if step and (private := input_codec.write_private(step.events)):
        sealed["events"] = private
    if sealed:
        yield {"sealed": sealed}


MEBIBYTE: Final = 2**20
SUFFIX: Final = ".jsonl.gz"
MUCH: Final = 1000
"""Number of buffered lines that triggers a write."""
_NAME: Final = re.compile(rf"trace-(\d{{6}}){re.escape(SUFFIX)}")
_OWNER_ONLY: Final = 0o600
"""File mode: readable only by the owner, because the file contains declared ranks."""
_COMPRESSION_LEVEL: Final = 5
"""gzip's level. Higher levels save little space."""


@dataclass(frozen=True)
class Bounds:
    """Limits on stored traces."""

    bytes_a_file: int = 8 * MEBIBYTE
    """File size, in bytes, at which the next file is started."""
    files: int = 16


class TraceFiles:
    """Writes the lines of one game into a folder. Raises OSError if the disk fails."""

    def __init__(self, folder: Path, bounds: Bounds, lines: TraceLines) -> None:
        """Create the first file. Delete the oldest file if there are too many."""
        self._folder, self._bounds, self._lines = folder, bounds, lines
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = folder
        """The file being written."""
        self._waiting: list[Line] = []
        self._bytes = 0
        self._open(None)

    @property
    def is_much(self) -> bool:
        """Whether so many lines are buffered that they should be written now."""
        return len(self._waiting) >= MUCH

    def add(self, lines: Iterable[Line]) -> None:
        """Buffer lines for the next `flush`."""
        self._waiting.extend(lines)

    def flush(self) -> None:
        """Write the buffered lines to disk, where they survive a power cut."""
        self.add(self._lines.flush())
        if not self._waiting:
            return
        self._write(_compress(self._waiting))
        self._waiting = []
        if self._bytes >= self._bounds.bytes_a_file:
            before = self.path
            self._end("full")
            self._open(before.name)  # the buffer is empty, so the header shows the current board

    def close(self) -> None:
        """Write the remaining lines and the end mark."""
        self.add(self._lines.flush_failed())
        self.flush()
        self._end("closed")

    def _end(self, why: str) -> None:
        self._write(_compress([{"end": why}]))
        self._file.close()

    def _open(self, after: str | None) -> None:
        names = sorted(path.name for path in self._folder.iterdir() if _NAME.fullmatch(path.name))
        for name in names[: max(0, len(names) + 1 - self._bounds.files)]:
            (self._folder / name).unlink(missing_ok=True)
        number = int(names[-1][len("trace-") : -len(SUFFIX)]) if names else 0
        while True:
            number += 1
            self.path = self._folder / f"trace-{number:06}{SUFFIX}"
            try:
                file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
                break
            except FileExistsError:  # another process also records into this folder
                continue
        self._file = os.fdopen(file, "wb", buffering=0)
        self._bytes = 0
        self._write(_compress(self._lines.header(after)))

    def _write(self, member: bytes) -> None:
        try:
            self._file.write(member)
            os.fsync(self._file.fileno())
        except OSError:
            self._file.close()  # the trace has ended
            raise
        self._bytes += len(member)


def _compress(lines: Sequence[Line]) -> bytes:
    text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)
    return gzip.compress(text.encode(), _COMPRESSION_LEVEL, mtime=0)


# A truncated file is read up to the last complete member. A damaged file is rejected, because
# parts of it could show events that never happened. The error names the position of the damage.

LARGEST: Final = 96 * 2**20
"""Maximum size of a file's uncompressed text, in bytes. The text of a full file takes at most two
thirds of this."""
MOST_LINES: Final = 200_000
"""Maximum number of lines in a file. A file of 8 MB has half as many."""
LONGEST: Final = 2**20
"""Maximum length of a line in bytes."""
CHUNK: Final = 2**16
"""Number of bytes decompressed at a time. It is small because the first lines already show whether
a file is a trace."""
_GZIP: Final = b"\x1f\x8b"
_WITH_HEADER: Final = 16 + zlib.MAX_WBITS


class TraceError(Exception):
    """A trace file is unusable. The message is one sentence with the file name and position."""


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Check the whole file, then yield its lines. Secrets are on separate lines."""
    number = 0
    for number, text in enumerate(_split(path, _whole(path, path.read_bytes())), start=1):
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise malformed(path, number) from error
        if not isinstance(line, dict):
            raise malformed(path, number)
        if number == 1:
            _check_head(path, line)
        if number > MOST_LINES:
            raise too_long(path)
        yield line
    if not number:
        raise _foreign(path)


def _check_head(path: Path, head: Mapping[str, Any]) -> None:
    if "trace" not in head:
        raise _foreign(path)
    if head["trace"] != FORMAT:
        raise TraceError(
            f"{path} is a trace of version {head['trace']}, expected {FORMAT}; read it with the "
            "version of Boomboard that wrote it."
        )


def pack(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """Return lines as one compressed file."""
    packed = BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        for line in lines:
            file.write(f"{json.dumps(line, separators=(',', ':'))}\n".encode())
    return packed.getvalue()


def _split(path: Path, chunks: Iterable[bytes]) -> Iterator[bytes]:
    number, rest = 0, b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        number += len(lines)
        if len(rest) > LONGEST:
            raise malformed(path, number + 1)
    if rest:
        yield rest


def _whole(path: Path, data: bytes) -> Iterator[bytes]:
    """Check the whole file, then decompress its complete members."""
    size = whole = 0
    for text, ends in _unpack(path, data):
        size += len(text)
        whole = size if ends else whole
    for text, _ in _unpack(path, data):
        yield text[:whole]
        whole -= min(whole, len(text))


def _unpack(path: Path, data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Decompress a file, yielding each chunk and whether it is the last chunk of its member."""
    if not data.startswith(_GZIP):
        raise _foreign(path)
    read, size = 0, 0
    while data:
        unpacker = zlib.decompressobj(_WITH_HEADER)
        packed = data
        while not unpacker.eof:
            try:
                text = unpacker.decompress(packed, CHUNK)
            except zlib.error as error:
                raise TraceError(
                    f"{path} is damaged after byte {read}; use another copy of it."
                ) from error
            if not text and not unpacker.eof:
                return
            packed = unpacker.unconsumed_tail
            size += len(text)
            if size > LARGEST:
                raise too_long(path)
            yield text, unpacker.eof
        read += len(data) - len(unpacker.unused_data)
        data = unpacker.unused_data


def _foreign(path: Path) -> TraceError:
    return TraceError(f"{path} is not a trace of Boomboard; record one with --trace.")


def too_long(path: Path) -> TraceError:
    """Return the error for a file that exceeds the limits of a trace."""
    return TraceError(f"{path} unpacks to more than any trace, so it is not a trace.")


def malformed(path: Path, number: int) -> TraceError:
    """Return the error for a malformed line, numbered from 1."""
    return TraceError(f"{path} is damaged in line {number}; use another copy of it.")
