"""The rulebooks as data (RULES §3). No logic asks which edition it is: it reads these values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.ranks import ORIGINAL, Army
from engine.rules import Rule


@dataclass(frozen=True)
class Edition:
    """One published rulebook, as far as the engine enforces it."""

    id: str
    rulebook: str
    """The title under which players know it; cited with every ruling."""
    army: Army
    two_squares_limit: int
    """How many times in a row a piece may cross the same border (RULES §5)."""
    articles: Mapping[Rule, str] = field(default_factory=dict)
    """Where the rulebook numbers its articles: the article of a rule."""

    def cite(self, rule: Rule) -> str:
        """Name the rulebook, and the article where it has one, as the source of a rule."""
        return ", ".join(filter(None, (self.rulebook, self.articles.get(rule))))


EDITIONS: Final[Mapping[str, Edition]] = {
    edition.id: edition
    for edition in (
        Edition(
            id="original-1992",
            rulebook="Original Stratego 498",
            army=ORIGINAL,
            two_squares_limit=5,
        ),
        Edition(
            id="isf",
            rulebook="ISF game rules",
            army=ORIGINAL,
            two_squares_limit=3,
            articles={Rule.TWO_SQUARES: "art. 10"},
        ),
    )
}
"""Every edition by its id."""

DEFAULT: Final = EDITIONS["original-1992"]
