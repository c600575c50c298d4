"""Mechanical parts of the board (printed or cut from sheets) and their assembly."""
