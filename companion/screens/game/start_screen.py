"""The first screen: go on, or begin; two touches start a game."""

from typing import TypeVar

from babel import Locale
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.base.base_screen import BaseScreen
from companion.screens.base.stage import Stage
from companion.screens.overlays.game_choice import summary
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _, capitalized
from companion.speech.language import Language, codes

T = TypeVar("T")


class StartScreen(BaseScreen):
    """Continue, new game, the few choices, and how the board is doing."""

    kept = BooleanProperty(False)
    """Whether a game can be continued."""
    edition = StringProperty()
    chosen = StringProperty()
    """What was chosen besides the rulebook."""
    language_name = StringProperty()
    sound = BooleanProperty(True)
    calm = BooleanProperty(False)
    board_found = BooleanProperty(False)
    board_text = StringProperty()
    problem = StringProperty()
    rebuild = ObjectProperty(None)
    """Called when all texts have to be written anew."""
    open_rules = ObjectProperty(None)
    """Called when the players want to choose another game."""
    open_lots = ObjectProperty(None)
    """Called when the players want to draw lots for the colours."""
    open_about = ObjectProperty(None)
    """Called when somebody wants to know what this is."""
    open_games = ObjectProperty(None)
    """Called when somebody wants to look at an earlier game."""
    open_sensors = ObjectProperty(None)
    """Called when somebody wants to look into the board."""

    def refresh(self) -> None:
        settings, host = self.stage.settings, self.stage.host
        self.kept = host.kept is not None
        self.edition = settings.edition.rulebook
        self.chosen = summary(settings.edition, settings.control)
        self.language_name = language_name(settings.language.code)
        self.sound, self.calm = settings.sound, settings.calm
        self.board_found = host.found is not None
        self.board_text = board_text(self.stage)
        self.problem = host.problem or (settings.problem and _(settings.problem))

    def resume(self) -> None:
        self.stage.host.resume()

    def begin(self) -> None:
        settings = self.stage.settings
        self.stage.host.begin(settings.edition, settings.control)

    def next_language(self) -> None:
        code = after(codes(), self.stage.settings.language.code)
        self.stage.settings.language = Language(code)
        self.rebuild()

    def toggle_sound(self) -> None:
        self.stage.settings.sound = not self.stage.settings.sound
        self.refresh()

    def toggle_calm(self) -> None:
        self.stage.settings.calm = not self.stage.settings.calm
        self.refresh()


def after(items: list[T], item: T) -> T:
    """The next of several things, in a circle."""
    return items[(items.index(item) + 1) % len(items)]


def language_name(code: str) -> str:
    """What a language calls itself."""
    return capitalized(Locale(code).get_display_name(code) or code)


def board_text(stage: Stage) -> str:
    """How the connection to the board is, and what to do about it."""
    if stage.host.found:
        return _("The board is connected.")
    trouble = stage.host.source.trouble
    if trouble is None:
        return _("Looking for the board …")
    return _.announcer.trouble(trouble.kind, trouble.port, trouble.detail)


load_kv(__file__)
