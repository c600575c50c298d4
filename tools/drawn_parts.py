"""Documents of which parts are drawn from the code: between a mark with a name and the end."""

from collections.abc import Mapping
from typing import Final

_END: Final = "<!-- end -->"


def draw_parts(text: str, parts: Mapping[str, str]) -> str:
    """Return a document with these parts anew, each below ``<!-- drawn: NAME -->``."""
    for name, rows in parts.items():
        mark = f"<!-- drawn: {name} -->"
        before, rest = text.split(f"{mark}\n", 1)
        _, after = rest.split(_END, 1)
        text = f"{before}{mark}\n{rows}\n{_END}{after}"
    return text
