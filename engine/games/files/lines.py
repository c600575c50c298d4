"""The lines of a record in plain text, each with its number for the messages."""

import re
from collections.abc import Iterator
from typing import Final

from engine.games.record import RecordError

# Not what str.splitlines takes for the end of a line: people may have written that in a chat.
_LINE_END: Final = re.compile(r"\r\n?|\n")


class Lines(Iterator[str]):
    """The lines that are not blank, one after the other, without white space at their end.

    What is not UTF-8 can only be in names and chat; elsewhere what replaces it is refused.
    """

    def __init__(self, data: bytes) -> None:
        """Take a whole file."""
        text = data.decode("utf-8-sig", "replace")
        self.number = 1
        """The line that was read last, counted from 1."""
        self._numbered = enumerate(_LINE_END.split(text), start=1)

    def __next__(self) -> str:
        for number, line in self._numbered:
            if line.strip():
                self.number = number
                return line.rstrip()
        raise StopIteration

    def due(self, what: str) -> str:
        """Return the next line, which the format says there must be."""
        line = next(self, None)
        if line is None:
            raise self.fail(f"the file ends here, and {what} is still due")
        return line

    def fail(self, message: str) -> RecordError:
        """Say what is wrong with the line that was read last."""
        return RecordError(message, self.number)
