"""The ribbon cable between controller and tile: fourteen wires, one to one."""

from typing import Final

from hardware.pcb.design import GROUND_NET, SUPPLY_NET

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
"""Signal of each wire, wire 1 first. Ground is beside both outputs, because these are measured."""


def pin_of(wire: str) -> list[str]:
    """Return the contacts that carry a wire's signal."""
    return [str(n + 1) for n, carried in enumerate(WIRES) if carried == wire]
