"""Opens the dialogs from the start screen: next game, saved games, phones and settings."""

from collections.abc import Callable
from functools import partial
from typing import Final

from companion.speech.i18n import Language
from companion.ui.base.lazy_imports import lazy
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.navigation.modal_host import ModalHost
from engine.board.geometry import Side
from engine.rules.editions import Edition

with lazy("companion.ui.dialogs"):
    from companion.ui.dialogs import (
        clock_dialogs,
        confirmations,
        game_choice,
        player_dialogs,
        rules_dialogs,
    )

with lazy("companion.ui.dialogs"):
    from companion.ui.dialogs import arbiter_dialogs, confirmations, review_dialogs, saved_games

with lazy("companion.ui.dialogs"):
    from companion.ui.dialogs import pad_dialogs

with lazy("companion.ui.first_battle"):
    from companion.ui.first_battle import first_battle_dialog

with lazy("companion.ui.dialogs"):
    from companion.ui.dialogs import confirmations, settings_dialogs


LONGEST_NAME: Final = 10
"""Maximum length of a player's name, which has to fit beside the board."""


class StartMenu:
    """Opens the dialogs in which players make choices before a game."""

    def __init__(
        self,
        presenter: GamePresenter,
        modals: ModalHost,
        ask: "confirmations.Confirmations",
        *,
        close_choice: Callable[[], None],
        choose_language: Callable[[Callable[[], None], Side], None],
    ) -> None:
        self._presenter, self._modals, self._ask = presenter, modals, ask
        self._close_choice, self._choose_language = close_choice, choose_language

    def open_rules(self) -> None:
        settings = self._presenter.settings
        close, details, read = self._close_choice, self._open_details, self._read_rules
        self._modals.show(game_choice.RulebookDialog(settings, close, details, read))

    def _read_rules(self) -> None:
        settings = self._presenter.settings
        edition, large = settings.edition, settings.large_letters
        self._modals.show(rules_dialogs.RulesTextDialog(edition, self.open_rules, large=large))

    def _open_details(self) -> None:
        settings = self._presenter.settings
        self._modals.show(game_choice.RulesDialog(settings, self.open_rules, self._open_clock))

    def _open_clock(self) -> None:
        self._modals.show(clock_dialogs.ClockDialog(self._presenter.settings, self._open_details))

    def open_players(self) -> None:
        settings, close = self._presenter.settings, self._close_choice
        self._modals.show(
            player_dialogs.PlayersDialog(
                *(settings, close, self._open_name, self._open_own_language),
                self._open_draw_colours,
                partial(self._open_handicap, self.open_players, alone=False),
            )
        )

    def _open_name(self, side: Side) -> None:
        settings = self._presenter.settings

        def call(name: str) -> None:
            settings.set_player_name(side, name)
            self.open_players()

        own, other = settings.players.of(side), settings.players.of(side.other)
        free = [name for name in settings.names if name != other]
        heading = _.language.side(side)
        self._modals.show(
            player_dialogs.NameDialog(heading, own, longest=LONGEST_NAME, known=free, done=call)
        )

    def _open_own_language(self, side: Side) -> None:
        self._choose_language(self.open_players, side)

    def _open_draw_colours(self) -> None:
        presenter = self._presenter
        draw = presenter.host.draw_colours
        self._modals.show(
            player_dialogs.DrawColoursDialog(
                presenter.settings,
                draw,
                partial(self._ask.begin, presenter.begin),
                self.open_players,
            )
        )

    def _open_handicap(self, close: Callable[[], None], *, alone: bool) -> None:
        settings, in_hall = self._presenter.settings, self._presenter.host.is_in_hall
        self._modals.show(
            player_dialogs.HandicapDialog(
                settings, close, alone=alone, in_hall=in_hall and not alone
            )
        )

    def open_solo_game(self) -> None:
        presenter = self._presenter

        def begin(edition: Edition) -> None:
            self._modals.close()
            self._ask.begin(partial(presenter.begin_solo_game, edition))

        handicap = partial(self._open_handicap, self.open_solo_game, alone=True)
        close = self._modals.close
        self._modals.show(game_choice.SoloDialog(presenter.settings, begin, handicap, close))

    def open_first_battle(self) -> None:
        self._modals.show(
            first_battle_dialog.FirstBattleDialog(self._presenter, self._modals.close)
        )

    def open_about(self) -> None:
        self._modals.show(
            rules_dialogs.AboutDialog(self._presenter.host.archive.path, self._modals.close)
        )


class SavedGamesMenu:
    """Opens the dialogs for saved games."""

    def __init__(self, presenter: GamePresenter, modals: ModalHost) -> None:
        self._presenter, self._modals = presenter, modals

    def open_games(self) -> None:
        host = self._presenter.host

        def look(number: int) -> None:
            self._replay(number, self.open_games)

        def resume(number: int) -> None:
            self._modals.close()
            host.resume(number)

        ways = {"open_book": self.open_book, "close": self._modals.close}
        self._modals.show(saved_games.SavedGamesDialog(host.archive, look, resume, **ways))

    def open_book(self) -> None:
        """Open the dialog that shows the finished games by evening, and can also delete them."""

        def ask() -> None:
            text = _("Delete the book of evenings?")
            detail = _(
                "All finished games are deleted with it, for good. A game that is not over stays."
            )
            back = partial(self._modals.show, book)
            self._modals.show(confirmations.HoldToConfirm(text, detail, book.delete, back))

        archive = self._presenter.host.archive
        book = review_dialogs.BookDialog(archive, ask, self.open_games)
        self._modals.show(book)

    def open_replay(self, number: int) -> None:
        self._replay(number, self._modals.close)

    def open_story(self, number: int) -> None:
        self._story(number, self._modals.close)

    def _story(self, number: int, close: Callable[[], None]) -> None:
        archive = self._presenter.host.archive
        self._modals.show(review_dialogs.StoryDialog(archive, number, close))

    def _replay(self, number: int, close: Callable[[], None]) -> None:
        """Open the replay of a game.

        `close` is called when the replay itself is closed, not when one of its dialogs is.
        """
        archive = self._presenter.host.archive

        def look_again() -> None:
            self._modals.show(replay)

        export = partial(self._open_export, number, look_again)
        story = partial(self._story, number, look_again)
        replay = saved_games.ReplayDialog(archive, number, export, story, close)
        look_again()

    def _open_export(self, number: int, close: Callable[[], None]) -> None:
        """Open a game's export dialog, from which the game's incidents can also be opened."""
        archive = self._presenter.host.archive

        def read_incidents() -> None:
            back = partial(self._open_export, number, close)
            self._modals.show(arbiter_dialogs.IncidentsDialog(archive, number, back))

        find_sticks = self._presenter.find_sticks
        self._modals.show(
            saved_games.ExportDialog(
                archive, number, find_sticks, read_incidents=read_incidents, close=close
            )
        )


class PadsMenu:
    """Admits phones, shows their QR codes, and disconnects them."""

    def __init__(self, presenter: GamePresenter, modals: ModalHost) -> None:
        self._presenter, self._modals = presenter, modals

    def open(self, back: Callable[[], None]) -> None:
        """Show the QR codes, or an explanation if phones are not admitted yet."""
        phones = self._presenter.phones

        def let_in() -> None:
            phones.open()
            self.open(back)

        if phones.is_open:
            self._modals.show(
                pad_dialogs.PadsDialog(self._presenter, partial(self.open, back), back)
            )
        else:
            self._modals.show(pad_dialogs.PadInvitationDialog(phones, let_in, back))


class SettingsMenu:
    """Opens the settings from the start screen or from a game.

    Changing the language or text size rebuilds all screens. This object is then replaced, too.
    """

    def __init__(
        self,
        presenter: GamePresenter,
        modals: ModalHost,
        ask: "confirmations.Confirmations",
        *,
        rebuild: Callable[..., None],
        close_choice: Callable[[], None],
        open_menu: Callable[[], None],
    ) -> None:
        """`rebuild` rebuilds all screens, then calls its argument with the new root."""
        self._presenter, self._modals, self._ask = presenter, modals, ask
        self._rebuild, self._close_choice, self._open_menu = rebuild, close_choice, open_menu
        self._phones = PadsMenu(presenter, modals)

    def open(self) -> None:
        presenter = self._presenter
        self._modals.show(
            settings_dialogs.SettingsDialog(
                presenter.settings,
                presenter.voice,
                self._close_choice,
                partial(self.choose_language, self.open),
                partial(self.open_accessibility, in_game=False),
                partial(self._phones.open, self.open),
                partial(self._rebuild, lambda root: root.settings_menu.open()),
                self._open_code,
                partial(self._ask.switch_off, self._switch_off) if presenter.switch_off else None,
            )
        )

    def open_in_game(self) -> None:
        """Open the settings from the game menu. The arbiter's code and shutdown are left out."""
        presenter = self._presenter
        self._modals.show(
            settings_dialogs.SettingsDialog(
                presenter.settings,
                presenter.voice,
                self._open_menu,
                partial(self.choose_language, self.open_in_game),
                partial(self.open_accessibility, in_game=True),
                partial(self._phones.open, self.open_in_game),
                partial(self._rebuild, lambda root: root.settings_menu.open_in_game()),
            )
        )

    def open_accessibility(self, *, in_game: bool) -> None:
        """Open the settings for players with impaired sight or hearing."""
        back = self.open_in_game if in_game else self.open

        def reopen() -> None:
            self._rebuild(lambda root: root.settings_menu.open_accessibility(in_game=in_game))

        rotation = partial(self.open_rotation, in_game=in_game)
        self._modals.show(
            settings_dialogs.AccessibilitySettings(self._presenter, back, reopen, rotation)
        )

    def open_rotation(self, *, in_game: bool) -> None:
        """Open the display rotation dialog."""
        presenter = self._presenter

        def choose(rotation: int) -> None:
            presenter.rotation.try_out(rotation)
            self._rebuild(lambda root: root.settings_menu.ask_rotation(in_game=in_game))

        back = partial(self.open_accessibility, in_game=in_game)
        self._modals.show(settings_dialogs.RotationDialog(presenter.rotation, choose, back))

    def ask_rotation(self, *, in_game: bool) -> None:
        """Ask whether to keep the rotation being tried out."""

        def close() -> None:
            self._rebuild(lambda root: root.settings_menu.open_rotation(in_game=in_game))

        self._modals.show(settings_dialogs.KeepRotationDialog(self._presenter.rotation, close))

    def choose_language(self, back: Callable[[], None], side: Side | None = None) -> None:
        """Open the language choice for one player, or for public text if `side` is None."""
        self._modals.show(settings_dialogs.LanguageDialog(self._presenter, side, self._speak, back))

    def _speak(self, language: Language) -> None:
        self._presenter.set_language(language)
        self._rebuild()

    def _open_code(self) -> None:
        self._modals.show(settings_dialogs.ArbiterCodeDialog(self._presenter.settings, self.open))

    def _switch_off(self) -> None:
        assert self._presenter.switch_off
        self._presenter.settings.problem = self._presenter.switch_off()
        self._close_choice()
