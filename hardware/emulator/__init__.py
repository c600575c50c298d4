"""The board without a board: its firmware in libsimavr, its magnets and sensors in numbers."""
