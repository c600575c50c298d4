"""A tournament: players, rounds and results, who plays whom, and who stands where.

All that is decided is one event after the other in one file; how the tournament stands follows from
them. `event`, `fold`, `standings` and `pairing` are values and functions alone, without clock, file
or thread: the same events always give the same pairings, tables and pages. `tournament_file` keeps
the events; `pages` shows them in the hall. docs/tournament.md tells how it is used.
"""
