"""Generated parts of a page: each is between two comments that name the part."""

from typing import Final

_END: Final = "<!-- end -->"


def draw_part(text: str, name: str, body: str) -> str:
    """Return a page with one of its parts replaced; ValueError if it has no such part."""
    mark = f"<!-- drawn: {name} -->"
    before, rest = text.split(f"{mark}\n", 1)
    _, after = rest.split(_END, 1)
    return f"{before}{mark}\n{body}\n{_END}{after}"
