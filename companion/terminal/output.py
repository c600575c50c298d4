"""Prints announcements, the board and instructions in the players' language."""

import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from companion.core.events import Event, TurnBegan
from companion.core.state import NO_DIFFERENCE
from companion.core.table import Table
from companion.palette import TERMINAL
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.speech.speech_queue import takes_end_back
from engine.board.geometry import COLUMNS, LAKES, SQUARES, WIDTH, Side, Square
from engine.board.visibility import Public
from engine.game.game_state import Phase
from engine.game.rulings import Combat, GameOver
from engine.game.views import PublicView
from engine.rules.rules import Violation
from firmware_bridge.image import Image, ImageDifference, Sensed

_YES: Final = "yes"
"""The answer that means yes in every language. Like all commands, it is not translated."""


class Printer:
    """Console for output to the players."""

    def __init__(self, console: Console, language: Language) -> None:
        self.language = language
        self._console = console

    def print_text(self, message: str, style: str = "", **values: object) -> None:
        """Translate a message into the players' language, and print it."""
        self._console.print(self.language.text(message, **values), style=style)

    def show(self, text: str | Text, style: str = "") -> None:
        """Print text that has already been translated."""
        self._console.print(text, style=style)

    def means_yes(self, line: str) -> bool:
        words = (self.language.text(N_("y")), self.language.text(N_("yes")), _YES)
        return line.casefold() in words


def narrate(
    console: Console, sentence: Callable[[Public], str], prefix: Callable[[], str] = str
) -> Callable[[Event], None]:
    """Return a listener that prints a sentence for each public event, preceded by `prefix`."""
    before: Event | None = None

    def print_event(event: Event) -> None:
        nonlocal before
        is_known, before = takes_end_back(event, before), event
        text = sentence(event) if isinstance(event, Public) and not is_known else ""
        if not text:
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
        console.print(f"{prefix()}{text}", style=style)

    return print_event


# The board as text.

_SHAPES: Final = {Sensed.RED: "■", Sensed.BLUE: "●", Sensed.UNKNOWN: "?", Sensed.EMPTY: "·"}
_STYLES: Final = {
    Sensed.RED: f"bold {TERMINAL['red']}",
    Sensed.BLUE: f"bold {TERMINAL['blue']}",
    Sensed.EMPTY: "dim",
}
_LAKE: Final = "≈≈≈"
_CORRECTION_STYLE: Final = f"bold {TERMINAL['accent']}"
_BESIDE_AT: Final = 37
"""First column of the text beside the board."""
_BESIDE_WIDTH: Final = 42
_FALLEN_LINES: Final = 4


def draw_board(table: Table, language: Language) -> Text:
    """Draw the actual or the expected board, with the armies and captured pieces beside it.

    The picture has twelve lines of at most 80 characters, which leaves space for a sentence and the
    prompt below it. Red's pieces are blocks, and Blue's are round. If the terminal has colours, the
    armies also differ in colour. Brackets mark the source and target of the last move. If the board
    is wrong, `>■<` marks a piece to remove, and `(■)` marks where to place one.
    """
    is_setup = table.view.phase is Phase.SETUP
    image = (table.observed if is_setup else None) or table.expected
    if difference := table.state.difference:
        image = image.patched(difference.surplus & ~difference.missing, table.observed or image)
    letters = Text("    " + "  ".join(COLUMNS), style="dim")
    lines = [letters]
    beside = _beside(table.view, language, is_setup=is_setup)
    for row in reversed(range(WIDTH)):
        # Only the coordinates are dim, so they are styled separately.
        line = Text.assemble((f"{row + 1:>2} ", "dim"))
        for square in SQUARES[row * WIDTH : (row + 1) * WIDTH]:
            line.append_text(_cell(table, image, square))
        line.pad_right(_BESIDE_AT - line.cell_len)
        line.append_text(beside[WIDTH - 1 - row])
        line.rstrip()
        lines.append(line)
    return Text("\n").join([*lines, letters])


def _cell(table: Table, image: Image, square: Square) -> Text:
    """Draw a square that is three characters wide."""
    difference, seen = table.state.difference, table.observed
    if difference.surplus >> square & 1 and seen:
        return Text(f">{_SHAPES[seen.at(square)]}<", style=_CORRECTION_STYLE)
    sensed = image.at(square)
    if difference.missing >> square & 1:
        return Text(f"({_SHAPES[sensed]})", style=_CORRECTION_STYLE)
    if LAKES >> square & 1:
        return Text(_LAKE, style=TERMINAL["lake"])
    is_last = not difference and square in (table.view.last_move or ())
    left, right = "[]" if is_last else "  "
    shape = (_SHAPES[sensed], _STYLES.get(sensed, ""))
    return Text.assemble((left, "bold"), shape, (right, "bold"))


def _beside(view: PublicView, language: Language, *, is_setup: bool) -> Sequence[Text]:
    """Return the text beside the board.

    Each army's name and captured pieces appear beside the army's own rows.
    """
    blue, red = (
        [] if is_setup else _fallen(view, side, language) for side in (Side.BLUE, Side.RED)
    )
    lines = [_army(Side.BLUE, language), *blue]
    lines += [Text()] * (WIDTH - len(lines) - len(red) - 1)
    return [*lines, *red, _army(Side.RED, language)]


def _army(side: Side, language: Language) -> Text:
    sensed = Sensed.RED if side is Side.RED else Sensed.BLUE
    return Text(f"{_SHAPES[sensed]} {language.side(side)}", style=_STYLES[sensed])


def _fallen(view: PublicView, side: Side, language: Language) -> list[Text]:
    """List a side's captured pieces, highest rank first."""
    counts = Counter(map(language.rank, view.captured[side]))
    named = [f"{count} × {rank}" if count > 1 else rank for rank, count in counts.items()]
    if unshown := view.unshown[side]:
        named.append(f"{unshown} × ?")
    if not named:
        return []
    text = language.text(N_("Fallen: {ranks}"), ranks=", ".join(named))
    lines = textwrap.wrap(text, _BESIDE_WIDTH, max_lines=_FALLEN_LINES, placeholder=" …")
    return [Text(line) for line in lines]


_STEPS: Final = 6
"""Maximum number of squares to name. The board picture shows all of them."""


class InstructionPrinter:
    """Prints the squares on which to remove or place a piece, whenever these squares change.

    Instructions are printed after a violation, after a combat, and when the board has been knocked.
    Each printout lists only the squares that still have to be corrected.
    """

    def __init__(self, table: Table, announcer: Announcer, printer: Printer) -> None:
        self._table = table
        self._announcer = announcer
        self._printer = printer
        self._printed = NO_DIFFERENCE

    def look(self) -> None:
        """Print the remaining corrections, unless they have already been printed."""
        printed, now = self._printed, self._table.state.difference
        if now == printed:
            return
        self._printed = now
        if not now:
            return
        if _is_more(now, printed):
            self._printer.show(draw_board(self._table, self._announcer.language))
            self._printer.print_text(N_("In the picture: > < remove a piece, ( ) put a piece."))
        steps = self._announcer.board.guide(now, self._table.expected)
        for step in steps[:_STEPS]:
            self._printer.show(step)
        if len(steps) > _STEPS:
            more = N_("… and {count} more: see the picture.")
            self._printer.print_text(more, count=len(steps) - _STEPS)


def _is_more(now: ImageDifference, printed: ImageDifference) -> bool:
    """Whether some of the required corrections have yet to be printed."""
    return bool(now.missing & ~printed.missing | now.surplus & ~printed.surplus)
