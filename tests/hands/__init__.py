"""Simulated human players at a board, as an independent judge of the table.

Two simulated people play whole games by hand. The table receives the sensor image of their board,
frame by frame, and their commands; only the simulation knows what they really did. It compares the
two and counts how often the table was wrong, missed something, complained or asked.

These hands model how people play. Their author had not read how the table interprets hand actions.
All rates and durations (`profiles`) are chosen by judgement, not measured.

The public modules are `campaign` (many games, in parallel if wanted), `profiles` and `score`. The
other modules:

- `world` is time, `board` is the pieces in it, `sensors` is their image (or any other `sight`),
  `faults` are its disturbances, and a `room` combines all of these;
- `motions` are the motions of a hand; `moves`, `attacks`, `clearing`, `slips` and `idling` the
  actions of people, by their `behaviours`;
- `truth` is the real game, `reports` is what the table reports over its `host`, and a `match` is a
  game that compares both by `judging`.

Simulated people at a board, tested without the table that they are meant to test.
"""
