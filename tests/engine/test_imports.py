"""Tests that importing the engine imports none of the other packages."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALONE = "import engine"
WHOLE = """
import importlib, pkgutil, engine
for each in pkgutil.walk_packages(engine.__path__, "engine."):
    importlib.import_module(each.name)
"""


def imported(program: str, *options: str) -> set[str]:
    """Run a program in a new interpreter, and return the top-level packages that it imports."""
    listing = "import sys; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, *options, "-c", f"{program}\n{listing}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {module.split(".")[0] for module in ran.stdout.split()}


def test_engine_imports_only_itself() -> None:
    modules = imported(WHOLE)

    assert "engine" in modules
    assert not modules & {"kivy", "serial", "companion", "firmware_bridge", "hardware", "tools"}


def test_game_needs_only_the_standard_library() -> None:
    """With ``-S``, the new interpreter's path does not include installed packages."""
    others = imported(ALONE, "-S") - sys.stdlib_module_names

    assert others == {"__main__", "engine"}
