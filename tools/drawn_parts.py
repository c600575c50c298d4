"""The parts of a page that a command draws: between two comments that say which part it is."""

from typing import Final

_END: Final = "<!-- end -->"


def draw_part(text: str, name: str, body: str) -> str:
    """Return a page with one of its parts drawn anew; ValueError if it has no such part."""
    mark = f"<!-- drawn: {name} -->"
    before, rest = text.split(f"{mark}\n", 1)
    _, after = rest.split(_END, 1)
    return f"{before}{mark}\n{body}\n{_END}{after}"
