"""Modules that are imported when they are first used, so that the first screen is there sooner.

``with later("companion.screens.overlays"):`` puts off what is imported inside from that package:
the names are there, and whoever asks one of those modules for anything has it run then. The rest
runs in the backlog of the program, so that nobody waits for it at the first touch either.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Final

_put_off: Final[list[ModuleType]] = []


class _Later(MetaPathFinder):
    """Finds the modules of some packages as others do, and has them run when they are used."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self._packages = packages

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module of these packages; None for all others, and for the packages."""
        if name.rpartition(".")[0] not in self._packages:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and spec.loader:
            spec.loader = _Noted(spec.loader)
        return spec


class _Noted(LazyLoader):
    """Notes what it puts off."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _put_off.append(module)


@contextmanager
def later(*packages: str) -> Iterator[None]:
    """Put off the modules of these packages that are imported meanwhile."""
    finder = _Later(packages)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def put_off() -> Iterator[Callable[[], object]]:
    """Give what runs each module that was put off, in the order of their imports."""
    for module in _put_off:
        # Whatever a module is asked for, it has to have run before.
        yield partial(getattr, module, "__doc__")
