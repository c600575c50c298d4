"""Fail if the branch coverage of a package is too low.

    python tools/check_coverage.py REPORT.json FLOOR PACKAGE...

FLOOR is the minimum for each package, in per cent. Packages are not averaged, because a well-tested
package could mask a poorly tested one.
"""

import json
import sys
from pathlib import Path
from typing import Any


def branch_rate(files: dict[str, Any], package: str) -> float:
    """Return a package's branch coverage in per cent, or 100 if its files have no branches."""
    summaries = [f["summary"] for name, f in files.items() if name.startswith(f"{package}/")]
    if not summaries:
        sys.exit(f"{package}: the report has no files of this package")
    taken = sum(summary["covered_branches"] for summary in summaries)
    branches = sum(summary["num_branches"] for summary in summaries)
    return 100.0 * taken / branches if branches else 100.0


def main(report: str, floor: str, *packages: str) -> int:
    """Print one line per package, and return the exit status."""
    files = json.loads(Path(report).read_text(encoding="utf-8"))["files"]
    rates = {package: branch_rate(files, package) for package in packages}
    for package, rate in rates.items():
        needed = f"; at least {floor} % is required" if rate < float(floor) else ""
        print(f"{package}: {rate:.1f} % of the branches are covered{needed}")
    return int(any(rate < float(floor) for rate in rates.values()))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
