"""Ranks for a stripped trace: those that everybody has seen, and others that come to the same.

Most declared ranks are shown by the combat that follows. One that was taken back, or that stays
unnamed, can be any with which the game goes on as it did.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.recorder.given_lines import Sealed
from companion.recorder.trace_reader import Note
from companion.table import Table
from engine.games.notation import read_rank
from engine.play.actions import Insist
from engine.ranks import Rank
from engine.rulebook.combat import resolve


def stand_in(table: Table, sealed: Sealed, later: Iterable[Note]) -> Rank:
    """Choose the rank that a player has declared; `later` begins with that note itself."""
    notes = iter(later)
    first = next(notes)
    combat = _combat_of([first, *notes])
    shown = _shown(combat, sealed) if combat else None
    refused = table.contradiction
    if sealed.word is Insist and refused:
        return refused.proof.rank
    tiles = table.question.tiles if table.question else ()
    if first.actions:
        fits = [rank for rank in tiles if not combat or _fits(table, combat, rank)]
        return shown if shown is not None else next(iter(fits or tiles), Rank.SCOUT)
    if shown is not None and shown not in tiles:
        return shown  # it was refused, and its owner stayed by it
    return next((rank for rank in Rank if rank not in tiles), Rank.SCOUT)


def _combat_of(notes: Iterable[Note]) -> Mapping[str, Any] | None:
    """Return the combat for which ranks are declared, None if it never came to that."""
    for note in notes:
        for event in note.events:
            if event["event"] == "combat":
                return event
            if event["event"] in ("taken-back", "attack-opened", "game-over"):
                return None
    return None


def _shown(combat: Mapping[str, Any], sealed: Sealed) -> Rank | None:
    shown = combat["attacker" if combat["side"] == sealed.side.value else "defender"]
    return None if shown is None else read_rank(shown)


def _fits(table: Table, combat: Mapping[str, Any], rank: Rank) -> bool:
    """Whether a defender of this rank, which nobody has named, ends the combat as it was ended."""
    advantage = table.referee.edition.aggressor_advantage
    result = resolve(read_rank(combat["attacker"]), rank, aggressor_advantage=advantage)
    return bool(result.name.lower().replace("_", "-") == combat["result"])
