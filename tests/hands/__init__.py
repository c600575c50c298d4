r"""Simulated players at a board, and an independent check of the table.

Two simulated people play whole games by hand. The table receives the sensor image of their board,
frame by frame, and their commands; only the simulation knows what they really did. The simulation
compares the two and counts how often the table was wrong, missed a turn, complained or asked.

The hands model how people play. They were written without regard to how the table interprets hand
actions. All rates and durations (`profiles`) are chosen by judgement, not measured.

The public modules are `runner` (many games, optionally in parallel), `profiles` and `score`. The
other modules:

- `scheduler` provides the simulated time, `board` holds the pieces and the true game, `sensors`
  produces the image, and `shared_state` combines them;
- `motions` are the motions of one hand; `attacks`, `clearing` and `accidents` are sequences of
  motions, and `behaviours` names them;
- `move_choice` chooses turns, `responses` follows the table's output, `answers` answers its
  questions, and `match` plays one game, which `score` judges;
- `baselines` and `oracle` are tables for comparison, and `film` records images for tests.

The tests in this folder test the simulation without the real table.
"""
