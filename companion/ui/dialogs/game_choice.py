"""Dialogs for the next game: the rulebook, its options, and games against the computer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.opponent.levels import Level
from companion.session.settings import Settings
from companion.speech.i18n import N_
from companion.speech.small_texts import (
    OPPONENTS,
    RULEBOOK_NAMES,
    handicap_text,
    rulebook_title,
    time_allowed,
)
from companion.ui.base.modal import Modal
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import OptionCard, load_kv
from engine.board.ranks import BARRAGE, Army
from engine.game.clocks import TimeControl
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty

QUICK: Final = EDITIONS["isf"].with_army(BARRAGE.name)
"""The quickest game, with eight pieces per side."""

_ARMIES: Final = {
    "original": N_("Original"),
    "infiltrator": N_("With infiltrator"),
    "duel": N_("Duel"),
    "barrage": N_("Barrage"),
}
_MOVED_BOMB: Final = {
    MovedBombPenalty.NOT_ALLOWED: N_("is put back"),
    MovedBombPenalty.LOSES: N_("loses the game"),
}


class RulesDialog(Modal):
    """Settings for the options that a rulebook leaves open. Every touch takes effect at once."""

    title = StringProperty()
    clock = StringProperty()
    explained = StringProperty()
    """An explanation of the options, or an empty string if there is no room for it."""
    silent = BooleanProperty(False)
    advantage = BooleanProperty(False)
    is_touch_move = BooleanProperty(False)
    has_sealed_armies = BooleanProperty(False)
    has_limits = BooleanProperty(False)
    """Whether the players may choose the two-squares limit."""
    has_moved_bomb = BooleanProperty(False)
    """Whether the players may choose the penalty for moving a bomb or flag."""

    def __init__(
        self,
        settings: Settings,
        close: Callable[[], None],
        open_clock: Callable[[], None],
    ) -> None:
        super().__init__()
        self._settings, self._close = settings, close
        self._open_clock = open_clock
        self.title = rulebook_title(settings.edition, _.language)
        self.clock = f"{time_allowed(settings.control, _.language)} …"
        self._fill()
        self._mark()

    def toggle_silent(self) -> None:
        self._settle(replace(self._settings.edition, silent_defence=not self.silent))

    def toggle_advantage(self) -> None:
        self._settle(replace(self._settings.edition, aggressor_advantage=not self.advantage))

    def toggle_touch_move(self) -> None:
        self._settle(replace(self._settings.edition, touch_move=not self.is_touch_move))

    def toggle_sealed_armies(self) -> None:
        self._settle(replace(self._settings.edition, sealed_armies=not self.has_sealed_armies))

    def open_clock(self) -> None:
        self._open_clock()

    def close(self) -> None:
        self._close()

    def _take_army(self, name: str) -> None:
        self._settings.set_army(name)
        self.clock = f"{time_allowed(self._settings.control, _.language)} …"
        self._mark()

    def _take_limit(self, limit: int) -> None:
        self._settle(replace(self._settings.edition, two_squares_limit=limit))

    def _take_moved_bomb(self, moved_bomb: MovedBombPenalty) -> None:
        self._settle(replace(self._settings.edition, moved_bomb=moved_bomb))

    def _settle(self, edition: Edition) -> None:
        self._settings.edition = edition
        self._mark()

    def _fill(self) -> None:
        """Show the options for which the rulebook leaves a choice."""
        edition = self._settings.edition
        self.ids.armies.fill({a.name: army_text(a) for a in edition.armies}, self._take_army)
        limits = {limit: _("{count} times", count=limit) for limit in edition.limits}
        self.ids.limits.fill(limits, self._take_limit)
        self.has_limits = bool(limits)
        costs = {each: _(_MOVED_BOMB[each]) for each in edition.moved_bomb_choices}
        self.ids.moved_bomb.fill(costs, self._take_moved_bomb)
        self.has_moved_bomb = bool(costs)
        self.explained = "" if limits or costs else _explained()

    def _mark(self) -> None:
        edition = self._settings.edition
        self.ids.armies.mark(edition.army.name)
        self.ids.limits.mark(edition.two_squares_limit)
        self.ids.moved_bomb.mark(edition.moved_bomb)
        self.silent, self.advantage = edition.silent_defence, edition.aggressor_advantage
        self.is_touch_move, self.has_sealed_armies = edition.touch_move, edition.sealed_armies


def _explained() -> str:
    before = _(
        "Silent defence: a piece that survives an attack stays hidden, unless a scout attacks. "
        "Aggressor advantage: of two equal ranks, only the attacked one falls. Touch-move: a "
        "piece you lift must move, and a piece you let go of stays."
    )
    return " ".join(
        (before, _("Sealed armies: each player seals the setup, so no declaration can be false."))
    )


def army_text(army: Army) -> str:
    return _("{army}, {count} pieces", army=_(_ARMIES[army.name]), count=army.size)


def rulebook_name(edition: Edition) -> str:
    """Return the short name of a rulebook."""
    return _(RULEBOOK_NAMES[edition.id].name)


def summary(edition: Edition, control: TimeControl) -> str:
    """Return the chosen options, except the rulebook, on a single line."""
    chosen = [army_text(edition.army), time_allowed(control, _.language)]
    if edition.limits:
        chosen.append(_("two-squares limit: {count}", count=edition.two_squares_limit))
    if edition.moved_bomb_choices and edition.moved_bomb is MovedBombPenalty.LOSES:
        chosen.append(_("moving a bomb loses"))
    if edition.silent_defence:
        chosen.append(_("silent defence"))
    if edition.aggressor_advantage:
        chosen.append(_("aggressor advantage"))
    if edition.touch_move:
        chosen.append(_("touch-move"))
    if edition.sealed_armies:
        chosen.append(_("sealed armies"))
    if edition.handicap:
        chosen.append(handicap_text(edition.handicap, edition.army, _.language))
    return " · ".join(chosen)


class RulebookCard(OptionCard):
    """A rulebook with its name and description."""

    value = ObjectProperty(None)
    text = StringProperty()
    about = StringProperty()


class RulebookDialog(Modal):
    """All rulebooks, with a button for the options of the chosen one.

    A touch takes effect at once.
    """

    details = StringProperty()
    """The chosen options, except the rulebook."""

    def __init__(
        self,
        settings: Settings,
        close: Callable[[], None],
        open_details: Callable[[], None],
        read: Callable[[], None],
    ) -> None:
        super().__init__()
        self._settings, self._close = settings, close
        self._open_details, self._read = open_details, read
        for edition, named in RULEBOOK_NAMES.items():
            card = RulebookCard(value=edition, text=_(named.name), about=_(named.about))
            card.bind(on_release=lambda card: self._play(card.value))
            self.ids.editions.add_widget(card)
        self._mark()

    def read(self) -> None:
        self._read()

    def open_details(self) -> None:
        self._open_details()

    def close(self) -> None:
        self._close()

    def _play(self, edition: str) -> None:
        self._settings.set_rulebook(EDITIONS[edition])
        self._mark()

    def _mark(self) -> None:
        edition = self._settings.edition
        for card in self.ids.editions.things:
            card.chosen = card.value == edition.id
        self.details = summary(edition, self._settings.control)


class LevelCard(OptionCard):
    """A difficulty level of the computer player, with its face and name."""

    value = ObjectProperty(None)
    text = StringProperty()
    level = StringProperty()


class SoloDialog(Modal):
    """Offers the difficulty levels and two games, each of which starts with a single tap."""

    temper = StringProperty()
    """Playing style of the chosen opponent."""
    quick = StringProperty()
    """Description of the army in the quick game."""
    chosen = StringProperty()
    chosen_army = StringProperty()
    handicap = StringProperty()
    """The handicap for both games, or the label of the button that sets one."""

    def __init__(
        self,
        settings: Settings,
        begin: Callable[[Edition], None],
        open_handicap: Callable[[], None],
        close: Callable[[], None],
    ) -> None:
        """Offer the difficulty levels, the quick game, and the game chosen in the rules dialog."""
        super().__init__()
        self._settings, self._begin, self._close = settings, begin, close
        self._open_handicap = open_handicap
        edition = settings.edition
        handicap = edition.handicap and edition.handicap.alone()
        self.handicap = (
            handicap_text(handicap, edition.army, _.language) if handicap else _("Handicap …")
        )
        self.quick, self.chosen_army = army_text(QUICK.army), army_text(edition.army)
        self.chosen = rulebook_name(edition)
        for level, texts in OPPONENTS.items():
            card = LevelCard(value=level, text=texts.name, level=_(texts.level))
            card.bind(on_release=lambda card: self._take_level(card.value))
            self.ids.levels.add_widget(card)
        self._mark()

    def begin_quick(self) -> None:
        self._begin(replace(QUICK, handicap=self._settings.edition.handicap))

    def begin_chosen(self) -> None:
        self._begin(self._settings.edition)

    def open_handicap(self) -> None:
        self._open_handicap()

    def close(self) -> None:
        self._close()

    def _take_level(self, level: Level) -> None:
        self._settings.level = level
        self._mark()

    def _mark(self) -> None:
        chosen = self._settings.level
        for card in self.ids.levels.children:
            card.chosen = card.value is chosen
        self.temper = _(OPPONENTS[chosen].temper)


load_kv(__file__)
