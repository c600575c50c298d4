"""Setups in a text file: each with its name, an optional description, and its picture.

    name: Corner fort
    for: Safe and simple: the flag in a corner behind bombs.
    vary: 9 10, 2 3
     6   8   2   7   9   2   5   6  10   5
    ...

The ranks of a group behind ``vary:`` swap places with each other at random. Empty lines, and lines
that begin with ``#``, are ignored.
"""

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from companion.setups.setup import Row, Setup, read_row
from engine.board.ranks import SYMBOLS, RankSet, rank_set, ranks_in

_NAME: Final = "name:"
_USE: Final = "for:"
_VARY: Final = "vary:"


@dataclass(frozen=True)
class NamedSetup:
    """A setup with the name shown to players."""

    name: str
    setup: Setup
    use: str = ""
    """Its advantages, in a sentence; may be empty."""
    groups: tuple[RankSet, ...] = ()
    """Groups of ranks that swap places with each other at random when it is chosen."""

    def varied(self, dice: random.Random) -> "NamedSetup":
        """Return a random variation, mirrored half the time; unchanged if it fills all rows.

        So an opponent who knows the setups by heart cannot deduce a rank from a square.
        """
        setup = self.setup
        if setup.fills_rows:
            return self
        for group in self.groups:
            setup = setup.shuffled(group, dice)
        return replace(self, setup=setup.mirrored() if dice.random() < 0.5 else setup)


class SetupFileError(ValueError):
    """Unreadable file of setups; the message names the file, the line and the error."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")


@dataclass
class _Entry:
    """The data read so far of a setup that begins in this line."""

    line: int
    name: str
    use: str = ""
    groups: tuple[RankSet, ...] = ()
    rows: list[Row] = field(default_factory=list)


def read_setups(text: str, file: str) -> list[NamedSetup]:
    """Read all setups of a text; SetupFileError if one of them is malformed."""
    entries: list[_Entry] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if not line or line.startswith("#"):
            continue
        if line.startswith(_NAME):
            entries.append(_Entry(number, line.removeprefix(_NAME).strip()))
        elif not entries:
            raise SetupFileError(file, number, f"a setup begins with “{_NAME}”")
        elif line.startswith(_USE):
            entries[-1].use = line.removeprefix(_USE).strip()
        elif line.startswith(_VARY):
            with _told_of(file, number):
                entries[-1].groups = _read_groups(line.removeprefix(_VARY))
        else:
            with _told_of(file, number):
                entries[-1].rows.append(read_row(line))
    return [_named(entry, file) for entry in entries]


def write_setups(setups: Iterable[NamedSetup]) -> str:
    """Write setups in the format of `read_setups`."""
    return "\n".join(map(_write, setups))


def _named(entry: _Entry, file: str) -> NamedSetup:
    with _told_of(file, entry.line):
        if not entry.name:
            raise ValueError("a setup has a name")
        return NamedSetup(entry.name, Setup.of_rows(entry.rows), entry.use, entry.groups)


def _read_groups(written: str) -> tuple[RankSet, ...]:
    """Read groups of symbols, separated by commas; ValueError if one is not a rank."""
    groups = [group.split() for group in written.split(",")]
    if odd := {symbol for group in groups for symbol in group} - SYMBOLS.keys():
        raise ValueError(f"{min(odd)!r} is no rank; {' '.join(SYMBOLS)} are")
    return tuple(rank_set(SYMBOLS[symbol] for symbol in group) for group in groups)


def _write(named: NamedSetup) -> str:
    use = f"{_USE} {named.use}\n" if named.use else ""
    told = (" ".join(rank.symbol for rank in ranks_in(group)) for group in named.groups)
    vary = f"{_VARY} {', '.join(told)}\n" if named.groups else ""
    return f"{_NAME} {named.name}\n{use}{vary}{named.setup}\n"


@contextmanager
def _told_of(file: str, line: int) -> Iterator[None]:
    """Add the file and the line to an error."""
    try:
        yield
    except ValueError as error:
        raise SetupFileError(file, line, str(error)) from error
