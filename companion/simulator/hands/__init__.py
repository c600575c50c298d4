"""People at a board, as the independent judge of the table.

Two simulated people play whole games by hand. The table hears what the sensors of their board show,
frame by frame, and what they say to it; what they have really done the simulation alone knows. It
compares, and counts where the table was wrong, missed something, complained or asked.

These hands are written from how people play, by somebody who has not read how the table reads them.
All their rates and durations (`profiles`) are chosen, not measured.

From outside, use `campaign` (games, many at a time), `profiles` and `score`. Below them:

- `world` is time, `board` the pieces in it, `sensors` what is seen of them (or any other `sight`),
  `faults` what spoils it, and a `room` is all of that;
- `motions` are what a hand does; `moves`, `attacks`, `clearing`, `slips` and `idling` what people
  do, by their `behaviours`;
- `truth` is what has happened, `hearing` what the table says over its `host`, a `match` a game of
  both, of which `judging` is made.
"""
