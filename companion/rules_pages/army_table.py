"""The board, the armies, and the setup."""

from collections.abc import Sequence

from companion.rules_pages.markdown import bullets, paragraph, table, verbatim
from companion.rules_pages.prose import join, word
from engine.board.board import Board
from engine.board.geometry import Side
from engine.board.ranks import Army, Rank
from engine.rules.editions import Edition


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
