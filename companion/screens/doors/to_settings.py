"""Navigation to the settings, from the start and from a game, and to the languages."""

from collections.abc import Callable
from functools import partial

from companion.screens.base.later import later
from companion.screens.base.stage import Stage
from companion.screens.doors.over import Over
from companion.screens.doors.to_phones import PhonesDoor
from companion.speech.language import Language
from engine.board.geometry import Side

with later("companion.screens.overlays"):
    from companion.screens.overlays import (
        asking,
        code_cover,
        language_choice,
        senses_cover,
        settings_cover,
    )


class SettingsDoors:
    """Dialogs of the settings.

    After a change of the language or the text size everything is rebuilt, including this object.
    """

    def __init__(
        self,
        stage: Stage,
        over: Over,
        ask: "asking.Asking",
        *,
        rebuild: Callable[..., None],
        close_choice: Callable[[], None],
        open_menu: Callable[[], None],
    ) -> None:
        """Create the dialogs; `rebuild` rebuilds everything and passes on the new root."""
        self._stage, self._over, self._ask = stage, over, ask
        self._rebuild, self._close_choice, self._open_menu = rebuild, close_choice, open_menu
        self._phones = PhonesDoor(stage, over)

    def open(self) -> None:
        """Open the settings at the start."""
        stage = self._stage
        self._over.show(
            settings_cover.SettingsCover(
                stage.settings,
                stage.voice,
                self._close_choice,
                partial(self.choose_language, self.open),
                partial(self.open_senses, in_game=False),
                partial(self._phones.open, self.open),
                self._open_code,
                partial(self._ask.switch_off, self._switch_off) if stage.switch_off else None,
            )
        )

    def open_in_game(self) -> None:
        """Open the settings from the menu, without the arbiter's code and without switching off."""
        stage = self._stage
        self._over.show(
            settings_cover.SettingsCover(
                stage.settings,
                stage.voice,
                self._open_menu,
                partial(self.choose_language, self.open_in_game),
                partial(self.open_senses, in_game=True),
                partial(self._phones.open, self.open_in_game),
            )
        )

    def open_senses(self, *, in_game: bool) -> None:
        """Open the accessibility settings for sight and hearing."""
        back = self.open_in_game if in_game else self.open

        def reopen() -> None:
            self._rebuild(lambda root: root.settings_doors.open_senses(in_game=in_game))

        self._over.show(senses_cover.SensesCover(self._stage, back, reopen))

    def choose_language(self, back: Callable[[], None], side: Side | None = None) -> None:
        """Open the choice of the language for the public texts or for one player."""
        self._over.show(language_choice.LanguageCover(self._stage, side, self._speak, back))

    def _speak(self, language: Language) -> None:
        self._stage.speak(language)
        self._rebuild()

    def _open_code(self) -> None:
        self._over.show(code_cover.CodeCover(self._stage.settings, self.open))

    def _switch_off(self) -> None:
        assert self._stage.switch_off
        self._stage.settings.problem = self._stage.switch_off()
        self._close_choice()
