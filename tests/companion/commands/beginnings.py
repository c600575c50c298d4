"""The sample game, cut short: as a file, for tests that need a game and not all of it."""

import re
from pathlib import Path

from companion.store.records import sample_game

WHOLE = 206
"""Plies of the sample game."""


def cut_short(folder: Path, plies: int, *, with_end: bool = False) -> Path:
    """Write so many plies of the sample game, with or without that Red gives up then."""
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
