"""Settings that every test relies on.

Kivy draws off-screen as fast as it can, makes no sound and reads no user settings. Hypothesis
examples and data from a cable may take as long as they need, because a slow result on a busy
machine proves nothing.
"""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# The screens initially use the system's language.
os.environ["LANGUAGE"] = "en"
# These are set before the first import of Kivy, which reads them at that moment.
os.environ.update(
    KIVY_NO_ARGS="1",
    KIVY_NO_CONFIG="1",
    KIVY_NO_FILELOG="1",
    KIVY_LOG_MODE="PYTHON",
    LP_NUM_THREADS="0",  # Mesa draws in the test's thread, because every processor runs a test
    SDL_AUDIODRIVER="dummy",
    SDL_VIDEODRIVER="offscreen",
)
from kivy.config import Config

# This runs before the first test is imported, because a test may import a widget. Kivy's clock
# would then have read its limit, and at 60 frames per second every screen of all tests would sleep
# between two frames.
for option, value in (("multisamples", 0), ("maxfps", 0), ("width", 1600), ("height", 960)):
    # Off-screen, a window can become smaller than its initial size, but not larger.
    Config.set("graphics", option, value)
# There is no mouse and no touchscreen: the tests generate their own touches.
Config.remove_section("input")
Config.add_section("input")

# Processes started in the background of a script, or by nohup, ignore Control-C or terminal
# hang-up, and so would the programs under test.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("boomboard", deadline=None)
settings.load_profile("boomboard")


def pytest_xdist_auto_num_workers() -> int:
    """One more worker than processors, because some tests wait for a slow cable."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_finish() -> None:
    """Exclude permanent objects from garbage collection, which took a fifth of the tests' time.

    A screen is a graph of thousands of objects that refer to each other. None of them can be freed
    while a test runs, so the tests of the screens collect garbage after closing several screens.
    """
    # Importing PettingZoo selects another sound driver for the whole process.
    os.environ["SDL_AUDIODRIVER"] = "dummy"
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 5, 5)


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Disable all timeouts of boards and cables, in all tests."""
    from tests.timeouts import put_off  # noqa: PLC0415 (only where it is needed)

    with pytest.MonkeyPatch.context() as patch:
        put_off(patch)
        yield
