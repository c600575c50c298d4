"""The sequence of games as pads follow it: current game, announcements, and views to send.

A view is written only when something may have changed, and sent to a pad only if it differs from
the last one. So a private message of one player never causes a message to the other player's pad.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.pads.announcements import Announcements
from companion.pads.host import Host
from companion.pads.player_view import PlayerView
from companion.pads.public_view import public_view
from companion.pads.sealing import DOWN_SIZE
from companion.pads.shown_clock import ShownClock
from companion.pads.words import read_word
from companion.sheets.score_sheet import score_sheet
from companion.speech.announcer import Announcer
from companion.speech.language import Language
from companion.store.storage_trouble import StorageError
from companion.table import Table
from companion.table.events import Event
from companion.table.inputs import Input
from engine.board.geometry import Side

MOST: Final = DOWN_SIZE - 64
"""Maximum length of a view, in bytes: a number and the time are added before it."""
LONGEST: Final = 500
"""Maximum length of the guide to correcting the board, in characters."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shown:
    """The views of both pads and of the spectators."""

    pads: Mapping[Side, bytes]
    everybody: bytes
    sheets: Mapping[str, str]
    """Score sheet of the previous game by language, once that game is finally over."""


class Evening:
    """Follows a host from the opening of the pads."""

    def __init__(
        self,
        host: Host,
        language_for: Callable[[Side | None], Language],
        clock: Callable[[], float],
    ) -> None:
        self._host, self._language_for, self._clock = host, language_for, clock
        self._announcements = Announcements()
        self._shown_clock = ShownClock()
        self._announcers: dict[str, Announcer] = {}
        self._table: Table | None = None
        self._game = 0
        self._number: int | None = None
        """Number of the current game in the journal."""
        self._sheets: dict[str, str] = {}
        self._seen: object = None
        """Inputs from which the latest views were written."""

    def hear(self, event: Event) -> None:
        """Record an event."""
        self._follow()
        self._announcements.hear(event)

    def read(self, side: Side, say: Mapping[str, Any]) -> Input | None:
        """Return a player's message as an input; None if it refers to an earlier state."""
        table = self._host.table
        if table is None or table is not self._table:
            return None
        return read_word(say, side, self._game, table, self._clock())

    def look(self) -> Shown | None:
        """Write the views; None if nothing can have changed since the last call."""
        self._follow()
        spoken = map(self._language_for, (None, *Side))
        languages = tuple((language.code, language.signs) for language in spoken)
        seen = (self._host.changes, languages, self._host.players, self._game, len(self._sheets))
        if seen == self._seen:
            return None
        self._seen = seen
        pads = {side: self._for_player(side) for side in Side}
        return Shown(pads, _written(self._for_all(None)), dict(self._sheets))

    def _follow(self) -> None:
        """Detect a change of the game; a game that was left after its end is finally over."""
        table, before = self._host.table, self._table
        if table is not before:
            if before and before.view.outcome:
                self._write_sheets()
            self._table, self._game = table, self._game + 1
            self._announcements.clear()
            self._shown_clock = ShownClock()
        self._number = self._host.number

    def _write_sheets(self) -> None:
        """Write the score sheets of the previous game, in the languages of all its viewers."""
        self._sheets = {}
        if self._number is None:
            return
        try:
            game = self._host.archive.load(self._number)
        except StorageError as error:
            log.error("%s", error)
            return
        for eyes in (None, *Side):
            language = self._language_for(eyes)
            self._sheets[language.code] = score_sheet(game, language)

    def _announcer(self, eyes: Side | None) -> Announcer:
        language = self._language_for(eyes)
        announcer = self._announcers.setdefault(language.code, Announcer(language))
        announcer.language.signs = language.signs
        return announcer

    def _for_all(self, eyes: Side | None) -> dict[str, Any]:
        table, announcer = self._table, self._announcer(eyes)
        view = public_view(table, self._host.players, announcer)
        view["text"] = view["text"][:LONGEST]
        view["said"] = self._announcements.view(table, announcer)
        view["clock"] = self._shown_clock.view(table, self._clock()) if table else None
        view["sheet"] = announcer.language.code in self._sheets and not (
            table and table.referee.actions
        )
        return view

    def _for_player(self, side: Side) -> bytes:
        view = {**self._for_all(side), "you": side.value, "asks": [], "offers": []}
        view["setup"], view["sealed"] = None, ""
        if self._table:
            player = PlayerView(self._table, side, self._game, self._announcer(side))
            view["title"] = player.title(view["title"])
            view["asks"], view["offers"] = player.asks(), player.can_say()
            if self._host.is_in_hall:
                view["offers"] += player.about_arbiter()
            view["setup"], view["sealed"] = player.setup(), player.sealed
        return _written(view)


def _written(view: dict[str, Any]) -> bytes:
    """Encode a view; if it is too long, the oldest announcements are left out."""
    while True:
        text = json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode()
        if len(text) <= MOST or not view["said"]:
            return text
        view["said"] = view["said"][1:]
