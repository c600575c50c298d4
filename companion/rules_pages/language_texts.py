"""Differences between the language texts of the rulebooks, in one table.

Texts in the same box may differ from language to language. The table has the rules that only a few
texts contain, and the differences between the languages of one rulebook.
"""

from typing import Final

from companion.rules_pages.markdown import paragraph, table

_TEXTS: Final = 18
"""Total number of language texts of all rulebooks."""
_ROWS: Final = (
    ("all", "both players show the piece in an attack", f"3 of {_TEXTS}", ""),
    ("all", "the cry Boom! at a bomb", f"2 of {_TEXTS}", ""),
    (
        "all",
        "nothing is written down during the game",
        f"2 of {_TEXTS}",
        "the English text of Original Stratego 498 has a tally kept",
    ),
    (
        "Original Stratego 498",
        "a player who cannot move loses, as a rule of its own",
        "French, of eight languages",
        "as in all eight, a player who has only the flag and bombs left loses",
    ),
    (
        "Stratego Travel",
        "a moved bomb or flag loses at once",
        "German, of four languages",
        "Dutch, French and English only forbid it",
    ),
    (
        "Stratego Travel",
        "how often a piece may go to and fro",
        "Dutch, German and English",
        "French gives no number",
    ),
)
"""Rulebook, rule, texts that contain it, and other statements."""


def language_texts() -> list[str]:
    """Write the table."""
    return [
        paragraph(
            f"The rulebooks are published in {_TEXTS} language texts, among them the eight "
            "languages of Original Stratego 498 and the four of Stratego Travel. They do not all "
            "say the same:"
        ),
        table(
            ["rulebook", "rule", "texts that have it", "the other texts"], list(map(list, _ROWS))
        ),
    ]
