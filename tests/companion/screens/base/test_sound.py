"""The sounds: made the same every time, really heard, and never in the way."""

import fcntl
import os
import struct
import subprocess
import sys
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.screens.base.sound import NAMES
from engine.ranks import Rank
from tests.companion.screens.driver import Driver
from tests.companion.screens.tour import STANDING, attack_on_screen, begin, declare, play
from tools import make_sounds

FOLDER = make_sounds.FOLDER


def samples(path: Path) -> tuple[int, ...]:
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22_050)
        return struct.unpack(f"<{file.getnframes()}h", file.readframes(file.getnframes()))


def test_the_sounds_are_what_their_script_makes(tmp_path: Path) -> None:
    make_sounds.main(tmp_path)
    for name in NAMES:
        # Not byte by byte: the last digit of a sine is the machine's own.
        kept, made = samples(FOLDER / f"{name}.wav"), samples(tmp_path / f"{name}.wav")
        assert len(kept) == len(made)
        assert max(abs(a - b) for a, b in zip(kept, made, strict=True)) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_is_short_and_does_not_clip(name: str) -> None:
    heard = samples(FOLDER / f"{name}.wav")
    assert len(heard) < 2 * 22_050
    assert 0.5 * 32_767 < max(map(abs, heard)) < 0.8 * 32_767
    assert abs(heard[0]) < 200
    assert abs(heard[-1]) < 200


PLAY = """
import sys
from companion.screens.base.sound import Sounds
sounds = Sounds()
sounds.play("boom")
print("played", flush=True)
sys.stdin.read()
"""


@contextmanager
def playing(driver_name: str, listener: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """Play the bang in a process of its own, because a process has one sound driver.

    The process lives on in the body; SDL writes what would be heard to the file of the listener.
    """
    environment = {
        **os.environ,
        "SDL_AUDIODRIVER": driver_name,
        "SDL_DISKAUDIOFILE": str(listener),
        "KCFG_KIVY_LOG_LEVEL": "critical",
    }
    with subprocess.Popen(
        [sys.executable, "-c", PLAY],
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
    """Wait until `play` has returned, whatever libraries say before."""
    assert process.stdout
    assert process.stderr
    assert "played\n" in process.stdout, process.stderr.read()


def test_the_bang_is_really_heard(tmp_path: Path) -> None:
    listener = tmp_path / "heard.raw"
    os.mkfifo(listener)
    with playing("disk", listener) as process, listener.open("rb") as pipe:
        # Nothing of the bang has been taken yet, and the pipe holds no more than its beginning.
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 4096)
        wait_until_played(process)
        heard = pipe.read(300_000)
    loudness = [abs(value) for (value,) in struct.iter_unpack("<h", heard)]
    assert max(loudness) > 10_000
    assert max(loudness) < 32_767


def test_without_a_sound_device_the_game_goes_on() -> None:
    with playing("no such driver") as process:
        wait_until_played(process)


def test_what_is_due_is_played(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(driver.app._sounds, "play", heard.append)
    begin(driver)
    play(driver, STANDING, "e4 e5")
    assert heard == ["move", "move"]
    heard.clear()
    attack_on_screen(driver, "a7", "a4")
    assert heard == ["attack"]
    declare(driver, Rank.BOMB)
    assert heard == ["attack", "boom"]
    driver.pass_time(2)
    driver.app.stage.settings.sound = False
    driver.show(STANDING)
    assert heard == ["attack", "boom"]
