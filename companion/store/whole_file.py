"""A small file that is exchanged as a whole, or set aside if it cannot be read."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Exchange all that stands in a file; OSError if that fails.

    A pulled plug leaves the old text or the new one, and nobody but the owner may read it.
    """
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)  # else it would keep the rights that it has
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def set_aside_damaged(path: Path) -> str:
    """Rename a damaged file and return its new name; OSError if that fails. Nothing is lost."""
    names = numbered(f"{path.stem}-damaged")
    aside = (path.with_name(f"{name}{path.suffix}") for name in names)
    free = next(each for each in aside if not each.exists())
    path.rename(free)
    return free.name


def numbered(name: str) -> Iterator[str]:
    """The name, and then the same with a number."""
    yield name
    yield from (f"{name} {number}" for number in count(2))
