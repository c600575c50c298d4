"""Write the field strength of a piece over the distance to the sensor: part of "make magnetics"."""

from pathlib import Path
from typing import Final

from hardware.emulator.layout import Layout

TABLE: Final = Path(__file__).parents[1] / "firmware_bridge" / "feeling" / "field_curve.py"
FURTHEST: Final = 130
"""In millimetres. Beyond this distance, the field is less than a thousandth of a piece."""
_HEAD: Final = '''"""How strongly a piece is felt from how far beside it: calculated, not measured.

Made from hardware/magnetics/choice.py by "make magnetics"; change that and not this.
"""

from typing import Final

SHARES: Final[tuple[float, ...]] = (
'''
_FOOT: Final = ''')  # fmt: skip
"""After so many millimetres, of what the sensor right below it feels. Further away the field comes
from the other side."""
'''


def table() -> str:
    """Return the module that contains the curve."""
    layout = Layout()
    shares = [f"{layout.share(far, 0.0):8.5f}" for far in range(FURTHEST + 1)]
    lines = (", ".join(shares[n : n + 8]) for n in range(0, len(shares), 8))
    return _HEAD + "".join(f"    {line},\n" for line in lines) + _FOOT


def write() -> None:
    """Write the module to its file."""
    TABLE.write_text(table(), encoding="utf-8")


if __name__ == "__main__":
    write()
