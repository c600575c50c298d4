"""Where a table is, in a word."""

from typing import Final

from companion.table.table import Table
from engine.play.moment import Phase

_OF_PHASE: Final = {
    Phase.SETUP: "setting-up",
    Phase.ATTACK: "attack-open",
    Phase.DISPUTE: "dispute",
    Phase.GUESS: "guess",
    Phase.STANDSTILL: "standstill",
}
STATES: Final = (
    "over",
    "no-board",
    *_OF_PHASE.values(),
    "restoring",
    "clearing",
    "wrong-move",
    "who-attacks",
    "disturbed",
    "turn",
)
"""All there are: where several fit, the first counts."""


def state_of(table: Table) -> str:
    """Return the first of the states that fits."""
    phase = table.referee.phase
    if phase is Phase.OVER:
        return "over"
    if not table.connected:
        return "no-board"
    if phase in _OF_PHASE:
        return _OF_PHASE[phase]
    found = {
        "restoring": table.is_restoring,
        "clearing": table.saved.clearing,
        "wrong-move": table.violation is not None,
        "who-attacks": table.is_asking,
        "disturbed": bool(table.difference),
    }
    return next((state for state, fits in found.items() if fits), "turn")
