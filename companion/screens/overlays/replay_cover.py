"""A game that is over, to look at once more: step by step, with every rank that is known."""

from collections.abc import Callable

from kivy.properties import NumericProperty, ObjectProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.sheets.replay import replay
from companion.store.archive import Archive
from companion.store.journal import JournalError
from engine.sides import Side
from engine.squares import set_of
from firmware_bridge.image import Image


class ReplayCover(Cover):
    """The board, what was said about the ply, and the steps through the game."""

    image = ObjectProperty(Image())
    ranks = ObjectProperty({})
    last_move = ObjectProperty(None, allownone=True)
    ply = NumericProperty(0)
    length = NumericProperty(0)
    """How many plies the game has."""
    told = StringProperty()
    exported = StringProperty()
    """Where the game was written to, or why it was not."""

    def __init__(self, archive: Archive, number: int, close: Callable[[], None]) -> None:
        """Show a game of the archive, or say why that is impossible."""
        super().__init__()
        self._archive, self._number, self._close = archive, number, close
        try:
            self._pages = replay(archive.load(number), _.announcer)
        except JournalError as error:
            self._pages, self.told = [], str(error)
            return
        self.length = len(self._pages) - 1
        self.go_to(self.length)

    def go_to(self, ply: int) -> None:
        """Show the game after so many plies; beyond its ends, the nearest."""
        self.ply = min(max(ply, 0), self.length)
        page = self._pages[self.ply]
        pieces = page.seen.pieces
        red, blue = (set_of(s for s, (of, _rank) in pieces.items() if of is side) for side in Side)
        self.image = Image(red, blue)
        self.ranks = {square: rank for square, (_side, rank) in pieces.items() if rank is not None}
        self.last_move, self.told = page.seen.last_move, page.told

    def export(self) -> None:
        """Write the score sheet and the record where the screen says."""
        folder = self._archive.folder
        try:
            self._archive.export(self._number, _.language)
        except (OSError, JournalError):
            self.exported = _(
                "The game cannot be written to {folder}. Look whether the disk is full.",
                folder=folder,
            )
        else:
            self.exported = _("Score sheet and record are in {folder}.", folder=folder)

    def close(self) -> None:
        self._close()


load_kv(__file__)
