"""League of players: matches, a ledger of losses, and Elo ratings with confidence intervals."""
