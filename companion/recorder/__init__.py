"""The flight recorder: what reached a table, and what came of it, in files that can be replayed.

A `recorder` stands beside a table and writes trace files; nothing waits for it, and nothing that
goes wrong with it stops a game. From outside, whoever lets a table run uses `recorder` and
`beginning`; who looks into a trace file, `trace_reader` and then `replayer` or `timeline`, or
`stripping`.
"""
