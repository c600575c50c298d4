"""The page for players, to be read at the table or read out by an arbiter: docs/rules.md."""

from collections.abc import Sequence
from typing import Final

from companion.rules_pages.differences import one_table
from companion.rules_pages.edition_page import readings
from companion.rules_pages.examples import attacks, infiltrator, more_squares, two_squares
from companion.rules_pages.markdown import (
    bullets,
    join,
    mark,
    paragraph,
    source,
    table,
    titles,
    verbatim,
    word,
)
from companion.rules_pages.open_choices import options
from engine.board.board import Board
from engine.board.geometry import Side
from engine.board.ranks import Army, Rank
from engine.game.rulings import Reason
from engine.rules.editions import Edition, MovedBombPenalty
from engine.rules.rules import Interpretation

# Sections of the page.


def before_the_game(editions: Sequence[Edition]) -> list[str]:
    """Return the steps before the first move."""
    armies = _armies(editions)
    filling = join(army.name for army in armies if _fills(army))
    free = join(army.name for army in armies if not _fills(army))
    return [
        bullets(
            [
                "Agree on a rulebook (section 6), on an army, and on the options (section 11).",
                "Draw lots for the colours. Red moves first.",
                "Put a screen between the two armies and set up behind it, each piece with its "
                "back to your opponent. Take the screen away when both of you are ready.",
                "Red sets up on rows 1 to 4 and Blue on rows 7 to 10, one piece to a square. "
                f"These armies fill all forty squares: {filling}. These stand on any of them: "
                f"{free}.",
            ]
        )
    ]


def board_and_armies(editions: Sequence[Edition]) -> list[str]:
    """Return the board, and the number of pieces of each rank in the armies."""
    armies = _armies(editions)
    rows = [
        [word(rank), rank.symbol, *(str(army.counts[rank] or "") for army in armies)]
        for rank in Rank
    ]
    rows.append(["**all**", "", *(f"**{army.size}**" for army in armies)])
    return [
        paragraph(
            "The board has ten columns, a to k without a j, and ten rows. No piece enters or "
            "crosses the two lakes."
        ),
        verbatim(str(Board({}, {}))),
        table(["rank", "sign", *(army.name for army in armies)], rows),
        paragraph(
            "Of two numbers the higher is the stronger. American sets count the other way round: "
            "there the marshal is 1, the scout is 9 and the spy is S. The screen marks ranks "
            "as you choose: by names, or by either numbers."
        ),
    ]


def _armies(editions: Sequence[Edition]) -> list[Army]:
    return list({army.name: army for edition in editions for army in edition.armies}.values())


def _fills(army: Army) -> bool:
    return army.size == Side.RED.home.bit_count()


def ends(editions: Sequence[Edition]) -> list[str]:
    """Return the ends of a game."""
    rows = {
        Reason.FLAG_CAPTURED: ("A flag is captured.", "Its owner loses."),
        Reason.NO_MOVABLE_PIECE: (
            "All movable pieces of a player are captured, whoever's turn it is.",
            "That player loses, unless the other one cannot move either. If one attack takes the "
            f"last ones of both, it is a draw{mark(Interpretation.BOTH_SPENT)}.",
        ),
        Reason.NO_LEGAL_MOVE: (
            "The player whose turn it is cannot move: every piece is shut in, or a repetition rule "
            "forbids every move that is left.",
            f"That player "
            f"loses{mark(Interpretation.SHUT_IN_LOSES, Interpretation.REPETITION_LOSES)}.",
        ),
        Reason.BOTH_IMMOBILE: (
            "Neither player can move.",
            f"A draw{mark(Interpretation.BOTH_SHUT_IN)}.",
        ),
        Reason.MOVED_BOMB: (
            "A player moves a bomb or the flag.",
            f"{_moved_bomb(editions)} A bomb or flag that stands where it could not have gone was "
            f"knocked: it is put back{mark(Interpretation.KNOCKED_BOMB)}.",
        ),
        Reason.RESIGNATION: ("A player gives up.", "That player loses (a house rule)."),
        Reason.AGREED_DRAW: ("Both players agree to a draw.", "A draw (a house rule)."),
        Reason.TIME: (
            "Time is up, if you play with a clock.",
            "The player whose time is up loses. When the time of the whole game is up, it is a "
            "draw (the organiser's rule).",
        ),
        Reason.FORFEIT: (
            "The arbiter decides so, as after proved cheating.",
            "One player loses, or both do (the organiser's rule).",
        ),
    }
    return [
        table(["what happens", "how it ends"], [rows[reason] for reason in Reason]),
        paragraph(
            "If you cannot move, say so. What the referee does then, and when it finds out by "
            "itself, is told in [What the referee does](rules/referee.md)."
        ),
    ]


def _moved_bomb(editions: Sequence[Edition]) -> str:
    """Return the penalty for moving a bomb, by rulebook."""
    loses = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.LOSES), editions)
    chosen = [e for e in editions if MovedBombPenalty.LOSES in e.moved_bomb_choices]
    by_choice = f", and by {titles(chosen, editions)} if so chosen" if chosen else ""
    arbiter = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.ARBITER), editions)
    return (
        f"That player loses at once by {loses}{by_choice}. By {arbiter} the arbiter decides. "
        "Else it is put back."
    )


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
    """Return the differences between the language texts of the rulebooks.

    Texts in the same box may differ from language to language. The table has the rules that only a
    few texts contain, and the differences between the languages of one rulebook.
    """
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


# Page.

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
                f"{mark(Interpretation.STRAIGHT_STRIKE)}. A piece that has gone further than one "
                "square "
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
