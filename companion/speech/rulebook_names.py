"""The usual names of the rulebooks, and a short sentence on the particulars of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.speech.language import N_


@dataclass(frozen=True)
class RulebookName:
    """Texts that are still to be translated."""

    name: str
    about: str


RULEBOOK_NAMES: Final[Mapping[str, RulebookName]] = {
    "original-1992": RulebookName(
        N_("Classic"),
        N_("The large box of 1992. To and fro at most five times."),
    ),
    "compact-1992": RulebookName(
        N_("Compact"),
        N_("The small box of 1992. Who has no move left has lost."),
    ),
    "travel-2017": RulebookName(
        N_("Travel"),
        N_("The box of 2017. To and fro three times, no endless chase."),
    ),
    "nordic-2015": RulebookName(
        N_("With infiltrator"),
        N_("The Nordic box of 2015. One piece guesses ranks."),
    ),
    "gravopedia-2006": RulebookName(
        N_("Online"),
        N_("As on the server Gravon. Who moves a bomb has lost."),
    ),
    "isf": RulebookName(
        N_("Tournament"),
        N_("As the federation plays, with clock and arbiter."),
    ),
}
"""The names of all editions, by id: the most common first."""
