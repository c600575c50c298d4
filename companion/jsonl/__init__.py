"""The table with plain data as input and output, for other user interfaces, scripts and tests.

docs/commands.md contains the complete contract, under “boomboard table”. The caller chooses the
transport, such as lines of JSON.

Public: `table_process`.
"""
