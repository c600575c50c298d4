"""A file with every byte that a board sends, from which faults of the line can be told."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from companion.commands import CommandError

Record: TypeAlias = Callable[[bytes], None]
"""Takes bytes in the order in which they come."""


@contextmanager
def recording(path: Path | None) -> Iterator[Record | None]:
    """Keep what the board sends in a new file, if one is named, and say at the end where it is.

    CommandError if the file cannot be made, or could not take everything. Nothing is left of a
    file into which nothing came.
    """
    if path is None:
        yield None
        return
    capture = _Capture(path)
    try:
        yield capture.write
    finally:
        capture.close()
    if capture.failure:
        raise CommandError(
            f"The capture in {path} breaks off ({capture.failure.strerror}); name a file on "
            "another disk with --capture."
        )


class _Capture:
    def __init__(self, path: Path) -> None:
        self.failure: OSError | None = None
        """Why it breaks off."""
        self._path = path
        self._bytes = 0
        try:
            self._file = path.open("xb")
        except FileExistsError as error:
            raise CommandError(
                f"{path} is there already; name another file with --capture."
            ) from error
        except OSError as error:
            raise CommandError(
                f"{path} cannot be written ({error.strerror}); name another file with --capture."
            ) from error

    def write(self, data: bytes) -> None:
        """Keep some bytes at once, so that they are there whatever happens to this program.

        After a failure no more are taken: with a hole in it, the file would tell of faults that the
        line does not have.
        """
        if self.failure:
            return
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            self.failure = error
        self._bytes += len(data)

    def close(self) -> None:
        with suppress(OSError):  # it has failed before
            self._file.close()
        if not self._bytes:
            self._path.unlink(missing_ok=True)
        elif not self.failure:
            print(
                f"All that the board has sent is in {self._path}; “boomboard decode {self._path}” "
                "reads it.",
                file=sys.stderr,
            )
