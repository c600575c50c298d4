"""The interface of a table: a line in, a line out, both plain data.

The keywords are those of ``boomboard table --json``; docs/commands.md lists them. Nothing else of
the table is known here.
"""

from typing import Any, Protocol, TypeAlias

Line: TypeAlias = dict[str, Any]
"""A JSON object: an input of the table, or its answer."""


class Table(Protocol):
    """A referee that answers every line with a line."""

    def take(self, line: Line) -> Line:
        """Process one line and return the answer."""
        ...
