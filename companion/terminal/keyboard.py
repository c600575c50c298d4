"""Line-by-line input from a terminal, a pipe or a file."""

import os
import select
import termios
from typing import Final, TextIO

_AT_ONCE: Final = 4096
"""Number of bytes per read; a terminal returns at most a line of that length."""


class Keyboard:
    """Typed lines. Several may arrive in one read, as when they are pasted."""

    def __init__(self, file: TextIO) -> None:
        """Read from the file's descriptor: its buffer could hold back a second line."""
        self._descriptor = file.fileno()
        self._typed = b""

    def line(self, seconds: float) -> str | None:
        """Return the next line, or None after `seconds` without one; EOFError at the end."""
        if b"\n" not in self._typed:
            if select.select([self._descriptor], [], [], seconds)[0]:
                self._typed += self._read()
            if b"\n" not in self._typed:
                return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")

    def echo(self, *, on: bool) -> None:
        """Switch the echo of typed characters on or off; only a terminal has one."""
        if not os.isatty(self._descriptor):
            return
        settings = termios.tcgetattr(self._descriptor)
        settings[3] = settings[3] | termios.ECHO if on else settings[3] & ~termios.ECHO
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, settings)

    def _read(self) -> bytes:
        """Read the available bytes; the end of the last line may be missing."""
        try:
            typed = os.read(self._descriptor, _AT_ONCE)
        except OSError:
            typed = b""  # the terminal has been closed
        if typed:
            return typed
        if not self._typed:
            raise EOFError
        return b"\n"
