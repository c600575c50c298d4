"""Choice of a language, each under its own name, for the table or for one player."""

from collections.abc import Callable

from companion.screens.base.cover import Cover
from companion.screens.base.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.language import Language, codes, own_name
from engine.board.geometry import Side


class LanguageCover(Cover):
    """For whom, and all languages; the language that is touched takes effect at once."""

    def __init__(
        self,
        stage: Stage,
        side: Side | None,
        speak: Callable[[Language], None],
        close: Callable[[], None],
    ) -> None:
        """Choose at first for the player of `side`, or for the table if it is None."""
        super().__init__()
        self._settings, self._speak, self._close = stage.settings, speak, close
        listeners: dict[object, str] = {None: _("For all")}
        for each in Side:
            listeners[each] = self._settings.players.of(each) or _.language.side(each)
        self.ids.listeners.fill(listeners, self._turn_to)
        self._turn_to(side)

    def close(self) -> None:
        self._close()

    def _turn_to(self, side: object) -> None:
        """Show the language of one player, or that of the table."""
        self._side = side if isinstance(side, Side) else None
        names = {code: own_name(code) for code in sorted(codes(), key=own_name)}
        chosen: Language | None = self._settings.language
        if self._side:
            chosen = self._settings.own_language(self._side)
            names[""] = _("As for all")
        self.ids.listeners.mark(self._side)
        self.ids.languages.fill(names, self._choose)
        self.ids.languages.mark(chosen.code if chosen else "")

    def _choose(self, code: object) -> None:
        language = Language(str(code)) if code else None
        if self._side:
            self._settings.speak_to(self._side, language)
            self._close()
        elif language:
            self._speak(language)


load_kv(__file__)
