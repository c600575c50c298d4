"""Our interpretations where the rulebooks are silent, and the rulebooks that need them."""

from collections.abc import Sequence

from companion.rules_pages.markdown import bullets, paragraph, table
from companion.rules_pages.prose import NUMBERS, titles, word
from engine.rules.editions import Edition


def readings(editions: Sequence[Edition]) -> list[str]:
    """Return every interpretation by its number, with the rulebooks that need it."""
    rows = [
        [
            str(number),
            word(reading.rule),
            reading.meaning,
            titles((e for e in editions if reading in e.readings), editions),
        ]
        for reading, number in NUMBERS.items()
    ]
    return [
        paragraph(
            "Where a rulebook is silent, the referee still has to decide. These readings are ours; "
            "no rulebook has them. They bear the numbers that stand in the text above, and the "
            "referee names them with every ruling that rests on them."
        ),
        table(["reading", "about", "we read", "needed by"], rows),
    ]


def readings_of(edition: Edition) -> list[str]:
    """Return the interpretations that one rulebook needs."""
    return [
        paragraph(
            "Where this rulebook is silent, the referee still has to decide. These readings are "
            "ours; the rulebook does not have them."
        ),
        bullets(
            f"Reading {number}, on {word(reading.rule)}: {reading.meaning}."
            for reading, number in NUMBERS.items()
            if reading in edition.readings
        ),
    ]
