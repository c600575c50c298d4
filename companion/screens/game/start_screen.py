"""The first screen: go on, the same again, or a quick duel, each at one touch."""

from functools import partial

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.base.base_screen import BaseScreen
from companion.screens.base.stage import Stage
from companion.screens.overlays.game_choice import QUICK, army_text, rulebook_name, summary
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.language import own_name
from companion.speech.storage_words import set_aside_words, storage_words
from companion.speech.trouble_words import trouble_words
from companion.store.players import Players
from engine.play.clocks import NO_CLOCK
from engine.sides import Side


class StartScreen(BaseScreen):
    """Continue, the same again, a quick duel, the choices, and how the board is doing."""

    kept = BooleanProperty(False)
    """Whether a game can be continued."""
    edition = StringProperty()
    chosen = StringProperty()
    """What was chosen besides the rulebook."""
    language_name = StringProperty()
    begin_text = StringProperty()
    """The game that was chosen, or the same again."""
    duel = StringProperty()
    """What a quick duel is played with."""
    can_be_alone = BooleanProperty(False)
    """Whether the board is simulated, so that somebody else's hands can play on it."""
    players = StringProperty()
    sounds = StringProperty()
    """Whether there is sound."""
    board_found = BooleanProperty(False)
    board_text = StringProperty()
    problem = StringProperty()
    """Why something is not kept, or could not be read."""
    can_look_again = BooleanProperty(False)
    """Whether the problem is with the kept games."""
    keeps = BooleanProperty(True)
    """Whether a new game is kept."""
    ask = ObjectProperty(None)
    """Asks before a game is begun while another one is not over."""
    open_language = ObjectProperty(None)
    """Called when somebody wants to read another language."""
    open_rules = ObjectProperty(None)
    """Called when the players want to choose another game."""
    open_players = ObjectProperty(None)
    """Called when the players want to say who they are and where they sit."""
    open_settings = ObjectProperty(None)
    """Called when somebody wants the companion to behave otherwise."""
    open_about = ObjectProperty(None)
    """Called when somebody wants to know what this is."""
    open_games = ObjectProperty(None)
    """Called when somebody wants to look at an earlier game."""
    open_sensors = ObjectProperty(None)
    """Called when somebody wants to look into the board."""
    open_alone = ObjectProperty(None)
    """Called when one person wants to play against random moves."""

    def refresh(self) -> None:
        settings, host = self.stage.settings, self.stage.host
        self.kept = host.kept is not None
        self.edition = rulebook_name(settings.edition)
        self.chosen = summary(settings.edition, settings.control)
        self.players = players_text(settings.players)
        self.sounds = self._sounds()
        self.duel = army_text(QUICK.army)
        self.can_be_alone = host.tabletop is not None
        self.language_name = own_name(settings.language.code)
        self.board_found = host.found is not None
        self.board_text = board_text(self.stage)
        self.keeps = host.keeps
        self.can_look_again = host.problem is not None and not host.keeps
        self.begin_text = self._begin_text()
        self.problem = self._problem()

    def resume(self) -> None:
        self.stage.host.resume()

    def begin(self) -> None:
        self.ask.begin(self.stage.begin)

    def begin_duel(self) -> None:
        self.ask.begin(partial(self.stage.begin_game, QUICK, NO_CLOCK))

    def _sounds(self) -> str:
        if not self.stage.settings.sound:
            return _("Sound: off")
        return _("Sound: no device") if self.stage.is_mute else _("Sound: on")

    def _problem(self) -> str:
        """Why something is not kept, or where the games are that could not be read."""
        host, settings = self.stage.host, self.stage.settings
        if host.problem:
            said = storage_words(host.problem, _.language)
            if host.keeps:
                return said
            return " ".join((said, _("Or start with --data and another folder.")))
        if host.set_aside:
            return set_aside_words(host.set_aside, _.language)
        return settings.problem and _(settings.problem)

    def _begin_text(self) -> str:
        if not self.keeps:
            return _("New game without keeping")
        return _("The same again") if self.stage.settings.is_again else _("New game")

    def look_again(self) -> None:
        self.stage.renew()
        self.stage.host.look_again()


def players_text(players: Players) -> str:
    """The players' names, Red first; the colour where a name is unknown."""
    red, blue = (players.of(side) or _.language.side(side) for side in Side)
    return _("{red} and {blue}", red=red, blue=blue)


def board_text(stage: Stage) -> str:
    """How the connection to the board is, and what to do about it."""
    if stage.host.found:
        return _("The board is connected.")
    trouble = stage.host.source.trouble
    if trouble is None:
        return _("Looking for the board …")
    return trouble_words(trouble, _.language)


load_kv(__file__)
