"""Synthesize the companion's sounds: ``make sounds``.

The output is byte-for-byte reproducible.
"""

import math
import random
import struct
import sys
import wave
from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path
from typing import Final

RATE: Final = 22_050
PEAK: Final = 0.65
"""Peak sample value of every sound. It is below 1, because resampling for playback may raise the
peak by up to a quarter."""
FOLDER: Final = Path(__file__).parents[1] / "companion" / "sounds"

Wave = list[float]


def tone(seconds: float, hertz: Callable[[float], float], decay: float) -> Wave:
    """Return a sine with the pitch `hertz(t)` that fades to 1/e of its level in `decay` seconds."""
    turns = accumulate(hertz(n / RATE) / RATE for n in range(round(seconds * RATE)))
    return [math.sin(math.tau * turn) * math.exp(-n / RATE / decay) for n, turn in enumerate(turns)]


def steady(hertz: float) -> Callable[[float], float]:
    """Return a function that always returns the same pitch."""
    return lambda _: hertz


def note(seconds: float, hertz: float, decay: float) -> Wave:
    """Return a tone with two overtones, like that of a soft brass instrument."""
    parts = (scaled(tone(seconds, steady(n * hertz), decay / n), n**-1.5) for n in (1, 2, 3))
    return mix(*parts)


def noise(seconds: float, cutoff: Callable[[float], float], decay: float, seed: str) -> Wave:
    """Return noise through a low-pass filter whose `cutoff` changes with time."""
    chance = random.Random(seed)
    level, made = 0.0, []
    for n in range(round(seconds * RATE)):
        share = 1 - math.exp(-math.tau * cutoff(n / RATE) / RATE)
        level += share * (chance.uniform(-1, 1) - level)
        made.append(level * math.exp(-n / RATE / decay))
    return made


def scaled(sound: Iterable[float], factor: float) -> Wave:
    return [factor * sample for sample in sound]


def later(sound: Wave, seconds: float) -> Wave:
    """Delay a sound."""
    return [0.0] * round(seconds * RATE) + sound


def mix(*sounds: Wave) -> Wave:
    length = max(map(len, sounds))
    return [sum(sound[n] for sound in sounds if n < len(sound)) for n in range(length)]


def driven(sound: Wave, drive: float) -> Wave:
    """Apply soft clipping for a fuller sound."""
    return [math.tanh(drive * sample) for sample in sound]


def finished(sound: Wave) -> Wave:
    """Normalize a sound, and fade its first and last milliseconds to avoid clicks."""
    loudest = max(map(abs, sound))
    fade = 0.002 * RATE
    last = len(sound) - 1
    return [
        PEAK * sample / loudest * min(1, n / fade, (last - n) / fade / 10)
        for n, sample in enumerate(sound)
    ]


def band(sound: Wave, low: float, high: float) -> Wave:
    """Apply a band-pass filter between two frequencies."""
    for _ in range(2):
        sound = _low_pass(sound, high)
    for _ in range(2):
        sound = [sample - below for sample, below in zip(sound, _low_pass(sound, low), strict=True)]
    return sound


def _low_pass(sound: Wave, cutoff: float) -> Wave:
    share = 1 - math.exp(-math.tau * cutoff / RATE)
    return list(accumulate(sound, lambda level, new: level + share * (new - level)))


def boom() -> Wave:
    """Bomb explosion: a crack, a blow, a fading roar and falling rubble.

    Its energy lies between 150 and 800 Hz, because small speakers do not reproduce lower
    frequencies.
    """
    crack = noise(0.12, lambda t: 9000 - 60_000 * t, 0.03, "crack")
    blow = tone(1.2, lambda t: 175 + 420 * math.exp(-t / 0.09), 0.3)
    beat = tone(1.2, lambda t: 232 + 300 * math.exp(-t / 0.12), 0.24)
    roar = noise(2.5, lambda t: 900 + 3000 * math.exp(-t / 0.15), 0.8, "roar")
    knocks = random.Random("rubble")
    rubble = [
        scaled(
            later(tone(0.12, steady(knocks.uniform(260, 720)), 0.03), knocks.uniform(0.5, 2.35)),
            knocks.uniform(0.1, 0.3),
        )
        for _ in range(26)
    ]
    body = driven(mix(scaled(blow, 1.3), scaled(beat, 0.7), scaled(roar, 2.6)), 1.8)
    return driven(mix(scaled(crack, 0.6), scaled(band(body, 150, 800), 1.6), *rubble), 1.5)


def move() -> Wave:
    """Move: a wooden piece is set down on a wooden board."""
    body = tone(0.16, lambda t: 190 + 60 * math.exp(-t / 0.01), 0.03)
    wood = tone(0.10, lambda _: 640, 0.012)
    touch = noise(0.03, lambda _: 2500, 0.006, "touch")
    return mix(body, scaled(wood, 0.35), scaled(touch, 0.9))


def attack() -> Wave:
    """Attack: two short notes, the second a fourth higher."""
    return mix(note(0.22, 392.0, 0.12), later(note(0.45, 523.25, 0.2), 0.16))


def wrong() -> Wave:
    """Illegal move: two falling notes."""
    return mix(note(0.25, 220.0, 0.12), later(note(0.5, 164.81, 0.2), 0.2))


def win() -> Wave:
    """Victory: a fanfare of three rising notes and a chord."""
    steps = [
        later(note(0.3, hertz, 0.16), 0.14 * n) for n, hertz in enumerate((392, 523.25, 659.26))
    ]
    chord = [later(note(1.2, hertz, 0.5), 0.46) for hertz in (523.25, 659.26, 783.99)]
    return mix(*steps, *(scaled(voice, 0.8) for voice in chord))


def lots() -> Wave:
    """Drawing lots: two pieces are shaken in cupped hands, faster and faster, and one is drawn."""
    knock = mix(tone(0.08, lambda _: 420, 0.015), noise(0.03, lambda _: 2500, 0.006, "lots"))
    moments = accumulate(0.13 * 0.9**n for n in range(10))
    shaken = [later(scaled(knock, 0.6 + n % 2 * 0.3), at) for n, at in enumerate(moments)]
    return mix(*shaken, later(note(0.7, 523.25, 0.3), 1.0))


def seal() -> Wave:
    """Sealing a setup: a thud."""
    body = tone(0.35, lambda t: 165 + 150 * math.exp(-t / 0.02), 0.07)
    press = noise(0.3, lambda t: 900 * math.exp(-t / 0.05) + 150, 0.05, "seal")
    return driven(mix(body, scaled(press, 1.2)), 1.4)


SOUNDS: Final = {
    "boom": boom,
    "move": move,
    "attack": attack,
    "wrong": wrong,
    "win": win,
    "lots": lots,
    "seal": seal,
}


def write(path: Path, sound: Wave) -> None:
    """Write a sound as a 16-bit mono WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{len(sound)}h", *(round(32767 * s) for s in sound)))


def main(folder: Path) -> None:
    for name, make in SOUNDS.items():
        write(folder / f"{name}.wav", finished(make()))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
