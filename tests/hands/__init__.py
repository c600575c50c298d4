"""Simulated players at a board, which judge the table independently.

Two simulated people play whole games by hand. The table receives the sensor image of their board,
frame by frame, and their commands; only the simulation knows what they really did. It compares the
two and counts how often the table was wrong, missed something, complained or asked.

These hands model how people play. Their author had not read how the table interprets hand actions.
All rates and durations (`profiles`) are chosen by judgement, not measured.

The public modules are `runner` (many games, in parallel if wanted), `profiles` and `score`. The
other modules:

- `scheduler` is the simulated time, `board` holds the pieces and the true game, `sensors` gives the
  image, and `shared_state` combines them;
- `motions` are the motions of one hand; `attacks`, `clearing` and `accidents` are sequences of
  them, and `behaviours` names them;
- `move_choice` chooses turns, `responses` follows the table's output, `answers` answers its
  questions, and `match` plays one game, which `score` judges;
- `baselines` and `oracle` are tables to compare with, and `film` records images for tests.

The tests in this folder test the simulation without the real table.
"""
