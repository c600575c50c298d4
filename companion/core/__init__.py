"""The table: the deterministic core between the board, the players and the referee.

Inputs with timestamps go in; accepted actions and events come out. This package has no clock,
thread, file or screen, so the same inputs always give the same events.

The public modules are `table`, `inputs`, `events`, `game_context` (for `Step`) and `game_options`
(a table's parameters and saved state, and the random assignment of colours). All other modules are
internal.
"""
