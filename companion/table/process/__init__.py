"""The table as a process: plain data in, plain data out, for other faces, scripts and tests.

docs/commands.md has the whole contract, under “boomboard table”. How the data is carried, as lines
of JSON or otherwise, is for others to say.

From outside use `TableProcess`, which is imported when somebody asks for it, as the table is; and
`event_writer` and `board_text`, by which events are kept.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.table.process.table_process import TableProcess

__all__ = ["TableProcess"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from companion.table.process import table_process  # noqa: PLC0415 (see above)

    return getattr(table_process, name)
