"""The rulebooks as data (rules.md §1). No logic asks which edition it is: it reads these values."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from engine.ranks import BARRAGE, DUEL, INFILTRATOR, ORIGINAL, Army, Rank
from engine.rules import Reading, Rule, Source


class MovedBomb(Enum):
    """What follows when a player moves a bomb or the flag."""

    NOT_ALLOWED = "not-allowed"
    """It is put back, like any illegal move."""
    LOSES = "loses"
    """The player loses at once."""
    ARBITER = "arbiter"
    """The arbiter decides, and the decision is recorded."""


@dataclass(frozen=True)
class Edition:
    """One published rulebook, as far as the engine enforces it, with what the players chose."""

    id: str
    rulebook: str
    """The title under which players know it; cited with every ruling."""
    army: Army
    """The army that is played with."""
    two_squares_limit: int
    """How many times in a row a piece may cross the same border (rules.md §5)."""
    more_squares: bool = False
    """Whether an endless chase over more than two squares is forbidden (rules.md §6)."""
    armies: tuple[Army, ...] = ()
    """All armies that the rulebook knows."""
    limits: tuple[int, ...] = ()
    """The limits that the players may choose from, where there is a choice."""
    moved_bomb: MovedBomb = MovedBomb.NOT_ALLOWED
    both_immobile_draw: bool = False
    """Whether it is a draw if neither side can move, rather than a loss of the one to move."""
    articles: Mapping[Rule, str] = field(default_factory=dict)
    """Where the rulebook numbers its articles: the article of a rule."""
    published: str = ""
    """When, where or by whom, as far as we know."""
    wording: Mapping[Rule, str] = field(default_factory=dict)
    """What this rulebook says of a rule in its own way; in “” it is quoted, in English."""
    readings: tuple[Reading, ...] = ()
    silent_defence: bool = False
    """Whether a defender that wins stays unnamed, unless a scout attacks (rules.md §7)."""
    aggressor_advantage: bool = False
    """Whether of two equal ranks only the defender falls (rules.md §7)."""

    def with_army(self, name: str) -> "Edition":
        """Return the edition played with another of its armies; ValueError if it has none such."""
        for army in self.armies:
            if army.name == name:
                return replace(self, army=army)
        known = ", ".join(army.name for army in self.armies)
        raise ValueError(f"{self.rulebook} has no army {name!r}, only: {known}")

    def fitting(self, ranks: Iterable[Rank]) -> "Edition":
        """Return the edition played with its army of these ranks, or else with the nearest.

        The nearest is the one of as many pieces that has the fewest other ranks.
        """
        counts = Counter(ranks)

        def distance(army: Army) -> tuple[int, int]:
            other_ranks = sum(abs(army.counts[rank] - counts[rank]) for rank in Rank)
            return abs(army.size - counts.total()), other_ranks

        return replace(self, army=min(self.armies, key=distance, default=self.army))

    def cite(self, rule: Rule, reading: Reading | None = None) -> Source:
        """Name the rulebook, and the article where it has one, as the source of a rule.

        `reading` is what we read there if this rulebook is silent about it.
        """
        read = reading if reading in self.readings else None
        return Source(self.rulebook, rule, self.articles.get(rule, ""), read)


_SPENT_OR_SHUT_IN: Final = (
    "a player loses who has only the flag and bombs left, or whose last movable pieces are shut in"
)

EDITIONS: Final[Mapping[str, Edition]] = {
    edition.id: edition
    for edition in (
        Edition(
            id="compact-1992",
            rulebook="Compact Stratego 499",
            published="1992",
            army=ORIGINAL,
            armies=(ORIGINAL,),
            two_squares_limit=5,
            wording={
                Rule.TWO_SQUARES: "“at the latest the sixth move must go to a third square”",
                Rule.ENDING: "a player loses once all movable pieces are captured",
            },
            readings=(Reading.SHUT_IN_LOSES, Reading.SILENT_SURVIVOR),
        ),
        Edition(
            id="original-1992",
            rulebook="Original Stratego 498",
            published="1992, in eight languages",
            army=ORIGINAL,
            armies=(ORIGINAL,),
            two_squares_limit=5,
            wording={
                Rule.TWO_SQUARES: "the player who began must vary first",
                Rule.ENDING: "a player loses who has only the flag and bombs left, or no move",
            },
            readings=(Reading.SILENT_SURVIVOR,),
        ),
        Edition(
            id="gravopedia-2006",
            rulebook="Stratego as explained on Gravopedia",
            published="2006",
            army=ORIGINAL,
            armies=(ORIGINAL, DUEL),
            two_squares_limit=3,
            more_squares=True,
            moved_bomb=MovedBomb.LOSES,
            wording={Rule.ENDING: _SPENT_OR_SHUT_IN},
            readings=(Reading.SILENT_SURVIVOR, Reading.KNOCKED_BOMB),
        ),
        Edition(
            id="nordic-2009",
            rulebook="Stratego with infiltrator",
            published="2009, in Denmark, Sweden, Norway and Finland",
            army=INFILTRATOR,
            armies=(INFILTRATOR, ORIGINAL, DUEL),
            two_squares_limit=3,
            more_squares=True,
            wording={
                Rule.MORE_SQUARES: "“pursuit over more than two squares must stop”",
                Rule.ENDING: _SPENT_OR_SHUT_IN,
            },
            readings=(
                Reading.ENEMY_ROWS,
                Reading.STRAIGHT_LINE,
                Reading.TURN_WITHOUT_MOVE,
                Reading.SILENT_SURVIVOR,
            ),
        ),
        Edition(
            id="travel-2017",
            rulebook="Stratego Travel",
            published="2017, in the Netherlands, France, Germany and the United Kingdom",
            army=ORIGINAL,
            armies=(ORIGINAL, DUEL),
            two_squares_limit=3,
            more_squares=True,
            moved_bomb=MovedBomb.LOSES,
            wording={
                Rule.IMMOBILE_PIECE: "who moves a bomb or the flag loses at once (German text)",
                Rule.MORE_SQUARES: "“a position that repeats during a pursuit”",
                Rule.ENDING: _SPENT_OR_SHUT_IN,
            },
            readings=(Reading.SILENT_SURVIVOR, Reading.KNOCKED_BOMB),
        ),
        Edition(
            id="isf",
            rulebook="ISF game rules",
            published="by the International Stratego Federation",
            army=ORIGINAL,
            armies=(ORIGINAL, DUEL, BARRAGE),
            two_squares_limit=3,
            limits=(3, 5),
            more_squares=True,
            moved_bomb=MovedBomb.ARBITER,
            both_immobile_draw=True,
            articles={
                Rule.TWO_SQUARES: "art. 10",
                Rule.MORE_SQUARES: "art. 11",
                Rule.ENDING: "art. 12",
            },
            wording={Rule.TWO_SQUARES: "an older text of the federation has five crossings"},
            readings=(Reading.SILENT_SURVIVOR,),
        ),
    )
}
"""Every edition by its id."""

DEFAULT: Final = EDITIONS["original-1992"]
