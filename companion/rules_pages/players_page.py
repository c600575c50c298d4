"""The page for players, to be read at the table or read out by an arbiter: docs/rules.md."""

from collections.abc import Sequence
from typing import Final

from companion.rules_pages.army_table import before_the_game, board_and_armies
from companion.rules_pages.attacking import attacks, infiltrator
from companion.rules_pages.differences import one_table
from companion.rules_pages.ends import ends
from companion.rules_pages.language_texts import language_texts
from companion.rules_pages.markdown import bullets, paragraph
from companion.rules_pages.open_choices import options
from companion.rules_pages.our_readings import readings
from companion.rules_pages.prose import mark, source
from companion.rules_pages.repetition import more_squares, two_squares
from engine.rules.editions import Edition
from engine.rules.rules import Reading

_INTRODUCTION: Final = """\
Stratego as Boomboard referees it. Most rules are the same in every rulebook; section 6 has a \
table of the differences. A number such as (reading 4) marks what no rulebook says and we had to \
decide, see section 12. Mistakes, disputes and arbiters are on the page \
[What the referee does](rules/referee.md)."""


def document(editions: Sequence[Edition]) -> str:
    sections = {
        "The aim": _aim(),
        "Before the game": before_the_game(editions),
        "The board and the armies": board_and_armies(editions),
        "Moving": _moving(),
        "Attacking": [*attacks(), *infiltrator(editions)],
        "What differs between the rulebooks": _differences(editions),
        "To and fro: the two-squares rule": two_squares(editions),
        "Endless chases: the more-squares rule": more_squares(editions),
        "How a game ends": ends(editions),
        "What nobody may see": _silence(),
        "Options": options(editions),
        "Our readings": readings(editions),
        "Where the language texts differ": language_texts(),
        "Sources": _sources(editions),
    }
    lines = ["# The rules", paragraph(_INTRODUCTION)]
    for number, (title, blocks) in enumerate(sections.items(), start=1):
        lines += [f"## {number}. {title}", *blocks]
    return "\n\n".join(lines) + "\n"


def _aim() -> list[str]:
    return [
        paragraph(
            "Capture your opponent's flag. You also win when your opponent has no piece left that "
            "can move. What your pieces are, your opponent only learns in attacks."
        )
    ]


def _moving() -> list[str]:
    return [
        bullets(
            [
                "Red starts, then the players take turns. A turn is one move or one attack. You "
                "never have to attack.",
                "The flag and the bombs never move. Every other piece moves one square along a row "
                "or a column, never diagonally. No piece jumps over another, or over a lake.",
                "A scout moves any number of empty squares in a straight line, and may attack at "
                "the end of that line in the same turn. It does not go round a corner"
                f"{mark(Reading.STRAIGHT_STRIKE)}. A piece that has gone further than one square "
                "has shown that it is a scout.",
                "You may set a scout down in front of its target and then tap the target. That is "
                "one turn.",
                "Lifting a piece is not a move. A move is made when you let go of the piece on "
                "another square, or tap an opposing piece with it.",
            ]
        )
    ]


def _differences(editions: Sequence[Edition]) -> list[str]:
    return [
        one_table(editions),
        paragraph(
            "Each name leads to that rulebook's own page. Sections 7 and 8 explain how to and fro "
            "and chases are counted."
        ),
    ]


def _silence() -> list[str]:
    return [
        paragraph(
            "Write nothing down during a game. The screen helps nobody to remember either: ranks "
            "are shown while an attack is resolved, and never again; there is no list of moves "
            "until the game is over. The captured pieces are there for all to see."
        )
    ]


def _sources(editions: Sequence[Edition]) -> list[str]:
    return [
        bullets(f"{source(edition)}." for edition in editions),
        paragraph(
            "The program writes this page from the data that its referee reads (`make rules`). "
            "The rulebooks are told in our words; quotations are in the language of the "
            "rulebook. “Stratego” is a registered trademark of its owner; this project is "
            "independent of it."
        ),
    ]
