"""The flight recorder: saves a table's inputs and outcomes in files that can be replayed.

A `recorder` observes a table and writes trace files. Nothing waits for it, and its errors never
stop a game. To record a table, use `recorder`. To read a trace file, use `trace_reader`, and then
`replay`, `timeline` or `redact`.
"""
