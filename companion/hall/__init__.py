"""Server for many boards: tables send their games to one hall, where arbiters see them.

`protocol` derives the publishable part of a game from its journal, and `publisher` sends it from
the table. In the hall, `server` stores it, `console` shows it to the arbiters and accepts their
actions, `tournament` pairs the players, and `templates` has the page templates for `console` and
`tournament`. None of these packages is imported unless a hall is configured, so the program opens
no port without a hall. The extra "hall" lists the required third-party packages. docs/hall.md
describes how to use a hall.
"""
