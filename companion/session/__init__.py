"""Runs the games at one board: host, session, settings, commitments, and simulated pieces."""
