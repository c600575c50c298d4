r"""Simulated players at a board, who check the table independently.

Two simulated people play whole games by hand. The table receives only their commands and the sensor
images of their board, frame by frame; only the simulation knows what they really did. It compares
the table's rulings with the real turns, and counts how often the table was wrong, missed a turn,
complained or asked a question.

The hands model how people play. They were written without regard to how the table interprets hand
actions. All rates and durations (`profiles`) are estimates, not measurements.

The public modules are `runner` (many games, optionally in parallel), `profiles` and `score`. The
other modules:

- `scheduler` provides the simulated time, `board` holds the pieces and the true game, `sensors`
  produces the image, and `shared_state` combines all three;
- `motions` contains the motions of one hand; `attacks`, `clearing` and `accidents` contain
  sequences of motions, which are named in `behaviours`;
- `move_choice` chooses turns, `responses` follows the table's output, `answers` answers the table's
  questions, `players` agrees with the table about the game, `match` plays one game, and `score`
  judges it;
- `baselines` and `oracle` contain tables for comparison, and `film` records images for tests.

The tests in this folder test the simulation without the real table.
"""
