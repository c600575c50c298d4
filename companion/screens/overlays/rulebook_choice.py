"""Choice of the rulebook of the next game: each with its common name and one sentence."""

from collections.abc import Callable

from kivy.properties import ObjectProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.settings import Settings
from companion.screens.overlays.game_choice import summary
from companion.screens.widgets.common import OptionCard, load_kv
from companion.screens.widgets.texts import _
from companion.speech.rulebook_names import RULEBOOK_NAMES
from engine.rules.editions import EDITIONS


class RulebookCard(OptionCard):
    """One rulebook."""

    value = ObjectProperty(None)
    text = StringProperty()
    about = StringProperty()


class RulebookCover(Cover):
    """All rulebooks, and a button for the chosen one's options; a touch takes effect at once."""

    details = StringProperty()
    """Chosen options other than the rulebook."""

    def __init__(
        self,
        settings: Settings,
        close: Callable[[], None],
        open_details: Callable[[], None],
        read: Callable[[], None],
    ) -> None:
        super().__init__()
        self._settings, self._close = settings, close
        self._open_details, self._read = open_details, read
        for edition, named in RULEBOOK_NAMES.items():
            card = RulebookCard(value=edition, text=_(named.name), about=_(named.about))
            card.bind(on_release=lambda card: self._play(card.value))
            self.ids.editions.add_widget(card)
        self._mark()

    def read(self) -> None:
        self._read()

    def open_details(self) -> None:
        self._open_details()

    def close(self) -> None:
        self._close()

    def _play(self, edition: str) -> None:
        self._settings.play_by(EDITIONS[edition])
        self._mark()

    def _mark(self) -> None:
        edition = self._settings.edition
        for card in self.ids.editions.things:
            card.chosen = card.value == edition.id
        self.details = summary(edition, self._settings.control)


load_kv(__file__)
