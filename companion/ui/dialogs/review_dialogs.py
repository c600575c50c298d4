"""Dialogs about finished games: the story of one game, and a book with the games of each evening.

A story consists of up to three moments, each with its position, and a part about the whole game.
"""

from collections.abc import Callable

from babel.dates import format_date
from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)

from companion.reports.replay import Archive
from companion.reports.reviews import BOOK, Evening, EveningBook, Story, build_story
from companion.speech.review_texts import TITLE
from companion.speech.small_texts import storage_error_text
from companion.storage.errors import JournalError, StorageError
from companion.ui.base.modal import Modal
from companion.ui.dialogs.saved_games import error_text, image_of
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import Press, load_kv
from firmware_bridge.image import Image


class BookDialog(Modal):
    """Shows the finished games of one evening at a time, beginning with the most recent evening."""

    heading = StringProperty()
    """Date of the evening whose games are shown, in words."""
    message = StringProperty()
    has_later = BooleanProperty(False)
    has_earlier = BooleanProperty(False)
    count = NumericProperty(0)
    title = AliasProperty(lambda _self: _(BOOK))

    def __init__(
        self, archive: Archive, ask: Callable[[], None], close: Callable[[], None]
    ) -> None:
        """Show the finished games in an archive, by evening.

        `ask` asks for confirmation, then calls `delete`.
        """
        super().__init__()
        self._book = EveningBook(archive.journal, _.announcer)
        self._ask, self._close = ask, close
        self._evenings: list[Evening] = []
        self._open = 0
        self._read()

    def turn(self, evenings: int) -> None:
        """Go back by `evenings` evenings, or forward if `evenings` is negative."""
        self._open += evenings
        self.has_later = self._open > 0
        self.has_earlier = self._open + 1 < len(self._evenings)
        if not self._evenings:
            self.heading, self.message = "", _("No finished games yet.")
            return
        evening = self._evenings[self._open]
        self.heading = str(format_date(evening.day, "full", locale=_.language.code))
        try:
            self.message = "\n".join(self._book.paragraphs(evening))
        except StorageError as error:
            self.message = storage_error_text(error, _.language)

    def ask(self) -> None:
        self._ask()

    def delete(self) -> None:
        """Delete the book and all its games."""
        try:
            self._book.delete()
        except StorageError as error:
            self.message = storage_error_text(error, _.language)
        else:
            self._read()

    def close(self) -> None:
        self._close()

    def _read(self) -> None:
        """Load the list of evenings on which games were played, and show the most recent one."""
        try:
            self._evenings = self._book.evenings()
        except StorageError as error:
            self.message = storage_error_text(error, _.language)
            return
        self.count, self._open = len(self._evenings), 0
        self.turn(0)


class StoryTab(Press):
    """Button that shows a moment of the game.

    The button's label is the moment's number, unless there is only one moment.
    """

    part = NumericProperty(0)


class StoryDialog(Modal):
    """Shows a story, with buttons to step through the positions around a moment.

    A moment shows the ranks that its player could have known: the player's own and the proved ones.
    The last part, about the whole game, shows all ranks.
    """

    image = ObjectProperty(Image())
    ranks = ObjectProperty({})
    last_move = ObjectProperty(None, allownone=True)
    part = NumericProperty(-1)
    """Index of the open part. The part about the whole game comes last."""
    moments = NumericProperty(0)
    ply = NumericProperty(0)
    length = NumericProperty(0)
    """Number of plies in the game."""
    message = StringProperty()
    place = AliasProperty(
        lambda self: _("{ply} of {length}", ply=self.ply, length=self.length),
        bind=["ply", "length"],
    )
    title = AliasProperty(lambda _self: _(TITLE))

    def __init__(self, archive: Archive, number: int, close: Callable[[], None]) -> None:
        """Show a game from the archive, or the reason why it cannot be shown."""
        super().__init__()
        self._close = close
        self._story: Story | None = None
        try:
            self._story = build_story(archive.load(number), _.announcer)
        except JournalError as error:
            self.message = error_text(error)
            return
        self.length, self.moments = len(self._story.pages) - 1, len(self._story.moments)
        for part in range(self.moments):
            self._add_tab(part)
        self.open_part(0)

    def open_part(self, part: int) -> None:
        """Show one of the story's moments, or the part about the whole game.

        A moment is shown with its position, and the whole game with the final position.
        """
        assert self._story
        self.part = part
        self.ids.panel.page = 0  # with large text, another page of the panel may be open
        self.go_to(self._story.moments[part].ply if part < self.moments else self.length)

    def go_to(self, ply: int) -> None:
        """Show the position after `ply` plies, limited to the length of the game."""
        assert self._story
        self.ply = min(max(ply, 0), self.length)
        page = self._story.pages[self.ply]
        self.image, self.last_move, self.message = (
            image_of(page.seen),
            page.seen.last_move,
            page.text,
        )
        if self.part == self.moments:
            known = page.seen.pieces.items()
            self.ranks = {square: rank for square, (_side, rank) in known if rank is not None}
            if self.ply == self.length:
                self.message = "\n\n".join(self._story.closing)
            return
        moment = self._story.moments[self.part]
        self.ranks = self._story.ranks(self.ply, moment.side)
        if self.ply == moment.ply:
            self.message, self.last_move = moment.text, moment.way

    def close(self) -> None:
        self._close()

    def _add_tab(self, part: int) -> None:
        tab = StoryTab(part=part, text=str(part + 1) if self.moments > 1 else _("Key moment"))
        tab.bind(on_release=lambda pressed: self.open_part(pressed.part))
        self.fbind("part", lambda _dialog, shown: setattr(tab, "main", shown == part))
        self.ids.tabs.add_widget(tab)


load_kv(__file__)
