"""Games on one board: the host, sessions, settings, commitments and simulated pieces."""
