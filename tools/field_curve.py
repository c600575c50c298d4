"""Write a table of the field at each lateral distance into `localization`: "make magnetics"."""

from pathlib import Path
from typing import Final

from hardware.drawing.sheet import IN_MODULE, draw_part
from hardware.emulator.layout import Layout

TABLE: Final = Path(__file__).parents[1] / "firmware_bridge" / "localization.py"
FURTHEST: Final = 130
"""Distance, in millimetres, beyond which the deflection is below a thousandth of its maximum."""
_HEAD: Final = """\
# Calculated, not measured: made from hardware/magnetics/found_file.py by "make magnetics".
SHARES: Final[tuple[float, ...]] = (
"""
_FOOT: Final = ''')  # fmt: skip
"""Field at lateral distances of 0, 1, 2, … mm, relative to the field directly below the piece. At
larger distances, the field has the opposite sign."""'''


def table() -> str:
    """Return the source of the module with the curve recalculated."""
    layout = Layout()
    shares = [f"{layout.share(far, 0.0):8.5f}" for far in range(FURTHEST + 1)]
    lines = (", ".join(shares[n : n + 8]) for n in range(0, len(shares), 8))
    part = _HEAD + "".join(f"    {line},\n" for line in lines) + _FOOT
    return draw_part(TABLE.read_text(encoding="utf-8"), "field", part, IN_MODULE)


def write() -> None:
    TABLE.write_text(table(), encoding="utf-8")


if __name__ == "__main__":
    write()
