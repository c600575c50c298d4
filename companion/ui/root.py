"""Root widget, with the current screen and all layers above it."""

from collections.abc import Callable
from functools import partial
from typing import Final

from kivy.input.motionevent import MotionEvent
from kivy.properties import ObjectProperty
from kivy.uix.floatlayout import FloatLayout

from companion.speech.i18n import Language
from companion.ui.base.base_screen import BaseScreen
from companion.ui.base.lazy_imports import lazy
from companion.ui.base.modal import BoardLostDialog
from companion.ui.base.presenter import GamePresenter
from companion.ui.base.screen_selection import Effect, ScreenId, TransientEffects
from companion.ui.drawing.translator import _
from companion.ui.navigation.game_menu import BoardMenu, GameMenu
from companion.ui.navigation.modal_host import ModalHost
from companion.ui.navigation.start_menu import SavedGamesMenu, SettingsMenu, StartMenu
from companion.ui.screens.start_screen import StartScreen, board_text
from companion.ui.widgets.board_picture import BoardPicture
from companion.ui.widgets.text_scaling import TextScaler
from engine.game.game_state import Phase
from engine.game.rulings import Combat

# Import each screen only when it is first shown, so that the first screen is not delayed.
with lazy("companion.ui.screens", "companion.ui.dialogs"):
    from companion.ui.base import modal
    from companion.ui.dialogs import confirmations
    from companion.ui.effects import boom, flag_and_seal
    from companion.ui.screens import (
        end_screen,
        question_screens,
        rank_screens,
        recovery_screen,
        reveal_screen,
        setup_screen,
        turn_screen,
    )


PEEK_SECONDS: Final = 6.0
"""Maximum time for which an eye button shows ranks, in seconds. The limit is needed because the
release of the button may go unnoticed."""


class Root(FloatLayout):
    """Shows a presenter's current screen, and the layers above it."""

    face = ObjectProperty(None, allownone=True)

    def __init__(self, presenter: GamePresenter, rebuild: Callable[..., None]) -> None:
        """Call `refresh` after every change and `tick` in every frame.

        `rebuild` rebuilds all screens, then calls its argument with the new root.
        """
        super().__init__()
        self._presenter = presenter
        self.modals = ModalHost(self, presenter, self._use_topmost_language)
        self._ask = confirmations.Confirmations(presenter, self.modals.show, self.modals.close)
        self.settings_menu = SettingsMenu(
            presenter,
            self.modals,
            self._ask,
            rebuild=rebuild,
            close_choice=self._close_choice,
            open_menu=self._open_menu,
        )
        board_menu = BoardMenu(presenter, self.modals)
        self._game_menu = GameMenu(
            presenter,
            self.modals,
            self._ask,
            settings=self.settings_menu,
            board=board_menu,
            close_choice=self._close_choice,
        )
        self._makers = self._make_screens(board_menu)
        self._faces: dict[tuple[ScreenId, str], BaseScreen] = {}
        """Cache of screens shown so far, keyed by screen and language code."""
        self._due: tuple[ScreenId, str] | None = None
        self._paused: modal.PauseDialog | None = None
        self._lost: BoardLostDialog | None = None
        self._boom: boom.Boom | None = None
        self._effects: (
            tuple[TransientEffects, flag_and_seal.Seal | flag_and_seal.RisingFlag] | None
        ) = None
        self._unsaved: modal.SaveErrorDialog | None = None
        self._peeked_at: float | None = None
        """Time at which the pressed eye button began to show ranks, or None if none is pressed."""
        self._letters = TextScaler(self)
        self.refresh()

    def _make_screens(self, board_menu: BoardMenu) -> dict[ScreenId, Callable[[], BaseScreen]]:
        """Return a factory for each screen, to be called when the screen is first shown."""
        presenter, game, ask = self._presenter, self._game_menu, self._ask
        kept = SavedGamesMenu(presenter, self.modals)
        start = StartMenu(
            presenter,
            self.modals,
            ask,
            close_choice=self._close_choice,
            choose_language=self.settings_menu.choose_language,
        )
        menu = {"open_menu": game.open_menu}
        common = {**menu, "ask": ask}
        language = {"open_language": partial(self.settings_menu.choose_language, self.modals.close)}
        return {
            ScreenId.START: lambda: StartScreen(
                presenter,
                ask=ask,
                **language,
                open_rules=start.open_rules,
                open_players=start.open_players,
                open_settings=self.settings_menu.open,
                open_sensors=board_menu.open_sensors,
                open_games=kept.open_games,
                open_about=start.open_about,
                open_solo_game=start.open_solo_game,
                open_first_battle=start.open_first_battle,
            ),
            ScreenId.SETUP: lambda: setup_screen.SetupScreen(
                presenter, ask=ask, open_setups=game.open_setups, **language
            ),
            ScreenId.TURN: lambda: turn_screen.TurnScreen(
                presenter,
                open_guess=game.open_guess,
                open_rank_card=game.open_rank_card,
                open_hints=game.open_hints,
                **common,
            ),
            ScreenId.RECOVERY: lambda: recovery_screen.RecoveryScreen(
                presenter, open_adoption=game.open_adoption, **common
            ),
            ScreenId.WHO_ATTACKS: lambda: question_screens.WhoAttacksScreen(presenter, **menu),
            ScreenId.CHOOSE_MOVE: lambda: question_screens.ChooseMoveScreen(presenter, **menu),
            ScreenId.DECLARATION: lambda: rank_screens.DeclarationScreen(presenter, **common),
            ScreenId.DISPUTE: lambda: question_screens.DisputeScreen(presenter, **common),
            ScreenId.STALEMATE: lambda: question_screens.StalemateScreen(presenter, **common),
            ScreenId.GUESS: lambda: rank_screens.GuessScreen(presenter, **common),
            ScreenId.REVEAL: lambda: reveal_screen.RevealScreen(presenter, **common),
            ScreenId.END: lambda: end_screen.EndScreen(
                presenter,
                ask,
                open_replay=kept.open_replay,
                open_story=kept.open_story,
                open_time=game.open_time_at_end,
                open_setup=game.open_proved_setup,
                **language,
            ),
        }

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Ignore touches on widgets that have only just appeared."""
        self._presenter.end_effects()
        self._presenter.note_touch()
        is_new = self._presenter.is_new and not self._is_on_old_board(touch)
        return is_new or bool(super().on_touch_down(touch))

    def _is_on_old_board(self, touch: MotionEvent) -> bool:
        """Whether a touch is on a simulated board that was already shown.

        Such a touch is meant for a piece, even if a widget has just appeared beside the board.
        """
        board = None if self._presenter.is_board_new else self.simulated_board
        if board is None:
            return False
        return bool(board.collide_point(*board.to_widget(*self.to_window(*touch.pos))))

    def on_touch_up(self, touch: MotionEvent) -> bool:
        """Record the touch before passing it to a button."""
        self._presenter.note_touch()
        return bool(super().on_touch_up(touch))

    def refresh(self) -> None:
        """Show the current state. If the last step could not be saved, only report the error."""
        self._refresh_unsaved()
        if self._unsaved:
            return
        _.solo = self._presenter.plays_itself is not None
        language = self._presenter.settings.language_for(self._presenter.address_of)
        if self._due != (self._presenter.view, language.code):
            self._change_to(self._presenter.view, language)
        self._refresh_face()
        self.modals.refresh()
        with self._presenter.speaking_to(None):
            self._refresh_paused()
            self._refresh_lost()
        self._use_topmost_language()

    def _refresh_face(self) -> None:
        with _.speaking(self.face.spoken_in):
            self.face.refresh()

    def _use_topmost_language(self) -> None:
        """Switch to the language of the topmost layer, which receives the next touch."""
        modals = (self._unsaved, self._lost, self.modals.modal, self._paused)
        _.speak(next((each for each in modals if each), self.face).spoken_in)

    def hide_ranks(self) -> None:
        """Close all widgets that show ranks to a single player."""
        self.face.hide_ranks()
        if self.modals.modal:
            self.modals.modal.hide_ranks()

    def _tick_eyes(self, now: float) -> None:
        """Hide the ranks that an eye button shows.

        They are hidden after the maximum time, or when a modal layer covers the screen.
        """
        tabletop = self._presenter.host.tabletop
        if tabletop is None or not tabletop.peeked:
            self._peeked_at = None
            return
        self._peeked_at = now if self._peeked_at is None else self._peeked_at
        is_covered = self.modals.modal or self._paused or self._lost or self._unsaved
        if is_covered or now - self._peeked_at >= PEEK_SECONDS:
            self.hide_ranks()

    def tick(self, now: float) -> None:
        """Update animations and timeouts."""
        self._tick_eyes(now)
        if self._unsaved:
            self._unsaved.tick(now)
        else:
            self._tick_all(now)
        if self._presenter.settings.large_letters:
            self._letters.tick()  # last, because all of the above may change text sizes

    def _tick_all(self, now: float) -> None:
        if self._due and self._due[0] is not self._presenter.view:
            self.refresh()
        with _.speaking(self.face.spoken_in):
            self.face.tick(now)
        self.modals.tick(now)
        self._tick_effect()
        self._tick_boom()

    def _change_to(self, view: ScreenId, language: Language) -> None:
        board_before = self.simulated_board
        if self.face:
            self.face.close()
            self.face.hide_ranks()
            self.remove_widget(self.face)
        due = view, language.code
        if due not in self._faces:
            with _.speaking(language):
                self._faces[due] = self._makers[view]()
            self._faces[due].name = view.value
        self.face, self._due = self._faces[due], due
        self.face.open_first_page()
        self.add_widget(self.face, index=len(self.children))  # below all modal layers
        tabletop = self._presenter.host.tabletop
        if tabletop:
            self.face.take_tabletop(tabletop)
        board = self.simulated_board
        keeps_board = bool(board_before and board and board_before.size == board.size)
        self._presenter.renew(keeps_board=keeps_board)
        if view is ScreenId.DECLARATION:
            with self._presenter.speaking_to(None):
                boom.prepare()

    def _open_menu(self) -> None:
        self._game_menu.open_menu()

    def _close_choice(self) -> None:
        """Close a dialog that offered a choice. The screen below it shows the chosen value."""
        self.modals.close()
        self._refresh_face()

    def _refresh_paused(self) -> None:
        table = self._presenter.host.table
        is_paused = table is not None and table.is_paused
        if is_paused and not self._paused:
            self.face.close()  # close an open curtain below the dialog
            self.modals.close()
            self._paused = modal.PauseDialog(
                self._presenter, self._ask.leave, self._game_menu.open_arbiter
            )
            self.add_widget(self._paused)
            self._presenter.renew()
        elif self._paused and not is_paused:
            self.remove_widget(self._paused)
            self._paused = None
            self._presenter.renew()
        if self._paused:
            self._paused.refresh()

    def _refresh_lost(self) -> None:
        if self._presenter.is_board_missing and not self._lost:
            self.face.close()  # no curtain may stay open below the dialog
            port = self._presenter.host.source.simulated_port
            replug = port.replug if port and not port.is_plugged_in else None
            host = self._presenter.host
            is_setup = self._presenter.table.view.phase is Phase.SETUP
            leave = self._ask.leave_setup if is_setup else self._ask.leave
            self._lost = BoardLostDialog(leave, replug, kept=host.keeps and not is_setup)
            self.add_widget(self._lost)
            self._presenter.renew()
        elif self._lost and not self._presenter.is_board_missing:
            self.remove_widget(self._lost)
            self._lost = None
            self._presenter.renew()
        if self._lost:
            self._lost.error = board_text(self._presenter)

    def _refresh_unsaved(self) -> None:
        if self._presenter.host.unsaved and not self._unsaved:
            self.face.close()  # no curtain may stay open below the dialog
            self.modals.close()
            with self._presenter.speaking_to(None):
                self._unsaved = modal.SaveErrorDialog(self._presenter.host)
            self.add_widget(self._unsaved)
            self._presenter.renew()
            self._use_topmost_language()
        elif self._unsaved and not self._presenter.host.unsaved:
            self.remove_widget(self._unsaved)
            self._unsaved = None
            self._presenter.renew()

    def _tick_effect(self) -> None:
        """Show the current transient effect, if any."""
        due = self._presenter.effects
        if self._effects and self._effects[0] != due:
            self.remove_widget(self._effects[1])
            self._effects = None
        if due is None or self._lost:
            return
        if self._effects is None:
            self._effects = (
                due,
                (flag_and_seal.Seal if due.show is Effect.SEAL else flag_and_seal.RisingFlag)(
                    due.side
                ),
            )
            self.add_widget(self._effects[1])
        shown, age = self._effects[1], due.age(self._presenter.now())
        shown.size, shown.pos = self.size, self.pos
        if age is not None:
            shown.show(age)

    def _tick_boom(self) -> None:
        left = self._presenter.explosion_seconds_left
        if left is None:
            if self._boom:
                self.remove_widget(self._boom)
                self._boom = None
                self._presenter.renew()
            return
        if self._boom is None:
            self._boom = boom.Boom(
                reduced_motion=self._presenter.settings.reduced_motion,
                skip=self._presenter.end_boom,
                heart=self._bomb_position,
            )
            self.add_widget(self._boom)
            self._presenter.renew()
        self._boom.size, self._boom.pos = self.size, self.pos
        self._boom.show(left)

    @property
    def simulated_board(self) -> BoardPicture | None:
        """The visible picture of the simulated board, or None if it is not shown."""
        for above in filter(None, (self.modals.modal, self.face)):
            for widget in above.walk(restrict=True):
                if isinstance(widget, BoardPicture) and widget.tabletop:
                    return widget
        return None

    def _bomb_position(self) -> tuple[float, float]:
        """Return the exploding bomb's position or, if no board is shown, the screen's centre."""
        revealed = self._presenter.revealed
        for widget in self.face.walk():
            if isinstance(widget, BoardPicture) and isinstance(revealed, Combat):
                x, y = self.to_widget(*widget.to_window(*widget.grid.centre(revealed.target)))
                return float(x), float(y)
        return float(self.center_x), float(self.center_y)
