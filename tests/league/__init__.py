"""Player league: matches, losses by rank, and Elo ratings with confidence intervals."""
