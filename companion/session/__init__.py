"""Games at one board: the host, a session per game, settings, commitments, simulated pieces."""
