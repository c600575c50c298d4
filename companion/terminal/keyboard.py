"""A keyboard that is read line by line: a terminal, a pipe or a file."""

import os
import select
import termios
from typing import Final, TextIO

_AT_ONCE: Final = 4096
"""How many bytes are read at once; a terminal gives at most a line of that length."""


class Keyboard:
    """What is typed, in whole lines. Several may come in one piece, as when they are pasted."""

    def __init__(self, file: TextIO) -> None:
        """Read the descriptor of a file, past its buffer, in which a second line would wait."""
        self._descriptor = file.fileno()
        self._typed = b""

    def line(self, seconds: float) -> str | None:
        """Return the next line, None if `seconds` bring none; EOFError if none will ever come."""
        if b"\n" not in self._typed:
            if select.select([self._descriptor], [], [], seconds)[0]:
                self._typed += self._read()
            if b"\n" not in self._typed:
                return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")

    def echo(self, *, on: bool) -> None:
        """Let a terminal show what is typed, or not; nothing else shows it."""
        if not os.isatty(self._descriptor):
            return
        settings = termios.tcgetattr(self._descriptor)
        settings[3] = settings[3] | termios.ECHO if on else settings[3] & ~termios.ECHO
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, settings)

    def _read(self) -> bytes:
        """Read what there is; the end of the last line may be missing."""
        try:
            typed = os.read(self._descriptor, _AT_ONCE)
        except OSError:
            typed = b""  # the terminal has been closed
        if typed:
            return typed
        if not self._typed:
            raise EOFError
        return b"\n"
