"""The Kivy application, which polls the game host and draws every change.

With a simulated board, the topmost layer shows the pieces being dragged.
"""

import gc
import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Final

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.devices.espeak import Earphone, Espeak
from companion.devices.lamps import PanelLamps
from companion.devices.watchdog import SystemdNotifier
from companion.session.computer_side import BackgroundWorker, Decision, Worker
from companion.session.game_host import BoardSource, CameraFeed, FarArbiter, GameHost
from companion.session.screen_setups import OpenTabletop
from companion.session.settings import SettingsFile
from companion.session.tabletop import Tabletop
from companion.speech.i18n import Language
from companion.storage.journal_provider import JournalProvider
from companion.ui.base.input_devices import Keyboard
from companion.ui.base.lazy_imports import pending_imports
from companion.ui.base.pads import USUAL, NetworkOptions
from companion.ui.base.presenter import GamePresenter
from companion.ui.base.spoken_declaration import SpokenDeclaration
from companion.ui.base.voice import NAMES, Sounds, Voice
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.root import Root
from companion.ui.solo_game import PieceRestorer, SoloGame
from companion.ui.widgets.board_picture import BoardPicture, stamp_wood
from companion.ui.widgets.transformed import ScaledRoot, rotated_size
from engine.game.clocks import TimeControl
from engine.rules.editions import Edition

if TYPE_CHECKING:
    from companion.recorder.recorder import Recorder


_SLIP: Final = 12
"""Maximum finger movement during a tap, in pixels; beyond it, a drag begins."""
_SIZE: Final = 1.25
"""Size of a dragged piece, as a fraction of a square's side."""


class DragLayer(Widget):
    """The topmost layer, which draws dragged pieces under the fingers and receives no touches.

    A piece is dropped on the board picture that is shown when the drag ends, because the screen may
    change during the drag.
    """

    def __init__(self, tabletop: Tabletop, find: Callable[[], BoardPicture | None]) -> None:
        """Create the layer. `find` returns the picture that currently shows the simulated board."""
        super().__init__()
        self._tabletop, self._find = tabletop, find
        self._fingers: dict[int, tuple[float, float]] = {}
        self._drawn: object = None

    def tick(self) -> None:
        """Redraw the board picture and the dragged pieces if anything has changed."""
        picture, tabletop = self._find(), self._tabletop
        shown = picture, tabletop.changes, dict(self._fingers) if tabletop.carried else None
        if shown == self._drawn:
            return
        self._drawn = shown
        self.canvas.clear()
        if picture is None:
            return
        picture.sharpen()
        size = picture.grid.step * _SIZE
        for finger, held in tabletop.carried.items():
            x, y = self._fingers[finger]
            stamp_wood(self.canvas, tabletop, held.piece, x - size / 2, y - size / 2, size)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        touch.grab(self)
        self._fingers[touch.uid] = touch.pos
        return False

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if touch.grab_current is self and touch.uid in self._tabletop.carried:
            if math.dist(touch.pos, touch.opos) > _SLIP:
                self._tabletop.carry(touch.uid)
            self._fingers[touch.uid] = touch.pos
        return False

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._fingers.pop(touch.uid, None)
        if touch.uid in self._tabletop.carried:
            self._release(touch)
        return False

    def _release(self, touch: MotionEvent) -> None:
        picture = self._find()
        where = None
        if picture:
            where = picture.grid.field_at(*picture.to_widget(*self.to_window(*touch.pos)))
        pointed = self._tabletop.release(touch.uid, where)
        if picture and pointed is not None:
            picture.dispatch("on_square", pointed)


# Polling.

REST_SECONDS: Final = 0.05
"""Polling interval while nothing moves, in seconds. A change on the board ends the wait early, and
touches are not delayed."""
AFTER_ONE: Final = 0.1
"""Maximum time between consecutive animation frames, in seconds."""
AFTER_TWO: Final = 0.5
"""Maximum time between an animation frame and the second one after it, in seconds. A running clock
changes less often, so it does not count as an animation."""


class FrameRate:
    """Decides how often to poll the board, based on when the last frames were shown.

    During an animation, every frame polls the board. Otherwise, polling is less frequent.
    """

    def __init__(self) -> None:
        self._latest = -math.inf
        self._before = -math.inf

    @property
    def has_begun(self) -> bool:
        return self._latest > -math.inf

    def note(self, now: float) -> None:
        """Record that a new frame has been shown."""
        self._before, self._latest = self._latest, now

    def rest(self, now: float) -> float:
        """Return the time to wait for the board before the next poll, in seconds."""
        moves = now - self._latest < AFTER_ONE or now - self._before < AFTER_TWO
        return 0 if moves else REST_SECONDS


# Deferred start-up.

AT_ONCE_SECONDS: Final = 0.01
"""Time after which a slice starts no more tasks, in seconds."""


class DeferredTasks:
    """Queue of start-up tasks, which run in small slices after the first frame has been shown.

    The tasks delay neither the first frame nor the response to the first touch.
    """

    def __init__(self, tasks: Iterable[Callable[[], object]]) -> None:
        """Queue the tasks, which run in the given order."""
        self._tasks = deque(tasks)

    @property
    def is_done(self) -> bool:
        return not self._tasks

    def tick(self) -> None:
        """Run tasks for one slice. After the last task, enable garbage collection.

        All existing objects are frozen first; otherwise the collector would traverse everything
        imported so far, which takes as long as three frames.
        """
        until = time.monotonic() + AT_ONCE_SECONDS
        while self._tasks:
            self._tasks.popleft()()
            if not self._tasks and not gc.isenabled():
                gc.freeze()
                gc.enable()
            if time.monotonic() >= until:
                return


def draw_seed() -> int:
    return random.SystemRandom().getrandbits(32)


class BoomboardApp(App):
    """Polls the board in every frame and shows the state of the table."""

    title = "Boomboard"
    icon = str(resources.files("companion") / "ui" / "icon.png")

    def __init__(
        self,
        journals: JournalProvider,
        source: BoardSource,
        language: Language | None = None,
        edition: Edition | None = None,
        control: TimeControl | None = None,
        *,
        lamps: PanelLamps | None = None,
        espeak: Espeak | None = None,
        earphone: Earphone | None = None,
        recorder: "Recorder | None" = None,
        supervisor: SystemdNotifier | None = None,
        reach: NetworkOptions = USUAL,
        switch_off: Callable[[], str] | None = None,
        far_arbiter: FarArbiter | None = None,
        rotation: int | None = None,
        camera: CameraFeed | None = None,
        worker: Worker[Decision] | None = None,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], int] = draw_seed,
    ) -> None:
        """Play on the board of `source`. If an argument is None, the previous choice is kept.

        Spoken announcements need `espeak`. Reading ranks to a player through an earphone also needs
        `earphone`. `supervisor` is notified after every frame, once the host has been polled.
        `worker` runs the computer player, by default in the background.
        """
        super().__init__()
        self._clock = clock
        self._file = SettingsFile(journals.path.with_name("settings.json"))
        kept = self._file.settings
        settings = replace(
            kept,
            language=language or kept.language,
            edition=edition or kept.edition,
            control=control or kept.control,
            rotation=kept.rotation if rotation is None else rotation,
        )
        self._file.follow(settings)
        self.host = GameHost(journals, source, clock, draw, recorder)
        self.host.far_arbiter, self.host.camera = far_arbiter, camera
        self.presenter = GamePresenter(self.host, settings, clock, reach)
        if reach.at_once:
            self.presenter.phones.open()
        self.presenter.switch_off = switch_off
        self._supervisor = supervisor
        self._lamps = lamps
        if lamps:
            self.host.listen(lamps.hear)
        self._sounds = Sounds(self._is_speaking)
        if espeak:
            self.presenter.voice = Voice(self.presenter.settings, clock, espeak)
            self.presenter.voice.on_begin = self._sounds.share
            self.host.listen(self.presenter.voice.hear)
        self._by_ear: SpokenDeclaration | None = None
        if espeak and earphone:
            self._by_ear = SpokenDeclaration(self.presenter, espeak, earphone, clock)
            self.presenter.by_ear = self._by_ear
        tabletop = self.host.tabletop
        self._hands = DragLayer(tabletop, lambda: self.face.simulated_board) if tabletop else None
        self._piece_restorer = PieceRestorer(self.host, tabletop) if tabletop else None
        self._open_tabletop = OpenTabletop(self.host, tabletop) if tabletop else None
        self._worker: Worker[Decision] = worker or BackgroundWorker()
        self._solo_game = SoloGame(self.host, self.presenter.seals, self._worker)
        self._frame_rate = FrameRate()
        self.backlog = DeferredTasks(
            [*pending_imports(), *(partial(self._sounds.load, each) for each in NAMES)]
        )
        self._shown = 0
        self._reported_problem = ""
        self._hiding = dict.fromkeys(("focus", "on_minimize", "on_hide"), self._hide_ranks)

    def build(self) -> ScaledRoot:
        self._frame = ScaledRoot()
        self._rebuild()
        self._frame.bind(size=self._note_shape)
        self.keyboard = Keyboard(self._frame)
        self.keyboard.open()
        if self._by_ear:
            self._by_ear.open()
        Clock.schedule_interval(self._tick, 0)
        Window.bind(on_flip=self._note_frame, **self._hiding)
        return self._frame

    def on_stop(self) -> None:
        Clock.unschedule(self._tick)
        Window.unbind(on_flip=self._note_frame, **self._hiding)
        self.keyboard.close()
        if self._by_ear:
            self._by_ear.close()
        self.presenter.phones.close()
        self._worker.close()
        if self.presenter.voice:
            self.presenter.voice.close()
        if self._supervisor:
            self._supervisor.close()

    def open_settings(self, *_args: object) -> None:
        """Disable Kivy's settings panel (F1), which is not meant for players."""

    def _rebuild(self) -> None:
        """Rebuild all screens with the current language and theme."""
        settings = self.presenter.settings
        _.speak(settings.language_for(None))
        theme.apply_theme(
            high_contrast=settings.high_contrast,
            large_letters=settings.large_letters,
            light=settings.light_theme,
            screen=self._layout_size(),
        )
        Window.clearcolor = theme.BACKGROUND
        self._frame.rotation = self.presenter.rotation.degrees
        self._frame.empty()
        self.face = Root(self.presenter, rebuild=self._rebuild_soon)
        self._frame.add_widget(self.face)
        if self._hands:
            self._frame.add_widget(self._hands)

    def _layout_size(self) -> tuple[int, int]:
        """Return the layout size for the window size and the display rotation."""
        return theme.layout_size(rotated_size(Window.size, self.presenter.rotation.degrees))

    def _note_shape(self, *_args: object) -> None:
        """Change the layout when the window changes between portrait and landscape."""
        if self._layout_size() != theme.SCREEN:
            self.face.hide_ranks()
            self._rebuild_soon()

    def _rebuild_soon(self, then: Callable[[Root], None] = lambda _root: None) -> None:
        def rebuild(_seconds: float) -> None:
            self._rebuild()
            then(self.face)

        # The button that requested the change is still handling its touch, so the change is
        # deferred.
        Clock.schedule_once(rebuild, -1)

    def _hide_ranks(self, _window: object, has_focus: bool = False) -> None:
        """Hide all ranks when the window loses focus, because a touch may then never end."""
        if not has_focus:
            self.face.hide_ranks()

    def _note_frame(self, _window: object) -> None:
        self._frame_rate.note(time.monotonic())

    def _tick(self, _seconds: float) -> None:
        self.host.wait(self._frame_rate.rest(time.monotonic()))
        self.host.poll()
        if self._piece_restorer:
            self._piece_restorer.tick()
        self._solo_game.tick(self._clock())
        if self._open_tabletop:
            self._open_tabletop.tick(self._clock())
        self._note_changes()
        if self._lamps:
            # The lamps must not reveal events that could not be saved.
            table = None if self.host.unsaved else self.host.table
            self._lamps.tick(table, self.host.submit, self._by_ear)
        if self._by_ear:
            self._by_ear.tick()
        self.presenter.phones.tick()
        if self._file.keep() or self._shown != self.host.changes:
            self._shown = self.host.changes
            self.face.refresh()
        self.face.tick(self._clock())
        if self.presenter.rotation.has_expired:
            self.presenter.rotation.undo()
            self._rebuild()
        if self._hands:
            self._hands.tick()
        self.keyboard.tick()
        self._sounds.is_calm = self.presenter.settings.reduced_motion
        self._sounds.volume = self.presenter.settings.volume
        for name in self.presenter.take_sounds():
            if self.presenter.settings.sound:
                self._sounds.play(name)
        if self.presenter.voice:
            self.presenter.voice.tick()
            self._report_voice_problem(self.presenter.voice.problem)
        if self._supervisor:
            self._supervisor.ping()
        if self._frame_rate.has_begun:
            self.backlog.tick()

    def _is_speaking(self) -> bool:
        return self.presenter.voice is not None and bool(self.presenter.voice.spoken_text)

    def _note_changes(self) -> None:
        """Report a missing sound device, or a draw declined by the computer."""
        now = self._sounds.is_mute, self._solo_game.declines_draw
        if now != (self.presenter.is_mute, self.presenter.declines_draw):
            self.presenter.is_mute, self.presenter.declines_draw = now
            self.host.changes += 1

    def _report_voice_problem(self, problem: str) -> None:
        """Show a new problem on the screen, once."""
        if problem != self._reported_problem:
            self._reported_problem = self.presenter.settings.problem = problem
            self.face.refresh()
