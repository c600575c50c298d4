"""Settings of the companion."""

from collections.abc import Callable

from kivy.properties import BooleanProperty, StringProperty

from companion.screens.base import whole_display
from companion.screens.base.cover import Cover
from companion.screens.base.settings import Settings
from companion.screens.base.voice import Voice
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.language import own_name


class SettingsCover(Cover):
    """Language, sound, voice, explosions, help; a touch takes effect at once."""

    sound = BooleanProperty(True)
    voice = BooleanProperty(True)
    voice_problem = StringProperty()
    """Reason why speech is unavailable, empty if it is available."""
    calm = BooleanProperty(False)
    has_code = BooleanProperty(False)
    can_lock = BooleanProperty(False)
    """Whether the arbiter's code can be set."""
    shows_ways = BooleanProperty(True)
    fills = BooleanProperty(False)
    """Whether the window fills the whole display."""
    language = StringProperty()
    """Spoken language, by its own name."""

    def __init__(
        self,
        settings: Settings,
        voice: Voice | None,
        close: Callable[[], None],
        open_language: Callable[[], None],
        open_senses: Callable[[], None],
        open_phones: Callable[[], None],
        open_code: Callable[[], None] | None = None,
        switch_off: Callable[[], None] | None = None,
    ) -> None:
        """Show the settings; a callback of None hides its setting, as during a game."""
        super().__init__()
        self._settings, self._close = settings, close
        self._open_language, self._open_code = open_language, open_code
        self._open_senses, self._switch_off = open_senses, switch_off
        self._open_phones = open_phones
        self.language = own_name(settings.language.code)
        self.can_lock = open_code is not None
        if switch_off is None:
            self.ids.choices.remove_widget(self.ids.pop("switch_off"))
        # A computer dedicated to the board shows nothing else on its display.
        if switch_off or not whole_display.can_be_chosen():
            self.ids.choices.remove_widget(self.ids.pop("filled"))
        self.voice_problem = voice.problem and _(voice.problem) if voice else ""
        self._show()

    def toggle_sound(self) -> None:
        self._settings.sound = not self.sound
        self._show()

    def toggle_voice(self) -> None:
        self._settings.voice = not self.voice
        self._show()

    def toggle_calm(self) -> None:
        self._settings.calm = not self.calm
        self._show()

    def open_language(self) -> None:
        self._open_language()

    def open_senses(self) -> None:
        self._open_senses()

    def open_phones(self) -> None:
        self._open_phones()

    def open_code(self) -> None:
        assert self._open_code
        self._open_code()

    def switch_off(self) -> None:
        assert self._switch_off
        self._switch_off()

    def toggle_ways(self) -> None:
        self._settings.shows_ways = not self.shows_ways
        self._show()

    def toggle_filled(self) -> None:
        whole_display.fill(fills=not self.fills)
        self._show()

    def close(self) -> None:
        self._close()

    def _show(self) -> None:
        settings = self._settings
        self.has_code = bool(settings.code)
        self.sound, self.voice, self.calm = settings.sound, settings.voice, settings.calm
        self.shows_ways = settings.shows_ways
        self.fills = whole_display.is_filled()


load_kv(__file__)
