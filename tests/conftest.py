"""Settings for all tests.

Kivy draws off-screen, without a frame limit, sound or user settings. Time limits are disabled,
because slowness on a busy computer does not prove a fault.
"""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# The screens use the system language by default.
os.environ["LANGUAGE"] = "en"
# Kivy reads these variables when it is first imported.
os.environ.update(
    KIVY_NO_ARGS="1",
    KIVY_NO_CONFIG="1",
    KIVY_NO_FILELOG="1",
    KIVY_LOG_MODE="PYTHON",
    LP_NUM_THREADS="0",  # Mesa draws in the test's thread, because all processors are busy.
    SDL_AUDIODRIVER="dummy",
    SDL_VIDEODRIVER="offscreen",
)
from kivy.config import Config

# Set the options first, because importing the first widget makes Kivy's clock read its frame limit.
# At its 60 frames per second, the tests would have to wait between frames.
for option, value in (("multisamples", 0), ("maxfps", 0), ("width", 1600), ("height", 960)):
    # An off-screen window can be made smaller than its initial size, but not larger.
    Config.set("graphics", option, value)
# The tests generate their own touches.
Config.remove_section("input")
Config.add_section("input")

# A background process may ignore SIGINT, and a process under nohup ignores SIGHUP. The programs
# under test would inherit this behaviour.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("boomboard", deadline=None)
settings.load_profile("boomboard")


def pytest_xdist_auto_num_workers() -> int:
    """Return one more than the number of processors, because some tests wait for a slow cable."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_finish() -> None:
    """Exclude permanent objects from garbage collection. Without this, garbage collection takes a
    fifth of the tests' time.

    A screen consists of thousands of objects, and none of them can be freed during a test. With
    these thresholds, the screen tests collect garbage only after several screens.
    """
    # Importing PettingZoo selects a different sound driver for the process.
    os.environ["SDL_AUDIODRIVER"] = "dummy"
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 5, 5)


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Disable all board and cable timeouts in every test."""
    from tests.timeouts import put_off  # noqa: PLC0415 (only where it is needed)

    with pytest.MonkeyPatch.context() as patch:
        put_off(patch)
        yield
