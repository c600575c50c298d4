"""Server for many boards: tables publish their games to one hall, and arbiters answer there.

`feed` derives the publishable part of a game from its journal; `publisher` sends it, beside the
table; `server` stores it, in the hall; `console` shows it to the arbiters and accepts their
actions; `tournament` pairs the players; `templates` are the pages of both. None of it is imported
unless a hall is configured, so the program opens no port without one, and its packages are the
extra "hall". docs/hall.md describes how it is used.
"""
