"""Type check of all scripts, whose comments contain type annotations."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[2]
SCRIPTS: Final = {
    "tests/integration/pads/tsconfig.json": "companion/pads/page/show.js",
    "tests/integration/hall/tsconfig.json": "companion/hall/console/static/console.js",
    "tests/integration/hall/tsconfig.tournament.json": (
        "companion/hall/console/static/tournament.js"
    ),
}
"""For each configuration file of the type checker, one of the scripts that it checks."""


def check(config: Path) -> "subprocess.CompletedProcess[str]":
    command = [str(HERE / "node_modules/.bin/tsc"), "-p", str(config)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("config", SCRIPTS)
def test_pages_type_check(config: str) -> None:
    checked = check(ROOT / config)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(("config", "script"), SCRIPTS.items())
def test_type_error_is_found(config: str, script: str, tmp_path: Path) -> None:
    for copied in (
        *SCRIPTS,
        "tests/integration/pads/nacl.d.ts",
        "tests/integration/pads/page_data.d.ts",
        "tests/integration/pads/sha256.d.ts",
    ):
        (tmp_path / copied).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / copied, tmp_path / copied)
    for folder in {Path(each).parent for each in SCRIPTS.values()}:
        shutil.copytree(ROOT / folder, tmp_path / folder)
    spoiled = tmp_path / script
    spoiled.write_text(spoiled.read_text() + "\ndocument.title = 3;\n")
    checked = check(tmp_path / config)
    assert checked.returncode != 0
    assert spoiled.name in checked.stdout
