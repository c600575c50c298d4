"""League of players: matches, losses by rank, and Elo ratings with confidence intervals."""
