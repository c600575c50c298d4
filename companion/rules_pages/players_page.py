"""The page for players, docs/rules.md, to be read at the table or read out by an arbiter."""

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
    word,
)
from companion.rules_pages.open_choices import options
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
                "Put a screen between the two armies until both of you are ready. The backs of "
                "your pieces face your opponent.",
                "Red sets up on rows 1 to 4 and Blue on rows 7 to 10, one piece to a square. "
                f"{filling.capitalize()} fill all forty squares; {free} may use any of them.",
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
            "crosses the two lakes, c5 to d6 and g5 to h6."
        ),
        table(["rank", "sign", *(army.name for army in armies)], rows),
        paragraph(
            "The higher number is stronger. In American sets the marshal is 1, the scout 9 and the "
            "spy S. The screen marks ranks by names or by either kind of number."
        ),
    ]


def _armies(editions: Sequence[Edition]) -> list[Army]:
    return list({army.name: army for edition in editions for army in edition.armies}.values())


def _fills(army: Army) -> bool:
    return army.size == Side.RED.home.bit_count()


def ends(editions: Sequence[Edition]) -> list[str]:
    rows = {
        Reason.FLAG_CAPTURED: ("A flag is captured.", "Its owner loses."),
        Reason.NO_MOVABLE_PIECE: (
            "All movable pieces of a player are captured, whoever's turn it is.",
            "That player loses, unless the other player cannot move either. If one attack "
            f"captures the last ones of both, it is a draw{mark(Interpretation.BOTH_SPENT)}.",
        ),
        Reason.NO_LEGAL_MOVE: (
            "The player to move has no legal move, because every piece is blocked or a repetition "
            "rule forbids every other move.",
            f"That player "
            f"loses{mark(Interpretation.SHUT_IN_LOSES, Interpretation.REPETITION_LOSES)}.",
        ),
        Reason.BOTH_IMMOBILE: (
            "Neither player can move.",
            f"A draw{mark(Interpretation.BOTH_SHUT_IN)}.",
        ),
        Reason.MOVED_BOMB: (
            "A player moves a bomb or the flag.",
            f"{_moved_bomb(editions)} A piece on a square that it could not have reached was "
            f"knocked, and is put back"
            f"{mark(Interpretation.KNOCKED_BOMB)}.",
        ),
        Reason.RESIGNATION: ("A player resigns.", "That player loses (a house rule)."),
        Reason.AGREED_DRAW: ("Both players agree to a draw.", "A draw (a house rule)."),
        Reason.TIME: (
            "Time is up, if you play with a clock.",
            "The player whose time is up loses. When the time of the whole game is up, it is a "
            "draw (the organiser's rule).",
        ),
        Reason.FORFEIT: (
            "The arbiter decides, for example after proved cheating.",
            "One player or both players lose (the organiser's rule).",
        ),
    }
    return [
        bullets("**{}** {}".format(*rows[reason]) for reason in Reason),
        paragraph("If you cannot move, say so; see [What the referee does](rules/referee.md)."),
    ]


def _moved_bomb(editions: Sequence[Edition]) -> str:
    """Return the penalty for moving a bomb, by rulebook."""
    loses = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.LOSES), editions)
    chosen = [e for e in editions if MovedBombPenalty.LOSES in e.moved_bomb_choices]
    by_choice = f", and by {titles(chosen, editions)} if so chosen" if chosen else ""
    arbiter = titles((e for e in editions if e.moved_bomb is MovedBombPenalty.ARBITER), editions)
    return (
        f"That player loses at once by {loses}{by_choice}. By {arbiter} the arbiter decides. "
        "Otherwise it is put back."
    )


_INTRODUCTION: Final = """\
Stratego as Boomboard referees it. Section 6 has the differences between the rulebooks. A number \
such as (reading 4) marks one of our decisions where the rulebooks are silent, see section 12. \
[What the referee does](rules/referee.md) covers mistakes, disputes and arbiters."""


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
        "Options": options(),
        "Our readings": readings(),
        "Sources": _sources(editions),
    }
    lines = ["# The rules", paragraph(_INTRODUCTION)]
    for number, (title, blocks) in enumerate(sections.items(), start=1):
        lines += [f"## {number}. {title}", *blocks]
    return "\n\n".join(lines) + "\n"


def _aim() -> list[str]:
    return [
        paragraph(
            "Capture your opponent's flag, or all pieces that can move. Ranks are only revealed in "
            "attacks."
        )
    ]


def _moving() -> list[str]:
    return [
        bullets(
            [
                "Red starts. A turn is one move or one attack; you never have to attack.",
                "The flag and the bombs never move. Every other piece moves one square along a row "
                "or a column, never diagonally. No piece jumps over another, or over a lake.",
                "A scout moves any number of empty squares in a straight line, and may attack at "
                "the end of that line in the same turn, but not around a corner"
                f"{mark(Interpretation.STRAIGHT_STRIKE)}. You may set it down in front of its "
                "target and then tap the target.",
                "Lifting a piece is not a move. A move is made when you let go of the piece on "
                "another square, or tap an opposing piece with it.",
            ]
        )
    ]


def _differences(editions: Sequence[Edition]) -> list[str]:
    return [
        one_table(editions),
        paragraph("`boomboard rules --edition isf` prints the page of one rulebook."),
    ]


def _silence() -> list[str]:
    return [
        paragraph(
            "Write nothing down during a game. The screen shows ranks only while an attack is "
            "resolved, and a list of moves only after the game. Captured pieces are visible to "
            "both players."
        )
    ]


def _sources(editions: Sequence[Edition]) -> list[str]:
    return [
        bullets(f"{source(edition)}." for edition in editions),
        paragraph(
            "The texts of the rulebooks differ between languages. For example, only the French "
            "text of Original Stratego 498 says that a player who cannot move loses, and only the "
            "German text of Stratego Travel makes a moved bomb lose."
        ),
        paragraph(
            "“Stratego” is a registered trademark of its owner; this project is independent of it."
        ),
    ]
