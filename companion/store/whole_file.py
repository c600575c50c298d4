"""A small file that is exchanged as a whole."""

import os
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
