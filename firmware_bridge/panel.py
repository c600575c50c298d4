"""The control panel of a Pi: a button and a lamp for each player, a buzzer and a board reset line.

All parts are optional. If the pins are not accessible, no button is ever reported as pressed, and
lamps, buzzer and reset have no effect. On a Pi, a warning is then logged.

docs/hardware/pi.md describes the wiring. None of the pins is used for the Pi's display, serial
port, I²C, SPI or sound. All outputs are low when the Pi starts, so no lamp is lit and the board is
not held in reset before this program runs.
"""

import logging
import warnings
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from enum import Enum
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, Self

from engine.board.geometry import Side

BUTTONS: Final[Mapping[Side, int]] = {Side.RED: 17, Side.BLUE: 27}
"""GPIO of each player's button, which connects the pin to ground when pressed."""
LAMPS: Final[Mapping[Side, int]] = {Side.RED: 22, Side.BLUE: 23}
"""GPIO of each player's lamp, active high."""
BUZZER: Final = 25
"""GPIO of a passive piezo buzzer (one without its own oscillator)."""
RESET: Final = 24
"""GPIO of the transistor that pulls the board's reset line low while the pin is high."""

BOUNCE_SECONDS: Final = 0.02
"""Debounce time of a contact, in seconds. Shorter presses are ignored."""
RESET_SECONDS: Final = 0.1
"""Duration of a reset pulse, in seconds. The ATmega328P requires at least 2.5 µs (data sheet, reset
characteristics).
"""
HELD_SECONDS: Final = 1.0
"""Time in seconds after which a pressed button counts as held. A sleeve that brushes against a
button presses it for a shorter time."""
BEAT_SECONDS: Final = 0.1
"""Duration of each tone or pause in a signal, in seconds."""

MODEL: Final = Path("/proc/device-tree/model")
"""File in which Linux states the model of a Pi. It does not exist on a PC."""

logger = logging.getLogger(__name__)


class Tone(Enum):
    """Buzzer signals: one tone per beat, from -1 (A3) to 1 (A5). None is a pause."""

    _value_: tuple[float | None, ...]

    BOOM = (1.0, 0.5, 0.0, -0.5, -1.0, -1.0, -1.0, None)
    WRONG = (0.5, None, 0.5, None)

    @property
    def beats(self) -> Sequence[float | None]:
        """The tones in order. The last one is a pause, so the buzzer is silent afterwards."""
        return self._value_


class Panel:
    """Buttons, lamps, buzzer and reset line. `close` releases any pins that were claimed."""

    # `Any`, because gpiozero ships no type information.
    def __init__(self, pin_factory: Any = None) -> None:
        """Claim the pins, using `pin_factory` if given. Never raises."""
        self._pressed: SimpleQueue[Side] = SimpleQueue()
        self._held: SimpleQueue[Side] = SimpleQueue()
        self._lamps: dict[Side, Any] = {}
        self._buzzer: Any = None
        self._reset: Any = None
        self._devices = ExitStack()
        try:
            with ExitStack() as taken:
                self._take_pins(taken, pin_factory)
                self._devices = taken.pop_all()
        except ModuleNotFoundError:
            self._forget()
            logger.info("There is no panel: gpiozero is not installed.")
        except Exception as error:  # noqa: BLE001 (each pin library has different errors)
            self._forget()
            level = logging.WARNING if _is_pi() else logging.INFO
            logger.log(level, "There is no panel: %s", str(error) or type(error).__name__)

    def _take_pins(self, taken: ExitStack, pin_factory: Any) -> None:
        with warnings.catch_warnings():
            # On a computer without pins, gpiozero would warn about every library that it has tried.
            warnings.simplefilter("ignore")
            import gpiozero  # noqa: PLC0415 (may be missing)

            def take(kind: Any, pin: int, **options: Any) -> Any:
                device = kind(pin, pin_factory=pin_factory, **options)
                taken.callback(device.close)
                return device

            for side, pin in BUTTONS.items():
                times = {"bounce_time": BOUNCE_SECONDS, "hold_time": HELD_SECONDS}
                button = take(gpiozero.Button, pin, **times)
                button.when_pressed = partial(self._pressed.put, side)
                button.when_held = partial(self._held.put, side)
            self._lamps = {side: take(gpiozero.LED, pin) for side, pin in LAMPS.items()}
            self._buzzer = take(gpiozero.TonalBuzzer, BUZZER)
            self._buzzer.source_delay = BEAT_SECONDS
            self._reset = take(gpiozero.DigitalOutputDevice, RESET)

    @property
    def is_there(self) -> bool:
        """Whether the pins have been claimed."""
        return self._reset is not None

    def presses(self) -> list[Side]:
        """Return the sides whose buttons were pressed since the last call, in order."""
        return _taken(self._pressed)

    def holds(self) -> list[Side]:
        """Return the sides whose buttons were held since the last call, in order."""
        return _taken(self._held)

    def light(self, sides: Collection[Side]) -> None:
        """Light the lamps of `sides`, and switch off any others."""
        for side, lamp in self._lamps.items():
            lamp.value = side in sides

    def sound(self, signal: Tone) -> None:
        """Start a buzzer signal, and return immediately.

        It replaces a signal that is still sounding.
        """
        if self._buzzer:
            self._buzzer.source = signal.beats

    def reset_board(self) -> None:
        """Start resetting the board, and return immediately."""
        if self._reset:
            self._reset.blink(on_time=RESET_SECONDS, off_time=0, n=1)

    def close(self) -> None:
        """Switch the lamps off and release the pins."""
        self._forget()
        self._devices.close()

    def _forget(self) -> None:
        self._lamps, self._buzzer, self._reset = {}, None, None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _taken(queue: SimpleQueue[Side]) -> list[Side]:
    found: list[Side] = []
    while True:
        try:
            found.append(queue.get_nowait())
        except Empty:
            return found


def _is_pi() -> bool:
    return MODEL.is_file() and MODEL.read_bytes().startswith(b"Raspberry Pi")
