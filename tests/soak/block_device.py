"""Storage medium that loses unsynced writes in a power cut.

Synced data is safe. Every 512-byte block that was written since the last sync survives or is lost
at random, whatever the order of the writes. Only the beginning of some blocks survives.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

BLOCK: Final = 512
"""Number of bytes that a disk writes atomically."""
_LIKELY: Final = (0.0, 0.3, 0.7, 1.0)
"""Probabilities that an unsynced block survives. One is chosen at random for each power cut."""
_TORN: Final = 0.1

Change: TypeAlias = tuple[int, bytes] | int
"""Bytes at an offset, or a new file length."""


@dataclass
class _File:
    synced: bytearray | None
    """Content at the latest sync. None means that the file was never synced, so it may not exist
    after a power cut."""
    later: list[Change] = field(default_factory=list)


class BlockDevice:
    def __init__(self, files: Mapping[Path, bytes]) -> None:
        self._files = {path: _File(bytearray(content)) for path, content in files.items()}

    def write(self, path: Path, at: int, data: bytes) -> None:
        self._file(path).later.append((at, data))

    def truncate(self, path: Path, size: int) -> None:
        self._file(path).later.append(size)

    def sync(self, path: Path) -> None:
        file = self._file(path)
        file.synced = bytearray() if file.synced is None else file.synced
        for change in file.later:
            _apply(file.synced, change)
        file.later = []

    def delete(self, path: Path) -> None:
        self._files.pop(path, None)

    def all_of_it(self) -> dict[Path, bytes]:
        """Return everything that was written. All of it survives if only the program crashes."""
        whole: dict[Path, bytes] = {}
        for path, file in self._files.items():
            content = bytearray(file.synced or b"")
            for change in file.later:
                _apply(content, change)
            whole[path] = bytes(content)
        return whole

    def after_a_cut(self, dice: Random) -> dict[Path, bytes]:
        """Return file content that a power cut might leave behind."""
        likely = dice.choice(_LIKELY)
        left: dict[Path, bytes] = {}
        for path, file in self._files.items():
            if file.synced is None and dice.random() >= likely:
                continue
            content = bytearray(file.synced or b"")
            for change in file.later:
                for part in _parts(change):
                    if dice.random() < likely:
                        _apply(content, _torn(part, dice))
            left[path] = bytes(content)
        return left

    def _file(self, path: Path) -> _File:
        return self._files.setdefault(path, _File(None))


def _parts(change: Change) -> list[Change]:
    """Split a change into parts that a disk writes atomically."""
    if isinstance(change, int):
        return [change]
    at, data = change
    first = BLOCK - at % BLOCK
    ends = [0, *range(first, len(data), BLOCK), len(data)]
    return [(at + a, data[a:b]) for a, b in pairwise(ends)]


def _torn(part: Change, dice: Random) -> Change:
    """Sometimes return only the beginning of a block."""
    if isinstance(part, int) or dice.random() >= _TORN:
        return part
    at, data = part
    return at, data[: dice.randrange(len(data) + 1)]


def _apply(content: bytearray, change: Change) -> None:
    if isinstance(change, int):
        del content[change:]
        content.extend(bytes(change - len(content)))
    else:
        at, data = change
        content.extend(bytes(max(0, at - len(content))))
        content[at : at + len(data)] = data
