"""Kivy as these tests need it: before anything opens the window."""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kivy.config import Config

if TYPE_CHECKING:
    from tests.companion.screens.driver import Driver

for option, value in (("multisamples", 0), ("maxfps", 0), ("width", 1600), ("height", 960)):
    # Off screen a window can become smaller, not larger, than it was made.
    Config.set("graphics", option, value)
# No mouse and no touchscreen: the fingers are the tests' own.
Config.remove_section("input")
Config.add_section("input")

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
