"""Emulated board in simulated time: runs the real firmware with simulated magnets and sensors."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Self

from engine.board.geometry import SQUARES, Square, squares_in
from firmware_bridge import wire
from firmware_bridge.board_hardware import CHANNEL_OF, GROUND_INPUT
from firmware_bridge.image import Image
from hardware.emulator import library
from hardware.emulator.physics import NORTH, SOUTH, Field, Magnet
from hardware.pcb.tile_map import CORNERS, GROUNDED, read, square_at

# Wiring.

Wires = Mapping[Square, tuple[int, ...]]
"""Channels to which each square's sensor is connected. Channel number = 16 * multiplexer +
input."""

GROUNDS: Final[Mapping[wire.Geometry, tuple[int, ...]]] = {
    wire.Geometry.BY_HAND: (GROUND_INPUT,),
    wire.Geometry.TILES: GROUNDED,
}
"""Inputs that are grounded on every multiplexer."""


@cache
def wires(geometry: wire.Geometry) -> Wires:
    """Return how the sensors are wired to the multiplexer inputs.

    For tiles, the wiring is derived from the tile map rather than from the firmware's own table.
    Tests can therefore detect errors in that table.
    """
    if geometry is wire.Geometry.BY_HAND:
        return {square: (channel,) for square, channel in enumerate(CHANNEL_OF)}
    tile, _ = read()
    found: defaultdict[Square, list[int]] = defaultdict(list)
    for plug in range(len(CORNERS)):
        for (multiplexer, entry), place in tile.places.items():
            found[square_at(plug, place)].append(wire.CHANNELS * (2 * plug + multiplexer) + entry)
    return {square: tuple(channels) for square, channels in found.items()}


# Board.

NOISE: Final = 1.0
"""Estimated standard deviation of an ADC reading, in counts. It is caused by noise of the sensor
and the ADC."""
STEP_US: Final = 1000
"""Time step of a simulated hand movement, in microseconds."""

# Height of a piece moved by hand, in millimetres, with one value per millisecond. The values are
# estimates, not measurements.
LIFTED: Final = tuple(0.02 * ms**2 for ms in range(1, 46))
"""The piece is lifted with constant acceleration to a height of 40 mm, out of range of all
sensors."""
_FALL: Final = tuple(20 - 0.05 * ms**2 for ms in range(20))
_BOUNCE: Final = tuple(2.5 * (1 - (ms / 11 - 1) ** 2) for ms in range(1, 22))
SET_DOWN: Final = (*_FALL, *_BOUNCE, 0.0)
"""The piece falls the last 20 mm and bounces once, to a height of 2.5 mm."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Message from the board, and the time at which its last stop bit ended."""

    at_us: float
    message: wire.BoardMessage | wire.BadFrame


class EmulatedBoard:
    """Board with firmware, sensors and magnets. It is unpowered until `power_on` is called.

    Time advances only in `run`. The board is deterministic: the same calls always produce the same
    bytes.
    """

    def __init__(
        self,
        elf: Path,
        field: Field | None = None,
        *,
        geometry: wire.Geometry = wire.Geometry.BY_HAND,
        noise: float = NOISE,
        seed: int = 0,
    ) -> None:
        self.field = field or Field()
        self._wires = wires(geometry)
        self._grounds = GROUNDS[geometry]
        self._untaken = b""
        self._microcontroller = library.Microcontroller(elf, seed)
        self._microcontroller.set_noise(noise)
        self._levels = [0.0] * library.CHANNELS
        self._now_us = 0
        self._movements: dict[Square, Iterator[float]] = {}
        self._dying: dict[Square, Iterator[float]] = {}
        self._decoder = wire.Decoder(wire.FROM_BOARD)
        self._encoder = wire.Encoder()
        self._refresh(SQUARES)

    def close(self) -> None:
        self._microcontroller.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def now_us(self) -> int:
        """Time since the board was created, in microseconds."""
        return self._now_us

    # Power and resets

    def power_on(self, millivolts: float = library.SUPPLY_MV) -> None:
        """Connect the power or change the supply voltage. A voltage below 2700 mV resets the
        board."""
        self._microcontroller.set_supply(millivolts)

    def power_off(self) -> None:
        """Disconnect the power. Only the EEPROM keeps its contents."""
        self._microcontroller.set_supply(0)

    def reset(self) -> None:
        """Pull the reset line low, as happens when the port of a Nano is opened."""
        self._microcontroller.reset()

    def set_boot_loader(self, present: bool) -> None:
        """Choose whether a boot loader clears MCUSR at every reset from now on."""
        self._microcontroller.set_boot_loader(present)

    def hang(self, *, deaf: bool = False) -> None:
        """Make the firmware hang in an endless loop, with interrupts disabled if `deaf` is true."""
        self._microcontroller.hang(deaf=deaf)

    @property
    def eeprom(self) -> bytes:
        return self._microcontroller.eeprom

    @eeprom.setter
    def eeprom(self, data: bytes) -> None:
        self._microcontroller.eeprom = data

    @property
    def eeprom_after_cut(self) -> bytes:
        """EEPROM contents that would remain if the power were cut at the current time."""
        return self._microcontroller.eeprom_after_cut

    def set_band_gap(self, millivolts: float) -> None:
        """Set the actual internal reference voltage: nominally 1100 mV, between 1000 and 1200 mV on
        real chips."""
        self._microcontroller.set_band_gap(millivolts)

    # Faults

    def open_wires(self, squares: Collection[Square] = (), grounds: Collection[int] = ()) -> None:
        """Open the given wires at the multiplexers, and close all other wires.

        Args:
            squares: The squares whose sensor wires are open.
            grounds: The multiplexers whose ground wires are open.
        """
        open_ = [channel for square in squares for channel in self._wires[square]]
        spare = [wire.CHANNELS * n + grounded for n in grounds for grounded in self._grounds]
        self._microcontroller.set_open([*open_, *spare])

    def wither(self, square: Square, counts: float, milliseconds: int) -> None:
        """Make a sensor fail gradually. Its output moves linearly to `counts`, and stays there."""
        begun = self.field.reading(square)
        steps = (begun + (counts - begun) * n / milliseconds for n in range(1, milliseconds + 1))
        self._dying[square] = steps

    def mend(self, square: Square) -> None:
        """Replace a failed or failing sensor by a working one."""
        self._dying.pop(square, None)
        self.field.broken.pop(square, None)
        self._refresh([square])

    def set_hum(self, counts: float) -> None:
        """Set the amplitude, in counts, of the mains hum that open wires pick up."""
        self._microcontroller.set_hum(counts)

    def set_noise(self, counts: float) -> None:
        """Set the standard deviation, in counts, of the ADC noise."""
        self._microcontroller.set_noise(counts)

    def set_spikes(self, counts: float, share: float) -> None:
        """Raise or lower the results of some conversions by `counts`. `share` is the fraction of
        conversions that are affected."""
        self._microcontroller.set_spikes(counts, share)

    def set_bursts(self, counts: float, lasts_us: int, every_us: int, *, rough: bool) -> None:
        """Disturb conversions in periodic bursts; see `library.Microcontroller.set_bursts`."""
        self._microcontroller.set_bursts(counts, lasts_us, every_us, rough=rough)

    def set_ripple(self, counts: float, hertz: float) -> None:
        """Add a sine wave with an amplitude of `counts` to all conversions."""
        self._microcontroller.set_ripple(counts, hertz)

    # Lamps

    @property
    def lamps(self) -> int:
        """The 24 outputs of the lamp shift registers. Bit 0 is QA of the first register."""
        return self._microcontroller.lamps

    @property
    def lamps_latched_us(self) -> float:
        """Time in microseconds at which the lamp outputs were last latched."""
        return self._microcontroller.lamps_latched_at / library.CYCLES_PER_MICROSECOND

    # Magnets

    def place(self, square: Square, magnet: Magnet | None) -> None:
        """Place a magnet over a square, or remove it if `magnet` is None, without simulating
        movement."""
        self._movements.pop(square, None)
        self._put(square, magnet)

    def show(self, image: Image) -> None:
        """Replace all magnets with those of the pieces in an image, without simulating movement."""
        for square in SQUARES:
            self.place(square, None)
        for square in squares_in(image.red):
            self.place(square, NORTH)
        for square in squares_in(image.blue):
            self.place(square, SOUTH)

    def set_down(self, square: Square, magnet: Magnet) -> None:
        """Set a piece down by hand: it falls and bounces as time advances."""
        self._put(square, magnet.at_height(SET_DOWN[0]))
        self._movements[square] = iter(SET_DOWN[1:])

    def lift(self, square: Square) -> None:
        """Lift a piece by hand. A few milliseconds later, its sensor no longer detects it."""
        self._movements[square] = iter(LIFTED)

    def update_sensors(self) -> None:
        """Update the sensors. Call this after changing `field` from outside this class."""
        self._refresh(SQUARES)

    # Bytes and time

    def send(self, *commands: wire.HostCommand) -> None:
        for command in commands:
            self.send_bytes(self._encoder.encode(command))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes to the board. The bytes need not be valid frames."""
        self._microcontroller.send(data)

    def run(self, microseconds: int) -> list[Heard]:
        """Advance the simulated time and return the messages that the board has sent."""
        end = self._now_us + microseconds
        while (self._movements or self._dying) and self._now_us < end:
            self._run_until(min(end, self._now_us + STEP_US - self._now_us % STEP_US))
            if self._now_us % STEP_US == 0:
                self._move_hands()
                self._advance_failing()
        self._run_until(end)
        return list(self._decode())

    def take_bytes(self) -> bytes:
        """Return the bytes that the board has sent since the last call."""
        data, self._untaken = self._untaken, b""
        return data

    def _run_until(self, microsecond: int) -> None:
        self._now_us = microsecond
        self._microcontroller.run_until(microsecond * library.CYCLES_PER_MICROSECOND)

    def _move_hands(self) -> None:
        for square, heights in list(self._movements.items()):
            height = next(heights, None)
            magnet = self.field.magnets.get(square)
            if height is None or magnet is None:
                del self._movements[square]
                if magnet and magnet.height_mm:
                    self._put(square, None)
            else:
                self._put(square, magnet.at_height(height))

    def _advance_failing(self) -> None:
        for square, readings in list(self._dying.items()):
            reading = next(readings, None)
            if reading is None:
                del self._dying[square]
            else:
                self.field.broken[square] = reading
                self._refresh([square])

    def _put(self, square: Square, magnet: Magnet | None) -> None:
        if magnet:
            self.field.magnets[square] = magnet
        else:
            self.field.magnets.pop(square, None)
        self._refresh(self.field.near(square))

    def _refresh(self, squares: range | list[Square]) -> None:
        for square, reading in zip(squares, self.field.readings(squares), strict=True):
            for channel in self._wires[square]:
                self._levels[channel] = reading
        self._microcontroller.set_levels(self._levels)

    def _decode(self) -> Iterator[Heard]:
        frame = bytearray()
        received = self._microcontroller.receive()
        for byte, cycle in received:
            frame.append(byte)
            if byte == wire.FRAME_END[0]:
                for message in self._decoder.receive(bytes(frame)):
                    yield Heard(cycle / library.CYCLES_PER_MICROSECOND, message)
                frame.clear()
        for message in self._decoder.receive(bytes(frame)):  # only if `frame` is too long
            yield Heard(self._now_us, message)
        self._untaken += bytes(byte for byte, _ in received)
