"""A thread for computations that must not delay the screen.

The screen's thread starts a job and asks in every frame whether the job is done. A job gets
immutable values only, and shares no state with the screen's thread.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

T = TypeVar("T")


class Worker(Protocol[T]):
    """Runs one job at a time and keeps its result until the next job."""

    def start(self, job: Callable[[], T]) -> None:
        """Run a job. The result of an earlier job is dropped, even if it arrives later."""

    def drop(self) -> None:
        """Drop the result of the latest job."""

    @property
    def is_done(self) -> bool:
        """Whether the latest job has ended, so that `result` does not wait."""

    @property
    def result(self) -> T:
        """The result of the latest job. Waits for the job, and raises its exception if any."""

    def close(self) -> None:
        """End the worker. No job may be started afterwards."""


class BackgroundWorker(Worker[T]):
    """Runs jobs in a single thread, which starts with the first job."""

    def __init__(self) -> None:
        self._executor: ThreadPoolExecutor | None = None
        self._job: Future[T] | None = None

    def start(self, job: Callable[[], T]) -> None:
        """Run a job. The result of an earlier job is dropped, even if it arrives later."""
        self.drop()
        if self._executor is None:
            self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="computer")
        self._job = self._executor.submit(job)

    def drop(self) -> None:
        """Drop the result of the latest job."""
        if self._job:
            self._job.cancel()
        self._job = None

    @property
    def is_done(self) -> bool:
        """Whether the latest job has ended."""
        return self._job is not None and self._job.done()

    @property
    def result(self) -> T:
        """The result of the latest job. Waits for the job, and raises its exception if any."""
        assert self._job
        return self._job.result()

    def close(self) -> None:
        """End the thread after its current job."""
        self.drop()
        if self._executor:
            self._executor.shutdown(wait=False)
        self._executor = None


class ImmediateWorker(Worker[T]):
    """Runs each job immediately in the caller's thread, so that games are reproducible."""

    def __init__(self) -> None:
        self._result: list[T] = []

    def start(self, job: Callable[[], T]) -> None:
        """Run a job."""
        self._result = [job()]

    def drop(self) -> None:
        """Drop the result of the latest job."""
        self._result = []

    @property
    def is_done(self) -> bool:
        """Whether there is a result."""
        return bool(self._result)

    @property
    def result(self) -> T:
        """The result of the latest job."""
        return self._result[0]

    def close(self) -> None:
        """Do nothing: there is no thread."""
