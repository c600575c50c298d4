"""The types of the pages' scripts, as their comments tell them, hold."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
PAGE: Final = HERE.parents[1] / "companion/pads/page"


def check(config: Path) -> "subprocess.CompletedProcess[str]":
    command = [str(HERE / "node_modules/.bin/tsc"), "-p", str(config)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_types_of_the_pages_hold() -> None:
    checked = check(HERE)
    assert checked.returncode == 0, checked.stdout


def test_one_that_does_not_is_found(tmp_path: Path) -> None:
    shutil.copytree(PAGE, tmp_path / "companion/pads/page")
    here = tmp_path / "heavy/pads"
    here.mkdir(parents=True)
    for file in ("tsconfig.json", "nacl.d.ts"):
        shutil.copy(HERE / file, here / file)
    script = tmp_path / "companion/pads/page/show.js"
    script.write_text(script.read_text() + "\npart(3);\n")
    checked = check(here)
    assert checked.returncode != 0
    assert "show.js" in checked.stdout
