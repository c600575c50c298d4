"""The little Markdown that we write: paragraphs, lists, tables and texts as they are."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

_WIDTH: Final = 100


def paragraph(text: str) -> str:
    """A paragraph, broken into lines."""
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False)


def bullets(items: Iterable[str]) -> str:
    """A list."""
    return "\n".join(
        textwrap.fill(
            item, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False
        )
        for item in items
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; no cell may have a ``|`` or a line break."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def verbatim(text: str) -> str:
    """A text in letters of one width, as it is."""
    return f"```text\n{text}\n```"
