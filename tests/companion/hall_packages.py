"""Environment in which the "hall" extra is not installed."""

import os
import re
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _pinned(name: str) -> set[str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))


def hall_modules() -> Iterator[str]:
    """Yield the modules that only a hall needs."""
    packages = _pinned("hall") - _pinned("program")
    for module, distributions in packages_distributions().items():
        if packages & {each.lower().replace("_", "-") for each in distributions}:
            yield module


def without_hall(folder: Path) -> dict[str, str]:
    """Write a file to `folder` that blocks imports of the modules that the hall needs.

    Return environment variables with which Python loads this file.
    """
    blocked = sorted(hall_modules())
    assert {"jinja2", "paho", "psycopg"} <= {*blocked}
    assert "starlette" not in blocked
    text = f"import sys\nsys.modules.update(dict.fromkeys({blocked}))\n"
    (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}
