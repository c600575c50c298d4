"""Recorded games: their data, reading and writing them, and checking them against the rules."""
