"""The table as a process: plain data in and out, for other user interfaces, scripts and tests.

docs/commands.md has the complete contract, under “boomboard table”. The caller chooses the
transport, such as lines of JSON.

Public: `TableProcess`, which is imported lazily, like the table.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.jsonl.table_process import TableProcess

__all__ = ["TableProcess"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from companion.jsonl import table_process  # noqa: PLC0415 (see above)

    return getattr(table_process, name)
