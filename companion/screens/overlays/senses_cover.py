"""Accessibility settings for sight and hearing."""

from collections.abc import Callable
from typing import Final

from kivy.properties import AliasProperty, BooleanProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.settings import LOUDEST, Pace
from companion.screens.base.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.speech.language import N_, RankSigns

_STEP: Final = 10
_PACES: Final = {Pace.SLOW: N_("slow"), Pace.NORMAL: N_("normal"), Pace.FAST: N_("fast")}
_SIGNS: Final = {
    RankSigns.NAMES: N_("names"),
    RankSigns.EUROPEAN: N_("10 is highest"),
    RankSigns.AMERICAN: N_("1 is highest"),
}


class SensesCover(Cover):
    """Volume, speech rate, contrast, letter size; a touch takes effect at once."""

    high_contrast = BooleanProperty(False)
    large_letters = BooleanProperty(False)
    can_hear = BooleanProperty(False)
    """Whether there is a sound output that can serve as the earphone."""
    earphone = StringProperty()
    """Name of the output that serves as the earphone, empty without one."""
    earphone_about = AliasProperty(
        lambda self: (
            self.earphone
            or (
                _("Ranks are read into an earphone, and declared with two buttons.")
                if self.can_hear
                else _("This needs a second sound output, for an earphone.")
            )
        ),
        bind=["earphone", "can_hear"],
    )

    def __init__(self, stage: Stage, close: Callable[[], None], reopen: Callable[[], None]) -> None:
        """`reopen` rebuilds the screens and opens this dialog again."""
        super().__init__()
        self._settings, self._by_ear = stage.settings, stage.by_ear
        self._close, self._reopen = close, reopen
        self._outputs = self._by_ear.outputs if self._by_ear else []
        self.can_hear = bool(self._outputs)
        self.ids.paces.fill({pace: _(text) for pace, text in _PACES.items()}, self._take_pace)
        self.ids.signs.fill({each: _(text) for each, text in _SIGNS.items()}, self._take_signs)
        self._show()

    def tick(self, now: float) -> None:
        self.ids.volume.tick(now)

    def step_volume(self, *, up: bool) -> None:
        """Increase or decrease the volume by a step."""
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
        """Select the next output for the earphone; after the last one, none."""
        assert self._by_ear
        devices = ["", *(output.device for output in self._outputs)]
        now = devices.index(self._settings.earphone) if self._settings.earphone in devices else 0
        self._settings.earphone = devices[(now + 1) % len(devices)]
        if self._settings.earphone:
            self._by_ear.try_out()
        self._show()

    def close(self) -> None:
        self._close()

    def _take_pace(self, pace: object) -> None:
        assert isinstance(pace, Pace)
        self._settings.pace = pace
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
        self.ids.paces.mark(settings.pace)
        self.ids.signs.mark(settings.signs)
        self.high_contrast = settings.high_contrast
        self.large_letters = settings.large_letters
        names = [each.name for each in self._outputs if each.device == settings.earphone]
        self.earphone = names[0] if names else ""


load_kv(__file__)
