"""League of players, with matches, losses by rank, and Elo ratings with confidence intervals."""
