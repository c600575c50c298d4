"""Write the generated part of the maker's book: the parts list and the drawings.

"make book" runs it. What it writes is in the repository, so that the book can be read there.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tools.book_drawings import drawings

ROOT: Final = Path(__file__).parent.parent
SOURCE: Final = ROOT / "hardware" / "parts.toml"
BOOK: Final = ROOT / "docs" / "hardware"


def files() -> dict[Path, str]:
    """Return what is generated, by path."""
    parts = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    return {BOOK / "parts.md": _parts_page(parts)} | {
        BOOK / file: svg for file, svg in drawings().items()
    }


def _parts_page(parts: Mapping[str, Any]) -> str:
    groups = "\n\n".join(_group(group) for group in parts["group"])
    return f"""\
<!-- Made from hardware/parts.toml by "make book"; change that file and not this one. -->

# Parts

Quantities are for one board of 10 × 10 squares. Lengths of wire are reckoned for 40 mm squares,
with some to spare. For a board that sees no colours, read [presence-only.md](presence-only.md)
first: it needs other sensors.

{groups}
"""


def _group(group: Mapping[str, Any]) -> str:
    rows = "\n".join(
        f"| {part['quantity']} | {part['name']} | {part['for']} | {part['instead']} |"
        for part in group["parts"]
    )
    return f"""\
## {group["title"]}

| how many | what | what for | what else would do |
|---|---|---|---|
{rows}"""


def main() -> None:
    """Write the files."""
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
