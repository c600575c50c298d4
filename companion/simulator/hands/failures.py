"""Files about failures: the table's input up to each mistake, and the true actions of the hands.

Two files are written for each mistake, named after profile, seed, game, ply and kind:

- ``….jsonl`` is the input of ``boomboard table --json`` from the start of the game;
- ``….truth.jsonl`` has the mistake in its first line, then every motion of the hands, every
  behaviour and every finished turn, with their times in seconds of the same clock.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from companion.simulator.hands.contract import Line
from companion.simulator.hands.score import Mistake

_AFTER_S: Final = 1.0
"""Time included after the detection of a mistake, in seconds."""


def write_failures(
    folder: Path,
    seed: int,
    mistakes: Iterable[Mistake],
    lines: Sequence[Line],
    log: Sequence[Line],
) -> None:
    """Write the files about all mistakes of one game.

    Args:
        folder: The output folder; created if necessary.
        seed: The seed of the campaign.
        mistakes: The mistakes; `unknowable` ones are left out.
        lines: The complete input of the table in the game, in order.
        log: The complete log of the hands in the game, in order.
    """
    for mistake in mistakes:
        if mistake.kind == "unknowable":
            continue
        folder.mkdir(parents=True, exist_ok=True)
        end = mistake.at + _AFTER_S
        stem = f"{mistake.profile}-{seed}-{mistake.game}-{mistake.ply}-{mistake.kind}"
        _write(folder / f"{stem}.jsonl", (each for each in lines if each["at"] <= end))
        truth = sorted((each for each in log if each["at"] <= end), key=lambda each: each["at"])
        _write(folder / f"{stem}.truth.jsonl", [{"mistake": asdict(mistake)}, *truth])


def _write(path: Path, lines: Iterable[Line]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
