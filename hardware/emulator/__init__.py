"""Emulated board: runs the real firmware in libsimavr, with simulated magnets and sensors."""
