"""The table: the deterministic core between the board, the players and the referee.

Inputs with timestamps go in; accepted actions and events come out. This package has no clock,
thread, file or screen, so the same inputs always give the same events.

The public modules are `table`, `inputs`, `events`, `game_context` (for `Step`) and `game_options`
(the parameters and the saved state of a table, and the draw for the colours). All other modules are
internal.
"""
