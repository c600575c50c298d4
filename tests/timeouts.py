"""Real-time limits that the program sets for boards and cables, lifted while tests run.

A busy computer may delay anything, and no test may fail because of that. Every test waits for the
expected result, however long it takes. A result that never arrives is found by the only limit in
pyproject.toml, which ends a test that hangs. A test of one of these limits sets the limit itself.

    python -m tests.timeouts calibrate ...    the companion's command line, without these limits
"""

import sys
from types import ModuleType
from typing import Final

import pytest

from companion.cli import main
from companion.commands import doctor
from companion.diagnostics import calibration
from companion.simulator import simulation
from firmware_bridge.link import BoardLink
from firmware_bridge.simulated_board import port as virtual_port
from hardware.emulator import port as emulated_port

LONG: Final = 86_400.0
"""Timeout in seconds that no test reaches, however slow the machine is."""
LIMITS: Final[tuple[tuple[ModuleType, str], ...]] = (
    (emulated_port, "PATIENCE_SECONDS"),
    (simulation, "LINK_PATIENCE"),
    (virtual_port, "PATIENCE_SECONDS"),
    (doctor, "CONNECT_SECONDS"),
)


def put_off(patch: pytest.MonkeyPatch) -> None:
    """Disable the timeout for bytes from a board."""
    for module, name in LIMITS:
        patch.setattr(module, name, LONG)
    defaults = BoardLink.__init__.__kwdefaults__ or {}
    for name in ("hello_seconds", "silent_seconds"):
        patch.setitem(defaults, name, LONG)


def put_off_answers(patch: pytest.MonkeyPatch) -> None:
    """Disable the timeout for a board's answers during calibration."""
    patch.setattr(calibration, "ANSWER_SECONDS", LONG)


if __name__ == "__main__":
    put_off(pytest.MonkeyPatch())
    put_off_answers(pytest.MonkeyPatch())
    sys.exit(main())
