"""Navigation from the start screen: rules, clock, players, colours, and a game of one person."""

from collections.abc import Callable
from functools import partial
from typing import Final

from companion.screens.base.later import later
from companion.screens.base.stage import Stage
from companion.screens.doors.over import Over
from companion.screens.widgets.texts import _
from engine.board.geometry import Side
from engine.rules.editions import Edition

with later("companion.screens.overlays"):
    from companion.screens.overlays import (
        about,
        alone_cover,
        asking,
        clock_choice,
        game_choice,
        lots_cover,
        name_cover,
        players_cover,
        rulebook_choice,
        rules_text,
    )

LONGEST_NAME: Final = 10
"""Maximum length of a player's name, which is shown beside the board."""


class StartDoors:
    """Dialogs for the choices before a game."""

    def __init__(
        self,
        stage: Stage,
        over: Over,
        ask: "asking.Asking",
        *,
        close_choice: Callable[[], None],
        choose_language: Callable[[Callable[[], None], Side], None],
    ) -> None:
        self._stage, self._over, self._ask = stage, over, ask
        self._close_choice, self._choose_language = close_choice, choose_language

    def open_rules(self) -> None:
        settings = self._stage.settings
        close, details, read = self._close_choice, self._open_details, self._read_rules
        self._over.show(rulebook_choice.RulebookCover(settings, close, details, read))

    def _read_rules(self) -> None:
        settings = self._stage.settings
        edition, large = settings.edition, settings.large_letters
        self._over.show(rules_text.RulesTextCover(edition, self.open_rules, large=large))

    def _open_details(self) -> None:
        settings = self._stage.settings
        self._over.show(game_choice.RulesCover(settings, self.open_rules, self._open_clock))

    def _open_clock(self) -> None:
        self._over.show(clock_choice.ClockCover(self._stage.settings, self._open_details))

    def open_players(self) -> None:
        settings, close = self._stage.settings, self._close_choice
        self._over.show(
            players_cover.PlayersCover(
                settings, close, self._open_name, self._open_own_language, self._open_lots
            )
        )

    def _open_name(self, side: Side) -> None:
        settings = self._stage.settings

        def call(name: str) -> None:
            settings.call(side, name)
            self.open_players()

        own, other = settings.players.of(side), settings.players.of(side.other)
        free = [name for name in settings.names if name != other]
        heading = _.language.side(side)
        self._over.show(
            name_cover.NameCover(heading, own, longest=LONGEST_NAME, known=free, done=call)
        )

    def _open_own_language(self, side: Side) -> None:
        self._choose_language(self.open_players, side)

    def _open_lots(self) -> None:
        stage = self._stage
        draw = stage.host.draw_colours
        self._over.show(
            lots_cover.LotsCover(
                stage.settings, draw, partial(self._ask.begin, stage.begin), self.open_players
            )
        )

    def open_alone(self) -> None:
        stage = self._stage

        def begin(edition: Edition) -> None:
            self._over.close()
            self._ask.begin(partial(stage.begin_alone, edition))

        self._over.show(alone_cover.AloneCover(stage.settings.edition, begin, self._over.close))

    def open_about(self) -> None:
        self._over.show(about.AboutCover(self._stage.host.archive.path, self._over.close))
