"""Tests for audio clips produced by the real espeak-ng."""

import shutil
import wave
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.devices import espeak as module
from companion.devices.espeak import PROGRAM, Espeak, NoVoiceError
from companion.speech.i18n import codes


@pytest.fixture
def espeak() -> Iterator[Espeak]:
    with closing(Espeak()) as espeak:
        yield espeak


def seconds(clip: Path) -> float:
    with wave.open(str(clip)) as sound:
        return float(sound.getnframes() / sound.getframerate())


def test_duration_of_speech(espeak: Espeak) -> None:
    assert espeak.is_there
    slow, fast = (espeak.clip("Red: e4 to e5.", "en", pace).result() for pace in (120, 240))
    assert 1 < seconds(fast) < seconds(slow) < 4


@pytest.mark.parametrize("language", codes())
def test_voices_for_all_languages(espeak: Espeak, language: str) -> None:
    assert seconds(espeak.clip("e4 e5.", language, 150).result()) > 0.5


def test_text_is_no_option(espeak: Espeak) -> None:
    assert seconds(espeak.clip("--version", "en", 150).result()) > 0.5


def test_clips_are_cached(espeak: Espeak, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 3)
    first = espeak.clip("1", "en", 150)
    assert espeak.clip("1", "en", 150) is first
    for number in range(3):
        latest = espeak.clip(str(number + 2), "en", 400)
    assert latest.result().is_file()
    assert not first.result().exists()


def test_failed_clip_is_made_again(tmp_path: Path) -> None:
    program = tmp_path / "espeak-ng"
    with closing(Espeak(str(program))) as espeak:
        with pytest.raises(NoVoiceError):
            espeak.clip("Boom!", "en", 150).result()
        real = shutil.which(PROGRAM)
        assert real
        program.symlink_to(real)
        assert seconds(espeak.clip("Boom!", "en", 150).result()) > 0


def test_no_voice_without_espeak() -> None:
    with closing(Espeak("no-such-program")) as espeak:
        assert not espeak.is_there
        with pytest.raises(NoVoiceError, match="no-such-program"):
            espeak.clip("Boom!", "en", 150).result()


def test_no_voice_if_espeak_fails() -> None:
    with closing(Espeak("false")) as espeak, pytest.raises(NoVoiceError):
        espeak.clip("Boom!", "en", 150).result()
