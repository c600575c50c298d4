"""The companion with a screen: a Kivy program around one sitting."""

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from kivy.app import App
from kivy.clock import Clock

from companion.journal import Journal
from companion.language import Language
from companion.screens.settings import Settings
from companion.screens.sitting import Sitting, Source
from companion.screens.words import _
from engine.editions import DEFAULT, Edition

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

FRAMES_A_SECOND: Final = 30


def draw_seed() -> int:
    """Draw the seed of a new game."""
    return random.SystemRandom().getrandbits(32)


class BoomboardApp(App):  # type: ignore[misc]  # Kivy ships no types
    """Polls the board in every frame and shows what the table says."""

    title = "Boomboard"

    def __init__(
        self,
        journal: Journal,
        source: Source,
        language: Language,
        edition: Edition = DEFAULT,
        *,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], int] = draw_seed,
        **kwargs: object,
    ) -> None:
        super().__init__(**kwargs)
        # Only now, because they open the window.
        from companion.screens.sound import Sounds  # noqa: PLC0415
        from companion.screens.stage import Stage  # noqa: PLC0415

        _.speak(language)
        self._clock = clock
        self.sitting = Sitting(journal, source, clock, draw)
        self.stage = Stage(self.sitting, Settings(edition, language), clock)
        self.sounds = Sounds()
        self._shown = 0

    def build(self) -> "Widget":
        from kivy.core.window import Window  # noqa: PLC0415
        from kivy.uix.boxlayout import BoxLayout  # noqa: PLC0415

        from companion.screens import theme  # noqa: PLC0415

        Window.clearcolor = theme.GROUND
        self._frame = BoxLayout()
        self.rebuild()
        Clock.schedule_interval(self.tick, 0)
        return self._frame

    def rebuild(self, *_args: object) -> None:
        """Build all screens anew, in the language that is set now."""
        from companion.screens.root import Root  # noqa: PLC0415

        _.speak(self.stage.settings.language)
        self.face = Root(self.stage, rebuild=self._rebuild_soon)
        self._frame.clear_widgets()
        self._frame.add_widget(self.face)

    def tick(self, _seconds: float) -> None:
        """One frame: hear the board, then show."""
        self.sitting.tick()
        if self._shown != self.sitting.changes:
            self._shown = self.sitting.changes
            self.face.refresh()
        self.face.tick(self._clock())
        for name in self.stage.sounds:
            if self.stage.settings.sound:
                self.sounds.play(name)
        self.stage.sounds.clear()

    def _rebuild_soon(self) -> None:
        # The button that asks for it is still in the middle of its touch.
        Clock.schedule_once(self.rebuild, -1)
