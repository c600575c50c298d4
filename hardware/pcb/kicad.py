"""Checks of a board by KiCad, run in the system's Python, for which its module is built."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PYTHON: Final = "/usr/bin/python3"
SCRIPT: Final = Path(__file__).with_name("with_kicad.py")


@dataclass(frozen=True)
class Findings:
    """Findings of KiCad's check."""

    violations: list[str]
    unconnected: list[str]

    @property
    def all(self) -> list[str]:
        """Both lists together."""
        return self.violations + self.unconnected


def check(board: Path, report: Path, plots: Path | None = None) -> Findings:
    """Run KiCad's check of a board and write its report; with a folder, plot the board there.

    RuntimeError if KiCad is not installed or cannot read the board.
    """
    command = [PYTHON, str(SCRIPT), str(board), str(report), *([str(plots)] if plots else [])]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise RuntimeError(f"KiCad could not check {board.name}: {reason}")
    return Findings(**json.loads(answer.stdout.splitlines()[-1]))
