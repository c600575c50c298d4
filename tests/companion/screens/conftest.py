"""The app, and the memory that closed ones give back."""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.companion.screens.driver import Driver

CLOSED = count(1)
COLLECTED = 8
"""After so many closed apps their memory is given back: each time all that is kept is looked at."""


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Callable[..., "Driver"]]:
    """Starts the app; called again, it starts it once more with the same journal."""
    from tests.companion.screens.driver import Driver  # noqa: PLC0415 (opens the window)

    with ExitStack() as stack:

        def start(**options: Any) -> Driver:
            stack.close()
            return stack.enter_context(Driver(tmp_path / "games.sqlite", **options))

        yield start
    if next(CLOSED) % COLLECTED == 0:
        gc.collect()


@pytest.fixture
def driver(drive: Callable[..., "Driver"]) -> "Driver":
    """The app, just started, without a board."""
    return drive()
