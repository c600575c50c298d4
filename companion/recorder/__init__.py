"""The flight recorder: a table's inputs and outcomes, in files that can be replayed.

A `recorder` observes a table and writes trace files; nothing waits for it, and none of its errors
stops a game. From outside, use `recorder` and `beginning` to record a table; to read a trace file,
use `trace_reader`, and then `replayer`, `timeline` or `stripping`.
"""
