"""Remote shell that types commands into another computer's terminal and reads their output."""

from collections.abc import Iterator
from typing import Final, Protocol

_DONE: Final = "--done"
"""Prefix of the line that follows a command's output."""
_PAUSE: Final = 5
"""Interval between checks of a condition, in seconds. More frequent checks would slow the computer
down."""


class Line(Protocol):
    """Byte stream to and from the terminal."""

    def read(self, size: int, /) -> bytes | None: ...
    def readline(self) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def flush(self) -> None: ...


class ShellError(Exception):
    """A command failed, or the computer stopped."""


class EndedError(ShellError):
    """The computer stopped."""


class Shell:
    """Shell at the other end of a byte stream, such as a terminal connection."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def log_in(self, user: str) -> None:
        """Wait for the login prompt, and log in. The user has root privileges and no password."""
        self._skip_to(b"login: ")
        self._type(user)
        # Debian 13's login program discards any input that arrives before the shell prompt.
        self._skip_to(b"# ")
        # Disable the pager, which would wait for a key press. The marker is written in two halves.
        # It therefore appears only in the output, not in the echo of the command.
        self._type("stty -echo; PS1= PS2=; export SYSTEMD_PAGER=cat; printf '\\n%s\\n' rea''dy")
        while self._read_line() != "ready":
            pass

    def _skip_to(self, prompt: bytes) -> None:
        output = b""
        while not output.endswith(prompt):
            output += self._read(1)

    def lines(self, command: str) -> Iterator[str]:
        """Run a command and yield its output line by line. Raise ShellError if the command
        fails."""
        self._type(f"{{ {command}\n}} </dev/null 2>&1; printf '\\n{_DONE} %s\\n' $?")
        last, kept = "", None
        while not (read := self._read_line()).startswith(f"{_DONE} "):
            if kept is not None:
                yield kept
            last, kept = read or last, read
        # An empty last line is not part of the output: printf adds a line break before the marker.
        if kept:
            yield kept
        if read != f"{_DONE} 0":
            status = read.removeprefix(_DONE).strip()
            raise ShellError(f"“{command}” failed with exit status {status}: {last}")

    def ask(self, command: str) -> str:
        """Run a command and return all its output. Raise ShellError if the command fails."""
        return "\n".join(self.lines(command))

    def holds(self, condition: str) -> bool:
        """Return whether a command succeeds."""
        return self.ask(f"if {condition}; then echo yes; else echo no; fi").endswith("yes")

    def comes_about(self, condition: str, seconds: int) -> bool:
        """Repeat a command until it succeeds. Return False if it has not succeeded within
        `seconds`, by the other computer's clock."""
        pause = f"n=$((n+{_PAUSE})); sleep {_PAUSE}"
        waits = f"n=0; until {condition} || [ $n -ge {seconds} ]; do {pause}; done"
        return self.holds(f"{waits}; {condition}")

    def _type(self, text: str) -> None:
        self._line.write(text.encode() + b"\n")
        self._line.flush()

    def _read(self, count: int) -> bytes:
        if not (read := self._line.read(count)):
            raise EndedError("the computer has stopped")
        return read

    def _read_line(self) -> str:
        if not (read := self._line.readline()):
            raise EndedError("the computer has stopped")
        return read.decode(errors="replace").rstrip("\r\n")
