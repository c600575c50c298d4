"""Redaction: removes all private information from a trace so that it can be published."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from companion.core.table import Table
from companion.recorder.input_codec import Sealed
from companion.recorder.trace_files import pack, read_lines
from companion.recorder.trace_reader import Note, as_trace
from engine.board.ranks import Rank
from engine.records.serialization import read_rank
from engine.rules.movement import resolve


def redact(path: Path) -> bytes:
    """Return a trace file without its secrets.

    Raise TraceError or OSError if the file cannot be read. A rank that combat has revealed is no
    longer secret, and remains in the combat event.
    """
    as_trace(path, read_lines(path))  # check all lines, because a malformed one may contain a rank
    return pack(_public(read_lines(path)))


def _public(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    yield {**next(lines), "stripped": True}
    yield from (line for line in lines if "sealed" not in line)


# A redacted trace can be replayed with placeholder ranks. Most declared ranks are revealed by the
# combat that follows, or later, when an unrevealed piece fights again. For the rest, any rank will
# do, as long as the game continues as recorded.

_Event: TypeAlias = Mapping[str, Any]


def stand_in(table: Table, sealed: Sealed, later: Iterable[Note]) -> Rank:
    """Return a rank to replace a redacted one. `later` begins with the note of the declaration."""
    first, *rest = later
    events = [event for note in (first, *rest) for event in note.events]
    combat = _combat_of(events)
    shown = _shown(combat, sealed.side.value) if combat else None
    if combat and shown is None:
        after = events[events.index(combat) + 1 :]
        shown = _shown_later(after, combat["target"], sealed.side.value)
    refused = table.conversation.contradiction
    if sealed.public["do"] == "insist" and refused:
        return refused.proof.rank
    tiles = table.conversation.question.tiles if table.conversation.question else ()
    if first.actions:
        fits = [rank for rank in tiles if not combat or _fits(table, combat, rank)]
        return shown if shown is not None else next(iter(fits or tiles), Rank.SCOUT)
    if shown is not None and shown not in tiles:
        return shown  # the declaration was rejected, but the player insisted on it
    return next((rank for rank in Rank if rank not in tiles), Rank.SCOUT)


def _combat_of(events: Iterable[_Event]) -> _Event | None:
    """Return the combat for which ranks were declared, or None if it did not take place."""
    for event in events:
        if event["event"] == "combat":
            return event
        if event["event"] in ("taken-back", "attack-opened", "game-over"):
            return None
    return None


def _shown(combat: _Event, side: str) -> Rank | None:
    shown = combat["attacker" if combat["side"] == side else "defender"]
    return None if shown is None else read_rank(shown)


def _shown_later(events: Iterable[_Event], square: str, side: str) -> Rank | None:
    """Follow a piece to the combat that reveals its rank. Return None if no combat does."""
    before = square
    for event in events:
        match event["event"]:
            case "taken-back":
                return None
            # The source of an amended move is the square where the whole turn began. The piece has
            # already left that square.
            case "moved" if event["side"] == side and event["source"] in (square, before):
                before, square = event["source"], event["target"]
            case "moved":
                before = square
            case "combat" if square in (event["source"], event["target"]):
                shown = _shown(event, side)
                if shown is not None:
                    return shown
    return None


def _fits(table: Table, combat: _Event, rank: Rank) -> bool:
    """Whether an undeclared defender of this rank would produce the recorded combat result."""
    advantage = table.referee.edition.aggressor_advantage
    result = resolve(read_rank(combat["attacker"]), rank, aggressor_advantage=advantage)
    return bool(result.name.lower().replace("_", "-") == combat["result"])
