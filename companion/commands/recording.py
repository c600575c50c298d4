"""A file with every byte that a board sends, for diagnosing line errors."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from companion.commands import CommandError

Record: TypeAlias = Callable[[bytes], None]
"""Receives bytes in the order of arrival."""


@contextmanager
def recording(path: Path | None) -> Iterator[Record | None]:
    """Save all that the board sends in a new file, if one is named, and print its name at the end.

    CommandError if the file cannot be created or not everything could be written. An empty file is
    deleted.
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
        """The write error that ended the capture."""
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
        """Write and flush some bytes, so that they survive a crash of this program.

        After a failure nothing more is written: a gap in the file would look like line errors.
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
        with suppress(OSError):  # a failure was reported before
            self._file.close()
        if not self._bytes:
            self._path.unlink(missing_ok=True)
        elif not self.failure:
            print(
                f"All that the board has sent is in {self._path}; “boomboard decode {self._path}” "
                "reads it.",
                file=sys.stderr,
            )
