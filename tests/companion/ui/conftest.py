"""Fixtures that start the app and free the memory of closed apps."""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.companion.ui.driver import Driver

OPENED = count(1)
COLLECTED = 40
"""Number of app starts between garbage collections.

Collecting after every eighth start took a tenth of the tests' time.
"""


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Callable[..., "Driver"]]:
    """Function that starts the app. A second call restarts it with the same journal."""
    from tests.companion.ui.driver import Driver  # noqa: PLC0415 (opens the window)

    if next(OPENED) % COLLECTED == 0:
        gc.collect()
    with ExitStack() as stack:

        def start(**options: Any) -> Driver:
            stack.close()
            return stack.enter_context(Driver(tmp_path / "games.sqlite", **options))

        yield start


@pytest.fixture
def driver(drive: Callable[..., "Driver"]) -> "Driver":
    return drive()
