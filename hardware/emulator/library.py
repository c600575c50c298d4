"""Python binding for the emulated microcontroller: libboomboard_emulator.so, built in this folder.

The functions are documented in `emulator.h`.
"""

import ctypes
import fcntl
import os
import subprocess
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

CYCLES_PER_MICROSECOND: Final = 16
CHANNELS: Final = 128
EEPROM_BYTES: Final = 1024
SUPPLY_MV: Final = 5000
HERE: Final = Path(__file__).parent

_Emulator = ctypes.c_void_p
_SIGNATURES: Final[dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "new": (_Emulator, (ctypes.c_char_p, ctypes.c_uint64)),
    "free": (None, (_Emulator,)),
    "now": (ctypes.c_uint64, (_Emulator,)),
    "run_until": (ctypes.c_int, (_Emulator, ctypes.c_uint64)),
    "set_levels": (None, (_Emulator, ctypes.POINTER(ctypes.c_double))),
    "set_open": (None, (_Emulator, ctypes.c_char_p)),
    "set_spikes": (None, (_Emulator, ctypes.c_double, ctypes.c_double)),
    "set_bursts": (
        None,
        (_Emulator, ctypes.c_double, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int),
    ),
    "set_ripple": (None, (_Emulator, ctypes.c_double, ctypes.c_double)),
    "set_noise": (None, (_Emulator, ctypes.c_double)),
    "set_hum": (None, (_Emulator, ctypes.c_double)),
    "set_supply": (None, (_Emulator, ctypes.c_double)),
    "set_band_gap": (None, (_Emulator, ctypes.c_double)),
    "reset": (None, (_Emulator,)),
    "hang": (None, (_Emulator, ctypes.c_int)),
    "set_boot_loader": (None, (_Emulator, ctypes.c_int)),
    "send": (ctypes.c_size_t, (_Emulator, ctypes.c_char_p, ctypes.c_size_t)),
    "receive": (
        ctypes.c_size_t,
        (_Emulator, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64), ctypes.c_size_t),
    ),
    "get_eeprom": (None, (_Emulator, ctypes.c_char_p)),
    "get_eeprom_after_cut": (None, (_Emulator, ctypes.c_char_p)),
    "set_eeprom": (None, (_Emulator, ctypes.c_char_p)),
    "lamps": (ctypes.c_uint32, (_Emulator,)),
    "lamps_latched_at": (ctypes.c_uint64, (_Emulator,)),
}


@cache
def _library() -> ctypes.CDLL:
    """Rebuild the library if it is out of date, and load it."""
    with (HERE / "Makefile").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other processes may be building at the same time
        # If make started this process, the flags of that make must not be passed on to the make
        # started here.
        environment = {name: each for name, each in os.environ.items() if name[:4] != "MAKE"}
        subprocess.run(["make", "-sC", str(HERE)], check=True, env=environment)  # noqa: S603, S607
    library = ctypes.CDLL(str(HERE / "build" / "libboomboard_emulator.so"))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, f"emulator_{name}")
        function.restype = result
        function.argtypes = arguments
    return library


class StoppedError(RuntimeError):
    """The firmware has stopped permanently: it has crashed or is sleeping with interrupts
    disabled."""


class Microcontroller:
    """ATmega328P at 16 MHz, running the firmware in simulated time. Initially unpowered.

    Call `close` to free it, or use it in a ``with`` statement. Raises ValueError if the file is not
    a firmware image.
    """

    def __init__(self, elf: Path, seed: int = 0) -> None:
        self._library = _library()
        self._handle = self._library.emulator_new(str(elf).encode(), seed)
        if not self._handle:
            raise ValueError(f"{elf} is not a firmware image")

    def close(self) -> None:
        self._library.emulator_free(self._handle)
        self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def cycle(self) -> int:
        """Time since the microcontroller was created, in cycles of 62.5 ns."""
        return int(self._library.emulator_now(self._handle))

    def run_until(self, cycle: int) -> None:
        """Run up to the given clock cycle. Raise StoppedError if the firmware stops permanently."""
        if self._library.emulator_run_until(self._handle, cycle):
            raise StoppedError(f"the firmware stopped at cycle {self.cycle}")

    def set_levels(self, levels: Sequence[float]) -> None:
        """Set the sensor output on each channel, in counts; 1024 is the supply voltage."""
        self._library.emulator_set_levels(self._handle, (ctypes.c_double * CHANNELS)(*levels))

    def set_open(self, channels: Collection[int]) -> None:
        """Disconnect the given channels and connect all other channels."""
        open_ = bytes(channel in channels for channel in range(CHANNELS))
        self._library.emulator_set_open(self._handle, open_)

    def set_spikes(self, counts: float, share: float) -> None:
        """Raise or lower the results of some conversions by `counts`. `share` is the fraction of
        conversions that are affected."""
        self._library.emulator_set_spikes(self._handle, counts, share)

    def set_bursts(self, counts: float, lasts_us: int, every_us: int, *, rough: bool) -> None:
        """Disturb conversions in periodic bursts. In a burst, every result is raised or lowered by
        `counts`.

        If `rough` is true, the sign is random for each conversion; otherwise it is the same
        throughout a burst. If `every_us` is 0, there are no bursts.
        """
        cycles, period = (CYCLES_PER_MICROSECOND * each for each in (lasts_us, every_us))
        self._library.emulator_set_bursts(self._handle, counts, cycles, period, rough)

    def set_ripple(self, counts: float, hertz: float) -> None:
        """Add a sine wave with an amplitude of `counts` to all A/D readings."""
        self._library.emulator_set_ripple(self._handle, counts, hertz)

    def set_hum(self, counts: float) -> None:
        """Set the amplitude, in counts, of the mains hum that open wires pick up."""
        self._library.emulator_set_hum(self._handle, counts)

    def set_noise(self, counts: float) -> None:
        """Set the standard deviation, in counts, of the ADC noise."""
        self._library.emulator_set_noise(self._handle, counts)

    def set_supply(self, millivolts: float) -> None:
        """Set the supply voltage. Below 2700 mV the board is held in reset; below 1000 mV its RAM
        contents are lost."""
        self._library.emulator_set_supply(self._handle, millivolts)

    def set_band_gap(self, millivolts: float) -> None:
        """Set the actual internal reference voltage: nominally 1100 mV, between 1000 and 1200 mV on
        real chips."""
        self._library.emulator_set_band_gap(self._handle, millivolts)

    def reset(self) -> None:
        self._library.emulator_reset(self._handle)

    def set_boot_loader(self, present: bool) -> None:
        """Choose whether a boot loader clears MCUSR at every reset from now on."""
        self._library.emulator_set_boot_loader(self._handle, present)

    def hang(self, *, deaf: bool = False) -> None:
        """Make the firmware hang in an endless loop until it is reset.

        Interrupts are disabled if `deaf` is true or the firmware is in an interrupt handler.
        """
        self._library.emulator_hang(self._handle, deaf)

    def send(self, data: bytes) -> None:
        """Send bytes to the board at 250000 baud. Raise BufferError if the buffer is full."""
        taken = self._library.emulator_send(self._handle, data, len(data))
        if taken < len(data):
            raise BufferError("the transmit buffer to the board is full")

    def receive(self) -> list[tuple[int, int]]:
        """Return the bytes sent since the last call, each with the cycle at which its transmission
        ended."""
        room = 4096
        data, cycles = ctypes.create_string_buffer(room), (ctypes.c_uint64 * room)()
        found: list[tuple[int, int]] = []
        while count := self._library.emulator_receive(self._handle, data, cycles, room):
            found += zip(data.raw[:count], cycles[:count], strict=True)
        return found

    @property
    def eeprom(self) -> bytes:
        data = ctypes.create_string_buffer(EEPROM_BYTES)
        self._library.emulator_get_eeprom(self._handle, data)
        return data.raw

    @eeprom.setter
    def eeprom(self, data: bytes) -> None:
        if len(data) != EEPROM_BYTES:
            raise ValueError(f"expected {EEPROM_BYTES} bytes of EEPROM contents; found {len(data)}")
        self._library.emulator_set_eeprom(self._handle, data)

    @property
    def eeprom_after_cut(self) -> bytes:
        """EEPROM contents that would remain if the power were cut at the current time."""
        data = ctypes.create_string_buffer(EEPROM_BYTES)
        self._library.emulator_get_eeprom_after_cut(self._handle, data)
        return data.raw

    @property
    def lamps(self) -> int:
        """The 24 outputs of the lamp shift registers. Bit 0 is QA of the first register."""
        return int(self._library.emulator_lamps(self._handle))

    @property
    def lamps_latched_at(self) -> int:
        """Cycle at which the lamp outputs were last latched."""
        return int(self._library.emulator_lamps_latched_at(self._handle))
