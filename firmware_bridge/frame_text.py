"""Descriptions of the messages between board and computer, in the terms of docs/protocol.md.

They are for makers who inspect the line itself. Texts for players are in another module.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from engine.board.geometry import ALL, Square, SquareSet, name, squares_in
from firmware_bridge.image import Image, Sensed
from firmware_bridge.wire import (
    FELT_PIECE,
    FELT_SQUARES,
    NOT_FELT,
    PROTOCOL,
    BoardKind,
    BoardMessage,
    Configure,
    Configured,
    ConfigureResult,
    Fault,
    FaultCode,
    Felt,
    ForeignHello,
    Geometry,
    Hello,
    HostCommand,
    Identify,
    Lamps,
    Learn,
    Learned,
    Raw,
    ResetCause,
    SendFelt,
    SendRaw,
    Settings,
    State,
    Status,
)
from firmware_bridge.wiring import GROUND_INPUT

KINDS: Final = {BoardKind.COLOURS: "sees colours", BoardKind.PRESENCE: "sees presence only"}
GEOMETRIES: Final = {Geometry.BY_HAND: "wired by hand", Geometry.TILES: "of tiles"}
REFUSALS: Final = {
    ConfigureResult.NO_KIND: "there are no such sensors",
    ConfigureResult.NO_GEOMETRY: "no board with these sensors is built so",
    ConfigureResult.NO_BAND_GAP: "no chip has such a reference",
    ConfigureResult.NO_SHARE: "with such a threshold no board would work",
    ConfigureResult.NOT_NOW: "a calibration is under way, or its memory has failed",
}
"""Reasons for which a board rejects settings."""
_CAUSES: Final = {
    ResetCause.POWER_ON: "power on",
    ResetCause.EXTERNAL: "the reset line",
    ResetCause.BROWN_OUT: "a brown-out",
    ResetCause.WATCHDOG: "the watchdog",
}
_SHOWN: Final = {
    Sensed.EMPTY: "empty",
    Sensed.RED: "red",
    Sensed.BLUE: "blue",
    Sensed.UNKNOWN: "occupied",
}
_SHORTEST_RUN: Final = 3
"""Minimum number of consecutive squares that are written as a range."""


def in_words(message: BoardMessage | HostCommand, before: Image | None = None) -> str:
    """Describe a message: its type, then its content.

    For a STATE, only the changes since the image `before`; the whole content if it is None.
    """
    match message:
        case Hello():
            return _hello(message)
        case ForeignHello(protocol, rest):
            return f"HELLO, protocol {protocol}, which is not ours: {rest.hex(' ') or 'no more'}"
        case State(at_ms, image):
            news = _standing(image) if before is None else _changes(before, image)
            return ", ".join([f"STATE at {at_ms} ms", *news, *_finer(message)])
        case Fault():
            return f"FAULT, {_fault(message)}"
        case Raw(multiplexer, readings):
            return f"RAW, multiplexer {multiplexer} reads {' '.join(map(str, readings))}"
        case Learned(step, results):
            found = [f"{each.name}{_on(squares)}" for each, squares in results.items()]
            return f"LEARNED, {step.name}: {', '.join(found)}"
        case Status(supply_mv):
            return f"STATUS, {_supply(supply_mv)}"
        case Configured(result, settings):
            refused = f", refused: {REFUSALS[result]}" if result in REFUSALS else ""
            return f"CONFIGURED, {settings_in_words(settings)}{refused}"
        case Felt():
            return f"FELT, {_felt(message)}"
        case Configure():
            return f"CONFIGURE, {_wish(message)}"
        case Identify():
            return "IDENTIFY"
        case SendRaw():
            return "SEND_RAW"
        case SendFelt():
            return "SEND_FELT"
        case Learn(step):
            return f"LEARN, {step.name}"
        case Lamps(squares):
            return f"LAMPS, lit{_on(squares) or ' nowhere'}"


def _hello(hello: Hello) -> str:
    causes = [words for bit, words in _CAUSES.items() if bit & hello.reset_cause]
    return ", ".join(
        [
            f"HELLO, protocol {PROTOCOL}",
            firmware_in_words(hello),
            KINDS[hello.kind],
            GEOMETRIES[hello.geometry],
            f"reset by {_listed(causes) or 'an unknown cause'}",
            f"calibration {hello.calibration:04X}" if hello.calibration else "not calibrated",
        ]
    )


def firmware_in_words(hello: Hello) -> str:
    """Describe a board's firmware: its version and the sources that it was built from."""
    return f"firmware {'.'.join(map(str, hello.firmware))} ({hello.build:08x})"


def settings_in_words(settings: Settings) -> str:
    """Describe the settings of a board: the parts that it was built from."""
    return ", ".join(
        [
            KINDS[settings.kind],
            GEOMETRIES[settings.geometry],
            f"on from {settings.on_per_cent} %",
            f"reference {settings.band_gap_mv} mV",
        ]
    )


def _felt(felt: Felt) -> str:
    first = FELT_SQUARES * felt.band
    shares = (
        "?" if each == NOT_FELT else f"{100 * each / FELT_PIECE:+.1f}" for each in felt.shares
    )
    return f"{name(first)} to {name(first + FELT_SQUARES - 1)} feel {' '.join(shares)} % of a piece"


def _wish(wish: Configure) -> str:
    told = [
        KINDS[wish.kind] if wish.kind else "",
        GEOMETRIES[wish.geometry] if wish.geometry else "",
        f"on from {wish.on_per_cent} %" if wish.on_per_cent else "",
        f"reference {wish.band_gap_mv} mV" if wish.band_gap_mv else "",
    ]
    return ", ".join(filter(None, told)) or "as it is"


def _standing(image: Image) -> Iterator[str]:
    if not image.occupied:
        yield "the board is empty"
    for seen, squares in _squares_by_look(image).items():
        if squares and seen is not Sensed.EMPTY:
            yield f"{'pieces' if seen is Sensed.UNKNOWN else _SHOWN[seen]}{_on(squares)}"


def _changes(before: Image, after: Image) -> Iterator[str]:
    if after == before:
        yield "nothing changed"
    were = _squares_by_look(before)
    for seen, squares in _squares_by_look(after).items():
        changed = squares & ~were[seen]
        if changed:
            verb = "are" if changed & (changed - 1) else "is"
            yield f"{_places(changed)} {verb} {_SHOWN[seen]}"


def _finer(state: State) -> Iterator[str]:
    """Yield the change times of squares, and the squares whose reading is uncertain."""
    for square, ago in state.changed:
        yield f"{name(square)} first seen so {ago} ms before"
    if state.faint:
        yield f"faint{_on(state.faint)}"


def _squares_by_look(image: Image) -> dict[Sensed, SquareSet]:
    return {
        Sensed.EMPTY: ALL & ~image.occupied,
        Sensed.RED: image.red,
        Sensed.BLUE: image.blue,
        Sensed.UNKNOWN: image.unknown,
    }


def _fault(fault: Fault) -> str:
    sensor = "a sensor" if fault.square is None else name(fault.square)
    match fault.code:
        case FaultCode.STUCK_CHANNEL:
            return f"{sensor} is stuck at {fault.value}"
        case FaultCode.DRIFT:
            return f"{sensor} has drifted to {fault.value}"
        case FaultCode.LOW_SUPPLY:
            return _supply(fault.value)
        case FaultCode.OPEN_WIRE:
            return f"{sensor} is not connected"
        case FaultCode.DYING:
            return f"{sensor} changes more slowly than by a hand, at {fault.value}"
        case FaultCode.NO_GROUND:
            return f"input C{GROUND_INPUT} of multiplexer {fault.value} is not at ground"


def _supply(millivolts: int) -> str:
    return f"the supply is at {millivolts} mV"


def _on(squares: SquareSet) -> str:
    return f" on {_places(squares)}" if squares else ""


def _places(squares: SquareSet) -> str:
    """Format squares in the order of their numbers: "a1 to k4, e5 and g5"."""
    places: list[str] = []
    # In a run of consecutive numbers, number minus index is constant.
    for _, run in groupby(enumerate(squares_in(squares)), key=lambda each: each[1] - each[0]):
        places += _run([square for _, square in run])
    return _listed(places)


def _run(squares: list[Square]) -> list[str]:
    if len(squares) < _SHORTEST_RUN:
        return [name(square) for square in squares]
    return [f"{name(squares[0])} to {name(squares[-1])}"]


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
