"""The latest announcements, as long as they may be read.

Ranks that both players have seen are hidden again at the next turn (rules.md §10), so a sentence
that names a rank is removed as soon as the touchscreen no longer shows it.
"""

from collections import deque
from typing import Any, Final

from companion.speech.announcer import Announcer
from companion.speech.utterances import takes_end_back
from companion.table import Table
from companion.table.events import Event
from engine.board.visibility import Public
from engine.game.rulings import (
    BoardAccepted,
    Combat,
    Corrected,
    CorrectionRefused,
    Infiltrated,
    InfiltrationOpened,
)

LATEST: Final = 6
"""Number of announcements that can be read at a time."""


class Announcements:
    """The latest public events, each with a number, so that none is spoken twice."""

    def __init__(self) -> None:
        self._heard: deque[tuple[int, Public]] = deque(maxlen=LATEST)
        self._number = 0
        self._before: Event | None = None

    def hear(self, event: Event) -> None:
        """Record an event, unless it is private or implied by the one before."""
        is_known, self._before = takes_end_back(event, self._before), event
        if isinstance(event, Public) and not is_known:
            self._heard.append((self._number, event))
            self._number += 1

    def clear(self) -> None:
        """Delete all announcements, at the start of another game."""
        self._heard.clear()

    def view(self, table: Table | None, announcer: Announcer) -> list[dict[str, Any]]:
        """Return the announcements that may still be read, oldest first, as sentences."""
        said = ((number, event, announcer.sentence(event)) for number, event in self._heard)
        return [
            {"n": number, "text": text}
            for number, event, text in said
            if text and self._may_be_read(number, event, table)
        ]

    def _may_be_read(self, number: int, event: Public, table: Table | None) -> bool:
        match event:
            case Combat():
                return table is not None and event in (table.unread, table.state.reveal)
            case BoardAccepted() | Corrected() | CorrectionRefused() | Infiltrated():
                return number == self._number - 1
            case InfiltrationOpened():
                return table is not None and table.view.guess is not None
        return True
