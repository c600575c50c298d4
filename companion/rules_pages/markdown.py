"""Writes a small subset of Markdown, and converts numbers, names and references to text."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from engine.board.geometry import Square, name
from engine.board.ranks import Rank
from engine.rules.editions import Edition
from engine.rules.rules import Interpretation, Rule

_WIDTH: Final = 100


def paragraph(text: str) -> str:
    """Return a paragraph, wrapped into lines."""
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False)


def bullets(items: Iterable[str]) -> str:
    return "\n".join(_list_item("- ", item) for item in items)


def numbered(items: Iterable[str]) -> str:
    """Return a list that is numbered from 1."""
    return "\n".join(_list_item(f"{number}. ", item) for number, item in enumerate(items, start=1))


def _list_item(sign: str, text: str) -> str:
    indent = " " * len(sign)
    return textwrap.fill(
        text, _WIDTH, initial_indent=sign, subsequent_indent=indent, break_on_hyphens=False
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. Cells must not contain ``|`` or line breaks."""
    first, *others = (f"| {' | '.join(line)} |" for line in (head, *rows))
    return "\n".join([first, f"|{'---|' * len(head)}", *others])


def verbatim(text: str) -> str:
    """Return a block of preformatted text."""
    return f"```text\n{text}\n```"


Way: TypeAlias = tuple[Square, Square]

NUMBERS: Final = {reading: number for number, reading in enumerate(Interpretation, start=1)}
"""Reference numbers of the interpretations on the pages."""
_TIMES: Final = ["never", "once", "twice", "three times", "four times", "five times", "six times"]


def times(count: int) -> str:
    """Return a frequency in words."""
    return _TIMES[count]


def word(member: Rank | Rule) -> str:
    return member.name.lower().replace("_", " ")


def join(words: Iterable[str], last: str = "and") -> str:
    """Join words into a list: ``a, b and c``."""
    *others, end = [*words] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def titles(some: Iterable[Edition], among: Sequence[Edition]) -> str:
    """Return the names of some rulebooks, “every rulebook” for all, or “no rulebook” for none."""
    named = [edition.rulebook for edition in some]
    return "every rulebook" if len(named) == len(among) else join(named) or "no rulebook"


def mark(*readings: Interpretation) -> str:
    """Return a reference to the interpretations that a passage relies on: `` (reading 4)``."""
    if not readings:
        return ""
    numbers = join(str(NUMBERS[reading]) for reading in readings)
    return f" ({'reading' if len(readings) == 1 else 'readings'} {numbers})"


def needed(edition: Edition, *readings: Interpretation) -> str:
    """Return the text that `mark` writes for those interpretations that the rulebook needs."""
    return mark(*(reading for reading in readings if reading in edition.readings))


def ways(some: Iterable[Way]) -> str:
    """Return a comma-separated list of moves."""
    return ", ".join(f"{name(source)}–{name(target)}" for source, target in some)


def source(edition: Edition) -> str:
    """Return the sources of the rules of an edition."""
    articles = [f"{article} on {word(rule)}" for rule, article in edition.articles.items()]
    return "; ".join([f"*{edition.rulebook}*, {edition.published}", *articles])
