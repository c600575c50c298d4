"""Speaks every public announcement, and plays sound effects.

Neither the voice nor the sounds block the game. Every sentence is also on the screen, so the
program can be used without a sound device.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from importlib import resources
from pathlib import Path
from typing import Final

from kivy.core.audio import Sound, SoundLoader

from companion.core.events import Event
from companion.devices.espeak import Espeak, NoVoiceError
from companion.session.settings import LOUDEST, Settings, SpeechRate
from companion.speech import speech_queue
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_
from companion.ui.drawing.translator import _
from engine.board.visibility import Public

WORDS_PER_MINUTE: Final = {SpeechRate.SLOW: 110, SpeechRate.NORMAL: 150, SpeechRate.FAST: 200}
"""Speech rates in words per minute. At espeak-ng's default of 175, an unexpected sentence is hard
to follow across a table."""
_PAUSE: Final = 0.2
"""Pause between two sentences, in seconds."""
VOICE_SHARE: Final = 0.65
"""The voice's share of the maximum amplitude. Sound effects during a sentence get the rest.

SDL adds the samples of everything that is playing. With these shares, the sum cannot exceed the
maximum, so the sound is not clipped. The voice is attenuated by 4 dB and effects that play during a
sentence by 9 dB. The share is a judgement call.
"""
NO_VOICE: Final = N_("No voice: espeak-ng is missing. Install it with “make setup”.")
NO_DEVICE: Final = N_("No sound: this computer has no working loudspeaker.")

log = logging.getLogger(__name__)


class Voice:
    """Announces public events aloud in the table's language, if the voice is turned on."""

    def __init__(self, settings: Settings, clock: Callable[[], float], espeak: Espeak) -> None:
        self._settings = settings
        self._clock = clock
        self._espeak = espeak
        self._due = speech_queue.SpeechQueue()
        self._clips: dict[speech_queue.Utterance, Future[Path]] = {}
        self._before: object = None
        self._sound: Sound | None = None
        self._until = 0.0
        """Time at which the current sentence ends."""
        self.on_begin: Callable[[], None] = lambda: None
        """Called just before a sentence begins."""
        self.problem = "" if espeak.is_there else NO_VOICE
        """Untranslated sentence that explains why there is no voice, or an empty string."""

    def hear(
        self,
        event: Event | speech_queue.ScreenDue | speech_queue.PhoneDue | speech_queue.EarphoneDue,
    ) -> None:
        """Queue the announcement of an event, if the event is public."""
        is_known = speech_queue.takes_end_back(event, self._before)  # already announced
        self._before = event
        if isinstance(event, Public) and not is_known:
            announcer = Announcer(self._settings.language, solo=_.solo)
            text, kind = announcer.sentence(event), type(event)
            if text:
                self._queue(speech_queue.Utterance(text, kind))

    def repeat_announcement(self) -> None:
        if self._due.latest:
            self._queue(self._due.latest)

    def tick(self) -> None:
        """Start the next sentence when the current one has ended."""
        if not self._is_wanted:
            self.fall_silent()
        elif self._due.current and self._clock() >= self._until:
            self._due.end()
        elif not self._due.current and self._due.waiting:
            clip = self._clips[self._due.waiting[0]]
            if clip.done():
                self._begin(clip)

    @property
    def spoken_text(self) -> str:
        """The sentence that is being spoken, or an empty string."""
        return self._due.current.text if self._due.current else ""

    @property
    def can_repeat_announcement(self) -> bool:
        """Whether there is an announcement to repeat and a voice to speak it."""
        return self._is_wanted and not self.problem and self._due.latest is not None

    @property
    def _is_wanted(self) -> bool:
        return self._settings.sound and self._settings.voice

    def close(self) -> None:
        """Stop the voice and its process."""
        self.fall_silent()
        self._espeak.close()

    def _queue(self, due: speech_queue.Utterance) -> None:
        if self.problem or not self._is_wanted:
            return
        if self._due.add(due):
            self._stop()
        words_per_minute = WORDS_PER_MINUTE[self._settings.speech_rate]
        self._clips[due] = self._espeak.clip(
            due.text, self._settings.language.code, words_per_minute
        )
        self._clips = {each: self._clips[each] for each in self._due.waiting}

    def _begin(self, clip: Future[Path]) -> None:
        utterance = self._due.begin()
        del self._clips[utterance]
        try:
            sound = SoundLoader.load(str(clip.result()))
        except NoVoiceError:
            log.warning("espeak-ng failed", exc_info=True)
            self.problem = NO_VOICE
            sound = None
        else:
            if sound is None or sound.length <= 0:
                self.problem = NO_DEVICE
        if self.problem:
            self.fall_silent()
            return
        self._sound = sound
        sound.volume = VOICE_SHARE * self._settings.volume / LOUDEST
        self.on_begin()
        sound.play()
        self._until = self._clock() + sound.length + _PAUSE

    def _stop(self) -> None:
        if self._sound:
            self._sound.stop()
            self._sound.unload()
            self._sound = None

    def fall_silent(self) -> None:
        """Stop speaking, and drop all queued sentences."""
        self._stop()
        self._due.clear()
        self._clips.clear()


# Sound effects.

_FOLDER: Final = resources.files("companion") / "sounds"
NAMES: Final = ("boom", "move", "attack", "wrong", "win", "lots", "seal")


class Sounds:
    """Plays sounds by name. Simultaneous sounds share the volume equally."""

    def __init__(self, is_speaking: Callable[[], bool]) -> None:
        """`is_speaking` returns True while a sentence is being spoken."""
        self._is_speaking = is_speaking
        self.is_calm = False
        """Whether explosions play at half volume."""
        self.volume = LOUDEST
        """Volume of the sounds, as a percentage of the maximum."""
        self._loaded: dict[str, Sound | None] = {}

    @property
    def is_mute(self) -> bool:
        """Whether none of the sounds loaded so far can be heard."""
        return bool(self._loaded) and not any(self._loaded.values())

    def load(self, name: str) -> Sound | None:
        """Load a sound in advance. Returns None if it cannot be loaded."""
        if name not in self._loaded:
            self._loaded[name] = _load(name)
        return self._loaded[name]

    def play(self, name: str) -> None:
        """Start a sound. Return at once, without waiting for it to end."""
        sound = self.load(name)
        if sound is None:
            return
        try:
            sound.stop()
            self.share(sound)
            sound.play()
        except Exception:
            log.warning("sound %s could not be played", name, exc_info=True)

    def share(self, *beginning: Sound) -> None:
        """Scale all sounds that are playing or starting, so that their sum does not clip."""
        playing = {
            name: sound
            for name, sound in self._loaded.items()
            if sound and (sound in beginning or sound.state == "play")
        }
        whole = 1 - VOICE_SHARE if self._is_speaking() else 1.0
        for name, sound in playing.items():
            is_soft = self.is_calm and name == "boom"
            share = whole / len(playing) * (0.5 if is_soft else 1.0)
            sound.volume = self.volume / LOUDEST * share


def _load(name: str) -> Sound | None:
    try:
        sound = SoundLoader.load(str(_FOLDER / f"{name}.wav"))
    except Exception:
        log.warning("sound %s could not be loaded", name, exc_info=True)
        return None
    # Without a sound device, Kivy still returns a sound, but with a length of zero.
    return sound if sound and sound.length else None
