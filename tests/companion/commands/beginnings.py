"""Shortened copies of the sample game, for tests that do not need the whole game."""

import re
from pathlib import Path

from companion.storage.records import sample_game

WHOLE = 206
"""Number of plies in the sample game."""


def cut_short(folder: Path, plies: int, *, with_end: bool = False) -> Path:
    """Write the first plies of the sample game, optionally followed by Red's resignation."""
    with sample_game() as path:
        text = path.read_text()
    moves = re.findall(r'  <move id="\d+".*/>\n', text)
    if plies < WHOLE:
        text = text.replace("".join(moves[plies:]), "")
        if not with_end:
            text = re.sub(r"  <result .*/>\n", "", text)
    cut = folder / f"first-{plies}.xml"
    cut.write_text(text)
    return cut
