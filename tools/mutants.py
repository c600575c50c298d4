"""Mutation test: make each possible small change to a module, and check that a test fails.

    make mutants                    all modules that pyproject.toml lists, on all cores

If no test kills a mutant, either a test is missing or the mutant is equivalent to the original.
tests/engine/survivors.toml lists each equivalent mutant of the engine: its location, the original,
the mutant, and the reason why the two are equivalent. The test fails if too few mutants of a
package are killed, or if a survivor in the engine is not listed.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
ARGUED: Final = ROOT / "tests" / "engine" / "survivors.toml"
LEAST: Final = {"engine": 0.95, "companion": 0.92}
"""Minimum share of killed mutants, keyed by package.

In `companion`, 93.1 % were killed when all mutants were tested in November 2026: uplink 91.3 %, pad
hub 92.5 %, security 95.8 %. Most surviving mutants change only the text of an error, the case of a
header name, or a value whose truthiness stays the same.
"""
_MUTMUT: Final = (sys.executable, "-m", "mutmut")
_KILLED: Final = {"killed", "timeout", "segfault"}
_RESULT: Final = re.compile(r"\s*(?P<name>\S+__mutmut_\d+): (?P<status>.+)")


@dataclass(frozen=True, order=True)
class Mutant:
    """A code change that no test detects."""

    where: str
    """Module and function."""
    was: str
    now: str

    def __str__(self) -> str:
        return (
            f"[[survivor]]\nwhere = {_toml(self.where)}\nwas = {_toml(self.was)}\n"
            f'now = {_toml(self.now)}\nbecause = ""\n'
        )


def main() -> int:
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)  # remove the results of earlier runs
    cores = str(os.cpu_count() or 1)
    subprocess.run([*_MUTMUT, "run", "--max-children", cores], cwd=ROOT, check=False)  # noqa: S603
    statuses = _read_statuses(_run_mutmut("results", "--all", "true"))
    if set(statuses.values()) <= {"not checked"}:
        sys.stderr.write("No mutant was tested: the tests must pass first.\n")
        return 1
    for module in sorted({name.rpartition(".")[0] for name in statuses}):
        _report(module, statuses)
    shares = {package: _report(package, statuses) for package in LEAST}
    has_failed = any(shares[package] < least for package, least in LEAST.items())
    argued = read_argued(ARGUED.read_text(encoding="utf-8"))
    found = {_describe(name) for name, status in statuses.items() if status not in _KILLED}
    open_ones = {mutant for mutant in found - argued if mutant.where.startswith("engine.")}
    _list("Not justified in tests/engine/survivors.toml", open_ones)
    _list("Justified there, but killed or gone by now", argued - found)
    _list("Survivors in other packages", found - argued - open_ones)
    return int(has_failed or bool(open_ones))


def read_argued(text: str) -> set[Mutant]:
    """Read the list of equivalent mutants. Raise ValueError if a reason is missing."""
    argued = set()
    for entry in tomllib.loads(text).get("survivor", []):
        if not entry.get("because"):
            raise ValueError(f"{entry['where']}: no reason why {entry['now']!r} is equivalent")
        argued.add(Mutant(entry["where"], entry["was"], entry["now"]))
    return argued


def _run_mutmut(*words: str) -> str:
    asked = subprocess.run(  # noqa: S603
        [*_MUTMUT, *words], cwd=ROOT, check=False, capture_output=True, text=True
    )
    return asked.stdout


def _read_statuses(output: str) -> dict[str, str]:
    found = (_RESULT.fullmatch(line) for line in output.splitlines())
    return {each["name"]: each["status"].strip() for each in found if each}


def _report(name: str, statuses: Mapping[str, str]) -> float:
    """Print the results of a package or a module, and return the share of killed mutants."""
    own = [status for mutant, status in statuses.items() if mutant.startswith(f"{name}.")]
    share = sum(status in _KILLED for status in own) / len(own)
    counts = ", ".join(f"{count} {status}" for status, count in Counter(own).items())
    sys.stdout.write(f"{name}: {len(own)} mutants, {share:.1%} killed ({counts})\n")
    return share


def _describe(name: str) -> Mutant:
    """Return the original and the mutated code of a mutant."""
    lines = _run_mutmut("show", name).splitlines()
    changed: dict[str, list[str]] = {"-": [], "+": []}
    for line in lines:
        if line[:1] in changed and line[:3] not in ("---", "+++"):
            changed[line[0]].append(line[1:].strip())
    where = re.sub(r"__mutmut_\d+$", "", name).replace("xǁ", "").replace("ǁ", ".")
    where = re.sub(r"\.x_", ".", where)
    return Mutant(where, " ".join(changed["-"]), " ".join(changed["+"]))


def _list(heading: str, mutants: Iterable[Mutant]) -> None:
    listed = sorted(mutants)
    if listed:
        sys.stdout.write(f"\n{heading}: {len(listed)}\n\n" + "\n".join(map(str, listed)))


def _toml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    sys.exit(main())
