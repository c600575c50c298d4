"""Measures the time and memory that readers need for large inputs.

python -m tests.fuzz.large

Each line on stdin contains the name of a reader and the number of an input. The reply is a single
line with the measurements. Each input is read in a separate process, so that the measurements are
independent.
"""

import os
import resource
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Final

from tests.fuzz.readers import READERS

SECONDS: Final = 2.0
KILOBYTES: Final = 200_000
ENDLESS: Final = (b"[", b'{"a":', b"<a>", b"(", b'"', b"9", b" ", b"\n", b"\0", b"\xff", b"e4-e5 ")
"""Opening brackets and other fragments that are repeated."""


def grown(example: bytes, size: int) -> Iterator[bytes]:
    """Yield variants of an example, enlarged to about `size` bytes."""

    def repeated(before: bytes, piece: bytes, after: bytes) -> bytes:
        return before + piece * ((size - len(before) - len(after)) // len(piece)) + after

    yield repeated(b"", example + b"\n", b"")
    lines = example.splitlines(keepends=True)
    for number in sorted({n * len(lines) // 8 for n in range(8)}):
        before, after = b"".join(lines[:number]), b"".join(lines[number + 1 :])
        yield repeated(before, lines[number], after)
    for piece in ENDLESS:
        yield repeated(b"", piece, b"")
        for part in (1, 2, 3):
            at = part * len(example) // 4
            yield repeated(example[:at], piece, example[at:])


def inputs() -> list[tuple[str, int]]:
    return [
        (name, number)
        for name, reader in READERS.items()
        for number, _ in enumerate(grown(reader.examples()[0], 100_000))
    ]


def cost(name: str, number: int) -> tuple[float, int]:
    """Return the CPU time that a reader used, in seconds, and its memory growth in kilobytes."""
    reader = READERS[name]
    data = next(islice(grown(reader.examples()[0], reader.largest), number, None))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    reader(data)
    seconds = time.process_time() - start
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def main() -> None:
    """For each line, print the seconds and kilobytes that the reader used, or the exception."""
    for line in sys.stdin:
        name, number = line.split()
        if not os.fork():
            try:
                print(*cost(name, int(number)), flush=True)
            except BaseException as error:  # noqa: BLE001 (any exception is reported)
                print(repr(error)[:200], flush=True)
            os._exit(0)
        os.wait()


if __name__ == "__main__":
    main()
