"""Clean exit of a program that receives a signal or whose terminal is closed.

By default SIGTERM and SIGHUP end a program immediately: private text would stay on the screen, and
the terminal would not echo what is typed next.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

_ENDS: Final = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def unwinding() -> Iterator[None]:
    """Turn these signals into a regular exit, with the exit code that a shell expects."""

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
