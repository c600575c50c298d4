"""Nothing slow runs before the first frame, and everything else is loaded soon afterwards."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

_WATCHED: Final = """
import gc, json, sys
from pathlib import Path
from types import ModuleType

from companion.ui import app
app._prepare(fills_display=False)

from kivy.clock import Clock
from kivy.core.window import Window
from companion.devices.live_board import LiveBoard
from companion.ui.base import lazy_imports as later
from companion.ui.program import BoomboardApp
from companion.storage.journal_provider import JournalProvider


def told():
    return {
        # Whatever else is asked of a module that was put off, it would run.
        "run": [name for name, each in sys.modules.items() if type(each) is ModuleType],
        "sounds": len(program._sounds._loaded),
        "collects": gc.isenabled(),
        "put off": [each.__spec__.name for each in later._deferred],
    }


def look(_window):
    Window.unbind(on_flip=look)
    pictures.append({**told(), "put off": []})
    Clock.schedule_interval(wait, 0)


def wait(_seconds):
    if gc.isenabled():
        pictures.append(told())
        program.stop()


pictures = []
with LiveBoard(str(Path(sys.argv[1]) / "no port")) as board:
    program = BoomboardApp(JournalProvider(Path(sys.argv[1]) / "games.sqlite"), board)
    Window.bind(on_flip=look)
    program.run()
print(json.dumps(pictures))
"""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """State of the application at the first frame, and after all deferred work has been done."""
    command = [sys.executable, "-c", _WATCHED, str(tmp_path_factory.mktemp("first"))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_first_frame_does_not_create_other_screens(pictures: list[dict[str, Any]]) -> None:
    run = {name for name in pictures[0]["run"] if name.startswith("companion.ui.")}
    rooms = ("screens", "dialogs", "maintenance")
    shown = {name for name in run if name.split(".")[2] in rooms and name.count(".") > 2}
    assert shown == {
        "companion.ui.screens.start_screen",
        "companion.ui.dialogs.confirmations",
        "companion.ui.dialogs.game_choice",  # provides the name of the game on the first screen
    }


@pytest.mark.parametrize(
    "library",
    ["babel.messages", "email", "gzip", "importlib.metadata", "PIL", "urllib.request", "xml.sax"],
)
def test_first_frame_loads_no_unneeded_libraries(
    pictures: list[dict[str, Any]], library: str
) -> None:
    assert library not in pictures[0]["run"]


@pytest.mark.parametrize("library", ["companion.pads", "nacl", "segno", "starlette", "uvicorn"])
def test_phone_modules_are_loaded_on_demand(pictures: list[dict[str, Any]], library: str) -> None:
    assert library not in pictures[1]["run"]


def test_first_frame_does_not_wait_for_sounds(
    pictures: list[dict[str, Any]],
) -> None:
    assert pictures[0]["sounds"] == 0
    assert not pictures[0]["collects"]


def test_everything_is_loaded_after_the_first_frame(pictures: list[dict[str, Any]]) -> None:
    modules = Path("companion/ui/dialogs").glob("*.py")
    covers = {f"companion.ui.dialogs.{each.stem}" for each in modules} - {
        "companion.ui.dialogs.__init__"
    }
    assert covers <= set(pictures[1]["run"])
    assert set(pictures[1]["put off"]) <= set(pictures[1]["run"])
    assert pictures[1]["sounds"]
    assert pictures[1]["collects"]
