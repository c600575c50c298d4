"""A setup: the ranks on an army's own rows.

A setup is stored from Red's view, on rows 1 to 4. For Blue, the setup is rotated by 180°, so both
players see it the same way from behind their pieces.

Players' own setups are saved under names in a file next to the games. The file contains ranks, so
only its owner may read it. A damaged file is quarantined under another name, so no data is lost.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, TypeAlias

from companion.speech.i18n import N_
from companion.storage.atomic_file import AtomicFile, FileMessages, numbered
from engine.board.geometry import SQUARES, WIDTH, Side, Square
from engine.board.ranks import SYMBOLS, Army, Rank, RankSet, rank_set, ranks_in
from engine.rules.editions import Edition

ROWS: Final = 4
EMPTY: Final = "."
"""An empty square in a diagram."""
_HOME: Final = range(ROWS * WIDTH)

Row: TypeAlias = list[Rank | None]
"""The ranks of a row, from its owner's left."""


def of_side(square: Square, side: Side) -> Square:
    """Map a square of Red's rows to the corresponding square of a side's rows, or back."""
    return square if side is Side.RED else SQUARES[-1] - square


@dataclass(frozen=True)
class Setup:
    """Ranks on the squares of Red's rows. Immutable: every change returns a new setup."""

    ranks: Mapping[Square, Rank] = field(default_factory=dict)

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> "Setup":
        """Build a setup from rows that `read_row` has returned, front row first.

        Raises ValueError unless there are exactly four rows.
        """
        if len(rows) != ROWS:
            raise ValueError(f"expected {ROWS} rows in the setup, found {len(rows)}")
        squares = [rank for row in reversed(rows) for rank in row]
        return cls({at: rank for at, rank in enumerate(squares) if rank is not None})

    @classmethod
    def of(cls, side: Side, standing: Mapping[Square, Rank]) -> "Setup":
        """Return the current setup of a side's army on the board."""
        return cls({of_side(square, side): rank for square, rank in standing.items()})

    def on_squares_of(self, side: Side) -> dict[Square, Rank]:
        """Return the ranks, keyed by board square, for a side that uses this setup."""
        return {of_side(square, side): rank for square, rank in self.ranks.items()}

    def __str__(self) -> str:
        """Draw the setup, with the front row on top."""
        symbols = [self.ranks[at].symbol if at in self.ranks else EMPTY for at in _HOME]
        rows = (symbols[WIDTH * n : WIDTH * (n + 1)] for n in reversed(range(ROWS)))
        return "\n".join("  ".join(symbol.rjust(2) for symbol in row) for row in rows)

    def left(self, army: Army) -> Counter[Rank]:
        """Count the pieces of an army that are still missing. A negative count is a surplus."""
        missing = Counter(army.counts)
        missing.subtract(self.ranks.values())
        return missing

    def fits(self, army: Army) -> bool:
        """Whether the setup contains exactly the pieces of the army."""
        return not any(self.left(army).values())

    def adapted(self, army: Army) -> "Setup":
        """Replace infiltrators with scouts for an army that has no infiltrators."""
        if army.ranks >> Rank.INFILTRATOR & 1:
            return self
        exchanged = {Rank.INFILTRATOR: Rank.SCOUT}
        return Setup({at: exchanged.get(rank, rank) for at, rank in self.ranks.items()})

    @property
    def fills_rows(self) -> bool:
        """Whether the setup fills all its rows. If so, the occupied squares reveal nothing."""
        return len(self.ranks) == len(_HOME)

    def mirrored(self) -> "Setup":
        return Setup({at + WIDTH - 1 - 2 * (at % WIDTH): r for at, r in self.ranks.items()})

    def shuffled(self, group: RankSet, dice: random.Random) -> "Setup":
        """Randomly permute the pieces whose rank is in a group."""
        squares = [at for at, rank in self.ranks.items() if group >> rank & 1]
        ranks = [self.ranks[at] for at in squares]
        dice.shuffle(ranks)
        return Setup({**self.ranks, **dict(zip(squares, ranks, strict=True))})

    def put(self, square: Square, rank: Rank) -> "Setup":
        """Put a piece on a square, replacing any piece there."""
        return Setup({**self.ranks, square: rank})

    def take(self, square: Square) -> "Setup":
        return Setup({at: rank for at, rank in self.ranks.items() if at != square})

    def carry(self, source: Square, target: Square) -> "Setup":
        """Move a piece to another square. If that square is occupied, the pieces swap places."""
        ways = {source: target, target: source}
        return Setup({ways.get(at, at): rank for at, rank in self.ranks.items()})


def read_row(row: str) -> Row:
    """Parse a row of a diagram. Raises ValueError with the reason if the row is malformed."""
    symbols = row.split()
    if len(symbols) != WIDTH:
        raise ValueError(f"expected {WIDTH} squares in the row, found {len(symbols)}")
    for symbol in symbols:
        if symbol != EMPTY and symbol not in SYMBOLS:
            raise ValueError(f"{symbol!r} is not one of {' '.join(SYMBOLS)} or {EMPTY}")
    return [SYMBOLS.get(symbol) for symbol in symbols]


# Setups in a text file: each with its name, an optional description, and its diagram.
#
#     name: Corner fort
#     for: Safe and simple: the flag in a corner behind bombs.
#     vary: 9 10, 2 3
#      6   8   2   7   9   2   5   6  10   5
#     ...
# The ranks in a group after ``vary:`` swap places at random. Empty lines, and lines that begin with
# ``#``, are ignored.

_NAME: Final = "name:"
_USE: Final = "for:"
_VARY: Final = "vary:"


@dataclass(frozen=True)
class NamedSetup:
    """A setup with the name that players see."""

    name: str
    setup: Setup
    use: str = ""
    """The setup's advantages in one sentence. May be empty."""
    groups: tuple[RankSet, ...] = ()
    """Groups of ranks that swap places at random when the setup is chosen."""

    def varied(self, dice: random.Random) -> "NamedSetup":
        """Return a random variation, mirrored half of the time.

        A setup that fills all rows is returned unchanged. The variations prevent opponents who have
        memorised the setups from deducing ranks from squares.
        """
        setup = self.setup
        if setup.fills_rows:
            return self
        for group in self.groups:
            setup = setup.shuffled(group, dice)
        return replace(self, setup=setup.mirrored() if dice.random() < 0.5 else setup)


class SetupFileError(ValueError):
    """A setups file is malformed. The message names the file, the line and the error."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")


@dataclass
class _Entry:
    """Data read so far for a setup that begins on the given line."""

    line: int
    name: str
    use: str = ""
    groups: tuple[RankSet, ...] = ()
    rows: list[Row] = field(default_factory=list)


def read_setups(text: str, file: str) -> list[NamedSetup]:
    """Read all setups from a file's text. Raises SetupFileError if one of them is malformed."""
    entries: list[_Entry] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if not line or line.startswith("#"):
            continue
        if line.startswith(_NAME):
            entries.append(_Entry(number, line.removeprefix(_NAME).strip()))
        elif not entries:
            raise SetupFileError(file, number, f"a setup must begin with “{_NAME}”")
        elif line.startswith(_USE):
            entries[-1].use = line.removeprefix(_USE).strip()
        elif line.startswith(_VARY):
            with _describe(file, number):
                entries[-1].groups = _read_groups(line.removeprefix(_VARY))
        else:
            with _describe(file, number):
                entries[-1].rows.append(read_row(line))
    return [_named(entry, file) for entry in entries]


def write_setups(setups: Iterable[NamedSetup]) -> str:
    """Write setups in the format that `read_setups` parses."""
    return "\n".join(map(_write, setups))


def _named(entry: _Entry, file: str) -> NamedSetup:
    with _describe(file, entry.line):
        if not entry.name:
            raise ValueError("the setup has no name")
        return NamedSetup(entry.name, Setup.of_rows(entry.rows), entry.use, entry.groups)


def _read_groups(written: str) -> tuple[RankSet, ...]:
    """Parse comma-separated groups of symbols. Raises ValueError if a symbol is not a rank."""
    groups = [group.split() for group in written.split(",")]
    if odd := {symbol for group in groups for symbol in group} - SYMBOLS.keys():
        raise ValueError(f"{min(odd)!r} is not a rank; the ranks are {' '.join(SYMBOLS)}")
    return tuple(rank_set(SYMBOLS[symbol] for symbol in group) for group in groups)


def _write(named: NamedSetup) -> str:
    use = f"{_USE} {named.use}\n" if named.use else ""
    groups = (" ".join(rank.symbol for rank in ranks_in(group)) for group in named.groups)
    vary = f"{_VARY} {', '.join(groups)}\n" if named.groups else ""
    return f"{_NAME} {named.name}\n{use}{vary}{named.setup}\n"


@contextmanager
def _describe(file: str, line: int) -> Iterator[None]:
    """Add the file and the line to errors raised within this context."""
    try:
        yield
    except ValueError as error:
        raise SetupFileError(file, line, str(error)) from error


_PROBLEMS: Final = FileMessages(
    quarantined=N_("Your setups could not be read. Their file was set aside as {file}."),
    unreadable=N_("Cannot read your setups from the disk."),
    unsaved=N_("Cannot save your setups. Free some space on the disk."),
)


class SavedSetups(AtomicFile):
    """The file with all players' setups on this computer."""

    def __init__(self, path: Path) -> None:
        """Read the file if it exists."""
        super().__init__(path, _PROBLEMS)
        self.setups = self._read(lambda text: read_setups(text, path.name)) or []
        """The setups, in the order in which they were saved."""

    def keep(self, name: str, setup: Setup) -> None:
        """Save a setup. If the name is already in use, a number is appended."""
        taken = {each.name for each in self.setups}
        free = next(each for each in numbered(name) if each not in taken)
        self._save([*self.setups, NamedSetup(free, setup)])

    def delete(self, name: str) -> None:
        self._save([each for each in self.setups if each.name != name])

    def _save(self, setups: list[NamedSetup]) -> None:
        if self._write(write_setups(setups)):
            self.setups = setups


# The well-known setups, which every player can choose, are in `known.txt`.

FILE: Final = "known.txt"


def preset_setups(army: Army) -> list[NamedSetup]:
    """Return the setups that fit an army, with untranslated names and descriptions."""
    adapted = [replace(each, setup=each.setup.adapted(army)) for each in _all()]
    return [each for each in adapted if each.setup.fits(army)]


def without_omitted(setups: list[NamedSetup], edition: Edition, side: Side) -> list[NamedSetup]:
    """Return setups of a whole army, minus the pieces that a handicap takes from a side."""
    return [
        replace(each, setup=Setup(edition.without_omitted(side, each.setup.ranks)))
        for each in setups
    ]


@cache
def _all() -> list[NamedSetup]:
    text = resources.files("companion.setups").joinpath(FILE).read_text(encoding="utf-8")
    return read_setups(text, FILE)
