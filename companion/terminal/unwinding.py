"""A program that is told to end, or whose terminal is closed, tidies up behind it.

By itself SIGTERM or SIGHUP ends a program where it stands: what one player alone may see would stay
on the screen, and what is typed next would not be seen.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

_ENDS: Final = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def unwinding() -> Iterator[None]:
    """Let these signals end the program as an error would, with the exit code of the shell."""

    def end(number: int, _frame: FrameType | None) -> NoReturn:
        for each in _ENDS:  # once is enough
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    before = {each: signal.signal(each, end) for each in _ENDS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
