"""Screenshots in docs/screens with their captions, and the page that shows them."""

from dataclasses import dataclass
from typing import Final

from companion.rules_pages.markdown import table

PAGE: Final = "README.md"


@dataclass(frozen=True)
class Kept:
    """A screenshot that the documentation uses."""

    file: str
    """Path relative to docs/screens and, for a screenshot from a tour, also to build/screens."""
    caption: str
    tour: str = ""
    """Tour that takes the screenshot. It must be named if the screenshot has a style in which only
    some tours are run."""


SECTIONS: Final[dict[str, tuple[Kept, ...]]] = {
    "Before the game": (
        Kept("en/start.png", "The start screen."),
        Kept("en/alone-choice.png", "A solo game begins."),
        Kept("en/rules.png", "Rulebook, army, clock and options."),
        Kept("en/setup.png", "Setting up the board."),
        Kept("en/workshop.png", "Entering a setup behind a curtain."),
    ),
    "Learning the game": (
        Kept("en/first-battle.png", "The first battle."),
        Kept("en/handicap.png", "A handicap."),
    ),
    "A game": (
        Kept("alone.png", "A solo game (`make animation`)."),
        Kept("en/turn.png", "A turn."),
        Kept("en/alone.png", "A turn in a solo game."),
        Kept("en/turn-clock.png", "A turn with the tournament clock."),
        Kept("en/lifted.png", "A lifted piece and its possible targets."),
        Kept("en/choose-move.png", "A question about what happened."),
        Kept("en/take-back-offer.png", "Red asks for a take-back."),
        Kept("en/menu.png", "The menu."),
    ),
    "An attack": (
        Kept("attack.png", "An attack on a bomb (`make animation`)."),
        Kept("en/curtain.png", "The curtain before a declaration."),
        Kept("en/tile-held.png", "A declaration."),
        Kept("en/contradiction.png", "A refuted declaration."),
        Kept("en/dispute.png", "A dispute."),
        Kept("en/boom.png", "A bomb explodes."),
        Kept("en/reveal.png", "The result of a combat."),
        Kept("en/guess.png", "An infiltrator's guess."),
    ),
    "When something is wrong": (
        Kept("en/violation.png", "A wrong move."),
        Kept("en/knocked.png", "The screen after a knock."),
        Kept("en/arbiter.png", "An arbiter's decisions."),
        Kept("en/failure-damaged.png", "Saved games are damaged."),
    ),
    "After the game": (
        Kept("en/end.png", "The end of a game."),
        Kept("en/replay-known.png", "The replay of a game."),
        Kept("en/story-3.png", "A moment in the review."),
        Kept("en/book.png", "The book of evenings."),
    ),
    "Board, phones and settings": (
        Kept("en/settings.png", "The settings."),
        Kept("en/sensors-armies.png", "The board check."),
        Kept("en/calibration-armies.png", "The calibration."),
        Kept("en/phones-red.png", "The code for a phone."),
        Kept("../pads/declare-large.png", "A declaration on a phone."),
        Kept(
            "hall.png",
            "The arbiters' page (`python -m tests.integration.hall.picture`).",
        ),
        Kept("terminal.png", "The terminal (`make terminal-screen`)."),
        Kept("en-large/turn.png", "Large text.", "tour"),
        Kept("en-480x800/alone.png", "An upright display.", "tour_alone"),
        Kept("de/choose-move.png", "A screen in German.", "tour_of_the_hands"),
    ),
}
KEPT: Final = tuple(each for section in SECTIONS.values() for each in section)
_COLUMNS: Final = 3

_HEAD: Final = """\
# The screens of the companion

`make screens` renders about 250 pictures to `build/screens/en`, and copies these to docs/screens.
[pads.md](../pads.md) has more pictures of the phones.
"""


def page() -> str:
    """Return the page that shows every kept screenshot, in sections."""
    parts = [f"## {title}\n\n{_pictures(kept)}\n" for title, kept in SECTIONS.items()]
    return "\n".join([_HEAD, *parts])


def _pictures(kept: tuple[Kept, ...]) -> str:
    """Return a table of screenshots with captions, several per row.

    The alternative text is empty, because screen readers read the caption.
    """
    cells = [f"![]({each.file})<br>{each.caption}" for each in kept]
    cells += [""] * (-len(cells) % _COLUMNS)
    rows = [cells[at : at + _COLUMNS] for at in range(0, len(cells), _COLUMNS)]
    return table([""] * _COLUMNS, rows)
