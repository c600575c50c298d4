"""Record sessions as trace files, and read and modify those files."""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.core.game_options import GameOptions
from companion.core.inputs import Input
from companion.recorder.recorder import Recorder
from companion.recorder.replay import ReplayDifference, replay
from companion.recorder.trace_files import Bounds, pack, read_lines
from companion.recorder.trace_reader import read_trace
from tests.companion.core.table_driver import TableDriver

ROOMY = Bounds()


def record(
    inputs: Sequence[Input], beginning: GameOptions, folder: Path, bounds: Bounds = ROOMY
) -> Path:
    """Record a table that receives these inputs. Return the latest trace file."""
    table = beginning.table()
    errors: list[str] = []
    with Recorder(folder, errors.append, bounds) as recorder:
        recorder.begin(beginning)
        for given in inputs:
            recorder.hear(given)
            recorder.note(table.handle(given), table.next_deadline)
    assert not errors
    return max(folder.iterdir())


def record_driver(driver: TableDriver, folder: Path, bounds: Bounds = ROOMY) -> Path:
    beginning = GameOptions(driver.table.referee.edition, driver.seed, driver.control)
    return record(driver.inputs, beginning, folder, bounds)


def difference(path: Path) -> ReplayDifference | None:
    """Replay a trace. Return the first difference, or None."""
    return next((each.difference for each in replay(read_trace(path)) if each.difference), None)


def change(path: Path, key: str, value: Any, *, number: int = -1) -> None:
    lines = list(read_lines(path))
    found = [line for line in lines if key in line]
    found[number][key] = value
    path.write_bytes(pack(lines))


def unpacked(path: Path) -> str:
    """Decompress gzip members, the last of which may be incomplete. Return the text."""
    data, text = path.read_bytes(), b""
    while data:
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        text += unpacker.decompress(data)
        data = unpacker.unused_data
    return text.decode()


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in unpacked(path).splitlines()]
