"""State shared by all screens: the host, the settings and transient effects.

The table holds the state of the game. The presenter holds only transient state, such as an
explosion. A restart loses only this transient state.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final, Protocol

from companion.core import events, inputs
from companion.core.state import Candidate
from companion.core.table import Table
from companion.devices.espeak import Output
from companion.devices.usb_drives import UsbDrive, find_usb_drives
from companion.session.game_host import GameHost
from companion.session.screen_setups import LocalCommitments
from companion.session.settings import Settings
from companion.speech.i18n import Language
from companion.speech.small_texts import OPPONENTS
from companion.speech.speech_queue import takes_end_back
from companion.storage.game_rows import PlayerNames
from companion.ui.base import screen_selection
from companion.ui.base.hints import HintController
from companion.ui.base.pads import NetworkOptions, Phones
from companion.ui.base.voice import Voice
from companion.ui.drawing.translator import _
from companion.ui.widgets.transformed import PictureRotation
from engine.board.geometry import Side, Square, name, set_of, squares_in
from engine.board.visibility import Public
from engine.game import rulings
from engine.game.actions import RankCorrection
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.rules.editions import Edition
from engine.rules.rules import Violation

GUESS_SECONDS: Final = 8.0
"""Time for which the result of an infiltrator's guess is shown, in seconds."""
FUSE_SECONDS: Final = 0.4
"""Time for which the silent fuse burns before a bomb explodes, in seconds."""
BOOM_SECONDS: Final = FUSE_SECONDS + 2.2
"""Duration of the full-screen explosion in seconds, unless a touch ends it. The game does not wait
for the explosion."""
NEW_SECONDS: Final = 0.35
"""Time in seconds for which new widgets ignore touches, as protection from double taps."""
UNASKED_SECONDS: Final = 0.5
"""Like `NEW_SECONDS`, but for screen changes that were not caused by a touch. A finger may already
be on its way to the widget that was there before."""
_CAUSED_SECONDS: Final = 0.1
"""A change that happens within this many seconds after a touch counts as caused by the touch."""
_SOUNDS: Final = {
    rulings.GameOver: "win",
    rulings.Declared: "seal",
    events.ArmiesSealed: "seal",
    events.ColoursDrawn: "lots",
}
"""Sounds for events that leave the latest message on the screen unchanged."""
NAMED: Final = 4
"""Maximum number of squares that a message names."""


class ByEar(Protocol):
    """Lets players declare ranks with the help of an earphone."""

    @property
    def outputs(self) -> list[Output]:
        """Sound outputs that can be chosen for the earphone."""

    def try_out(self) -> None:
        """Play a test sentence through the chosen earphone."""


class GamePresenter:
    """The state of the board, game and settings, as shown on the screens."""

    def __init__(
        self,
        host: GameHost,
        settings: Settings,
        clock: Callable[[], float],
        reach: NetworkOptions,
    ) -> None:
        self.host = host
        self.settings = settings
        self.now = clock
        self.phones = Phones(host, settings.language_for, clock, reach)
        """The players' phones, which accept the same input as the screens."""
        self.hints = HintController(host, settings)
        self.rotation = PictureRotation(settings, clock)
        self.seals = LocalCommitments(host, clock)
        """Seals that are made on this screen, in games with sealed armies."""
        self._latest: Public | None = None
        """Latest public event, if the screen may keep showing it."""
        self.sounds: list[str] = []
        self.is_mute = False
        """Whether sound is on but inaudible, because the computer has no sound device."""
        self.declines_draw = False
        """Whether the computer player has declined the offered draw."""
        self.voice: Voice | None = None
        self.find_sticks: Callable[[], Sequence[UsbDrive]] = find_usb_drives
        """Returns the USB sticks that are currently plugged in."""
        self.by_ear: ByEar | None = None
        """Lets players declare ranks with the help of an earphone. None if no earphone can be
        used."""
        self.switch_off: Callable[[], str] | None = None
        """Switches the computer off, or returns an error message if that fails. None if switching
        off is not offered."""
        self._before: events.Event | None = None
        self._touched: rulings.Touched | None = None
        """The touched piece that has to move in this turn (touch-move)."""
        self._set_down: events.SetDown | None = None
        self._guess: rulings.Infiltrated | None = None
        self._guess_until = 0.0
        self._boom_until: float | None = None
        self._bang_at: float | None = None
        """Time at which the sound of an explosion is due."""
        self._effects: screen_selection.TransientEffects | None = None
        self._untouchable_until = self._touched_at = -math.inf
        self._board_untouchable_until = -math.inf
        host.listen(self._on_event)

    @property
    def news(self) -> str:
        """The latest event, described without ranks. It may stay on the screen (rules.md §10)."""
        return _describe(self._latest) if self._latest else ""

    @property
    def is_new(self) -> bool:
        """Whether the touchable widgets have just changed.

        A touch may still be meant for the old ones.
        """
        return self.now() < self._untouchable_until

    @property
    def is_board_new(self) -> bool:
        """Like `is_new`, but for the simulated board.

        Other widgets may change while the board stays in place. The board then accepts touches.
        """
        return self.now() < self._board_untouchable_until

    def renew(self, *, keeps_board: bool = False) -> None:
        """Ignore touches for a moment, because the touchable widgets have changed."""
        now = self.now()
        is_caused = now - self._touched_at < _CAUSED_SECONDS
        until = now + (NEW_SECONDS if is_caused else UNASKED_SECONDS)
        self._untouchable_until = max(self._untouchable_until, until)
        if not keeps_board:
            self._board_untouchable_until = self._untouchable_until

    def note_touch(self) -> None:
        """Record that a finger or a key has been pressed or released."""
        self._touched_at = self.now()

    @property
    def table(self) -> Table:
        """The table of the current game. Only screens that are shown during a game may use it."""
        table = self.host.table
        assert table
        return table

    @property
    def view(self) -> screen_selection.ScreenId:
        return screen_selection.select_screen(self.host.table, self.recent_combat)

    @property
    def recent_combat(self) -> rulings.Combat | rulings.Infiltrated | None:
        """The combat or infiltration whose result the players are still reading, or None."""
        if self._guess and self.now() >= self._guess_until and not self._is_falling:
            self._guess = None
        table = self.host.table
        return self._guess or (table.unread_combat if table else None)

    @property
    def revealed(self) -> rulings.Combat | rulings.Infiltrated | None:
        """The combat or infiltration whose ranks the screen may currently show, or None."""
        return self.recent_combat or self.table.state.reveal

    @property
    def _is_falling(self) -> bool:
        """Whether the captured piece still has to be taken off the board."""
        table = self.host.table
        return bool(table and table.state.waits_for_board)

    @property
    def explosion_seconds_left(self) -> float | None:
        """Remaining time of the explosion in seconds, or None if there is no explosion."""
        if self._boom_until is not None and self.now() >= self._boom_until:
            self._boom_until = None
        return None if self._boom_until is None else self._boom_until - self.now()

    @property
    def set_down(self) -> Square | None:
        """Square of a piece that has been set down but not ruled on yet, or None."""
        seen, set_down = self.table.observed, self._set_down
        if seen is None or set_down is None:
            return None
        stands = seen.occupied >> set_down.target & 1 and not seen.occupied >> set_down.source & 1
        return set_down.target if stands else None

    @property
    def is_board_missing(self) -> bool:
        """Whether a game is in progress but no board is connected."""
        return (
            self.view not in (screen_selection.ScreenId.START, screen_selection.ScreenId.END)
            and self.host.found is None
        )

    def submit(self, player_input: inputs.Input) -> None:
        """Pass a player's input from the screen to the table.

        If a guess is shown, any input also ends its display.
        """
        self._guess = None
        self.host.submit(player_input)

    def answer(self, answer: Candidate) -> None:
        """Pass on an answer to the table's question, unless the question has been withdrawn."""
        answers = self.table.state.asked.answers
        if answer in answers:
            self.submit(inputs.ExplanationChosen(self.now(), answers.index(answer)))

    @property
    def effects(self) -> screen_selection.TransientEffects | None:
        is_seen = self._effects and self._effects.age(self.now()) is not None
        return self._effects if is_seen else None

    def end_effects(self) -> None:
        """End the transient effect after a touch on the screen."""
        self._effects = None

    def end_boom(self) -> None:
        """End the explosion after a touch on the screen."""
        self._boom_until = self._bang_at = None

    def take_sounds(self) -> list[str]:
        """Return the sounds that are due, and clear the list."""
        if self._bang_at is not None and self.now() >= self._bang_at:
            self._bang_at = None
            self.sounds.append("boom")
        due, self.sounds = self.sounds, []
        return due

    def end_reading(self) -> None:
        """Report to the table that the players have read the revealed ranks."""
        self.submit(inputs.RevealDismissed(self.now()))

    def begin(self) -> None:
        """Start a game between the current players, with the chosen rules and clock."""
        self._begin(self.settings.edition, self.settings.control)

    def begin_again(self) -> None:
        """Start a game with the rules and the clock of the last one.

        The players and the level are the current ones.
        """
        if self.settings.last_game is None:
            self.begin()
        elif self.settings.last_was_solo:
            self.begin_solo_game(self.settings.last_game[0])
        else:
            self._begin(*self.settings.last_game)

    def _begin(self, edition: Edition, control: TimeControl) -> None:
        if self.host.is_in_hall:
            edition = replace(edition, handicap=None)
        self.settings.last_game = edition, control
        self.settings.last_was_solo = False
        self.host.begin(edition, control, self.settings.players)

    def begin_solo_game(self, edition: Edition) -> None:
        """Start a game against the computer at the chosen level. The person plays Red.

        There is no clock, and the person does not have to seal an army.
        """
        level = self.settings.level
        self.settings.last_game, self.settings.last_was_solo = (edition, NO_CLOCK), True
        names = PlayerNames(
            self.settings.players.red, OPPONENTS[level].name, alone=Side.RED, level=level
        )
        handicap = edition.handicap and edition.handicap.alone()
        rules = replace(edition, sealed_armies=False, handicap=handicap)
        self.host.begin(rules, NO_CLOCK, names)

    @property
    def plays_itself(self) -> Side | None:
        """The side that the computer plays, or None if two people play."""
        return self.host.players.computer

    def player_name(self, side: Side) -> str:
        """Return the name of a side's player, or the side's colour if the player has no name."""
        return self.host.players.of(side) or _.language.side(side)

    @property
    def address_of(self) -> Side | None:
        """The side that the current screen addresses, or None if the screen addresses both."""
        match self.view:
            case screen_selection.ScreenId.DECLARATION:
                question = self.table.conversation.question
                return question.owner if question else None
            case screen_selection.ScreenId.GUESS:
                return self.table.view.to_move.other
            case screen_selection.ScreenId.STALEMATE:
                stuck = self.table.view.stuck
                return stuck.other if stuck else None
        return None

    def speaking_to(self, side: Side | None) -> AbstractContextManager[None]:
        """Return a context manager that switches to a side's language.

        If `side` is None, it switches to the table's language.
        """
        return _.speaking(self.settings.language_for(side))

    def set_language(self, language: Language) -> None:
        """Change the language of the public texts. The caller has to rebuild the screens."""
        self.settings.language = language
        if self.voice:
            self.voice.fall_silent()

    def leave(self) -> None:
        """Return to the start screen. The game stays saved."""
        self._latest, self._touched, self._guess, self._set_down = None, None, None, None
        self.end_boom()
        self.end_effects()
        self.host.leave()

    def _on_combat(self, combat: rulings.Combat) -> None:
        if not combat.boom:
            self.sounds.append("move")
            return
        self.sounds = [name for name in self.sounds if name != "seal"]  # a fuse burns silently
        self._boom_until = self.now() + BOOM_SECONDS
        self._bang_at = self.now() + (0 if self.settings.reduced_motion else FUSE_SECONDS)

    def _on_event(self, event: events.Event) -> None:
        before, self._before = self._before, event
        self._set_down = event if isinstance(event, events.SetDown) else None
        self._effects = screen_selection.effects_after(
            event, self._effects, self._boom_until or self.now()
        )
        match event:
            case rulings.Combat():
                self._latest, self._guess = None, None
                self._on_combat(event)
            case rulings.Infiltrated():
                self._latest = None
                self._guess, self._guess_until = event, self.now() + GUESS_SECONDS
                self.sounds.append("move" if event.right else "wrong")
            case rulings.TakenBack():
                # If a loss on time is taken back, show the arbiter's decision.
                self._latest = self._latest if takes_end_back(event, before) else event
                self._guess = None
                self.end_boom()
                self.sounds.append("move")
            case rulings.BoardAdopted():
                self._latest, self._guess = event, None
                self.sounds.append("move")
            case events.BoardOffered():
                self.sounds.append("attack")
            case rulings.CorrectionRefused():
                self._latest = event
                self.sounds.append("wrong")
            case (
                rulings.GameOver()
                | rulings.Declared()
                | events.ColoursDrawn()
                | events.ArmiesSealed()
            ):
                self.sounds.append(_SOUNDS[type(event)])
            case rulings.StalemateClaimed() | rulings.MoveRequired():
                self._latest, self._guess = None, None
                self.sounds.append("attack")
            case (
                rulings.AttackOpened()
                | rulings.InfiltrationOpened()
                | events.ConfirmAttack()
                | events.ChooseAttacker()
                | events.ChooseExplanation()
            ):
                self._guess = None
                self.sounds.append("attack")
            case (
                rulings.SealsBroken()
                | inputs.CallArbiter()
                | inputs.WithdrawCall()
                | inputs.AnswerCall()
            ):
                self._latest = event
                self.sounds.append("attack")
            case Violation() | events.BoardDiffers() | events.LossWarning() | rulings.Disputed():
                self._guess = None  # the new message replaces the guess
                self.sounds.append("wrong")
            case rulings.Touched():
                self._touched = self._latest = event
            case rulings.TouchedFreed():
                self._latest = event
            case events.TurnBegan():
                self._touched = None
            case events.Restored() if self._touched:
                self._latest = self._touched
                self.sounds.append("move")
            case (
                rulings.Moved()
                | rulings.ArmiesPlaced()
                | rulings.AttackWithdrawn()
                | events.Restored()
                | rulings.DisputeSettled()
                | rulings.Corrected()
                | inputs.AdjustClock()
            ):
                self._latest = event
                self.sounds.append("move")


def _describe(event: Public) -> str:
    """Describe an event without naming a rank."""
    match event:
        case rulings.Corrected():
            return _describe_correction(event)
        case rulings.BoardAdopted():
            return _("Both players agree: the board is right.")
        case rulings.CorrectionRefused():
            return _("That cannot be true. The rank stays as it was.")
    return _.announcer.sentence(event)


def _describe_correction(event: rulings.Corrected) -> str:
    """Describe an arbiter's correction without naming a rank."""
    if not isinstance(event.mistake, RankCorrection):
        return _.announcer.sentence(event)
    where = name(event.squares[0])
    sentence = _("The rank of the piece on {square} was corrected.", square=where)
    others = [name(square) for square in squares_in(event.changed & ~set_of(event.squares))]
    if not others:
        return sentence
    named = ", ".join(others[:NAMED]) + (" …" if others[NAMED:] else "")
    also = _("This also changes what is known about the pieces on: {squares}.", squares=named)
    return f"{sentence} {also}"
