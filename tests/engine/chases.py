"""The recorded chases of the Ataraxos test suite: with full armies, and with those of Barrage.

The classic ones come with the program, whose benchmark plays them; the others lie in ``chase/``.
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
"""The files by their names."""

RECORDED = Campaign("chases", part=4, whole=len(CHASES))
"""Those that a slow second referee looks at."""
