"""From the bytes of a board to the gestures of the players."""
