"""Recorded games: what they hold, how they are written and read, and how they are judged."""
