"""Runs many sessions, in sequence or in parallel.

If a session fails, it is run again with a trace recorder.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import islice, takewhile
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from companion.recorder.recorder import Recorder
from companion.recorder.trace_files import Bounds
from tests.soak.run import RUN_MS, Result, run

_FILES: Final = 1_000
"""More traces than a session ever writes."""


def run_many(
    seeds: Iterable[int], jobs: int, is_late: Callable[[], bool], lasts_ms: int = RUN_MS
) -> Iterator[Result]:
    """Yield the sessions' results in order. Once `is_late` returns True, start no more sessions."""
    begun = takewhile(lambda _: not is_late(), seeds)
    coming = (partial(run, seed, None, lasts_ms) for seed in begun)
    if jobs == 1:
        yield from (begin() for begin in coming)
        return
    waiting: deque[Future[Result]] = deque()
    # The progress bar runs in a thread, and a process with threads should not fork.
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        try:
            while True:
                waiting.extend(map(pool.submit, islice(coming, 2 * jobs - len(waiting))))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def record(seed: int, folder: Path, lasts_ms: int = RUN_MS) -> Path | None:
    """Run a session again with a trace recorder. Return the trace of its latest table, or None if
    it had no table. Raise OSError if the trace cannot be written.
    """
    own = folder / f"seed-{seed}"
    errors: list[str] = []
    with Recorder(own, errors.append, Bounds(files=_FILES)) as recorder:
        run(seed, recorder, lasts_ms)
    if errors:
        raise OSError(errors[0])
    return max(own.iterdir(), default=None) if own.is_dir() else None
