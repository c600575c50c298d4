"""The board as a picture of characters, with the armies beside it.

Twelve lines of at most 80 characters, so that a sentence and the prompt fit on the screen below it.
The armies differ by shape, and by colour if the terminal has any: Red's pieces are blocks, Blue's
are round. Brackets mark the source and target of the last move. Where the board is wrong, a piece
has to be removed at `>■<` and placed at `(■)`.
"""

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from companion.palette import TERMINAL
from companion.speech.language import N_, Language
from companion.table import Table
from engine.board.geometry import COLUMNS, LAKES, SQUARES, WIDTH, Side, Square
from engine.game.game_state import Phase
from engine.game.views import PublicView
from firmware_bridge.image import Image, Sensed

_SHAPES: Final = {Sensed.RED: "■", Sensed.BLUE: "●", Sensed.UNKNOWN: "?", Sensed.EMPTY: "·"}
_STYLES: Final = {
    Sensed.RED: f"bold {TERMINAL['red']}",
    Sensed.BLUE: f"bold {TERMINAL['blue']}",
    Sensed.EMPTY: "dim",
}
_LAKE: Final = "≈≈≈"
_TO_DO: Final = f"bold {TERMINAL['act']}"
_BESIDE_AT: Final = 37
"""First column of the text beside the board."""
_BESIDE_WIDTH: Final = 42
_FALLEN_LINES: Final = 4


def draw_board(table: Table, language: Language) -> Text:
    """Draw the actual or the expected board, with the captured pieces."""
    is_setup = table.view.phase is Phase.SETUP
    image = (table.seen if is_setup else None) or table.expected
    if difference := table.state.difference:
        image = image.patched(difference.surplus & ~difference.missing, table.seen or image)
    letters = Text("    " + "  ".join(COLUMNS), style="dim")
    lines = [letters]
    beside = _beside(table.view, language, is_setup=is_setup)
    for row in reversed(range(WIDTH)):
        line = Text(f"{row + 1:>2} ", style="dim")
        for square in SQUARES[row * WIDTH : (row + 1) * WIDTH]:
            line.append_text(_cell(table, image, square))
        line.pad_right(_BESIDE_AT - line.cell_len)
        line.append_text(beside[WIDTH - 1 - row])
        line.rstrip()
        lines.append(line)
    return Text("\n").join([*lines, letters])


def _cell(table: Table, image: Image, square: Square) -> Text:
    """Draw a square, three characters wide."""
    difference, seen = table.state.difference, table.seen
    if difference.surplus >> square & 1 and seen:
        return Text(f">{_SHAPES[seen.at(square)]}<", style=_TO_DO)
    sensed = image.at(square)
    if difference.missing >> square & 1:
        return Text(f"({_SHAPES[sensed]})", style=_TO_DO)
    if LAKES >> square & 1:
        return Text(_LAKE, style=TERMINAL["lake"])
    is_last = not difference and square in (table.view.last_move or ())
    left, right = "[]" if is_last else "  "
    shape = (_SHAPES[sensed], _STYLES.get(sensed, ""))
    return Text.assemble((left, "bold"), shape, (right, "bold"))


def _beside(view: PublicView, language: Language, *, is_setup: bool) -> Sequence[Text]:
    """Return the text beside the board: each army at its own end, with its captured pieces."""
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
    """List a side's captured pieces, the highest rank first."""
    counts = Counter(map(language.rank, view.captured[side]))
    named = [f"{count} × {rank}" if count > 1 else rank for rank, count in counts.items()]
    if unshown := view.unshown[side]:
        named.append(f"{unshown} × ?")
    if not named:
        return []
    said = language.text(N_("Fallen: {ranks}"), ranks=", ".join(named))
    lines = textwrap.wrap(said, _BESIDE_WIDTH, max_lines=_FALLEN_LINES, placeholder=" …")
    return [Text(line) for line in lines]
