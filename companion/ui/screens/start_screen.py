"""The start screen, on which a single tap starts any type of game."""

from dataclasses import replace
from typing import Final

from kivy.properties import (
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)

from companion.speech import small_texts
from companion.speech.i18n import own_name
from companion.speech.small_texts import UNPLUGGED
from companion.storage.game_rows import PlayerNames
from companion.ui.base.base_screen import BaseScreen
from companion.ui.base.presenter import GamePresenter
from companion.ui.dialogs.game_choice import army_text, rulebook_name, summary
from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side
from engine.board.ranks import ORIGINAL
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.rules.editions import Edition
from firmware_bridge.camera.notices import NoticeKind

_ROW: Final = 84
"""Height of the row of buttons for continuing or repeating a game. The button for repeating a game
also shows that game's options."""


class StartScreen(BaseScreen):
    """Tiles that start a game, the options for the next game, and the state of the board."""

    kept = BooleanProperty(False)
    """Whether there is an unfinished game to continue."""
    edition = StringProperty()
    chosen = StringProperty()
    again = StringProperty()
    """The options of the last game, or an empty string before the first game."""
    language_name = StringProperty()
    begin_text = StringProperty()
    """The unusual options of a two-player game, or a note that the game will not be saved."""
    row_height = NumericProperty(_ROW)
    """Height of the top row of buttons."""
    row_padding = ListProperty([0, 0, 0, 0])
    """Negative padding that removes the gap beside a hidden button in the top row."""
    opponent = StringProperty()
    """Name and level of the computer in a one-player game."""
    players = StringProperty()
    sounds = StringProperty()
    """Text stating whether sound is on, off or unavailable."""
    board_found = BooleanProperty(False)
    board_text = StringProperty()
    problem = StringProperty()
    """Reason why data is not saved or cannot be read."""
    can_look_again = BooleanProperty(False)
    """Whether the saved games are unavailable. If so, a retry may help."""
    keeps = BooleanProperty(True)
    """Whether a new game will be saved."""
    ask = ObjectProperty(None)
    """Asks for confirmation before a new game replaces an unfinished one."""
    open_language = ObjectProperty(None)
    open_rules = ObjectProperty(None)
    open_players = ObjectProperty(None)
    open_settings = ObjectProperty(None)
    open_about = ObjectProperty(None)
    open_games = ObjectProperty(None)
    open_sensors = ObjectProperty(None)
    open_first_battle = ObjectProperty(None)
    open_solo_game = ObjectProperty(None)

    def refresh(self) -> None:
        settings, host = self.presenter.settings, self.presenter.host
        self.kept = host.kept is not None
        self.edition = rulebook_name(settings.edition)
        self.players = players_text(settings.players)
        self.sounds = self._sounds()
        self.language_name = own_name(settings.language.code)
        self.board_found = host.found is not None
        self.board_text = board_text(self.presenter)
        self.keeps = host.keeps
        self.can_look_again = host.problem is not None and not host.keeps
        self.problem = self._problem()
        has_room = not (theme.LARGE or self.problem)
        self._show_details(has_room=has_room)

    def _show_details(self, *, has_room: bool) -> None:
        """Show the secondary text, where there is room for it."""
        settings = self.presenter.settings
        edition, control = settings.edition, settings.control
        opponent = small_texts.OPPONENTS[settings.level]
        # There is only room to mention the handicap, not its advantages.
        usual = replace(edition, handicap=None)
        # The reason why the board is missing is more important than the options, and may need their
        # space.
        has_both = has_room and (self.board_found or self.presenter.host.source.error is None)
        self.chosen = summary(usual, control) if has_both else ""
        self.again = "" if self.problem else self._again()
        self.opponent = " · ".join((opponent.name, _(opponent.level))) if has_room else ""
        unusual = " · ".join(_unusual(edition, control)) if has_room else ""
        self.begin_text = unusual if self.keeps else _("Not saved")
        self.row_height = theme.TOUCH if self.problem else _ROW
        gap = -theme.GAP
        self.row_padding = [0 if self.kept else gap, 0, 0 if self.again else gap, 0]

    def resume(self) -> None:
        self.presenter.host.resume()

    def begin(self) -> None:
        self.ask.begin(self.presenter.begin)

    def begin_again(self) -> None:
        self.ask.begin(self.presenter.begin_again)

    def _sounds(self) -> str:
        if not self.presenter.settings.sound:
            return _("Sound: off")
        return _("Sound: no device") if self.presenter.is_mute else _("Sound: on")

    def _again(self) -> str:
        settings = self.presenter.settings
        if settings.last_game is None:
            return ""
        edition, control = settings.last_game
        parts = [rulebook_name(edition), *_unusual(edition, control)]
        return " · ".join([*parts, _("Alone")] if settings.last_was_solo else parts)

    def _problem(self) -> str:
        """Return a message about data that cannot be saved, or that has been quarantined."""
        host, settings = self.presenter.host, self.presenter.settings
        if host.problem:
            message = small_texts.storage_error_text(host.problem, _.language)
            if host.keeps:
                return message
            return " ".join((message, _("Or start with --data and another folder.")))
        if host.quarantined:
            return small_texts.quarantine_text(host.quarantined, _.language)
        return settings.problem and _(settings.problem)

    def look_again(self) -> None:
        self.presenter.renew()
        self.presenter.host.look_again()


def _unusual(edition: Edition, control: TimeControl) -> list[str]:
    """Describe each unusual option: the army, the clock and the handicap."""
    is_whole = edition.army.size == ORIGINAL.size
    return [
        *([] if is_whole else [army_text(edition.army)]),
        *([] if control == NO_CLOCK else [small_texts.time_allowed(_short(control), _.language)]),
        *([_("Handicap")] if edition.handicap else []),
    ]


def _short(control: TimeControl) -> TimeControl:
    """Return a time control without the parts that do not fit on a tile."""
    return control if control.each is None else replace(control, whole=None, setup=None)


def players_text(players: PlayerNames) -> str:
    """Return the players' names, Red first. The side's colour replaces a missing name."""
    red, blue = (players.of(side) or _.language.side(side) for side in Side)
    return _("{red} and {blue}", red=red, blue=blue)


def board_text(presenter: GamePresenter) -> str:
    """Return the state of the connection to the board and, in case of a problem, the remedy."""
    source, camera = presenter.host.source, presenter.host.camera
    if camera and not camera.is_connected:
        return _(UNPLUGGED)
    notice = presenter.host.camera_notice
    if notice and notice.kind is not NoticeKind.SET_UP:
        return _("The camera is not ready. Open “Board check”.")
    if presenter.host.found and source.connected and source.connected.others:
        return _(
            "The board at {port} is used, not the one at {others}.",
            port=source.connected.port,
            others=", ".join(source.connected.others),
        )
    if presenter.host.found:
        return _("The board is connected.")
    error = source.error
    if error is None:
        return _("Looking for the board …")
    return small_texts.link_error_text(error, _.language)


load_kv(__file__)
