"""The program at the board: it referees, saves, announces, shows and simulates games."""
