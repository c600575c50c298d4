"""Printing of announcements: a sentence for every public event."""

from collections.abc import Callable

from rich.console import Console

from companion.speech.utterances import takes_end_back
from companion.table.events import Event, TurnBegan
from engine.board.visibility import Public
from engine.game.rulings import Combat, GameOver
from engine.rules.violations import Violation


def narrate(
    console: Console, sentence: Callable[[Public], str], prefix: Callable[[], str] = str
) -> Callable[[Event], None]:
    """Return a listener that prints every announcement; `prefix` is put before each line."""
    before: Event | None = None

    def tell(event: Event) -> None:
        nonlocal before
        is_known, before = takes_end_back(event, before), event
        said = sentence(event) if isinstance(event, Public) and not is_known else ""
        if not said:
            return
        match event:
            case Combat(boom=True):
                style = "bold red"
            case Combat() | GameOver() | TurnBegan():
                style = "bold"
            case Violation():
                style = "yellow"
            case _:
                style = ""
        console.print(f"{prefix()}{said}", style=style)

    return tell
