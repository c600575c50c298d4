"""The flight recorder saves a table's inputs and outcomes in files that can be replayed.

To record a table, use `recorder`. It never delays or stops a game. To read a trace file, use
`trace_reader`, and then `replay`, `timeline` or `redact`.
"""
