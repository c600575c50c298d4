"""Disables the real-time limits of boards and cables.

On a busy computer, every result may be late, so tests wait for results however long they take. If a
test hangs, the time limit in pyproject.toml ends it. A test about a time limit sets that limit
itself.

The companion's command line can also be run without these limits:

    python -m tests.timeouts calibrate ...
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
"""Timeout, in seconds, that no test reaches."""
LIMITS: Final[tuple[tuple[ModuleType, str], ...]] = (
    (emulated_port, "PATIENCE_SECONDS"),
    (simulation, "LINK_PATIENCE"),
    (virtual_port, "PATIENCE_SECONDS"),
    (doctor, "CONNECT_SECONDS"),
)


def put_off(patch: pytest.MonkeyPatch) -> None:
    """Disable the timeouts for bytes from a board."""
    for module, name in LIMITS:
        patch.setattr(module, name, LONG)
    defaults = BoardLink.__init__.__kwdefaults__ or {}
    for name in ("hello_seconds", "silent_seconds"):
        patch.setitem(defaults, name, LONG)


def put_off_answers(patch: pytest.MonkeyPatch) -> None:
    """Disable the timeout for a board's replies during calibration."""
    patch.setattr(calibration, "ANSWER_SECONDS", LONG)


if __name__ == "__main__":
    put_off(pytest.MonkeyPatch())
    put_off_answers(pytest.MonkeyPatch())
    sys.exit(main())
