"""Campaign of hand movements: games, limits and report."""
