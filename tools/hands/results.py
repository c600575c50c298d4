"""What has come of the runs so far, one file each: a campaign goes on where it stopped."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from tools.hands.runs import Run

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "build" / "hands"
_PLAYED_BY: Final = (
    "engine",
    "firmware_bridge",
    "companion/table",
    "companion/simulator/hands",
    "hardware/emulator",
    "hardware/firmware/src",
)
"""Whatever changes here makes other games."""

Figures: TypeAlias = Mapping[str, Any]
"""A score as plain data: `companion.simulator.hands.score.Score.as_json`."""


class Results:
    """The figures of runs, kept in a folder. What other code has played does not count."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder

    def get(self, run: Run) -> Figures | None:
        """The figures of a run, None if it has to be played."""
        try:
            kept = json.loads(self._file(run).read_text("utf-8"))
        except FileNotFoundError:
            return None
        figures: Figures = kept["figures"]
        return figures if kept["code"] == _code() else None

    def keep(self, run: Run, figures: Figures) -> None:
        """Write down what has come of a run."""
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"code": _code(), "figures": figures}, indent=1)
        draft = self._file(run).with_suffix(".new")
        draft.write_text(text, encoding="utf-8")
        draft.replace(self._file(run))

    def _file(self, run: Run) -> Path:
        return self._folder / f"{run.profile}-{run.referee}-{run.seed}-{run.plies}.json"


@cache
def _code() -> str:
    """What tells this code from any other that plays."""
    found = hashlib.sha256()
    for folder in _PLAYED_BY:
        for path in sorted((ROOT / folder).rglob("*.[pch]*")):
            if path.suffix in (".py", ".c", ".h"):
                found.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return found.hexdigest()
