"""The flight recorder: all that reached a table and all that came of it, in files that can be replayed.

A `recorder` stands beside a table and writes a *trace file*; nothing waits for it, and nothing that
goes wrong with it stops a game. From outside, whoever lets a table run uses `recorder` and
`beginning`; who looks into a trace file, `trace_reader`, then `replayer`, `timeline` or `stripping`.
"""
