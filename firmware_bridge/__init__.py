"""From the bytes that a board sends to the gestures of the players."""
