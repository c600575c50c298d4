"""Sounds are reproducible and audible, and do not block the program."""

import math
import os
import struct
import subprocess
import sys
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.ui.base.presenter import BOOM_SECONDS
from companion.ui.base.voice import NAMES
from engine.board.ranks import Rank
from tests.campaigns import slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, attack_on_screen, begin, declare, play
from tools import make_sounds

FOLDER = make_sounds.FOLDER


def samples(path: Path) -> tuple[int, ...]:
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22_050)
        return struct.unpack(f"<{file.getnframes()}h", file.readframes(file.getnframes()))


def test_sounds_match_their_script(tmp_path: Path) -> None:
    make_sounds.main(tmp_path)
    for name in NAMES:
        # The tolerance is needed because the last digit of a sine depends on the computer.
        kept, made = samples(FOLDER / f"{name}.wav"), samples(tmp_path / f"{name}.wav")
        assert len(kept) == len(made)
        assert max(abs(a - b) for a, b in zip(kept, made, strict=True)) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_sounds_are_short_and_unclipped(name: str) -> None:
    heard = samples(FOLDER / f"{name}.wav")
    assert len(heard) <= 2.5 * 22_050
    assert 0.5 * 32_767 < max(map(abs, heard)) < 0.8 * 32_767
    assert abs(heard[0]) < 200
    assert abs(heard[-1]) < 200


def test_explosion_is_audible_on_small_speakers() -> None:
    heard = samples(FOLDER / "boom.wav")
    assert len(heard) == 2.5 * 22_050
    by_pitch = {pitch: pitch * power(heard[:22_050], pitch) for pitch in PITCHES}
    body = sum(each for pitch, each in by_pitch.items() if 150 <= pitch <= 800)
    assert body > 0.75 * sum(by_pitch.values())


PITCHES = [40 * 2 ** (sixth / 6) for sixth in range(45)]
"""Frequency bands from 40 Hz to 6 kHz. The width of each band is proportional to its frequency."""


def power(sound: tuple[int, ...], pitch: float) -> float:
    """Return a sound's power at a frequency (Goertzel algorithm)."""
    turn = 2 * math.cos(math.tau * pitch / 22_050)
    last = before = 0.0
    for sample in sound:
        last, before = sample + turn * last - before, last
    return last * last + before * before - turn * last * before


PLAY = """
import sys
from companion.ui.base.voice import Sounds
is_spoken = len(sys.argv) > 2
sounds = Sounds(lambda: is_spoken)
sounds.volume = int(sys.argv[1])
if is_spoken:
    from kivy.core.audio import SoundLoader
    from companion.ui.base.voice import VOICE_SHARE
    sentence = SoundLoader.load(sys.argv[2])
    sentence.volume = float(sys.argv[3]) * VOICE_SHARE
    sounds.play("attack")
    sounds.play("win")
    sentence.play()
sounds.play("boom")
print("played", flush=True)
print("mute" if sounds.is_mute else "heard", flush=True)
sys.stdin.read()
"""


@contextmanager
def playing(
    driver_name: str, listener: Path | None = None, volume: int = 100, *sentence: str
) -> Iterator[subprocess.Popen[str]]:
    """Play the explosion sound in a separate process, because a process has only one sound driver.

    The process runs until the end of the `with` block. SDL writes the sound to the file `listener`.
    """
    environment = {
        **os.environ,
        "SDL_AUDIODRIVER": driver_name,
        "SDL_DISKAUDIOFILE": str(listener),
        "KCFG_KIVY_LOG_LEVEL": "critical",
    }
    with subprocess.Popen(
        [sys.executable, "-c", PLAY, str(volume), *sentence],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
            assert process.stdin
            process.stdin.close()
            assert process.wait() == 0
        finally:
            process.kill()


def wait_until_played(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    assert process.stderr
    assert "played\n" in process.stdout, process.stderr.read()


@pytest.mark.parametrize(
    ("volume", "least", "most"),
    slow_after_first("variants", [(20, 2_000, 6_600), (100, 10_000, 32_767)]),
)
def test_explosion_is_played(tmp_path: Path, volume: int, least: int, most: int) -> None:
    listener = tmp_path / "heard.raw"
    os.mkfifo(listener)
    with playing("disk", listener, volume) as process, listener.open("rb") as pipe:
        # The pipe holds a third of a second of sound. Playback blocks until the pipe is read.
        wait_until_played(process)
        heard = pipe.read(300_000)
    loudness = [abs(value) for (value,) in struct.iter_unpack("<h", heard)]
    assert least < max(loudness) < most


@pytest.mark.parametrize(
    ("loudness", "clips"), slow_after_first("variants", [(1.0, False), (1.5, True)])
)
def test_effects_and_speech_do_not_clip(tmp_path: Path, loudness: float, *, clips: bool) -> None:
    """Three effects and a sentence at full amplitude do not clip. A louder sentence does."""
    sentence, listener = tmp_path / "sentence.wav", tmp_path / "heard.raw"
    with wave.open(str(sentence), "wb") as file:
        file.setparams((1, 2, 22_050, 0, "NONE", ""))
        tone = (32_767 if n // 50 % 2 else -32_767 for n in range(30_000))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in tone))
    os.mkfifo(listener)
    with (
        playing("disk", listener, 100, str(sentence), str(loudness)) as process,
        listener.open("rb") as pipe,
    ):
        wait_until_played(process)
        heard = pipe.read(300_000)
    samples = [value for (value,) in struct.iter_unpack("<h", heard)]
    assert max(map(abs, samples)) > 20_000
    assert (max(samples) >= 32_767 or min(samples) <= -32_767) == clips


@pytest.mark.parametrize(("device", "expected"), [("no such driver", "mute"), ("dummy", "heard")])
def test_game_without_a_sound_device(device: str, expected: str) -> None:
    with playing(device) as process:
        wait_until_played(process)
        assert process.stdout
        assert process.stdout.readline().strip() == expected


def test_missing_sound_device_is_shown(driver: Driver) -> None:
    assert "Sound: on" in driver.texts()
    driver.app._sounds._loaded = dict.fromkeys(NAMES)  # Kivy loads no sounds without a device
    driver.frames(2)
    assert "Sound: no device" in driver.texts()
    begin(driver)
    driver.tap("menu")
    assert "Sound: no device" in driver.texts()


def test_due_sounds_are_played(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(driver.app._sounds, "play", heard.append)
    begin(driver)
    play(driver, STANDING, "e4 e5")
    assert heard == ["move", "move"]
    heard.clear()
    attack_on_screen(driver, "a7", "a4")
    assert heard == ["attack"]
    declare(driver, Rank.BOMB)
    driver.pass_time(BOOM_SECONDS)
    assert heard == ["attack", "boom"]
    driver.app.presenter.settings.sound = False
    driver.show(STANDING)
    assert heard == ["attack", "boom"]
