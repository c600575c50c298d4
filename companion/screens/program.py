"""The Kivy program around the host of an evening at one board."""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import resources

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.boxlayout import BoxLayout

from companion.devices.panel_lamps import PanelLamps
from companion.recorder.recorder import Recorder
from companion.screens.base.board_host import BoardHost, Source
from companion.screens.base.settings import SettingsFile
from companion.screens.base.sound import Sounds
from companion.screens.base.stage import Stage
from companion.screens.root import Root
from companion.screens.touch_board import TouchBoard
from companion.screens.widgets import theme
from companion.screens.widgets.texts import _
from companion.speech.language import Language
from companion.store.journal import Journal
from engine.play.clocks import TimeControl
from engine.rulebook.editions import Edition


def draw_seed() -> int:
    """Draw the seed of a new game."""
    return random.SystemRandom().getrandbits(32)


class BoomboardApp(App):
    """Hears the board in every frame and shows what the table says."""

    title = "Boomboard"
    icon = str(resources.files("companion") / "screens" / "icon.png")

    def __init__(
        self,
        journal: Journal,
        source: Source,
        language: Language | None = None,
        edition: Edition | None = None,
        control: TimeControl | None = None,
        *,
        lamps: PanelLamps | None = None,
        recorder: Recorder | None = None,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], int] = draw_seed,
    ) -> None:
        """Play on a source. What is None is as the players chose it last."""
        super().__init__()
        self._clock = clock
        self._file = SettingsFile(journal.path.with_name("settings.json"))
        kept = self._file.settings
        settings = replace(
            kept,
            language=language or kept.language,
            edition=edition or kept.edition,
            control=control or kept.control,
        )
        self._file.follow(settings)
        self.host = BoardHost(journal, source, clock, draw, recorder)
        self.stage = Stage(self.host, settings, clock)
        self._lamps = lamps
        if lamps:
            self.host.listen(lamps.hear)
        self._sounds = Sounds()
        self._shown = 0

    def build(self) -> BoxLayout:
        Window.clearcolor = theme.GROUND
        self._frame = BoxLayout()
        self._rebuild()
        Clock.schedule_interval(self._tick, 0)
        return self._frame

    def on_stop(self) -> None:
        Clock.unschedule(self._tick)

    def open_settings(self, *_args: object) -> None:
        """The panel that Kivy opens with F1 is not for players."""

    def _rebuild(self, *_args: object) -> None:
        """Build all screens anew, in the language that is set now."""
        _.speak(self.stage.settings.language)
        self._frame.clear_widgets()
        self.face = Root(self.stage, rebuild=self._rebuild_soon)
        self._frame.add_widget(self.face)
        virtual = self.host.source.virtual
        self.touch_board = TouchBoard(self.host, virtual) if virtual else None
        if self.touch_board:
            self._frame.add_widget(self.touch_board)

    def _rebuild_soon(self) -> None:
        # The button that asks for it is still in the middle of its touch.
        Clock.schedule_once(self._rebuild, -1)

    def _tick(self, _seconds: float) -> None:
        self.host.tick()
        if self._lamps:
            self._lamps.tick(self.host.table, self.host.give)
        if self._file.keep() or self._shown != self.host.changes:
            self._shown = self.host.changes
            self.face.refresh()
        self.face.tick(self._clock())
        if self.touch_board:
            self.touch_board.tick()
        for name in self.stage.sounds:
            if self.stage.settings.sound:
                self._sounds.play(name)
        self.stage.sounds.clear()
