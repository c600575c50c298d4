"""Traces the connections from the Nano's pins through the controller, the cables and the tiles to
the sensors.

The netlists are read from the finished boards, not from their designs. The result is compared with
wiring.toml, so a fault in the boards or in wiring.toml is detected.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.board.geometry import name
from firmware_bridge.wire import CHANNELS
from hardware.pcb import components
from hardware.pcb.footprints import Point
from hardware.pcb.netlist import Pin
from hardware.pcb.tile_map import CORNERS, MIDDLE, Place, square_at, turn
from hardware.wiring_chart import SELECT_PINS

Nets = Mapping[Pin, str]
NANO_NAME: Final = "U4"
INVERTER_NAME: Final = "U5"
DIODE_NAME: Final = "U6"
FUSED: Final = ("F1", "2")
"""Fuse pin that supplies all parts except the Nano."""
SUPPLIED: Final = {"VCC": FUSED, "GND": (NANO_NAME, components.NANO.pads["GND1"])}
"""For each supply pin of a sensor or multiplexer, the controller pin to which it must be connected.
"""


def channels(controller: Nets, tile: Nets, turns: tuple[int, ...]) -> dict[int, list[str]]:
    """Return the sources that the Nano reads on each channel (16 * multiplexer + input).

    A source is "ground" or the name of the square whose sensor is connected to the channel. `turns`
    gives the number of clockwise quarter turns of each of the four tiles.
    """
    found = {}
    for multiplexer in range(2 * len(CORNERS)):
        plug, quarters = multiplexer // 2, turns[multiplexer // 2]
        wire = _wire(controller, components.NANO.pads[f"A{multiplexer}"], plug)
        output = tile.get((f"J{quarters + 1}", wire))
        chips = [part for part in _parts(tile, "U") if tile.get((part, _of("SIG"))) == output]
        for entry in range(CHANNELS):
            levels = _levels(controller, tile, plug, quarters, entry)
            at = CHANNELS * multiplexer + entry
            found[at] = [
                what for chip in chips for what in _read(tile, levels, chip, plug, quarters)
            ]
    return found


def faults(
    controller: Nets, tile: Nets, turns: tuple[int, ...], wiring: tuple[int, ...]
) -> list[str]:
    """Return one sentence for each difference between the boards and `wiring`. See `channels` for
    the arguments."""
    seen = channels(controller, tile, turns)
    problems = []
    for square, channel in enumerate(wiring):
        if seen[channel] != [name(square)]:
            read = " and ".join(seen[channel]) or "nothing"
            problems.append(
                f"Input C{channel % CHANNELS} of multiplexer {channel // CHANNELS} reads {read}, "
                f"not {name(square)}."
            )
    problems += (
        f"Input C15 of multiplexer {multiplexer} is not grounded."
        for multiplexer in range(2 * len(CORNERS))
        if seen[CHANNELS * multiplexer + CHANNELS - 1] != ["ground"]
    )
    return [*problems, *_supply_faults(controller, tile, turns)]


def place_faults(places: Mapping[str, Point], pitch: int) -> Iterator[str]:
    """Yield a fault for each sensor that is not below the centre of its square."""
    for number in range(25):
        row, column = divmod(number, 5)
        x, y = places[f"S{number + 1}"]
        dx, dy = x - pitch * (column - MIDDLE), y - pitch * (row - MIDDLE)
        if abs(dx) > 0.01 or abs(dy) > 0.01:
            yield (
                f"Sensor S{number + 1} is {dx:.2f} mm to the right of its position "
                f"and {dy:.2f} mm below it."
            )


def _of(pin: str) -> str:
    return components.MULTIPLEXER.pads[pin]


def _parts(nets: Nets, letter: str) -> list[str]:
    return sorted({part for part, _ in nets if part[0] == letter})


def _wire(controller: Nets, pad: str, plug: int) -> str:
    """Return the wire that connects a plug to a Nano pin, or "" if there is no such wire or more
    than one."""
    net = controller[NANO_NAME, pad]
    wires = [
        wire for wire in components.RIBBON.pins if controller.get((f"J{plug + 1}", wire)) == net
    ]
    return wires[0] if len(wires) == 1 else ""


def _levels(controller: Nets, tile: Nets, plug: int, quarters: int, entry: int) -> dict[str, bool]:
    """Return the logic levels of a tile's nets while the Nano selects the given input."""
    driven = {
        net: bool(entry >> int(line[1]) & 1)
        for pin, line in SELECT_PINS.items()
        for net in _reached(controller, controller[NANO_NAME, components.NANO.pads[pin]])
    }
    source = controller[INVERTER_NAME, components.INVERTER.pads["A"]]
    if source in driven:
        driven[controller[INVERTER_NAME, components.INVERTER.pads["Y"]]] = not driven[source]
    driven[controller[NANO_NAME, components.NANO.pads["GND1"]]] = False
    found = {}
    for wire in components.RIBBON.pins:
        net = tile.get((f"J{quarters + 1}", wire))
        level = driven.get(controller.get((f"J{plug + 1}", wire), ""))
        if net is not None and level is not None:
            found[net] = level
    return found


def _reached(controller: Nets, net: str) -> set[str]:
    """Return a net and all nets connected to it through a resistor."""
    reached = {net}
    for resistor in _parts(controller, "R"):
        ends = {controller[resistor, "1"], controller[resistor, "2"]}
        if net in ends:
            reached |= ends
    return reached


def _read(
    tile: Nets, levels: Mapping[str, bool], chip: str, plug: int, quarters: int
) -> Iterator[str]:
    lines = [levels.get(tile.get((chip, _of(f"S{n}")), "")) for n in range(4)]
    if None in lines or levels.get(tile.get((chip, _of("EN")), "")) is not False:
        return
    entry = sum(1 << n for n, line in enumerate(lines) if line)
    net = tile.get((chip, _of(f"C{entry}")))
    if net is not None and net == tile[chip, _of("GND")]:
        yield "ground"
    for sensor in _parts(tile, "S"):
        if tile[sensor, components.SENSOR.pads["OUT"]] == net:
            yield name(square_at(plug, turn(_place(sensor), quarters)))


def _place(sensor: str) -> Place:
    row, column = divmod(int(sensor[1:]) - 1, 5)
    return column - MIDDLE, row - MIDDLE


def _supply_faults(controller: Nets, tile: Nets, turns: tuple[int, ...]) -> Iterator[str]:
    if controller["F1", "1"] != controller["J11", components.USB_C.pads["VBUS"]]:
        yield "The fuse is not connected to the power socket."
    diode = {
        pin: controller[DIODE_NAME, pad]
        for pin, pad in components.IDEAL_DIODE.pads.items()
        if pin != "NC"
    }
    if {diode["VDD"], diode["EN"]} != {controller[FUSED]}:
        yield "The ideal diode is not fed from the fuse."
    if diode["OUT"] != controller[NANO_NAME, components.NANO.pads["5V"]]:
        yield "The Nano is not fed from the ideal diode."
    for plug, quarters in enumerate(turns):
        for pin, source in SUPPLIED.items():
            net = controller[source]
            brought = {
                tile.get((f"J{quarters + 1}", wire))
                for wire in components.RIBBON.pins
                if controller.get((f"J{plug + 1}", wire)) == net
            }
            for part in [*_parts(tile, "S"), *_parts(tile, "U")]:
                pads = components.SENSOR.pads if part[0] == "S" else components.MULTIPLEXER.pads
                if brought != {tile[part, pads[pin]]}:
                    at = f"pin {source[1]} of {source[0]}"
                    yield f"{pin} of {part} on plug {plug + 1} is not on {at}."
