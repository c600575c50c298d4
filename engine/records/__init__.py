"""Recorded games: data types, reading, writing, and checking against the rules."""
