"""Checks of the parts and the assembled board. Each fault is reported in one sentence."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import hypot
from typing import Final

from trimesh import Trimesh

from hardware.mechanics.assembly import Assembly, Placed, squares
from hardware.mechanics.dimensions import BED, GAP, GAP_TOLERANCE, SENSING_DEPTH, TILE, WALL
from hardware.mechanics.flat import Part
from hardware.mechanics.layout import sensors, tile_middles
from hardware.mechanics.mesh import thinnest
from hardware.mechanics.solid import Solid, cylinder

_NOTHING: Final = 0.01
"""Volume, in cubic millimetres, below which an overlap is treated as a rounding error."""
_EXACT: Final = 0.05
_ROUNDING: Final = 0.01
"""Tolerance in millimetres. Walls are measured on triangles, which only approximate the part."""


def part_faults(part: Part, triangles: Trimesh) -> Iterator[str]:
    """Yield the faults of a part, such as several bodies, a mesh that is not watertight, or a wall
    too thin to print."""
    if not part.solid.is_sound or part.solid.bodies != 1:
        yield f"{part.name} is not a single valid body."
    if not triangles.is_volume:
        yield f"{part.name} is not watertight."
    if abs(triangles.volume - part.solid.volume) > 0.01 * part.solid.volume:
        yield f"The triangles of {part.name} do not enclose its volume."
    if part.flat:
        return
    if (thin := thinnest(part.solid, triangles)) < WALL - _ROUNDING:
        yield f"{part.name} has a wall of {thin:.2f} mm; the minimum is {WALL:g} mm."
    if any(size > room for size, room in zip(part.solid.size, BED, strict=True)):
        size = " x ".join(f"{each:g}" for each in part.solid.size)
        yield f"{part.name} does not fit the printer: {size} mm."


def board_faults(whole: Assembly, pitch: int, only: str = "") -> list[str]:
    """Return the faults of an assembled board. If `only` names a part, overlaps and screw holes are
    checked only for that part."""
    return [*fit_faults(whole, only), *sensing_faults(whole, pitch)]


def fit_faults(whole: Assembly, only: str = "") -> list[str]:
    """Return a fault for each pair of overlapping parts, and for each screw that would miss its
    hole."""
    return [*overlaps(whole.placed, only), *screw_faults(whole, only)]


def overlaps(placed: Sequence[Placed], only: str = "") -> Iterator[str]:
    bounds = {each.name: each.solid.bounds for each in placed}
    for one, other in combinations(placed, 2):
        if only and only not in {one.name, other.name}:
            continue
        (low, high), (other_low, other_high) = bounds[one.name], bounds[other.name]
        apart = any(
            low[n] >= other_high[n] - 1e-4 or other_low[n] >= high[n] - 1e-4 for n in range(3)
        )
        if not apart and (both := (one.solid & other.solid).volume) > _NOTHING:
            yield f"{one.name} and {other.name} overlap by {both:.1f} mm³."


def screw_faults(whole: Assembly, only: str = "") -> Iterator[str]:
    """Yield a fault for each screw that would cut into a part, or miss a part that it should
    hold."""
    bodies = {each.name: each.solid for each in whole.placed}
    for screw in whole.screws:
        body = cylinder(screw.width / 2, screw.high - screw.low, (*screw.at, screw.low))
        for name in screw.joins:
            if only and name != only:
                continue
            if (body & bodies[name]).volume > _NOTHING:
                yield f"The hole in {name} is not aligned with {screw.name}."
            elif not _holds(body, bodies[name], screw.width):
                yield f"{name} does not surround {screw.name}."


def _holds(body: Solid, held: Solid, width: float) -> bool:
    low, high = body.bounds
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2])
    around = cylinder(width / 2 + 0.6, high[2] - low[2], middle)
    return (around & held).volume > 1


def sensing_faults(whole: Assembly, pitch: int) -> Iterator[str]:
    """Yield a fault for each square without a sensor below its centre. Also yield a fault for each
    magnet that is beside its sensor, or at the wrong height above it."""
    tiles = [each.solid for each in whole.placed if each.name.startswith("tile ")]
    found = list(_sensors(pitch, tiles))
    for at in squares(pitch):
        if _nearest(found, at)[0] > _EXACT:
            yield f"No sensor is below the centre of the square at {at[0]:g}, {at[1]:g}."
    for each in whole.placed:
        if not each.name.startswith("magnet "):
            continue
        low, high = each.solid.bounds
        at = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
        aside, depth = _nearest(found, at)
        if aside > _EXACT:
            yield f"{each.name} is {aside:.2f} mm beside its sensor."
        if abs(low[2] - depth - GAP) > GAP_TOLERANCE:
            yield f"{each.name} is {low[2] - depth:.2f} mm above its sensor, not {GAP:g} mm."


def _sensors(pitch: int, tiles: Sequence[Solid]) -> Iterator[tuple[float, float, float]]:
    """Yield the actual positions of the sensors. Tiles may have been moved."""
    homes = list(tile_middles(pitch))
    for n, (x, y) in enumerate(sensors(pitch)):
        low, high = tiles[n // 25].bounds
        mean = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
        own = homes[n // 25]
        yield x + mean[0] - own[0], y + mean[1] - own[1], high[2] - TILE - SENSING_DEPTH


def _nearest(
    found: Sequence[tuple[float, float, float]], at: tuple[float, float]
) -> tuple[float, float]:
    """Return the lateral distance from `at` to the nearest sensor, and the height of that
    sensor."""
    return min((hypot(x - at[0], y - at[1]), z) for x, y, z in found)
