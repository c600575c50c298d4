"""How one talks to a table: a line in, a line out, both plain data.

The words are those of ``boomboard table --json``; docs/commands.md lists them. Nothing else of the
table is known here.
"""

from typing import Any, Protocol, TypeAlias

Line: TypeAlias = dict[str, Any]
"""A JSON object: what the table is told, or what it answers."""


class Table(Protocol):
    """A referee: it takes a line and answers with one."""

    def take(self, line: Line) -> Line:
        """Hear one line and answer it."""
        ...
