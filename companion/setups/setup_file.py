"""Setups in a text file: each with its name, perhaps what it is good for, and its picture.

    name: Corner fort
    for: Safe and simple: the flag in a corner behind bombs.
     6   8   2   7   9   2   5   6  10   5
    ...

Empty lines, and lines that begin with ``#``, say nothing.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from companion.setups.setup import Row, Setup, read_row

_NAME: Final = "name:"
_USE: Final = "for:"


@dataclass(frozen=True)
class NamedSetup:
    """A setup under the name by which players choose it."""

    name: str
    setup: Setup
    use: str = ""
    """What it is good for, in a sentence; empty if nobody has said it."""


class SetupFileError(ValueError):
    """A file of setups that cannot be read: it names the file, the line and what is wrong there."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")


@dataclass
class _Entry:
    """What has been read of a setup that begins in this line."""

    line: int
    name: str
    use: str = ""
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
        else:
            with _told_of(file, number):
                entries[-1].rows.append(read_row(line))
    return [_named(entry, file) for entry in entries]


def write_setups(setups: Iterable[NamedSetup]) -> str:
    """Write setups as the text that `read_setups` reads."""
    return "\n".join(map(_write, setups))


def _named(entry: _Entry, file: str) -> NamedSetup:
    with _told_of(file, entry.line):
        if not entry.name:
            raise ValueError("a setup has a name")
        return NamedSetup(entry.name, Setup.of_rows(entry.rows), entry.use)


def _write(named: NamedSetup) -> str:
    use = f"{_USE} {named.use}\n" if named.use else ""
    return f"{_NAME} {named.name}\n{use}{named.setup}\n"


@contextmanager
def _told_of(file: str, line: int) -> Iterator[None]:
    """Say of what is wrong where it stands."""
    try:
        yield
    except ValueError as error:
        raise SetupFileError(file, line, str(error)) from error
