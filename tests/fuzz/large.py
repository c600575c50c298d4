"""How long a reader takes for a large input, and how much memory.

    python -m tests.fuzz.large

reads the name of a reader and the number of a large input from each line, and answers each with a
line. Every one is read by a process of its own, so that none pays for another.
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
"""What is opened and never closed, and what has no end."""


def grown(example: bytes, size: int) -> Iterator[bytes]:
    """Let an example grow to a size in many ways."""

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
    """All that there are: the reader of each, and its number."""
    return [
        (name, number)
        for name, reader in READERS.items()
        for number, _ in enumerate(grown(reader.examples()[0], 100_000))
    ]


def cost(name: str, number: int) -> tuple[float, int]:
    """Seconds of a processor that a reader takes, and by how many kilobytes the process grows."""
    reader = READERS[name]
    data = next(islice(grown(reader.examples()[0], reader.largest), number, None))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    reader(data)
    seconds = time.process_time() - start
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def main() -> None:
    """Answer each line: seconds and kilobytes, or what came out of the reader."""
    for line in sys.stdin:
        name, number = line.split()
        if not os.fork():
            try:
                print(*cost(name, int(number)), flush=True)
            except BaseException as error:  # noqa: BLE001 (whatever it is, it is told)
                print(repr(error)[:200], flush=True)
            os._exit(0)
        os.wait()


if __name__ == "__main__":
    main()
