"""The program at the board, which referees, saves, announces, displays and simulates games."""
