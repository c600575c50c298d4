"""Lazy imports: a module runs when it is first used, so the first screen appears sooner.

Inside a block that begins with ``with lazy("companion.ui.dialogs"):``, the imports of modules in
that package are deferred. The names of these modules exist at once, and the first access to an
attribute of a module runs the module. After the first frame, the program runs the remaining modules
(`pending_imports`), so that the first touch is not delayed either.
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

_deferred: Final[list[ModuleType]] = []


class _LazyFinder(MetaPathFinder):
    def __init__(self, packages: tuple[str, ...]) -> None:
        self._packages = packages

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a lazy spec for a module of these packages, or None for any other module."""
        if name.rpartition(".")[0] not in self._packages:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and spec.loader:
            spec.loader = _RecordingLoader(spec.loader)
        return spec


class _RecordingLoader(LazyLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _deferred.append(module)


@contextmanager
def lazy(*packages: str) -> Iterator[None]:
    """Inside the ``with`` block, defer the imports of modules in these packages."""
    finder = _LazyFinder(packages)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def pending_imports() -> Iterator[Callable[[], object]]:
    """Yield one callable per deferred module, in import order. Calling it runs the module."""
    for module in _deferred:
        # Accessing any attribute runs the module.
        yield partial(getattr, module, "__doc__")
