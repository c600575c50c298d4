"""Games on a single board: the host, sessions, settings, commitments and simulated pieces."""
