"""Generated files of the maker's book.

"make book" writes the files. The files are committed, so readers of the repository can use the book
without building it.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hardware.drawing import lamps
from tools.hardware_book import (
    circuit,
    header,
    layout,
    magnet_tables,
    magnets,
    panel,
    placements,
    rails,
    search,
    sensors,
)
from tools.hardware_book.back import PITCHES

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "hardware" / "parts.toml"
BOOK: Final = ROOT / "docs" / "hardware"
REASONS: Final = ROOT / "hardware" / "magnetics" / "README.md"


def files() -> dict[Path, str]:
    parts = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    drawings = {
        "circuit.svg": circuit.draw(),
        "header.svg": header.draw(),
        "lamps.svg": lamps.draw(),
        "magnets.svg": magnets.draw(),
        "panel.svg": panel.draw(),
        "placements.svg": placements.draw(),
        "rails.svg": rails.draw(),
        "search.svg": search.draw(),
        "sensors.svg": sensors.draw(),
    } | {f"layout-{pitch}.svg": layout.draw(pitch) for pitch in PITCHES}

    return {
        BOOK / "parts.md": _parts_page(parts),
        REASONS: magnet_tables.draw(REASONS.read_text(encoding="utf-8")),
    } | {BOOK / file: drawing for file, drawing in drawings.items()}


def _parts_page(parts: Mapping[str, Any]) -> str:
    groups = "\n\n".join(_group(group) for group in parts["group"])
    return f"""\
<!-- Made from hardware/parts.toml by "make book"; change that file and not this one. -->

# Parts

{parts["before"].strip()}

{groups}
"""


def _group(group: Mapping[str, Any]) -> str:
    """Return a list of parts, each with its quantity, name, purpose and substitutes."""
    return f"## {group['title']}\n\n" + "\n".join(map(_item, group["parts"]))


def _item(part: Mapping[str, Any]) -> str:
    quantity = part.get("quantity", "")
    if isinstance(quantity, int):
        quantity = f"{quantity}×"
    quantity = f"**{quantity}** " if quantity else ""
    use = f", for {part['for']}" if "for" in part else ""
    instead = f". Alternative: {part['instead']}" if "instead" in part else ""
    return f"- {quantity}{part['name']}{use}{instead}"
