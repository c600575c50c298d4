"""A hall of boards: many tables tell one place what happens at them, and arbiters answer there.

`feed` is what may be told of a game, derived from its journal; `publisher` tells it, beside the
table; `server` keeps it, in the hall; `console` shows it to the arbiters and takes their acts, and
`serve` is both at work; `tournament` says who plays whom. None of it is imported where nobody asks
for a hall, so the program opens no port without one. docs/hall.md tells how it is used.
"""
