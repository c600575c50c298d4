"""The table: the deterministic core between the board, the players and the referee.

Inputs with timestamps go in, accepted actions and events come out. There is no clock, thread, file
or screen in this package, so the same inputs always give the same events.

Public: `table`, the inputs and outputs (`inputs`, `events`, and `Step` in `game_context`), and
`game_options`, with the parameters and persistent state of a table and the draw for the colours.
Everything else is internal.
"""
