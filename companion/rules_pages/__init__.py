"""Generates the rules in Markdown from the engine's data.

`pages` returns the documents in docs/, and `page` returns the page of one edition for a terminal.
Numbers, armies, results, faults, interpretations and the moves of the examples come from the
engine. Only text that is common to all editions is written here as sentences.

Other packages use only these two functions, and `markdown` to generate other pages.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from companion.rules_pages import players_page, referee_page
from companion.rules_pages.edition_page import page
from engine.rules.editions import EDITIONS, Edition

__all__ = ["ALL", "page", "pages"]

ALL: Final = tuple(EDITIONS.values())


def pages(editions: Sequence[Edition] = ALL) -> Mapping[str, str]:
    """Return every document by its path in docs/."""
    return {
        "rules.md": players_page.document(editions),
        "rules/referee.md": referee_page.document(editions),
    }
