"""Measure the shape of the source tree: ``python -m tools.shape``.

Code is easier to find if there are few modules, no tiny or huge modules, no overfull folders, and
no two classes with the same name. A test enforces these limits.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PRODUCT: Final = ("engine", "firmware_bridge", "companion")
"""Packages that the wheel contains."""
MOST_MODULES: Final = 340
"""Maximum number of modules in the wheel's packages."""
MOST_IN_A_FOLDER: Final = 20
"""Maximum number of modules in any folder of the packages, of hardware or of tools."""
FEWEST_LINES: Final = 40
"""Minimum number of lines in a module of a package. `__init__` and `__main__` may be shorter."""
MOST_LINES: Final = 500
"""Maximum number of lines in any module, including tests."""
MOST_SHARED_NAMES: Final = 0
"""Maximum number of public class names that are defined in more than one module of the packages.
Lower it whenever a class is renamed; never raise it."""


def modules(root: Path, folders: tuple[str, ...] = PRODUCT) -> list[Path]:
    """Return all modules below these folders of a source tree."""
    return sorted(path for folder in folders for path in (root / folder).rglob("*.py"))


def full_folders(root: Path) -> Iterator[str]:
    """Yield every folder that has too many modules."""
    every = modules(root, (*PRODUCT, "hardware", "tools"))
    for folder, count in sorted(Counter(path.parent for path in every).items()):
        if count > MOST_IN_A_FOLDER:
            yield f"{folder.relative_to(root)}: {count} modules, at most {MOST_IN_A_FOLDER}"


def small_modules(root: Path) -> Iterator[str]:
    """Yield every module that is too small to stand alone."""
    for path in modules(root):
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines < FEWEST_LINES and path.stem not in ("__init__", "__main__"):
            yield f"{path.relative_to(root)}: {lines} lines, at least {FEWEST_LINES}"


def large_modules(root: Path) -> Iterator[str]:
    """Yield every module that has too many lines."""
    for path in modules(root, (*PRODUCT, "hardware", "tests", "tools")):
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > MOST_LINES:
            yield f"{path.relative_to(root)}: {lines} lines, at most {MOST_LINES}"


def shared_names(root: Path) -> dict[str, list[str]]:
    """Return every public class name that several modules define, with those modules."""
    defined: dict[str, list[str]] = {}
    for path in modules(root):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                defined.setdefault(node.name, []).append(str(path.relative_to(root)))
    return {name: paths for name, paths in sorted(defined.items()) if len(paths) > 1}


def faults(root: Path = ROOT) -> list[str]:
    """Return one line for each limit that a tree exceeds."""
    found = [*full_folders(root), *small_modules(root), *large_modules(root)]
    if (count := len(modules(root))) > MOST_MODULES:
        found.append(f"{count} modules, at most {MOST_MODULES}")
    if len(shared := shared_names(root)) > MOST_SHARED_NAMES:
        found.append(f"{len(shared)} class names are shared, at most {MOST_SHARED_NAMES}")
    return found


def main() -> int:
    """Print the measurements and the violations. Return 1 if there are violations."""
    sizes = sorted(path.read_text(encoding="utf-8").count("\n") for path in modules(ROOT))
    print(f"{len(sizes)} modules, median {sizes[len(sizes) // 2]} lines")
    for name, paths in shared_names(ROOT).items():
        print(f"{name}: {', '.join(paths)}")
    found = faults()
    print("\n".join(found) or "All limits are kept.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
