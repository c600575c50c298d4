"""The last step cannot be saved: it stays hidden until a player decides how to go on."""

from kivy.properties import NumericProperty, StringProperty

from companion.screens.base.board_host import BoardHost
from companion.screens.base.cover import Cover
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.storage_words import storage_words


class UnsavedCover(Cover):
    """The reason and two choices; it closes when no step waits any more."""

    trouble = StringProperty()
    consequence = StringProperty()
    """The consequence of playing on without saving."""
    tries = NumericProperty(0)
    """Number of failed retries."""

    def __init__(self, host: BoardHost) -> None:
        super().__init__()
        self._host = host
        self._show()

    def tick(self, now: float) -> None:
        self.ids.play_on.tick(now)

    def save_again(self) -> None:
        self._host.save_again()
        if self._host.unsaved:
            self.tries += 1
            self._show()

    def play_on(self) -> None:
        self._host.play_on_unkept()

    def tries_text(self, tries: int) -> str:
        """Note that saving was tried again, as the screen looks the same after a retry."""
        again = _.plural("Tried again {count} time.", "Tried again {count} times.", tries)
        return again if tries else ""

    def _show(self) -> None:
        assert self._host.unsaved
        self.trouble = storage_words(self._host.unsaved, _.language)
        self.consequence = (
            _("Without keeping: after a power cut the game is gone.")
            if self._host.number is None
            else _("Without keeping: after a power cut the game goes on from the last saved move.")
        )


load_kv(__file__)
