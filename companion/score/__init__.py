"""Games on paper: a position as a picture, a recorded game as a score sheet."""
