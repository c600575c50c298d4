"""Settings dialogs: sound and display, accessibility, languages, and the arbiter's code."""

import math
from collections.abc import Callable
from typing import Final

from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, StringProperty

from companion.session.settings import LOUDEST, ROTATIONS, Settings, SpeechRate
from companion.speech.i18n import N_, Language, RankSigns, codes, own_name
from companion.ui.base import input_devices
from companion.ui.base.modal import Modal
from companion.ui.base.presenter import GamePresenter
from companion.ui.base.voice import Voice
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.transformed import PictureRotation
from engine.board.geometry import Side


class SettingsDialog(Modal):
    """Settings for language, sound, voice, animations and help.

    Every touch takes effect at once.
    """

    sound = BooleanProperty(True)
    voice = BooleanProperty(True)
    voice_problem = StringProperty()
    """Reason why speech is unavailable, or an empty string."""
    reduced_motion = BooleanProperty(False)
    light_theme = BooleanProperty(False)
    has_code = BooleanProperty(False)
    can_lock = BooleanProperty(False)
    """Whether the arbiter's code can be set or removed in this dialog."""
    show_legal_moves = BooleanProperty(True)
    has_rank_card = BooleanProperty(True)
    fills = BooleanProperty(False)
    """Whether the window is in full-screen mode."""
    language = StringProperty()
    """The current language's name in that language."""

    def __init__(
        self,
        settings: Settings,
        voice: Voice | None,
        close: Callable[[], None],
        open_language: Callable[[], None],
        open_accessibility: Callable[[], None],
        open_phones: Callable[[], None],
        reopen: Callable[[], None],
        open_code: Callable[[], None] | None = None,
        switch_off: Callable[[], None] | None = None,
    ) -> None:
        """Show the settings. If a callback is None, as during a game, its button is hidden.

        `reopen` rebuilds the screens and reopens this dialog.
        """
        super().__init__()
        self._settings, self._close = settings, close
        self._open_language, self._open_code = open_language, open_code
        self._open_accessibility, self._switch_off = open_accessibility, switch_off
        self._open_phones, self._reopen = open_phones, reopen
        self.language = own_name(settings.language.code)
        self.can_lock = open_code is not None
        if switch_off is None:
            self.ids.choices.remove_widget(self.ids.pop("switch_off"))
        # On a computer that is dedicated to the board, the window always fills the display.
        if switch_off or not input_devices.can_be_chosen():
            self.ids.choices.remove_widget(self.ids.pop("filled"))
        self.voice_problem = voice.problem and _(voice.problem) if voice else ""
        self._show()

    def toggle_sound(self) -> None:
        self._settings.sound = not self.sound
        self._show()

    def toggle_voice(self) -> None:
        self._settings.voice = not self.voice
        self._show()

    def toggle_light(self) -> None:
        self._settings.light_theme = not self.light_theme
        self._reopen()

    def toggle_reduced_motion(self) -> None:
        self._settings.reduced_motion = not self.reduced_motion
        self._show()

    def open_language(self) -> None:
        self._open_language()

    def open_accessibility(self) -> None:
        self._open_accessibility()

    def open_phones(self) -> None:
        self._open_phones()

    def open_code(self) -> None:
        assert self._open_code
        self._open_code()

    def switch_off(self) -> None:
        assert self._switch_off
        self._switch_off()

    def toggle_legal_moves(self) -> None:
        self._settings.show_legal_moves = not self.show_legal_moves
        self._show()

    def toggle_rank_card(self) -> None:
        self._settings.rank_card = not self.has_rank_card
        self._show()

    def toggle_filled(self) -> None:
        input_devices.fill(fills=not self.fills)
        self._show()

    def close(self) -> None:
        self._close()

    def _show(self) -> None:
        settings = self._settings
        self.has_code = bool(settings.code)
        self.sound, self.voice, self.reduced_motion = (
            settings.sound,
            settings.voice,
            settings.reduced_motion,
        )
        self.show_legal_moves, self.has_rank_card = settings.show_legal_moves, settings.rank_card
        self.light_theme = settings.light_theme
        self.fills = input_devices.is_filled()


# Accessibility.

_STEP: Final = 10
_SPEECH_RATES: Final = {
    SpeechRate.SLOW: N_("slow"),
    SpeechRate.NORMAL: N_("normal"),
    SpeechRate.FAST: N_("fast"),
}
_SIGNS: Final = {
    RankSigns.NAMES: N_("names"),
    RankSigns.EUROPEAN: N_("10 is highest"),
    RankSigns.AMERICAN: N_("1 is highest"),
}


class AccessibilitySettings(Modal):
    """Settings for volume, voice, contrast, text size and earphone, which take effect at once."""

    high_contrast = BooleanProperty(False)
    large_letters = BooleanProperty(False)
    can_hear = BooleanProperty(False)
    """Whether there is any sound output that can be chosen for the earphone."""
    earphone = StringProperty()
    """Name of the sound output used for the earphone, or an empty string if none is chosen."""
    earphone_about = AliasProperty(
        lambda self: (
            self.earphone
            or (
                _("Ranks are read out in an earphone and declared with two buttons.")
                if self.can_hear
                else _("This needs a second sound output for an earphone.")
            )
        ),
        bind=["earphone", "can_hear"],
    )

    def __init__(
        self,
        presenter: GamePresenter,
        close: Callable[[], None],
        reopen: Callable[[], None],
        open_rotation: Callable[[], None],
    ) -> None:
        """`reopen` rebuilds the screens and reopens this dialog."""
        super().__init__()
        self._settings, self._by_ear = presenter.settings, presenter.by_ear
        self._close, self._reopen, self.open_rotation = close, reopen, open_rotation
        self._outputs = self._by_ear.outputs if self._by_ear else []
        self.can_hear = bool(self._outputs)
        self.ids.speech_rates.fill(
            {speech_rate: _(text) for speech_rate, text in _SPEECH_RATES.items()},
            self._take_speech_rate,
        )
        self.ids.signs.fill({each: _(text) for each, text in _SIGNS.items()}, self._take_signs)
        self._show()

    def tick(self, now: float) -> None:
        self.ids.volume.tick(now)

    def step_volume(self, *, up: bool) -> None:
        """Increase or decrease the volume by one step."""
        louder = self._settings.volume + (_STEP if up else -_STEP)
        self._settings.volume = min(max(louder, 0), LOUDEST)
        self._show()

    def toggle_contrast(self) -> None:
        self._settings.high_contrast = not self.high_contrast
        self._reopen()

    def toggle_letters(self) -> None:
        self._settings.large_letters = not self.large_letters
        self._reopen()

    def choose_earphone(self) -> None:
        """Select the next sound output for the earphone. After the last output, select none."""
        assert self._by_ear
        devices = ["", *(output.device for output in self._outputs)]
        now = devices.index(self._settings.earphone) if self._settings.earphone in devices else 0
        self._settings.earphone = devices[(now + 1) % len(devices)]
        if self._settings.earphone:
            self._by_ear.try_out()
        self._show()

    def close(self) -> None:
        self._close()

    def _take_speech_rate(self, speech_rate: object) -> None:
        assert isinstance(speech_rate, SpeechRate)
        self._settings.speech_rate = speech_rate
        self._show()

    def _take_signs(self, signs: object) -> None:
        assert isinstance(signs, RankSigns)
        self._settings.signs = signs
        self._reopen()

    def _show(self) -> None:
        settings, volume = self._settings, self.ids.volume
        volume.value = settings.volume
        volume.text = _("{count} %", count=settings.volume)
        volume.can_fall, volume.can_rise = settings.volume > 0, settings.volume < LOUDEST
        self.ids.speech_rates.mark(settings.speech_rate)
        self.ids.signs.mark(settings.signs)
        self.high_contrast = settings.high_contrast
        self.large_letters = settings.large_letters
        names = [each.name for each in self._outputs if each.device == settings.earphone]
        self.earphone = names[0] if names else ""


# Display rotation.


class RotationDialog(Modal):
    """Asks for the display rotation, which takes effect at once but has to be confirmed."""

    def __init__(
        self, rotation: PictureRotation, choose: Callable[[int], None], close: Callable[[], None]
    ) -> None:
        super().__init__()
        self._close = close
        degrees: dict[object, str] = {each: f"{each}°" for each in ROTATIONS}
        self.ids.rotations.fill(degrees, lambda each: choose(int(str(each))))
        self.ids.rotations.mark(rotation.degrees)

    def close(self) -> None:
        self._close()


class KeepRotationDialog(Modal):
    """Asks whether to keep the rotation being tried out."""

    seconds = NumericProperty()
    """Time left in the trial, in whole seconds."""

    def __init__(self, rotation: PictureRotation, close: Callable[[], None]) -> None:
        super().__init__()
        self._rotation, self._close = rotation, close
        self.tick(0)

    def tick(self, _now: float) -> None:
        self.seconds = math.ceil(self._rotation.seconds_left)

    def answer(self, *, yes: bool) -> None:
        if yes:
            self._rotation.keep()
        else:
            self._rotation.undo()
        self._close()


# Languages.


class LanguageDialog(Modal):
    """Asks for each player's language and the language of public text.

    A touch takes effect at once.
    """

    def __init__(
        self,
        presenter: GamePresenter,
        side: Side | None,
        speak: Callable[[Language], None],
        close: Callable[[], None],
    ) -> None:
        """Start with the language of `side` or, if `side` is None, with that of public text."""
        super().__init__()
        self._settings, self._speak, self._close = presenter.settings, speak, close
        listeners: dict[object, str] = {None: _("For everyone")}
        for each in Side:
            listeners[each] = self._settings.players.of(each) or _.language.side(each)
        self.ids.listeners.fill(listeners, self._turn_to)
        self._turn_to(side)

    def close(self) -> None:
        self._close()

    def _turn_to(self, side: object) -> None:
        self._side = side if isinstance(side, Side) else None
        names = {code: own_name(code) for code in sorted(codes(), key=own_name)}
        chosen: Language | None = self._settings.language
        if self._side:
            chosen = self._settings.own_language(self._side)
            names[""] = _("Same as everyone")
        self.ids.listeners.mark(self._side)
        self.ids.languages.fill(names, self._choose)
        self.ids.languages.mark(chosen.code if chosen else "")

    def _choose(self, code: object) -> None:
        language = Language(str(code)) if code else None
        if self._side:
            self._settings.set_private_language(self._side, language)
            self._close()
        elif language:
            self._speak(language)


# The arbiter's code.


class ArbiterCodeDialog(Modal):
    """Sets the arbiter's code, or removes an existing code if it is entered again."""

    text = StringProperty()
    detail = StringProperty()

    def __init__(self, settings: Settings, close: Callable[[], None]) -> None:
        super().__init__()
        self._settings, self._close = settings, close
        if settings.code:
            self.text = _("Remove the arbiter's code?")
            self.detail = _("Enter the code again.")
        else:
            self.text = _("Arbiter's code")
            self.detail = _(
                "Four digits. Remember them: without the code, no one can decide anything."
            )

    def enter(self, code: str) -> None:
        """Check the four digits entered."""
        if not self._settings.code:
            self._settings.code = code
            self._close()
        elif code == self._settings.code:
            self._settings.code = ""
            self._close()
        else:
            self.detail = _("That is not the arbiter's code.")

    def close(self) -> None:
        self._close()


load_kv(__file__)
