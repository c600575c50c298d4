"""Numbered lines of a plain-text record; error messages cite the number."""

import re
from collections.abc import Iterator
from typing import Final

from engine.games.record import RecordError

# Not str.splitlines: it also splits at characters that people may have typed in a chat.
_LINE_END: Final = re.compile(r"\r\n?|\n")


class Lines(Iterator[str]):
    """The non-blank lines in order, without trailing white space.

    Bytes that are not UTF-8 can only occur in names and chat; elsewhere the replacement character
    is rejected.
    """

    def __init__(self, data: bytes) -> None:
        """Take a whole file."""
        text = data.decode("utf-8-sig", "replace")
        self.number = 1
        """Number of the last line read, counted from 1."""
        self._numbered = enumerate(_LINE_END.split(text), start=1)

    def __next__(self) -> str:
        for number, line in self._numbered:
            if line.strip():
                self.number = number
                return line.rstrip()
        raise StopIteration

    def due(self, what: str) -> str:
        """Return the next line, which the format requires."""
        line = next(self, None)
        if line is None:
            raise self.fail(f"the file ends here, and {what} is still due")
        return line

    def fail(self, message: str) -> RecordError:
        """Return an error that cites the last line read."""
        return RecordError(message, self.number)
