"""Tournaments: players, rounds, results, pairings and standings.

All decisions are events, appended to one file; the state of the tournament follows from them.
`event`, `fold`, `standings` and `pairing` are pure values and functions, without clock, file or
thread: the same events always give the same pairings, tables and pages. `tournament_file` stores
the events; `pages` shows the tournament in the hall. docs/tournament.md describes how it is used.
"""
