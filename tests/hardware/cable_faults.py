"""Faults in the power supply, the cables or the tiles of a tiled board."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.board.geometry import WIDTH, Square
from firmware_bridge.wire import ResetCause
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.library import SUPPLY_MV
from hardware.pcb.tile_map import CORNERS, SIDE

REPORTED_US: Final = 700_000
"""Time, in microseconds, for which the board may continue to report a fault that has ended. The
board repeats its reports every half second."""
BROWN_OUT_REPORTED_US: Final = 3_200_000
BROKEN_DOWN_MV: Final = 2500
RAMP_US: Final = 2_000
TILES: Final = range(len(CORNERS))
EVERY_TILE: Final = frozenset(TILES)
Do: TypeAlias = Callable[[EmulatedBoard], None]
Plan: TypeAlias = Sequence[tuple[int, Do]]
"""Actions, each with its time in microseconds after the fault begins."""


def squares_of(plugs: Collection[int]) -> frozenset[Square]:
    """Return the squares of the tiles connected to the given plugs."""
    corners = [CORNERS[plug] for plug in plugs]
    return frozenset(
        WIDTH * (row + away) + column + right
        for column, row in corners
        for away in range(SIDE)
        for right in range(SIDE)
    )


def _supply(plugs: Collection[int], share: float) -> Do:
    def do(board: EmulatedBoard) -> None:
        for square in squares_of(plugs):
            board.field.supply[square] = share
        board.update_sensors()

    return do


def _ramp(plugs: Collection[int], start: float, end: float, at_us: int, lasts_us: int) -> Plan:
    """Return a linear change of the sensors' supply voltage, in steps of one millisecond."""
    steps = max(lasts_us // 1000, 1)
    return [
        (at_us + 1000 * n, _supply(plugs, start + (end - start) * n / steps))
        for n in range(1, steps + 1)
    ]


def _dip(plugs: Collection[int], share: float, ramp_us: int, lasts_us: int) -> Plan:
    down = _ramp(plugs, 1.0, share, 0, ramp_us)
    return [*down, *_ramp(plugs, share, 1.0, lasts_us, ramp_us)]


def _pull(plugs: Collection[int]) -> Do:
    multiplexers = [2 * plug + n for plug in plugs for n in (0, 1)]
    return lambda board: board.open_wires(squares_of(plugs), multiplexers)


def _power(millivolts: float) -> Do:
    return lambda board: board.power_on(millivolts)


@dataclass(frozen=True)
class Trouble:
    """A fault in the power supply or the tiles of one board."""

    plan: Plan
    plugs: Collection[int] = ()
    """Plugs of the faulty tiles."""
    lasts_us: int | None = None
    """Duration of the fault in microseconds, or None if it never ends."""
    is_announced: bool = False
    """Whether the fault must be announced to the players. A fault that lasts about a second may go
    unannounced."""
    is_unplugged: bool = False
    """Whether the cables of the tiles are disconnected. The outputs of their multiplexers are then
    not driven."""
    is_harmless: bool = False
    """Whether the fault is harmless. If so, even a simple threshold would read every square
    correctly."""
    reported_us: int = REPORTED_US
    """Time, in microseconds, for which the board may continue to report the fault after it has
    ended."""
    cause: ResetCause | None = None
    """Reset cause that the board must report, or None if it does not restart."""
    is_from_the_start: bool = False


Drawn: TypeAlias = Callable[[random.Random], Trouble]


def _brown_out(dice: random.Random) -> Trouble:
    lasts_us = dice.randrange(1_000, 100_000)
    plan = [(0, _power(BROKEN_DOWN_MV)), (lasts_us, _power(SUPPLY_MV))]
    return Trouble(
        plan,
        EVERY_TILE,
        lasts_us,
        is_announced=True,
        cause=ResetCause.BROWN_OUT,
        reported_us=BROWN_OUT_REPORTED_US,
    )


def _unplugged(dice: random.Random) -> Trouble:
    lasts_us = dice.randrange(1_500_000, 4_000_000)
    plan = [(0, EmulatedBoard.power_off), (lasts_us, _power(SUPPLY_MV))]
    return Trouble(plan, EVERY_TILE, lasts_us, is_announced=True, cause=ResetCause.POWER_ON)


def _low(dice: random.Random) -> Trouble:
    return Trouble([(0, _power(dice.uniform(4300, 4600)))], is_announced=True, is_harmless=True)


def _short_dip(dice: random.Random) -> Trouble:
    lasts_us = dice.randrange(5_000, 900_000)
    plan = [(0, _power(dice.uniform(3900, 4600))), (lasts_us, _power(SUPPLY_MV))]
    return Trouble(plan, (), lasts_us, is_harmless=True)


def _sensors_dip(millivolts: float, ramp_us: int, *, is_harmless: bool = False) -> Drawn:
    def trouble(dice: random.Random) -> Trouble:
        lasts_us = ramp_us + dice.randrange(20_000, 5_000_000)
        plan = _dip(EVERY_TILE, 1 - millivolts / SUPPLY_MV, ramp_us, lasts_us)
        is_announced = not is_harmless and lasts_us > 3_500_000
        return Trouble(
            plan, EVERY_TILE, lasts_us + ramp_us, is_announced=is_announced, is_harmless=is_harmless
        )

    return trouble


def _sensors_unplugged(dice: random.Random) -> Trouble:
    lasts_us = dice.randrange(200_000, 5_000_000)
    plan = _dip(EVERY_TILE, 0.0, RAMP_US, lasts_us)
    return Trouble(plan, EVERY_TILE, lasts_us + RAMP_US, is_announced=lasts_us > 2_500_000)


def _late(dice: random.Random) -> Trouble:
    asleep = (0, _supply(EVERY_TILE, 0.0))
    wakes = [dice.randrange(300_000, 6_000_000) for _ in TILES]
    plan = [asleep]
    for plug, wake_us in enumerate(wakes):
        plan += _ramp([plug], 0.0, 1.0, wake_us, RAMP_US)
    plan.sort(key=lambda step: step[0])
    last = max(wakes) + RAMP_US
    return Trouble(plan, EVERY_TILE, last, is_announced=last > 3_500_000, is_from_the_start=True)


def _dead(*, at_start: bool, cable: bool) -> Drawn:
    def trouble(dice: random.Random) -> Trouble:
        plug = [dice.choice(TILES)]
        do = _pull(plug) if cable else _supply(plug, 0.0)
        return Trouble(
            [(0, do)], plug, is_announced=True, is_unplugged=cable, is_from_the_start=at_start
        )

    return trouble


def _fades(ramp_us: int) -> Drawn:
    def trouble(dice: random.Random) -> Trouble:
        plug = [dice.choice(TILES)]
        return Trouble(_ramp(plug, 1.0, 0.0, 0, ramp_us), plug, is_announced=True)

    return trouble


def _loose(dice: random.Random) -> Trouble:
    plug = [dice.choice(TILES)]
    lasts_us = dice.randrange(20_000, 1_000_000)
    return Trouble([(0, _pull(plug)), (lasts_us, _pull([]))], plug, lasts_us, is_unplugged=True)


TROUBLES: Final[Mapping[str, Drawn]] = {
    "brown-out of 1 to 100 ms: the board restarts": _brown_out,
    "no supply for 1.5 to 4 s": _unplugged,
    "supply of 4.3 to 4.6 V": _low,
    "dip to 3.9 to 4.6 V for less than a second": _short_dip,
    "the tiles' supply dips by 0.15 V": _sensors_dip(150, 5_000, is_harmless=True),
    "the tiles' supply dips by 0.5 V in 5 ms": _sensors_dip(500, 5_000),
    "the tiles' supply dips by 0.5 V in 100 ms": _sensors_dip(500, 100_000),
    "the tiles' supply dips by 1 V in 5 ms": _sensors_dip(1000, 5_000),
    "the tiles' supply dips by 1 V in 100 ms": _sensors_dip(1000, 100_000),
    "the tiles' supply is unplugged for 0.2 to 5 s": _sensors_unplugged,
    "the tiles get their supply 0.3 to 6 s late": _late,
    "a tile has no supply from the start": _dead(at_start=True, cable=False),
    "a tile's cable is missing from the start": _dead(at_start=True, cable=True),
    "a tile loses its supply": _dead(at_start=False, cable=False),
    "a tile's cable is pulled": _dead(at_start=False, cable=True),
    "a tile's supply fades in 5 ms": _fades(5_000),
    "a tile's supply fades in 2 s": _fades(2_000_000),
    "a tile's cable is loose for up to 1 s": _loose,
}
