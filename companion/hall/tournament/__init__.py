"""Tournaments: players, rounds, results, pairings and standings.

All decisions are events that are appended to one file, and the tournament's state is computed from
the events. `events`, `tournament` and `standings` are pure, so the same events always give the same
standings. `trf` and `exchange` read and write the files of other programs, `tournament_file` stores
the events, and `pages` shows the tournament in the hall. docs/tournament.md describes how
tournaments are run.
"""
