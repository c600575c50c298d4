"""Simulated human players at a board, as an independent judge of the table.

Two simulated people play whole games by hand. The table receives the sensor image of their board,
frame by frame, and their commands; only the simulation knows what they really did. It compares the
two and counts how often the table was wrong, missed something, complained or asked.

These hands were written from how people play, by an author who had not read how the table
interprets them. All their rates and durations (`profiles`) are chosen, not measured.

The public modules are `campaign` (many games, also in parallel), `profiles` and `score`. Others:

- `world` is time, `board` the pieces in it, `sensors` the image of them (or any other `sight`),
  `faults` its disturbances, and a `room` combines them all;
- `motions` are the motions of a hand; `moves`, `attacks`, `clearing`, `slips` and `idling` the
  actions of people, by their `behaviours`;
- `truth` is the real game, `hearing` what the table reports over its `host`, and a `match` a game
  that compares both by `judging`.

Simulated people at a board, tested without the table that they are meant to test.
"""
