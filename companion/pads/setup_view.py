"""Data that a pad needs to set up an army and commit to it.

A setup is written as seen by its owner: a line of symbols, the front row first, each row from the
owner's left. So a page can store it and show it to either side.
"""

from collections.abc import Mapping
from typing import Any

from companion.setups.known_setups import known_setups
from companion.setups.setup import Setup
from companion.speech.language import Language, capitalized
from companion.table import Table
from engine.board.geometry import Side, Square, name, squares_in
from engine.board.ranks import Rank
from engine.game.game_state import Phase
from engine.records.serialization import write_rank


def setup_view(table: Table, side: Side, mark: str, language: Language) -> dict[str, Any] | None:
    """Return the setup to make, None at other times or without sealed armies."""
    view = table.view
    if view.phase is not Phase.SETUP or not view.edition.sealed_armies:
        return None
    army = view.edition.army
    ranks = sorted(set(army.pieces), reverse=True)
    return {
        "ranks": [{**_rank(rank, language), "count": army.counts[rank]} for rank in ranks],
        "known": [
            {
                "name": language.text(each.name),
                "use": language.text(each.use),
                "rows": write_rows(each.setup),
            }
            for each in known_setups(army)
        ],
        "stands": [name(square) for square in squares_in(table.standing(side))],
        "say": {"do": "seal", "mark": mark},
    }


def proved_rows(side: Side, proved: Mapping[Square, Rank]) -> str:
    """Write the opened setup of a side."""
    return write_rows(Setup.of(side, proved))


def write_rows(setup: Setup) -> str:
    """Write a setup as a line."""
    return " ".join(str(setup).split())


def _rank(rank: Rank, language: Language) -> dict[str, str]:
    called = capitalized(language.rank(rank))
    return {"rank": write_rank(rank), "sign": language.sign(rank), "name": called}
