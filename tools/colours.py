"""Write the palette's colours into the style sheets, as custom properties.

The rule after a comment such as ``/* palette: hall */`` is generated from that group's colours.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.palette import GROUPS

ROOT: Final = Path(__file__).parents[1]
_BLOCK: Final = re.compile(r"(/\* palette: (\w+) \*/\n[^{}]*\{\n)[^{}]*\}")


def style_sheets() -> Iterator[Path]:
    yield from sorted((ROOT / "companion").rglob("*.css"))


def coloured(style: str) -> str:
    """Return a style sheet with its palette rules regenerated."""
    return _BLOCK.sub(lambda found: f"{found[1]}{_properties(found[2])}}}", style)


def _properties(group: str) -> str:
    return "".join(f"  --{name}: {colour};\n" for name, colour in GROUPS[group].items())


def main() -> None:
    for path in style_sheets():
        path.write_text(coloured(path.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
