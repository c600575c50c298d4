"""The design of a board: parts in their positions, and the nets of their pins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hardware.pcb.components import Component
from hardware.pcb.footprints import Point

REVISION: Final = 2
DATE: Final = "2026-11-26"
"""Revision of the boards and its date. Both are printed on the boards. Every change of copper or
parts after an order needs a new revision."""

SUPPLY_NET: Final = "+5V"
GROUND_NET: Final = "GND"
POWER_NETS: Final = (SUPPLY_NET, GROUND_NET)


@dataclass(frozen=True)
class Part:
    """A part on a board."""

    name: str
    """Reference designator, printed beside the part, such as S13."""
    kind: Component
    at: Point
    """Position of the footprint's origin, from the middle of the board."""
    turn: int
    """Rotation in degrees, anticlockwise: 0, 90, 180 or 270."""
    nets: Mapping[str, str]
    """Net of each connected pad."""


@dataclass(frozen=True)
class Print:
    """Text that is printed on the board."""

    words: str
    at: Point
    turn: int = 0
    size: float = 1.5


@dataclass
class Design:
    """A board."""

    name: str
    title: str
    size: Point
    """Width and height in millimetres."""
    parts: list[Part] = field(default_factory=list)
    prints: list[Print] = field(default_factory=list)
    thick: frozenset[str] = frozenset(POWER_NETS)
    """Nets with wider tracks."""
    pours: tuple[str, str] = POWER_NETS
    """Nets that fill the remaining area of the front and of the back."""

    def add_title(self, at: Point, size: float = 1.5) -> None:
        """Print the title and, below, the project, the revision and its date."""
        self.prints.append(Print(self.title, at, 0, size))
        origin = f"Boomboard project, revision {REVISION}, {DATE}"
        self.prints.append(Print(origin, (at[0], at[1] + 1.8 * size), 0, 1))

    def add(
        self,
        name: str,
        kind: Component,
        at: Point,
        turn: int = 0,
        nets: Mapping[str, str] | None = None,
    ) -> None:
        """Add a part. `nets` maps the names of its pins to nets; KeyError for an unknown pin."""
        pads = kind.pads
        joined = {pads[pin]: net for pin, net in (nets or {}).items()}
        self.parts.append(Part(name, kind, at, turn % 360, joined))

    @property
    def nets(self) -> dict[str, list[tuple[str, str]]]:
        """The pads of each net, as pairs of part name and pad."""
        found: dict[str, list[tuple[str, str]]] = {}
        for part in self.parts:
            for pad, net in part.nets.items():
                found.setdefault(net, []).append((part.name, pad))
        return found


# The ribbon cable between controller and tile: fourteen wires, one to one.

WIRES: Final = (
    SUPPLY_NET,
    GROUND_NET,
    "S0",
    "S1",
    "S2",
    "H1",
    "H2",
    "N1",
    "N2",
    GROUND_NET,
    "SIG1",
    GROUND_NET,
    "SIG2",
    SUPPLY_NET,
)
"""Signal of each wire, from wire 1 on. A ground wire is beside both outputs to shield their
analogue signals."""


def pin_of(wire: str) -> list[str]:
    """Return the pins of a socket that carry a signal."""
    return [str(n + 1) for n, carried in enumerate(WIRES) if carried == wire]
