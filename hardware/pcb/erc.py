"""Electrical rules check for circuits, because the check in KiCad 6 cannot be run from scripts.

In KiCad 8 and later, ``kicad-cli sch erc`` does the same.
"""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.pcb.netlist import Circuit

_DRIVERS = {"output", "power_out"}
_MAY_DRIVE = {"output", "power_out", "bidirectional", "tri_state", "passive"}


def faults(circuit: Circuit) -> list[str]:
    """Return one sentence for each fault."""
    return [*_pins(circuit), *_nets(circuit)]


def _pins(circuit: Circuit) -> Iterator[str]:
    for name, pad in circuit.roles:
        joined, free = (name, pad) in circuit.nets, (name, pad) in circuit.free
        if not joined and not free:
            yield f"Pin {pad} of {name} is unconnected, but not marked as such."
        if joined and free:
            net = circuit.nets[name, pad]
            yield f"Pin {pad} of {name} is marked as unconnected, but joined to {net}."


def _nets(circuit: Circuit) -> Iterator[str]:
    for net in sorted(set(circuit.nets.values())):
        pins = [pin for pin, on in circuit.nets.items() if on == net]
        roles = [circuit.roles[pin] for pin in pins]
        if len([pin for pin in pins if not pin[0].startswith("#")]) < 2:
            name, pad = pins[0]
            yield f"Net {net} joins pin {pad} of {name} to no other pin."
        if sum(role in _DRIVERS for role in roles) > 1:
            yield f"Net {net} joins two outputs."
        if "power_in" in roles and "power_out" not in roles:
            yield f"Net {net} supplies a part, but has no power source."
        if "input" in roles and not _MAY_DRIVE.intersection(roles):
            yield f"Net {net} leads to an input, but is not driven."


# KiCad's own check runs in the system Python, because KiCad's Python module is built only for the
# system's version of Python.

PYTHON: Final = "/usr/bin/python3"
SCRIPT: Final = Path(__file__).with_name("with_kicad.py")


@dataclass(frozen=True)
class Findings:
    violations: list[str]
    unconnected: list[str]

    @property
    def all(self) -> list[str]:
        return self.violations + self.unconnected


def check(board: Path, report: Path, plots: Path | None = None) -> Findings:
    """Check a board with KiCad and write a report. If `plots` is a folder, also plot the board
    there.

    Raise RuntimeError if KiCad is not installed or cannot read the board.
    """
    command = [PYTHON, str(SCRIPT), str(board), str(report), *([str(plots)] if plots else [])]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or ["no output"])[-1]
        raise RuntimeError(f"KiCad could not check {board.name}: {reason}")
    return Findings(**json.loads(answer.stdout.splitlines()[-1]))
