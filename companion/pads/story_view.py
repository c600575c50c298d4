"""The story of the previous game, as plain data for a page.

It contains ranks, so it is written only when that game can no longer be resumed.
"""

from typing import Any, Final

from companion.reports.replay import Snapshot
from companion.reports.story import Story, StoryMoment
from companion.speech.i18n import N_, Language
from engine.board.geometry import SQUARES, WIDTH, name

BEFORE: Final = 3
"""Number of plies before a moment that can be stepped through."""
AFTER: Final = 3
"""Number of plies after a moment that can be stepped through."""


def story_view(story: Story, language: Language) -> dict[str, Any]:
    """Return the moments with the positions around each, and the closing paragraphs."""
    return {
        "language": language.code,
        "moments": [_moment(story, each, language) for each in story.moments],
        "closing": story.closing,
    }


def _moment(story: Story, moment: StoryMoment, language: Language) -> dict[str, Any]:
    first, last = max(0, moment.ply - BEFORE), min(len(story.pages) - 1, moment.ply + AFTER)
    steps = [_step(story, ply, moment, language) for ply in range(first, last + 1)]
    return {"start": moment.ply - first, "steps": steps}


def _step(story: Story, ply: int, moment: StoryMoment, language: Language) -> dict[str, Any]:
    page, is_moment = story.pages[ply], ply == moment.ply
    marked = (moment.way if is_moment else None) or page.seen.last_move or ()
    of = N_("{ply} of {length}")
    return {
        "place": language.text(of, ply=ply, length=len(story.pages) - 1),
        "text": moment.text if is_moment else page.text,
        "board": _board(page.seen),
        "marked": [name(square) for square in marked],
        "ranks": {
            name(square): language.sign(rank)
            for square, rank in story.ranks(ply, moment.side).items()
        },
    }


def _board(seen: Snapshot) -> str:
    """Write the sides on the squares, row 10 first, as the page draws them."""
    rows = range(len(SQUARES) // WIDTH)
    order = (row * WIDTH + column for row in reversed(rows) for column in range(WIDTH))
    pieces = seen.pieces
    return "".join(pieces[at][0].value[0] if at in pieces else "." for at in order)
