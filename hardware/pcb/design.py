"""What a board is before it is drawn: parts at their places, and which of their pins are joined."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hardware.pcb.footprints import Point
from hardware.pcb.kinds import Kind

SUPPLY_NET: Final = "+5V"
GROUND_NET: Final = "GND"
POWER_NETS: Final = (SUPPLY_NET, GROUND_NET)


@dataclass(frozen=True)
class Part:
    """A part on a board."""

    name: str
    """What is printed beside it, such as S13."""
    kind: Kind
    at: Point
    """Where its footprint's zero lies, from the middle of the board."""
    turn: int
    """By how many degrees it is turned against the clock: 0, 90, 180 or 270."""
    nets: Mapping[str, str]
    """For each pad that is joined to something the name of its net; all others stay free."""


@dataclass(frozen=True)
class Print:
    """Words on the board."""

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
    """Its width and height in millimetres."""
    parts: list[Part] = field(default_factory=list)
    prints: list[Print] = field(default_factory=list)
    thick: frozenset[str] = frozenset(POWER_NETS)
    """The nets that carry the supply, whose tracks are wider."""
    pours: tuple[str, str] = POWER_NETS
    """The nets whose copper fills what is left of the front and of the back."""

    def add(self, name: str, kind: Kind, at: Point, turn: int = 0, **nets: str) -> None:
        """Add a part; `nets` are by the names of its pins, with _ for what no name may have."""
        self.join(name, kind, at, turn, nets)

    def join(self, name: str, kind: Kind, at: Point, turn: int, nets: Mapping[str, str]) -> None:
        """Add a part whose pins go to these nets; KeyError if it has no such pin."""
        pads = kind.pads
        joined = {pads[pin]: net for pin, net in nets.items()}
        self.parts.append(Part(name, kind, at, turn % 360, joined))

    @property
    def nets(self) -> dict[str, list[tuple[str, str]]]:
        """For each net the pads that it joins, as name of the part and pad."""
        found: dict[str, list[tuple[str, str]]] = {}
        for part in self.parts:
            for pad, net in part.nets.items():
                found.setdefault(net, []).append((part.name, pad))
        return found
