"""A small subset of Markdown: paragraphs, lists, tables and verbatim texts."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

_WIDTH: Final = 100


def paragraph(text: str) -> str:
    """Return a paragraph, wrapped into lines."""
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False)


def bullets(items: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(
        textwrap.fill(
            item, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False
        )
        for item in items
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; no cell may have a ``|`` or a line break."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def verbatim(text: str) -> str:
    """Return a verbatim text in a monospaced font."""
    return f"```text\n{text}\n```"
