"""Everything on the screen: the screen that is due, and what lies over it."""

from collections.abc import Callable

from kivy.properties import ObjectProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import NoTransition, ScreenManager

from companion.screens.boom import Boom
from companion.screens.choice import View
from companion.screens.cover import LostCover, Question
from companion.screens.declaration import DeclarationScreen
from companion.screens.end import EndScreen
from companion.screens.face import Face
from companion.screens.menu import Asking, Menu
from companion.screens.reveal import RevealScreen
from companion.screens.setup import SetupScreen
from companion.screens.stage import Stage
from companion.screens.start import StartScreen, board_text
from companion.screens.turn import TurnScreen
from companion.screens.way_back import WayBackScreen

WITH_MENU = (View.TURN, View.WAY_BACK, View.DECLARATION)


class Root(FloatLayout):
    """Shows the stage: call `refresh` when something has happened and `tick` all the time."""

    face = ObjectProperty(None, allownone=True)
    """The screen that is shown."""

    def __init__(self, stage: Stage, rebuild: Callable[[], None]) -> None:
        super().__init__()
        self._stage = stage
        self._asking = Asking(stage, self._cover_with, self._uncover)
        self._makers: dict[View, Callable[[], Face]] = {
            View.START: lambda: StartScreen(stage, rebuild=rebuild),
            View.SETUP: lambda: SetupScreen(stage),
            View.TURN: lambda: TurnScreen(stage, open_menu=self._open_menu, ask=self._asking),
            View.WAY_BACK: lambda: WayBackScreen(stage, open_menu=self._open_menu),
            View.DECLARATION: lambda: DeclarationScreen(stage, open_menu=self._open_menu),
            View.REVEAL: lambda: RevealScreen(stage),
            View.END: lambda: EndScreen(stage),
        }
        self._screens = ScreenManager(transition=NoTransition())
        self.add_widget(self._screens)
        self._view: View | None = None
        self._cover: Menu | Question | None = None
        self._cover_plies = -1
        self._lost: LostCover | None = None
        self._boom: Boom | None = None
        self.refresh()

    def refresh(self) -> None:
        """Show how things stand now."""
        view = self._stage.view
        if self._view is not view:
            self._change_to(view)
        self.face.refresh()
        self._refresh_cover(view)
        self._refresh_lost()

    def tick(self, now: float) -> None:
        """Show what moves or ends with time."""
        if self._view is not self._stage.view:
            self.refresh()
        self.face.tick(now)
        self._tick_boom()

    def _change_to(self, view: View) -> None:
        if self.face:
            self.face.close()
        if not self._screens.has_screen(view.value):
            face = self._makers[view]()
            face.name = view.value
            self._screens.add_widget(face)
        self._screens.current = view.value
        self.face, self._view = self._screens.current_screen, view

    def _open_menu(self) -> None:
        self._cover_with(Menu(self._stage, self._uncover, self._asking))

    def _cover_with(self, cover: Menu | Question) -> None:
        self._uncover()
        self._cover, self._cover_plies = cover, self._stage.table.referee.plies
        self.add_widget(cover)

    def _uncover(self) -> None:
        if self._cover:
            self.remove_widget(self._cover)
            self._cover = None

    def _refresh_cover(self, view: View) -> None:
        """A question about a moment that has gone is withdrawn."""
        if self._cover is None:
            return
        table = self._stage.sitting.table
        if view not in WITH_MENU or table is None or table.referee.plies != self._cover_plies:
            self._uncover()
        elif isinstance(self._cover, Menu):
            self._cover.refresh()

    def _refresh_lost(self) -> None:
        if self._stage.lost and not self._lost:
            self.face.close()  # no curtain stays open under it
            self._lost = LostCover(self._stage.leave)
            self.add_widget(self._lost)
        elif self._lost and not self._stage.lost:
            self.remove_widget(self._lost)
            self._lost = None
        if self._lost:
            self._lost.trouble = board_text(self._stage)

    def _tick_boom(self) -> None:
        left = self._stage.booming
        if left is None:
            if self._boom:
                self.remove_widget(self._boom)
                self._boom = None
            return
        if self._boom is None:
            self._boom = Boom(calm=self._stage.settings.calm, skip=self._stage.end_boom)
            self.add_widget(self._boom)
        self._boom.size, self._boom.pos = self.size, self.pos
        self._boom.show(left)
