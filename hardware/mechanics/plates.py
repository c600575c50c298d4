"""Lid and bottom plate: flat parts of plywood or acrylic, with all screw holes."""

from collections.abc import Iterator

from engine.board.geometry import WIDTH
from hardware.mechanics import dimensions, layout
from hardware.mechanics.flat import Flat, Part, Place
from hardware.mechanics.frame import screw_places

_LAKES = (((2, 4), (4, 6)), ((6, 4), (8, 6)))
"""Two opposite corners of each lake, in squares from the outer corner of a1."""


def lid(pitch: int) -> Part:
    """Return the lid, which carries the playing surface."""
    screws = [*layout.tile_screws(pitch), *screw_places(pitch)]
    holes = [(place, dimensions.CLEAR) for place in screws]
    holes += [(place, dimensions.LAMP_HOLE) for place in _lamps(pitch)]
    made = Flat(
        layout.outer(pitch),
        dimensions.CORNER_RADIUS,
        dimensions.LID,
        tuple(holes),
        tuple(_field(pitch)),
    )
    return Part(
        f"lid-{pitch}",
        f"lid, {pitch} mm squares",
        made.solid(),
        flat=made,
        notes=(
            f"{dimensions.LID:g} mm thick",
            f"{len(screws)} holes of {dimensions.CLEAR:g}, countersunk from above",
            f"20 holes of {dimensions.LAMP_HOLE:g} for the edge lamps, if you want them",
            f"field {WIDTH * pitch:g}, {dimensions.EDGE:g} from the rim; "
            "engraved, or on the printed layout",
        ),
    )


def bottom(pitch: int) -> Part:
    screws = [*layout.tile_screws(pitch), *screw_places(pitch), *layout.stand_places(pitch)]
    screws += [*layout.controller_screws(pitch), *layout.clamp_screws(pitch)]
    holes = tuple((place, dimensions.CLEAR) for place in screws)
    made = Flat(layout.outer(pitch), dimensions.CORNER_RADIUS, dimensions.BOTTOM, holes)
    return Part(
        f"bottom-{pitch}",
        f"bottom plate, {pitch} mm squares",
        made.solid(),
        flat=made,
        notes=(
            f"{dimensions.BOTTOM:g} mm thick",
            f"{len(screws)} holes of {dimensions.CLEAR:g}, countersunk from below",
        ),
    )


def _lamps(pitch: int) -> Iterator[Place]:
    """Yield the positions of the lamps along Red's edge and along the edge at column k."""
    half = WIDTH * pitch / 2
    for n in range(WIDTH):
        yield pitch * (n + 0.5) - half, -half - dimensions.LAMP_FROM_FIELD
        yield half + dimensions.LAMP_FROM_FIELD, pitch * (n + 0.5) - half


def _field(pitch: int) -> Iterator[tuple[Place, Place]]:
    half = WIDTH * pitch / 2
    for n in range(WIDTH + 1):
        at = pitch * n - half
        yield (-half, at), (half, at)
        yield (at, -half), (at, half)
    for low, high in _LAKES:
        # Each lake is marked by a second line inside its edges.
        left, near = (pitch * n - half + 3 for n in low)
        right, far = (pitch * n - half - 3 for n in high)
        corners = [(left, near), (right, near), (right, far), (left, far)]
        yield from zip(corners, [*corners[1:], corners[0]], strict=True)
