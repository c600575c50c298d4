"""The game menu and the arbiter's menu."""

from collections.abc import Callable
from typing import Final

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty

from companion.core.inputs import CallArbiter, CommandInput, Pause, WithdrawCall
from companion.speech.small_texts import handicap_text
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.dialogs.confirmations import Confirmations
from companion.ui.dialogs.game_choice import rulebook_name, summary
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from engine.board.geometry import Side, name
from engine.game.game_state import Phase

LONG: Final = 90
"""Text longer than this number of characters takes up both lines beside the buttons."""


class Menu(Modal):
    """Buttons to resign, offer a draw, take back a move, pause or leave.

    Another button lets the players accept the board as it stands.
    """

    rules = StringProperty()
    """Text that states the rules, and whether the game is saved."""
    sound_text = StringProperty()
    can_repeat_announcement = BooleanProperty(False)
    draw = ObjectProperty(None, allownone=True)
    """The side that has offered a draw, or None."""
    take_back = ObjectProperty(None, allownone=True)
    """The side that has asked to take back the last move, or None."""
    can_take_back = BooleanProperty(False)
    free_take_back_side = ObjectProperty(None, allownone=True)
    """The side that may take back its last move without another person's agreement, or None."""
    can_adopt = BooleanProperty(False)
    """Whether the board differs from the referee's position and both sides may agree to accept
    the board as it stands."""
    has_faults = BooleanProperty(False)
    """Whether sensor faults can be simulated."""
    stuck = StringProperty()
    """Label of the button for claiming stalemate, or an empty string if the side to move cannot
    claim it."""
    touched = StringProperty()
    """Label of a button for the owner of a touched piece, who can say in private that the piece
    cannot move."""
    has_red = BooleanProperty(True)
    """Whether Red is a person rather than the computer."""
    has_blue = BooleanProperty(True)

    def __init__(
        self,
        presenter: GamePresenter,
        close: Callable[[], None],
        asking: Confirmations,
        open_faults: Callable[[], None] | None,
        *,
        open_arbiter: Callable[[], None],
        open_adoption: Callable[[], None],
        open_settings: Callable[[], None],
        open_language: Callable[[], None],
        open_touched: Callable[[], None],
        read_rules: Callable[[], None],
    ) -> None:
        """`open_faults` is None on a real board."""
        super().__init__()
        self._presenter, self._close, self._asking = presenter, close, asking
        self._open_arbiter, self._open_adoption = open_arbiter, open_adoption
        self._open_settings, self._open_language = open_settings, open_language
        self._read_rules, self._open_touched = read_rules, open_touched
        self._open_faults, self.has_faults = open_faults, open_faults is not None
        self.refresh()

    def refresh(self) -> None:
        table = self._presenter.table
        self.rules = self._rules_text()
        self.sound_text = self._sound_text()
        voice = self._presenter.voice
        self.can_repeat_announcement = voice is not None and voice.can_repeat_announcement
        talk = table.conversation
        self.draw, self.take_back = talk.draw_offer, talk.take_back_offer
        self.can_take_back = talk.can_take_back
        self.free_take_back_side = next(filter(talk.needs_no_agreement, Side), None)
        self.can_adopt = table.adoption.is_open
        itself = self._presenter.plays_itself
        self.has_red, self.has_blue = (side is not itself for side in Side)
        mover = _.language.side(table.view.to_move)
        playing = table.view.phase is Phase.PLAY and table.view.to_move is not itself
        can_claim = playing and talk.can_claim_stalemate
        self.stuck = _("{side} cannot move", side=mover) if can_claim else ""
        square = table.view.excusable if playing else None
        self.touched = "" if square is None else _("Touched: {square} …", square=name(square))

    def close(self) -> None:
        self._close()

    def open_arbiter(self) -> None:
        self._open_arbiter()

    def open_adoption(self) -> None:
        self._open_adoption()

    def resign(self, side: Side) -> None:
        self._close()
        self._asking.resign(side)

    def offer_draw(self, side: Side) -> None:
        self._close()
        if self.draw is side.other:
            self._asking.accept_draw(side)
        else:
            self._asking.offer_draw(side)

    def offer_take_back(self, side: Side) -> None:
        self._close()
        if self.take_back is side.other:
            self._asking.accept_take_back(side)
        else:
            self._asking.offer_take_back(side)

    def draw_text(self, side: Side, offered: Side | None) -> str:
        if offered is side.other:
            return _("{side} accepts the draw", side=_.language.side(side))
        return _("{side} offers a draw", side=_.language.side(side))

    def take_back_text(self, side: Side, asked: Side | None, free: Side | None) -> str:
        if asked is side.other:
            return _("{side} allows the take-back", side=_.language.side(side))
        if free is side:
            return _("{side} takes back a move", side=_.language.side(side))
        return _("{side} asks for a take-back", side=_.language.side(side))

    def resign_text(self, side: Side) -> str:
        return _("{side} resigns", side=_.language.side(side))

    def cannot_move(self) -> None:
        self._close()
        self._asking.cannot_move()

    def open_touched(self) -> None:
        self._open_touched()

    def pause(self) -> None:
        self._close()
        self._presenter.submit(CommandInput(self._presenter.now(), Pause()))

    def _rules_text(self) -> str:
        table = self._presenter.table
        edition = table.view.edition
        if edition.handicap:  # a handicap leaves no room for the rulebook
            return handicap_text(edition.handicap, edition.army, _.language)
        chosen = f"{rulebook_name(edition)} · {summary(edition, table.clock.control)}"
        if len(chosen) > LONG:
            return chosen
        if self._presenter.host.keeps:
            after = _("You can continue from the start screen.")
        else:
            after = _("This game is not being saved.")
        return f"{chosen}\n{after}"

    def _sound_text(self) -> str:
        settings, voice = self._presenter.settings, self._presenter.voice
        if not settings.sound:
            return _("Sound: off")
        if self._presenter.is_mute:
            return _("Sound: no device")
        speaks = voice is None or not (settings.voice and voice.problem)
        return _("Sound: on") if speaks else _("Sound: on, no voice")

    def repeat_announcement(self) -> None:
        """Repeat the last announcement and return to the game."""
        assert self._presenter.voice
        self._presenter.voice.repeat_announcement()
        self._close()

    def read_rules(self) -> None:
        self._read_rules()

    def open_settings(self) -> None:
        self._open_settings()

    def open_language(self) -> None:
        self._open_language()

    def open_faults(self) -> None:
        assert self._open_faults
        self._open_faults()

    def leave(self) -> None:
        self._close()
        self._asking.leave()


class ArbiterMenu(Modal):
    """Decisions that the arbiter can make.

    At a table in a hall, the menu also has a button to call the arbiter.
    """

    refused = StringProperty()
    """The rule whose violation the arbiter can allow, or an empty string."""

    is_paused = BooleanProperty(False)
    """Whether the game is paused. During a pause, no decisions about the board can be made."""
    can_correct = BooleanProperty(False)
    """Whether the arbiter can make a correction now."""
    has_clocks = BooleanProperty(False)
    """Whether the game is played with clocks."""
    call = StringProperty()
    """Label of the button that calls the hall's arbiter. Empty if the table is not in a hall."""
    red_sealed = BooleanProperty(False)
    blue_sealed = BooleanProperty(False)
    """Whether Blue has commitments that can be voided. If the arbiter can allow a violation, the
    menu offers that instead of voiding commitments."""
    plays_itself = ObjectProperty(None, allownone=True)
    """The side played by the computer, for which the menu offers no forfeit."""
    time_text = AliasProperty(
        lambda self: _("Add or remove time …") if self.has_clocks else _("There is no clock."),
        bind=["has_clocks"],
    )

    def __init__(
        self,
        presenter: GamePresenter,
        close: Callable[[], None],
        asking: Confirmations,
        *,
        doubt: Callable[[], None],
        correct: Callable[[], None],
        set_clocks: Callable[[], None],
        read_incidents: Callable[[], None],
    ) -> None:
        super().__init__()
        self._presenter, self._close, self._asking = presenter, close, asking
        self._doubt, self._correct = doubt, correct
        self._set_clocks, self._read_incidents = set_clocks, read_incidents
        self.refresh()

    def refresh(self) -> None:
        table = self._presenter.table
        can_allow_move = table.conversation.can_allow_move and not table.is_paused
        violation = table.state.violation if can_allow_move else None
        self.is_paused = table.is_paused
        self.plays_itself = self._presenter.plays_itself
        # A lone player's ranks are printed on the pieces of a simulated board.
        knows_all = self.plays_itself is not None and self._presenter.host.tabletop is not None
        is_playing = table.view.phase is Phase.PLAY and not self.is_paused
        self.can_correct = is_playing and not knows_all
        self.has_clocks = table.clock.control.each is not None
        self.red_sealed, self.blue_sealed = (side in table.view.sealed for side in Side)
        self.refused = _.announcer.sentence(violation) if violation else ""
        if self._presenter.host.is_in_hall:
            called = table.arbiter_call.open
            self.call = _("Cancel the call") if called else _("Call the arbiter")

    def close(self) -> None:
        self._close()

    def forfeit_text(self, side: Side) -> str:
        return _("{side} loses", side=_.language.side(side))

    def forfeit(self, side: Side | None) -> None:
        self._close()
        self._asking.forfeit(side)

    def call_or_withdraw(self) -> None:
        self._close()
        command = (
            WithdrawCall(None) if self._presenter.table.arbiter_call.open else CallArbiter(None)
        )
        self._presenter.submit(CommandInput(self._presenter.now(), command))

    def break_text(self, side: Side) -> str:
        return _("Break the seals of {side}", side=_.language.side(side))

    def break_seals(self, side: Side) -> None:
        self._close()
        self._asking.break_seals(side)

    def doubt(self) -> None:
        self._doubt()

    def correct(self) -> None:
        self._correct()

    def set_clocks(self) -> None:
        self._set_clocks()

    def read_incidents(self) -> None:
        self._read_incidents()

    def allow_move(self) -> None:
        self._close()
        self._asking.allow_move()


load_kv(__file__)
