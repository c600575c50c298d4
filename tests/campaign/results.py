"""Saved results of finished runs, from which a campaign can resume."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from tests.campaign.runs import FIRMWARE, Run

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "build" / "hands"
_PLAYED_BY: Final = ("engine", "firmware_bridge", "companion/core", "tests/hands")
"""Paths of the code that affects the games."""
_AT_FIRMWARE: Final = ("hardware/emulator", "hardware/firmware/src")
"""Additional paths of code that affects games on the emulated board."""

Figures: TypeAlias = Mapping[str, Any]


class Results:
    """Figures from runs, saved in a folder. Figures obtained with other versions of the code are
    ignored."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder

    def get(self, run: Run) -> Figures | None:
        """Return the figures from a run, or None if it has not taken place yet."""
        try:
            kept = json.loads(self._file(run).read_text("utf-8"))
        except FileNotFoundError:
            return None
        figures: Figures = kept["figures"]
        return figures if kept["code"] == _code_of(run) else None

    def keep(self, run: Run, figures: Figures) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"code": _code_of(run), "figures": figures}, indent=1)
        draft = self._file(run).with_suffix(".new")
        draft.write_text(text, encoding="utf-8")
        draft.replace(self._file(run))

    def _file(self, run: Run) -> Path:
        return self._folder / f"{run.profile}-{run.referee}-{run.seed}-{run.plies}.json"


def _code_of(run: Run) -> str:
    """Return a hash of the code that is executed in a run."""
    return _sum((*_PLAYED_BY, *_AT_FIRMWARE) if run.referee == FIRMWARE else _PLAYED_BY)


@cache
def _sum(folders: tuple[str, ...]) -> str:
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.[pch]*")):
            if path.suffix in (".py", ".c", ".h"):
                found.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return found.hexdigest()
