"""The mechanics of the board: printed parts, flat parts for wood, and their assembly."""
