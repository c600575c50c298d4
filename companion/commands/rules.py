"""Print the rules of one rulebook, or of all rulebooks side by side."""

import argparse
from typing import Final

from rich.console import Console
from rich.markdown import Markdown

from companion.rules_pages import ALL, page
from companion.rules_pages.edition_page import ARMIES, DIFFERENCES, RuleDifference
from companion.rules_pages.markdown import table
from engine.rules.editions import EDITIONS
from engine.rules.rules import Rule

_READINGS: Final = """\
`boomboard rules --edition ID` explains a number such as (reading 4)."""
"""Text below the tables. The tables cite our interpretations of unclear rules only by number."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--edition", choices=EDITIONS, help="print only this rulebook")


def run(options: argparse.Namespace) -> int:
    edition = EDITIONS.get(options.edition)
    Console().print(Markdown(page(edition) if edition else overview()))
    return 0


def overview() -> str:
    """Return tables that compare the editions.

    Each table covers only two of the questions, so that it fits in a terminal.
    """
    names = RuleDifference("rulebook", Rule.SETUP, lambda edition: edition.rulebook)
    asked = (names, ARMIES, *(each for each in DIFFERENCES if each is not ARMIES))
    tables = "\n\n".join(
        table(
            ["edition", *(difference.question for difference in asked[first : first + 2])],
            [
                [f"`{e.id}`", *(difference.answer(e) for difference in asked[first : first + 2])]
                for e in ALL
            ],
        )
        for first in range(0, len(asked), 2)
    )
    return f"{tables}\n\n{_READINGS}"
