"""Simulated boards without a clock or a port, controlled frame by frame."""

from collections.abc import Mapping
from dataclasses import replace

from companion.diagnostics.board_monitor import BoardMonitor
from engine.board.geometry import Side, SquareSet, set_of, square
from firmware_bridge import wire
from firmware_bridge.board_hardware import WIRINGS
from firmware_bridge.image import Image
from firmware_bridge.link import Connected, MessageReceived

ARMIES = Image(red=Side.RED.home, blue=Side.BLUE.home)
HELLO = wire.Hello((1, 0, 0), wire.BoardKind.COLOURS, wire.ResetCause.EXTERNAL, 0xBEEF)
TILES = replace(HELLO, geometry=wire.Geometry.TILES)
PRESENCE = wire.Hello((1, 0, 0), wire.BoardKind.PRESENCE, wire.ResetCause.EXTERNAL, 0xBEEF)
LOOKS = 8
NOW = 2.0
"""Time of the last frame in `watched`, in seconds."""


def squares(*names: str) -> SquareSet:
    return set_of(map(square, names))


def readings_of(image: Image, hello: wire.Hello = HELLO) -> list[int]:
    """Return the readings for an image from ideal sensors, which have no tolerance or noise."""
    rest, red, blue = (500, 800, 200) if hello.kind is wire.BoardKind.COLOURS else (1023, 0, 0)
    if hello.geometry is wire.Geometry.TILES:
        red, blue = blue, red
    return [
        red
        if image.red >> n & 1
        else blue
        if image.blue >> n & 1
        else 0
        if image.unknown >> n & 1
        else rest
        for n in range(100)
    ]


def answer(readings: list[int], geometry: wire.Geometry = wire.Geometry.BY_HAND) -> list[wire.Raw]:
    """Return a board's reply to SEND_RAW."""
    by_channel = [0] * (geometry * wire.CHANNELS)
    for n, reading in enumerate(readings):
        by_channel[WIRINGS[geometry].channel_of[n]] = reading
    return [
        wire.Raw(n, tuple(by_channel[wire.CHANNELS * n : wire.CHANNELS * (n + 1)]))
        for n in range(geometry)
    ]


def pass_readings(watch: BoardMonitor, readings: list[int], now: float) -> None:
    for raw in answer(readings, watch.hello.geometry):
        watch.take(MessageReceived(raw), now)


def watched(
    hello: wire.Hello = HELLO,
    image: Image = ARMIES,
    reads: Mapping[str, int] | None = None,
    supply_mv: int = 5000,
) -> BoardMonitor:
    """Return a monitor that has run for two seconds. `reads` overrides some squares' readings."""
    watch = BoardMonitor(Connected("/dev/ttyUSB0", hello))
    readings = readings_of(image, hello)
    for where, reading in (reads or {}).items():
        readings[square(where)] = reading
    for frame in range(101):
        watch.take(MessageReceived(wire.State(20 * frame, image)), frame / 50)
    for look in range(LOOKS):
        pass_readings(watch, readings, look / LOOKS)
    watch.take(MessageReceived(wire.Status(supply_mv)), 1.0)
    return watch
