"""The rulebooks as data (RULES §3). No logic asks which edition it is: it reads these values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.ranks import BARRAGE, DUEL, ORIGINAL, Army
from engine.rules import Rule


@dataclass(frozen=True)
class Edition:
    """One published rulebook, as far as the engine enforces it."""

    id: str
    rulebook: str
    """The title under which players know it; cited with every ruling."""
    army: Army
    """The army that is played with."""
    two_squares_limit: int
    """How many times in a row a piece may cross the same border (RULES §5)."""
    more_squares: bool = False
    """Whether an endless chase over more than two squares is forbidden (RULES §6)."""
    small_armies: tuple[Army, ...] = ()
    """The armies that the rulebook knows for shorter games; they stand anywhere in their rows."""
    articles: Mapping[Rule, str] = field(default_factory=dict)
    """Where the rulebook numbers its articles: the article of a rule."""

    def played_with(self, pieces: int) -> "Edition":
        """Return the edition with its army of that many pieces; as it is if it has none."""
        fitting = (army for army in self.small_armies if army.size == pieces)
        return replace(self, army=next(fitting, self.army))

    def cite(self, rule: Rule) -> str:
        """Name the rulebook, and the article where it has one, as the source of a rule."""
        return ", ".join(filter(None, (self.rulebook, self.articles.get(rule))))


EDITIONS: Final[Mapping[str, Edition]] = {
    edition.id: edition
    for edition in (
        Edition(
            id="compact-1992",
            rulebook="Compact Stratego 499",
            army=ORIGINAL,
            two_squares_limit=5,
        ),
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
            more_squares=True,
            small_armies=(BARRAGE, DUEL),
            articles={Rule.TWO_SQUARES: "art. 10", Rule.MORE_SQUARES: "art. 11"},
        ),
    )
}
"""Every edition by its id."""

DEFAULT: Final = EDITIONS["original-1992"]
