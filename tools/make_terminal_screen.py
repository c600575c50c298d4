"""Take a screenshot of a terminal game for docs/screens: ``make terminal-screen``.

The font DejaVu Sans Mono is required, because Kivy's font has no symbols for the pieces.
"""

import os
import re
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import resvg_py

import tests.conftest  # noqa: F401 (sets the environment of the tests)
from engine.board.geometry import square
from engine.board.ranks import Rank

FILE: Final = Path(__file__).parents[1] / "docs" / "screens" / "terminal.png"
COLUMNS: Final = 80
_FONT: Final = "DejaVu Sans Mono"
_LINES: Final = 19
"""The screenshot shows this many lines from the end of the output. They contain an attack, and the
instruction to update the board."""
_PRIVATE: Final = re.compile(r"\x1b\[\?1049h.*?\x1b\[\?1049l", re.DOTALL)
"""The terminal's alternate screen, which is cleared when the curtain closes."""


def play() -> str:
    """Play an attack in the terminal, and return all of its output."""
    os.environ.update(FORCE_COLOR="1", TERM="xterm-256color", COLUMNS=str(COLUMNS))
    from tests.companion.terminal.at_terminal import TerminalDriver, beginning  # noqa: PLC0415

    with TemporaryDirectory() as folder, ExitStack() as opened:
        game = TerminalDriver(Path(folder) / "games.sqlite", opened)
        game.set_up()
        return game.play(
            *beginning(game),
            ("Red to move", game.type("attack e5 e6")),
            ("Red: take the keyboard", game.type("")),
            ("Type your rank", game.choose(Rank.CAPTAIN)),
            ("captain?", game.type("y")),
            ("Blue: take the keyboard", game.type("")),
            ("Type your rank", game.choose(Rank.MARSHAL)),
            ("marshal?", game.type("y")),
            ("Remove the piece from e5", lambda: game.simulated.take_away(square("e5"))),
            ("Blue to move", game.type("quit")),
        )


def draw(output: str) -> bytes:
    """Render the final lines as a PNG. The last line is the instruction to remove the piece."""
    from rich.console import Console  # noqa: PLC0415 (reads the environment)
    from rich.text import Text  # noqa: PLC0415

    shown, taken, _ = _PRIVATE.sub("", output).partition("Remove the piece from e5.")
    lines = (shown + taken).splitlines()[-_LINES:]
    console = Console(record=True, width=COLUMNS, file=StringIO())
    console.print(Text.from_ansi("\n".join(lines)))
    svg = console.export_svg(title="boomboard referee")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", _FONT)
    return resvg_py.svg_to_bytes(svg_string=svg, width=800, font_family=_FONT)


def main() -> None:
    from tools.make_screens import shrink  # noqa: PLC0415 (sets Kivy up)

    FILE.write_bytes(draw(play()))
    shrink(FILE)
    print(FILE)


if __name__ == "__main__":
    main()
