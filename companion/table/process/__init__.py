"""The table as a process: plain data in, plain data out, for other faces, scripts and tests.

docs/commands.md has the whole contract, under “boomboard table”. How the data is carried, as lines
of JSON or otherwise, is for others to say.
"""

from companion.table.process.table_process import TableProcess

__all__ = ["TableProcess"]
