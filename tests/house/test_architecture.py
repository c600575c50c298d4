"""docs/architecture.md mentions every file of the packages."""

import re
from pathlib import Path

import pytest

from tests.house import ROOT

DOCUMENT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def parts(folder: Path) -> set[str]:
    """Names of the modules and folders of a package."""
    modules = {path.stem for path in folder.glob("*.py")}
    folders = {path.name for path in folder.iterdir() if path.is_dir()}
    return {name for name in modules | folders if not name.startswith("__")}


ROOMS = [path.parent for path in (ROOT / "engine").rglob("__init__.py")]
OF_THE_COMPANION = (
    "devices",
    "hall",
    "hall/console",
    "hall/feed",
    "hall/publisher",
    "hall/rehearsal",
    "hall/server",
    "maintenance",
    "pads",
    "pledges",
    "recorder",
    "screens",
    "setups",
    "sheets",
    "simulator",
    "speech",
    "store",
    "table",
    "terminal",
)
TOLD = [
    *ROOMS,
    *(ROOT / path for path in ("firmware_bridge", "companion")),
    *(ROOT / "companion" / room for room in OF_THE_COMPANION),
]


@pytest.mark.parametrize("package", TOLD, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_of_a_package_is_named(package: Path) -> None:
    named = re.findall(r"`(\w+)/?`", DOCUMENT)
    assert sorted(parts(package) - set(named)) == []
