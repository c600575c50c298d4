"""What every test stands on.

Kivy draws off screen, as fast as it can, makes no sound and reads nobody's settings. Examples take
the time they need, and so does what comes over a cable: a busy machine proves nothing.
"""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# The screens begin in the system's language.
os.environ["LANGUAGE"] = "en"
# Before the first import of Kivy, which reads them then.
os.environ.update(
    KIVY_NO_ARGS="1",
    KIVY_NO_CONFIG="1",
    KIVY_NO_FILELOG="1",
    KIVY_LOG_MODE="PYTHON",
    SDL_AUDIODRIVER="dummy",
    SDL_VIDEODRIVER="offscreen",
)
from kivy.config import Config

# Before the first test is imported, for one of them may import a widget: then Kivy's clock has read
# its limit, and with 60 frames a second every screen of all tests would sleep between two of them.
for option, value in (("multisamples", 0), ("maxfps", 0), ("width", 1600), ("height", 960)):
    # Off screen a window can become smaller, not larger, than it was made.
    Config.set("graphics", option, value)
# No mouse and no touchscreen: the fingers are the tests' own.
Config.remove_section("input")
Config.add_section("input")

# What is started in the background of a script, or by nohup, ignores Control-C or the end of the
# terminal, and so would the programs under test.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("boomboard", deadline=None)
settings.load_profile("boomboard")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for a cable that takes its time."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_finish() -> None:
    """Spare the collector what stays until the end: it took a fifth of the time of all tests.

    A screen is a net of thousands of parts that know each other. While a test goes on nothing of it
    can be given back, so the tests of the screens collect when they have closed some.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 5, 5)


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Nothing comes too late, in all tests."""
    from tests.patience import put_off  # noqa: PLC0415 (only where it is needed)

    with pytest.MonkeyPatch.context() as patch:
        put_off(patch)
        yield
