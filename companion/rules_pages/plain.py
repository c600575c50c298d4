"""A page of Markdown as plain text for a screen, cut into pages that fit it."""

import re
from math import ceil

_MARKS = re.compile(r"[*`]")


def plain_pages(document: str, columns: int, lines: int) -> list[str]:
    """Cut a document without tables into pages of so many lines of so many letters at most.

    Its title is left out. A paragraph, or a point of a list, stands on one page.
    """
    pages: list[list[str]] = [[]]
    used = 0
    for block in _blocks(document):
        needed = sum(ceil(len(line) / columns) for line in block.split("\n"))
        if pages[-1] and used + needed > lines:
            pages.append([])
            used = 0
        pages[-1].append(block)
        used += needed
    return ["\n".join(page) for page in pages]


def _blocks(document: str) -> list[str]:
    blocks = []
    for block in document.split("\n\n"):
        if block.startswith("#"):
            continue
        points = re.split(r"\n(?=- )", block)
        for point in points:
            text = _MARKS.sub("", " ".join(map(str.strip, point.splitlines())))
            blocks.append(f"•  {text.removeprefix('- ')}" if text.startswith("- ") else text)
    return blocks
