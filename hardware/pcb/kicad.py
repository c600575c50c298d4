"""Asks KiCad about a board, through the Python of the system that its module is made for."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PYTHON: Final = "/usr/bin/python3"
SCRIPT: Final = Path(__file__).with_name("with_kicad.py")


@dataclass(frozen=True)
class Findings:
    """What KiCad has found."""

    violations: list[str]
    unconnected: list[str]

    @property
    def all(self) -> list[str]:
        """Both together."""
        return self.violations + self.unconnected


def check(board: Path, report: Path, plots: Path | None = None) -> Findings:
    """Let KiCad check a board and write its report; with a folder, plot it there.

    RuntimeError if KiCad is not installed or cannot read the board.
    """
    command = [PYTHON, str(SCRIPT), str(board), str(report), *([str(plots)] if plots else [])]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise RuntimeError(f"KiCad could not check {board.name}: {reason}")
    return Findings(**json.loads(answer.stdout.splitlines()[-1]))
