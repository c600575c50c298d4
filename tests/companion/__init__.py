"""The table and what surrounds it, in the language of the game."""
