"""A simulated board that speaks the real frames over a real pseudo-terminal."""
