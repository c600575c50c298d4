"""Replay of a finished game: step by step, with every known rank."""

from collections.abc import Callable
from typing import Final

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)

from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.sheets.replay import replay
from companion.speech.storage_words import storage_words
from companion.store.archive import Archive
from companion.store.storage_trouble import JournalError, StorageError
from engine.board.geometry import Side, set_of
from firmware_bridge.image import Image

SECONDS: Final = 1.5
"""Time for which each ply is shown during automatic replay, in seconds."""


class ReplayCover(Cover):
    """The board, the announcements of the ply, and the controls of the replay."""

    image = ObjectProperty(Image())
    ranks = ObjectProperty({})
    last_move = ObjectProperty(None, allownone=True)
    ply = NumericProperty(0)
    length = NumericProperty(0)
    """Number of plies of the game."""
    told = StringProperty()
    marks = ListProperty()
    """The key moments."""
    is_playing = BooleanProperty(False)
    """Whether the replay advances automatically."""
    as_known = BooleanProperty(False)
    """Whether only the ranks known by then are shown, instead of all."""
    play_text = AliasProperty(
        lambda self: _("Pause") if self.is_playing else _("Play"), bind=["is_playing"]
    )
    ranks_text = AliasProperty(
        lambda self: _("Ranks known then") if self.as_known else _("All ranks"), bind=["as_known"]
    )

    def __init__(
        self,
        archive: Archive,
        number: int,
        take_along: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        """Show a game of the archive, or the reason why that is impossible."""
        super().__init__()
        self._take_along, self._close = take_along, close
        try:
            self._pages = replay(archive.load(number), _.announcer)
        except JournalError as error:
            self._pages, self.told = [], _why_not(error)
            return
        self._due = 0.0
        self.length = len(self._pages) - 1
        self.marks = [ply for ply, page in enumerate(self._pages) if page.is_key]
        self.go_to(self.length)

    def go_to(self, ply: int) -> None:
        """Show the game after `ply` plies, limited to its length."""
        self.ply = min(max(ply, 0), self.length)
        page = self._pages[self.ply]
        pieces = page.seen.pieces
        red, blue = (set_of(s for s, (of, _rank) in pieces.items() if of is side) for side in Side)
        self.image = Image(red, blue)
        known = {square: rank for square, (_side, rank) in pieces.items() if rank is not None}
        self.ranks = page.known if self.as_known else known
        self.last_move, self.told = page.seen.last_move, page.told

    def tick(self, now: float) -> None:
        """Advance the automatic replay when the next ply is due."""
        if not self.is_playing:
            self._due = now
        elif self.ply == self.length:
            self.is_playing = False
        elif now - self._due >= SECONDS:
            self._due = now
            self.go_to(self.ply + 1)

    def toggle_play(self) -> None:
        """Start the automatic replay, from the beginning if it is at the end; or stop it."""
        if not self.is_playing and self.ply == self.length:
            self.go_to(0)
        self.is_playing = not self.is_playing

    def go_to_key(self) -> None:
        """Go to the next key moment; after the last one, to the first."""
        later = [ply for ply in self.marks if ply > self.ply]
        if self.marks:
            self.go_to((later or self.marks)[0])

    def toggle_ranks(self) -> None:
        """Switch between the ranks known at the time and those known at the end."""
        self.as_known = not self.as_known
        self.go_to(self.ply)

    def take_along(self) -> None:
        self._take_along()

    def close(self) -> None:
        self._close()


def _why_not(error: JournalError) -> str:
    """Reason why a game cannot be shown, in words."""
    if isinstance(error, StorageError):
        return storage_words(error, _.language)
    return _("This game cannot be read.")


load_kv(__file__)
