"""Numbers, names and references as text."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from companion.rules_pages.markdown import paragraph
from companion.speech.announcer import Announcer
from companion.speech.language import SOURCE, Language
from engine.board.geometry import Square, name
from engine.board.ranks import Rank
from engine.rules.editions import Edition
from engine.rules.rules import Reading, Rule
from engine.rules.violations import Violation

Way: TypeAlias = tuple[Square, Square]

NUMBERS: Final = {reading: number for number, reading in enumerate(Reading, start=1)}
"""Number by which the pages refer to an interpretation."""
_TIMES: Final = ["never", "once", "twice", "three times", "four times", "five times", "six times"]
_ANNOUNCER: Final = Announcer(Language(SOURCE))


def times(count: int) -> str:
    """Return a frequency in words."""
    return _TIMES[count]


def word(member: Rank | Rule) -> str:
    """Return the name of a rank or a rule."""
    return member.name.lower().replace("_", " ")


def join(words: Iterable[str], last: str = "and") -> str:
    """Enumerate: ``a, b and c``."""
    *others, end = [*words] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def titles(some: Iterable[Edition], among: Sequence[Edition]) -> str:
    """Name some of these rulebooks."""
    named = [edition.rulebook for edition in some]
    return "every rulebook" if len(named) == len(among) else join(named) or "no rulebook"


def mark(*readings: Reading) -> str:
    """Return a reference to the interpretations on which a text relies: `` (reading 4)``."""
    if not readings:
        return ""
    numbers = join(str(NUMBERS[reading]) for reading in readings)
    return f" ({'reading' if len(readings) == 1 else 'readings'} {numbers})"


def needed(edition: Edition, *readings: Reading) -> str:
    """Return a reference to those of these interpretations that one rulebook needs."""
    return mark(*(reading for reading in readings if reading in edition.readings))


def ways(some: Iterable[Way]) -> str:
    """List moves, separated by commas."""
    return ", ".join(f"{name(source)}–{name(target)}" for source, target in some)


def said(violation: Violation) -> str:
    """Return the referee's announcement of a violation, as a block quote."""
    return "\n".join(f"> {line}" for line in paragraph(_ANNOUNCER.sentence(violation)).split("\n"))


def source(edition: Edition) -> str:
    """Return the sources of the rules of an edition."""
    articles = [f"{article} on {word(rule)}" for rule, article in edition.articles.items()]
    return "; ".join([f"*{edition.rulebook}*, {edition.published}", *articles])
