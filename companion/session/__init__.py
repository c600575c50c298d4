"""Games at one board: their host, a session for each, settings, commitments, simulated pieces."""
