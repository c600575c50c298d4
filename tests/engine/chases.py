"""Recorded chases from the Ataraxos test suite, with full and with Barrage armies.

The full-army chases are shipped with the program, which uses them as a benchmark. The Barrage
chases are in ``chase/``.
"""

from importlib import resources
from pathlib import Path

from tests.campaigns import Campaign

_CLASSIC = Path(str(resources.files("companion") / "samples" / "chase"))
_BARRAGE = Path(__file__).parent / "chase"

CHASES = {
    file.name: file.read_bytes()
    for folder in (_CLASSIC, _BARRAGE)
    for file in sorted(folder.glob("*.txt"))
}
"""Contents of the chase files, keyed by file name."""

RECORDED = Campaign("chases", part=4, whole=len(CHASES))
"""Chases that the second referee checks. A regular run covers only some of them, because that
referee is slow."""
