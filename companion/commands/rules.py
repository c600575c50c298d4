"""Print the rules of every edition side by side, or of one.

For all rules, with examples and endings, see docs/rules.md.
"""

import argparse

from rich.console import Console
from rich.markdown import Markdown

from companion import rules_pages
from engine.rules.editions import EDITIONS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--edition", choices=EDITIONS, help="what is particular to this rulebook")


def run(options: argparse.Namespace) -> int:
    edition = EDITIONS.get(options.edition)
    text = rules_pages.page(edition) if edition else rules_pages.overview()
    Console().print(Markdown(text))
    return 0
