"""Emulated board: the real firmware in libsimavr, with simulated magnets and sensors."""
