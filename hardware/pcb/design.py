"""Board design: parts with their positions, and the nets connected to their pins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hardware.pcb.components import Component
from hardware.pcb.footprints import Point

REVISION: Final = 2
DATE: Final = "2026-11-26"
"""Date of the revision. The boards show both the revision and this date. Once boards have been
ordered, every change to the copper or parts needs a new revision."""

SUPPLY_NET: Final = "+5V"
GROUND_NET: Final = "GND"
POWER_NETS: Final = (SUPPLY_NET, GROUND_NET)


@dataclass(frozen=True)
class Part:
    name: str
    """Reference designator, such as S13, printed next to the part."""
    kind: Component
    at: Point
    """Position of the footprint's origin relative to the centre of the board."""
    turn: int
    """Anticlockwise rotation in degrees: 0, 90, 180 or 270."""
    nets: Mapping[str, str]
    """Net of each connected pad."""


@dataclass(frozen=True)
class Print:
    """Text printed on the board."""

    words: str
    at: Point
    turn: int = 0
    size: float = 1.5


@dataclass
class Design:
    name: str
    title: str
    size: Point
    """Width and height in millimetres."""
    parts: list[Part] = field(default_factory=list)
    prints: list[Print] = field(default_factory=list)
    thick: frozenset[str] = frozenset(POWER_NETS)
    """Nets routed with wide tracks."""
    pours: tuple[str, str] = POWER_NETS
    """Nets of the copper pours on the front and the back."""

    def add_title(self, at: Point, size: float = 1.5) -> None:
        """Print the title on the board, and below it the project name, revision and date."""
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
        """Add a part. `nets` maps its pin names to nets. Raise KeyError for an unknown pin."""
        pads = kind.pads
        joined = {pads[pin]: net for pin, net in (nets or {}).items()}
        self.parts.append(Part(name, kind, at, turn % 360, joined))

    @property
    def nets(self) -> dict[str, list[tuple[str, str]]]:
        """Pads on each net, as pairs of part name and pad."""
        found: dict[str, list[tuple[str, str]]] = {}
        for part in self.parts:
            for pad, net in part.nets.items():
                found.setdefault(net, []).append((part.name, pad))
        return found


# Ribbon cable between the controller and a tile: fourteen wires, connected straight through.

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
"""Signal on each wire, starting at wire 1. The two outputs are analogue signals, so they are
shielded by the ground wires next to them."""
