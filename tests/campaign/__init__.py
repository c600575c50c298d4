"""Campaign of simulated hand movements: games, limits and report."""
