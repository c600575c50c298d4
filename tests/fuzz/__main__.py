"""Fuzzes the named readers, or all readers.

python -m tests.fuzz [--minutes M] [NAME ...]

Inputs that cause a failure are stored in tests/fuzz/found, and every later test run reads them
again. Inputs that reach a new branch are stored in build/fuzz, and the next search starts from
these inputs. The exit code is 1 if a failure was found.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tests.fuzz.readers import FOUND, READERS, ROOT

KEPT: Final = ROOT / "build" / "fuzz"
_KINDS: Final = ("crash", "timeout", "oom", "slow-unit")


def search(name: str, seconds: float) -> bool:
    """Fuzz one reader and print the result. Return True if a failure was found or the search itself
    failed."""
    command = [sys.executable, "-m", "tests.fuzz.search", name, str(KEPT / name), f"{seconds:.0f}"]
    errors = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stderr
    tried = re.search(r"number_of_executed_units: (\d+)", errors)
    found = [path for kind in _KINDS for path in KEPT.glob(f"{name}-{kind}-*")]
    for path in found:
        kept = FOUND / name / path.name.removeprefix(f"{name}-")
        kept.parent.mkdir(parents=True, exist_ok=True)
        path.rename(kept)
    count = f"{int(tried[1]):,}" if tried else "an unknown number of"
    branches = re.findall(r"cov: (\d+)", errors)
    print(
        f"{name}: {count} inputs, {branches[-1] if branches else 'no'} branches, "
        + (f"FOUND {', '.join(path.name for path in found)}" if found else "")
        + ("" if found else "nothing found" if tried else "THE SEARCH FAILED"),
        flush=True,
    )
    if found or not tried:
        print("\n".join(errors.splitlines()[-30:]), flush=True)
    return bool(found) or not tried


def main() -> int:
    """Fuzz in parallel, with one search per CPU. Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="for all together (default: 60)")
    parser.add_argument("names", nargs="*", choices=[[], *READERS], metavar="NAME")
    options = parser.parse_args()
    names = options.names or list(READERS)
    at_once = len(os.sched_getaffinity(0))
    seconds = 60 * options.minutes * min(at_once, len(names)) / len(names)
    print(f"{len(names)} readers, {seconds / 60:.1f} minutes each, {at_once} at once.", flush=True)
    with ThreadPoolExecutor(at_once) as pool:
        return int(any(list(pool.map(lambda name: search(name, seconds), names))))


if __name__ == "__main__":
    sys.exit(main())
